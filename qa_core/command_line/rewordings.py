"""``rewordings``: the wordings that people kept for questions, out of the store and into it."""

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
        "--import", dest="file", type=Path, metavar="FILE", help="keep those of a file of AIT-QA questions"
    )
    parser.add_argument("--author", default="imported", help="whose they are where the file does not say it")


def _run(options: argparse.Namespace) -> None:
    from qa_core.evaluation.rewording_store import RewordingStore
    from qa_core.evaluation.rewordings import export, from_record

    dataset, store = dataset_of(options), RewordingStore(options.store)
    if options.file is None:
        for record in export(store.standing(dataset), dataset):
            write_json(record, indent=None)
        return
    now = datetime.now(UTC)
    entries = [
        from_record(record, dataset, where, options.author, now)
        for where, record in read_json_lines(options.file)
    ]
    kept = store.add(dataset, entries)
    say(f"{kept} of {len(entries)} wordings are new and were kept.")


COMMAND = Command(
    "rewordings",
    "print the wordings that people kept for the questions of a dataset as AIT-QA questions, or keep more",
    _add_options,
    _run,
)
