"""The figures of a system over a whole dataset, which are made where there are none."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from components.resources import run_store
from components.runs.evaluations import Evaluation, EvaluationKey, evaluations
from components.runs.figures import run_summary
from qa_core.datasets import Dataset
from qa_core.evaluation.results import is_as_shipped
from qa_core.evaluation.runs import RunRecord
from qa_core.evaluation.store import RunStore
from qa_core.systems.registry import SYSTEMS, load_system
from qa_core.transform import TRANSFORMATIONS

QUICK_QUESTIONS = 1000
"""The most questions that are answered without being asked for."""


@dataclass(frozen=True)
class RunFigures:
    """A run and its summary over what is done (see ``qa_core.evaluation.summary.summarise``)."""

    run: RunRecord
    summary: dict[str, Any]


def quick_figures(dataset: Dataset, system: str, transformation: str) -> RunFigures | Evaluation | None:
    """The figures of a system over a whole dataset, or the evaluation that will give them or failed to.

    A system without a model that was never run over the dataset is started here, where the dataset is small;
    nothing waits for it. Where the answers do not depend on the transformation, a run under any will do. None
    where there is nothing to show. Raises CrossheadError where the store fails.
    """
    store = run_store()
    alike = [transformation] if SYSTEMS[system].reads_flat else list(TRANSFORMATIONS)
    keys = [EvaluationKey(dataset.fingerprint, system, each, None) for each in alike]
    known = [each for each in map(evaluations().find, keys) if each and (not each.ended or each.fault)]
    if known:
        return known[0]
    run = _stored_run(store, dataset, system, alike)
    if run is None and not SYSTEMS[system].needs_model and len(dataset.questions) <= QUICK_QUESTIONS:
        return evaluations().start(keys[0], dataset, store)
    return RunFigures(run, run_summary(store, run)) if run and run.done else None


def start_quick(dataset: Dataset, system: str) -> RunFigures | Evaluation | None:
    """As ``quick_figures`` over tables as they are, but a system with a model is started as well, once.

    None where it was stopped before it answered anything.
    """
    found = quick_figures(dataset, system, "base")
    key = EvaluationKey(dataset.fingerprint, system, "base", None)
    if found is None and evaluations().find(key) is None:
        return evaluations().start(key, dataset, run_store())
    return found


def stored_runs(dataset: Dataset, systems: Iterable[str]) -> dict[str, RunRecord]:
    """By system the run over a dataset that ``quick_figures`` shows, as far as there is one."""
    store = run_store()
    found = {name: _stored_run(store, dataset, name, list(TRANSFORMATIONS)) for name in systems}
    return {name: run for name, run in found.items() if run and run.done}


def _stored_run(
    store: RunStore, dataset: Dataset, system: str, transformations: Sequence[str]
) -> RunRecord | None:
    """The fullest run over all questions, of equals the newest.

    It is one of exactly this system; for one with a model, which is not loaded for this, of any version of
    its default model.
    """
    found = [
        run
        for run in store.runs()
        if (run.dataset_fingerprint, run.system, run.limit) == (dataset.fingerprint, system, None)
        and run.transformation in transformations
        and is_as_shipped(run)
    ]
    if not SYSTEMS[system].needs_model:
        loaded = load_system(system)
        exactly = loaded.version, loaded.weights
        found = [run for run in found if (run.system_version, run.weights) == exactly]
    return max(found, key=lambda run: (run.done, run.updated), default=None)
