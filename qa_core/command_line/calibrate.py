"""``calibrate``: how far a system's confidence can be trusted, and what it refuses of wrong tables."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from qa_core.command_line.command import Command
from qa_core.command_line.evaluations import Progress, add_evaluation, dataset_of
from qa_core.command_line.output import write, write_json
from qa_core.errors import CrossheadError
from qa_core.systems.registry import load_system

if TYPE_CHECKING:
    from qa_core.evaluation.runs import RunRecord
    from qa_core.evaluation.store import RunStore


def _run(options: argparse.Namespace) -> None:
    from qa_core.evaluation.runner import run_evaluation
    from qa_core.evaluation.store import RunStore
    from qa_core.evaluation.wrong_tables import with_wrong_tables

    own = dataset_of(options)
    wrong = with_wrong_tables(own)
    if not wrong.questions:
        raise CrossheadError(
            f"No question of the dataset {own.name} can be asked of a wrong table: it needs another table of "
            "the same company without the gold answer; choose another dataset."
        )
    store = RunStore(options.store)
    system = load_system(options.system, options.model, use_lexicon=options.use_lexicon)
    over_own, over_wrong = (
        run_evaluation(
            dataset,
            system,
            options.transformation,
            store,
            fresh=options.fresh,
            on_progress=Progress(options.fresh),
        )
        for dataset in (own, wrong)
    )
    report = _report(store, over_own, over_wrong)
    if options.json:
        write_json(report)
    else:
        _print_report(report)


def _report(store: RunStore, own: RunRecord, wrong: RunRecord) -> dict[str, Any]:
    from qa_core.evaluation.calibration import answers_of, calibration, refusals

    answers = answers_of(store.answer_columns(own.id))
    found = calibration(answers)
    refused = refusals(answers, answers_of(store.answer_columns(wrong.id)))
    return {
        "dataset": own.dataset,
        "system": own.system,
        "transformation": own.transformation,
        "n": found.n,
        "accuracy": found.accuracy,
        "confidence": found.confidence,
        "expected_calibration_error": found.error,
        "bins": [asdict(each) for each in found.bins],
        "threshold": refused and refused.threshold,
        "kept": refused and refused.kept / refused.right,
        "refused": refused and refused.refused / refused.asked,
        "n_wrong": wrong.total,
        "left_out": own.total - wrong.total,
        "run": own.id,
        "run_wrong": wrong.id,
    }


def _print_report(report: dict[str, Any]) -> None:
    write(f"{report['system']} · {report['transformation']} · {report['dataset']}, {report['n']} questions")
    write(f"\n{'confidence':14}{'n':>5}  {'mean':>6}  {'right':>6}")
    for each in report["bins"]:
        _print_bin(f"{each['low']:.1f} to {each['high']:.1f}", each)
    _print_bin("all", report)
    write(f"\nexpected calibration error  {report['expected_calibration_error']:.4f}  (bins of equal width)")
    if report["threshold"] is None:
        write("no answer is right, so no threshold keeps any")
        return
    asked = f"n = {report['n_wrong']}"
    if report["left_out"]:
        asked += f", left out for want of a wrong table: {report['left_out']}"
    write(f"threshold of confidence     {report['threshold']:.4f}")
    write(f"right answers that it keeps {_percent(report['kept'])}")
    write(f"wrong tables refused        {_percent(report['refused'])}  ({asked})")


def _print_bin(title: str, held: dict[str, Any]) -> None:
    confidence, accuracy = _percent(held["confidence"]), _percent(held["accuracy"])
    write(f"{title:14}{held['n']:>5}  {confidence}  {accuracy}")


def _percent(share: float) -> str:
    return f"{100 * share:6.2f}"


COMMAND = Command(
    "calibrate",
    "ask a dataset's questions of their own and of wrong tables: is the confidence right, what is refused",
    add_evaluation,
    _run,
)
