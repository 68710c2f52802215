"""``reproduce``: run all that the AIT-QA paper's tables lack, and write them."""

from __future__ import annotations

import argparse
from pathlib import Path

from qa_core.command_line.command import Command
from qa_core.command_line.evaluations import Progress, add_dataset, dataset_of
from qa_core.command_line.output import say, write
from qa_core.errors import CrossheadError
from qa_core.systems.registry import SYSTEMS, load_system


def _add_options(parser: argparse.ArgumentParser) -> None:
    add_dataset(parser)
    parser.add_argument(
        "--system", action="append", choices=list(SYSTEMS), help="run only this one; may be repeated"
    )
    parser.add_argument(
        "--out", type=Path, metavar="FOLDER", help="also write reproduction.md and reproduction.html here"
    )


def _run(options: argparse.Namespace) -> None:
    from qa_core.datasets import looks_like_aitqa
    from qa_core.evaluation.paper_tables import missing_runs, paper_tables
    from qa_core.evaluation.paper_text import as_html, as_markdown
    from qa_core.evaluation.published import AIT_QA
    from qa_core.evaluation.results import standing_runs
    from qa_core.evaluation.runner import run_evaluation
    from qa_core.evaluation.store import RunStore

    dataset, store = dataset_of(options), RunStore(options.store)
    if options.out is not None:
        _make(options.out)
    missing = [
        each
        for each in missing_runs(standing_runs(store.runs(), dataset.fingerprint))
        if not options.system or each.system in options.system
    ]
    for number, each in enumerate(missing, 1):
        say(f"{number} of {len(missing)}: {each.system}, {each.transformation}")
        run_evaluation(
            dataset, load_system(each.system), each.transformation, store, on_progress=Progress(fresh=False)
        )
    tables = list(
        paper_tables(
            standing_runs(store.runs(), dataset.fingerprint),
            AIT_QA if looks_like_aitqa(dataset) else (),
            lambda run: store.summary(run.id),
        )
    )
    n = len(dataset.questions)
    markdown = as_markdown(tables, dataset.name, n)
    write(markdown.rstrip())
    if options.out is not None:
        for name, text in (("md", markdown), ("html", as_html(tables, dataset.name, n))):
            _write(options.out / f"reproduction.{name}", text)


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise CrossheadError(
            f"The folder {folder} cannot be made: {fault.strerror}; name another."
        ) from fault


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as fault:
        raise CrossheadError(f"{path} cannot be written: {fault.strerror}; name another folder.") from fault


COMMAND = Command(
    "reproduce",
    "run what the tables of the AIT-QA paper lack, and print them in Markdown",
    _add_options,
    _run,
)
