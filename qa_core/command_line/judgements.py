"""``judgements``: what people said about the questions of a dataset, out of the store and into it."""

from __future__ import annotations

import argparse
from datetime import UTC, datetime
from pathlib import Path

from qa_core.command_line.command import Command
from qa_core.command_line.evaluations import add_dataset, dataset_of
from qa_core.command_line.output import say, write_json
from qa_core.json_lines import read_json_lines


def _add_options(parser: argparse.ArgumentParser) -> None:
    add_dataset(parser)
    parser.add_argument(
        "--import", dest="file", type=Path, metavar="FILE", help="add those of a file of JSON Lines"
    )
    parser.add_argument("--author", default="imported", help="whose they are where the file does not say it")


def _run(options: argparse.Namespace) -> None:
    from qa_core.evaluation.judgement_store import JudgementStore
    from qa_core.evaluation.judgements import from_records, to_json

    dataset, store = dataset_of(options), JudgementStore(options.store)
    if options.file is None:
        for entry in store.entries(dataset):
            write_json(to_json(entry), indent=None)
        return
    now = datetime.now(UTC)
    entries = from_records(read_json_lines(options.file), options.author, now)
    added = store.add(dataset, entries, undated=now)
    say(f"{added} of {len(entries)} judgements are new and were kept.")


COMMAND = Command(
    "judgements",
    "print what people said about the questions of a dataset, or add it from a file",
    _add_options,
    _run,
)
