"""``annotations``: the questions that people wrote for a dataset's tables, out of the store and into it."""

from __future__ import annotations

import argparse
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from qa_core.command_line.command import Command
from qa_core.command_line.evaluations import add_dataset, dataset_of
from qa_core.command_line.output import say, write, write_json

if TYPE_CHECKING:
    from qa_core.annotation.review import Held
    from qa_core.annotation.store import AnnotationStore
    from qa_core.datasets import Dataset


def _add_options(parser: argparse.ArgumentParser) -> None:
    add_dataset(parser)
    parser.add_argument(
        "--export",
        type=Path,
        metavar="DIR",
        help="write those that were accepted or mended as a folder in the AIT-QA format",
    )
    parser.add_argument("--unreviewed", action="store_true", help="export also those without a review")
    parser.add_argument(
        "--with-own", action="store_true", help="export the dataset's own questions as well, with all tables"
    )
    parser.add_argument(
        "--import",
        dest="folder",
        type=Path,
        metavar="DIR",
        help="add the questions of a folder in the AIT-QA format, as far as the dataset has its tables",
    )
    parser.add_argument(
        "--author", default="imported", help="whose they are where the folder does not say it"
    )


def _run(options: argparse.Namespace) -> None:
    from qa_core.annotation.export import as_dataset
    from qa_core.annotation.store import AnnotationStore
    from qa_core.datasets.aitqa import save_folder

    dataset, store = dataset_of(options, may_be_empty=True), AnnotationStore(options.store)
    if options.folder is not None:
        _import(options, dataset, store)
    if options.export is not None:
        exported = as_dataset(
            dataset, store.held(dataset), unreviewed=options.unreviewed, with_own=options.with_own
        )
        save_folder(exported, options.export)
        say(
            f"{len(exported.questions)} questions on {len(exported.tables)} tables were written to "
            f"{options.export}."
        )
    elif options.folder is None:
        for subject in store.held(dataset).values():
            _print(subject, options.json)


def _import(options: argparse.Namespace, dataset: Dataset, store: AnnotationStore) -> None:
    from qa_core.annotation.folder import import_folder

    there = len(store.held(dataset))
    found = import_folder(store, dataset, options.folder, options.author, datetime.now(UTC))
    new = len(store.held(dataset)) - there
    say(f"{new} of {found.questions} questions are new and were kept.")
    for sentence in found.left_out:
        say(sentence)


def _print(subject: Held, as_json: bool) -> None:
    from qa_core.annotation.annotation import draft_to_json

    if as_json:
        about: dict[str, Any] = {
            "id": subject.id,
            "table_id": subject.table_id,
            **draft_to_json(subject.draft),
            "author": subject.annotation.author,
            "state": subject.state,
            "reviews": [
                {"reviewer": e.reviewer, "verdict": e.verdict, "reason": e.reason, "made": e.made.isoformat()}
                for e in subject.reviews
            ],
        }
        write_json(about, indent=None)
    else:
        write(f"{subject.state:10} {subject.table_id:20} {subject.draft.text}")


COMMAND = Command(
    "annotations",
    "print the questions that people wrote for a dataset's tables, export them or add those of a folder",
    _add_options,
    _run,
)
