"""``robustness``: ask the questions of a run in other words, and say how far its answers hold."""

from __future__ import annotations

import argparse
from typing import Any

from qa_core.command_line.command import Command
from qa_core.command_line.evaluations import Progress, add_dataset, dataset_of
from qa_core.command_line.output import write, write_json


def _add_options(parser: argparse.ArgumentParser) -> None:
    add_dataset(parser)
    parser.add_argument(
        "--run", dest="run_id", required=True, metavar="ID", help="the run, as evaluate says its id"
    )


def _run(options: argparse.Namespace) -> None:
    from qa_core.evaluation.perturbed_runner import ask_perturbed, check_dataset
    from qa_core.evaluation.perturbed_store import PerturbedStore
    from qa_core.evaluation.reasking import system_of
    from qa_core.evaluation.robustness import as_json, robustness
    from qa_core.evaluation.store import RunStore

    runs, store = RunStore(options.store), PerturbedStore(options.store)
    run, dataset = runs.run(options.run_id), dataset_of(options)
    check_dataset(dataset, run)
    progress = Progress(fresh=False, again="they are not asked again")
    ask_perturbed(dataset, run, system_of(run), runs, store, on_progress=progress)
    report = as_json(robustness(store, run), run)
    if options.json:
        write_json(report)
    else:
        _print_report(report)


def _print_report(report: dict[str, Any]) -> None:
    system = " · ".join(filter(None, (report["system"], report["model"])))
    write(f"{system} · {report['transformation']} · {report['dataset']}, {report['questions']} questions")
    write(
        f"\n{'':14}{'fits':>6}{'not':>6}  {'before':>7}  {'after':>7}  {'same':>7}{'gained':>8}{'lost':>6}  p"
    )
    for name, row in report["perturbations"].items():
        shares = "  ".join(f"{_percent(row[figure]):>7}" for figure in ("before", "after", "same"))
        write(
            f"{name:14}{row['fits']:>6}{row['does_not_fit']:>6}  {shares}{row['gained']:>8}{row['lost']:>6}"
            f"  {row['p_value']:.3f}"
        )
    right = report["stay_right"]
    low, high = right["interval"]
    write(
        f"\nright answers that stay right: {_percent(right['share'])} of {right['n']} "
        f"(95 %: {100 * low:.1f} to {100 * high:.1f}) · run {report['run']}"
    )


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.2f}"


COMMAND = Command(
    "robustness",
    "ask the questions of a run in other words; what was asked before is not asked again",
    _add_options,
    _run,
)
