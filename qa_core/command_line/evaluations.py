"""What the commands that run a system over a dataset share: their options, the dataset, progress."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from qa_core.command_line.command import add_system
from qa_core.command_line.output import say
from qa_core.datasets import DATASETS, Dataset, load_dataset
from qa_core.errors import CrossheadError
from qa_core.evaluation.leaves_only import leaves_only


def add_data_dir(parser: argparse.ArgumentParser) -> None:
    """Add the option that says where AIT-QA lies."""
    parser.add_argument(
        "--data-dir",
        type=Path,
        metavar="DIR",
        default=os.environ.get("CROSSHEAD_AITQA_DIR") or None,
        help="folder of the dataset aitqa (CROSSHEAD_AITQA_DIR)",
    )


def add_dataset(parser: argparse.ArgumentParser) -> None:
    """Add the options that say which questions are meant, and where all about them is kept."""
    parser.add_argument("--dataset", choices=list(DATASETS), default="sample")
    add_data_dir(parser)
    parser.add_argument(
        "--leaves-only",
        action="store_true",
        help="keep only the last level of each header path, to see what the hierarchy is worth",
    )
    parser.add_argument("--store", metavar="URL", help="store, an SQLAlchemy URL (CROSSHEAD_STORE)")


def add_evaluation(parser: argparse.ArgumentParser) -> None:
    """Add the options that say what is run over what, and where it is kept."""
    add_dataset(parser)
    add_system(parser)
    parser.add_argument(
        "--fresh",
        action="store_true",
        help="ask everything anew; an earlier run stays until the new one is finished",
    )


def dataset_of(options: argparse.Namespace, *, may_be_empty: bool = False) -> Dataset:
    """The dataset that the options name; raises CrossheadError as ``load_dataset``, and without questions
    unless it ``may_be_empty`` of them."""
    dataset = load_dataset(options.dataset, options.data_dir)
    if not dataset.questions and not may_be_empty:
        raise CrossheadError(f"The dataset {dataset.name} has no questions; choose another dataset.")
    return leaves_only(dataset) if options.leaves_only else dataset


class Progress:
    """Progress on standard error: a running count on a terminal, elsewhere only what was there before."""

    def __init__(self, fresh: bool, again: str = "--fresh asks them again") -> None:
        self._again = "the --fresh run goes on" if fresh else again
        self._begun = False
        self._terminal = sys.stderr is not None and sys.stderr.isatty()

    def __call__(self, done: int, total: int) -> None:
        if not self._begun and done:
            say(f"{done} of {total} questions were answered before; {self._again}.")
        elif self._terminal:
            say(f"\r{done} of {total} questions", end="\n" if done == total else "")
        self._begun = True
