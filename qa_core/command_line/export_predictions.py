"""``export-predictions``: all predictions of a run as a file."""

from __future__ import annotations

import argparse
from pathlib import Path

from qa_core.command_line.command import Command
from qa_core.command_line.evaluations import add_dataset, dataset_of
from qa_core.command_line.output import say
from qa_core.errors import CrossheadError


def _add_options(parser: argparse.ArgumentParser) -> None:
    add_dataset(parser)
    parser.set_defaults(dataset=None)
    parser.add_argument(
        "--run", dest="run_id", required=True, metavar="ID", help="the run, as evaluate and the app name it"
    )
    parser.add_argument(
        "--out", required=True, type=Path, metavar="FILE", help="FILE.csv, FILE.jsonl or FILE.parquet"
    )


def _run(options: argparse.Namespace) -> None:
    from qa_core.evaluation.judgement_store import JudgementStore
    from qa_core.evaluation.predictions_export import FORMATS, prediction_records, write_predictions
    from qa_core.evaluation.store import RunStore

    file_format = options.out.suffix.removeprefix(".")
    if file_format not in FORMATS:
        raise CrossheadError(
            f"The ending of {options.out} names no format; write .csv, .jsonl or .parquet at its end."
        )
    store = RunStore(options.store)
    run = store.run(options.run_id)
    options.dataset = options.dataset or run.dataset
    dataset = dataset_of(options)
    records = prediction_records(store, run, dataset, JudgementStore(options.store).judged(dataset))
    unfinished = options.out.with_name(f"{options.out.name}.part")
    try:
        with unfinished.open("wb") as file:
            write_predictions(file, file_format, records)
        unfinished.replace(options.out)
    except OSError as fault:
        raise CrossheadError(
            f"{options.out} cannot be written: {fault.strerror}; name another file."
        ) from fault
    finally:
        unfinished.unlink(missing_ok=True)
    say(f"{run.done} predictions were written to {options.out}.")


COMMAND = Command(
    "export-predictions",
    "write all predictions of a run with full header paths, as CSV, JSON Lines or Parquet",
    _add_options,
    _run,
)
