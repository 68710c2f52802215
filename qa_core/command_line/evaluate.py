"""``evaluate``: run a system over a dataset."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from qa_core.command_line.command import Command, add_system, positive
from qa_core.command_line.output import say, write, write_json
from qa_core.datasets import DATASETS, load_dataset
from qa_core.errors import CrossheadError
from qa_core.systems.registry import load_system

if TYPE_CHECKING:
    from qa_core.evaluation.store import RunStore


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--dataset", choices=list(DATASETS), default="sample")
    parser.add_argument("--data-dir", type=Path, metavar="DIR", help="folder of the dataset aitqa")
    add_system(parser)
    parser.add_argument("--limit", type=positive, metavar="N", help="only the first N questions")
    parser.add_argument("--store", metavar="URL", help="store, an SQLAlchemy URL (CROSSHEAD_STORE)")
    parser.add_argument(
        "--fresh",
        action="store_true",
        help="ask everything anew; an earlier run stays until the new one is finished",
    )


def _run(options: argparse.Namespace) -> None:
    from qa_core.evaluation.runner import run_evaluation
    from qa_core.evaluation.store import RunStore

    dataset = load_dataset(options.dataset, options.data_dir)
    if not dataset.questions:
        raise CrossheadError(f"The dataset {dataset.name} has no questions; choose another dataset.")
    store = RunStore(options.store)
    system = load_system(options.system, options.model)
    run = run_evaluation(
        dataset,
        system,
        options.transformation,
        store,
        limit=options.limit,
        fresh=options.fresh,
        on_progress=_Progress(options.fresh),
    )
    report = _report(store, run.id)
    if options.json:
        write_json(report)
    else:
        _print_report(report)


def _report(store: RunStore, run_id: str) -> dict[str, Any]:
    run = store.run(run_id)
    return {
        "dataset": run.dataset,
        "system": run.system,
        "transformation": run.transformation,
        **store.summary(run_id),
        "seconds": round(run.seconds, 3),
        "run": run.id,
    }


class _Progress:
    """Progress on standard error: a running count on a terminal, elsewhere only what was there before."""

    def __init__(self, fresh: bool) -> None:
        self._again = "the --fresh run goes on" if fresh else "--fresh asks them again"
        self._begun = False
        self._terminal = sys.stderr is not None and sys.stderr.isatty()

    def __call__(self, done: int, total: int) -> None:
        if not self._begun and done:
            say(f"{done} of {total} questions were answered before; {self._again}.")
        elif self._terminal:
            say(f"\r{done} of {total} questions", end="\n" if done == total else "")
        self._begun = True


def _print_report(report: dict[str, Any]) -> None:
    write(f"{report['system']} · {report['transformation']} · {report['dataset']}, {report['n']} questions")
    write(f"\n{'':26}{'n':>5}  {'strict':>7}  {'normalised':>10}")
    rows = {"all": {"n": report["n"], **report["accuracy"]}, **report["slices"]}
    for name, row in rows.items():
        write(f"{name:26}{row['n']:>5}  {_percent(row['strict']):>7}  {_percent(row['normalised']):>10}")
    sets = report["paraphrase_sets"]
    write(f"\nparaphrase sets: {sets['all']} all right, {sets['some']} some, {sets['none']} none")
    write("\nmisses (strict)")
    for reason, n in report["misses"].items():
        write(f"{reason:26}{n:>5}")
    write(f"\n{report['seconds']:.2f} s · run {report['run']}")


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.2f}"


COMMAND = Command(
    "evaluate",
    "run a system over a dataset; a run that was interrupted goes on where it stopped",
    _add_options,
    _run,
)
