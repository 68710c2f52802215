"""``evaluate``: run a system over a dataset."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from qa_core.command_line.command import Command, positive
from qa_core.command_line.evaluations import Progress, add_evaluation, dataset_of
from qa_core.command_line.output import write, write_json
from qa_core.systems.registry import load_system

if TYPE_CHECKING:
    from qa_core.datasets import Dataset
    from qa_core.evaluation.judgement_store import JudgementStore
    from qa_core.evaluation.store import RunStore


def _add_options(parser: argparse.ArgumentParser) -> None:
    add_evaluation(parser)
    parser.add_argument("--limit", type=positive, metavar="N", help="only the first N questions")


def _run(options: argparse.Namespace) -> None:
    from qa_core.evaluation.judgement_store import JudgementStore
    from qa_core.evaluation.runner import run_evaluation
    from qa_core.evaluation.store import RunStore

    dataset = dataset_of(options)
    store = RunStore(options.store)
    system = load_system(options.system, options.model, use_lexicon=options.use_lexicon)
    run = run_evaluation(
        dataset,
        system,
        options.transformation,
        store,
        limit=options.limit,
        fresh=options.fresh,
        on_progress=Progress(options.fresh),
    )
    report = _report(store, run.id) | _judged(store, JudgementStore(options.store), run.id, dataset)
    if options.json:
        write_json(report)
    else:
        _print_report(report)


def _report(store: RunStore, run_id: str) -> dict[str, Any]:
    run = store.run(run_id)
    return {
        "dataset": run.dataset,
        "system": run.system,
        "model": run.weights,
        "transformation": run.transformation,
        **store.summary(run_id),
        "seconds": round(run.seconds, 3),
        "run": run.id,
    }


def _judged(store: RunStore, judgements: JudgementStore, run_id: str, dataset: Dataset) -> dict[str, Any]:
    """Accuracy once disputed golds are left out or corrected, where there are any."""
    from qa_core.evaluation.corrected import accuracies

    found = accuracies(store, run_id, dataset, judgements.judged(dataset))
    if not found.disputed:
        return {}
    return {
        "disputed": len(found.disputed),
        "undisputed": {"n": found.undisputed.n, "strict": found.undisputed.accuracy},
        "corrected": {"n": found.corrected.n, "strict": found.corrected.accuracy},
    }


def _print_report(report: dict[str, Any]) -> None:
    system = " · ".join(filter(None, (report["system"], report["model"])))
    write(f"{system} · {report['transformation']} · {report['dataset']}, {report['n']} questions")
    write(f"\n{'':26}{'n':>5}  {'strict':>7}  {'normalised':>10}")
    rows = {"all": {"n": report["n"], **report["accuracy"]}, **report["slices"]}
    for name, row in rows.items():
        write(f"{name:26}{row['n']:>5}  {_percent(row['strict']):>7}  {_percent(row['normalised']):>10}")
    if "disputed" in report:
        n = report["disputed"]
        write(f"\n{n} gold{' is' if n == 1 else 's are'} disputed")
        for name in ("undisputed", "corrected"):
            row = report[name]
            write(f"{name:26}{row['n']:>5}  {_percent(row['strict']):>7}")
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
