"""Running a system over a dataset: in batches, each saved before the next begins."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from qa_core.datasets import Dataset
from qa_core.errors import CrossheadError
from qa_core.evaluation.outcome import judge
from qa_core.evaluation.runs import RunIdentity, RunRecord, Saved
from qa_core.evaluation.store import RunStore
from qa_core.prediction import Prediction, abstain
from qa_core.question import Question
from qa_core.systems.interface import Request, System
from qa_core.table import Table
from qa_core.transform import FlatTable, flatten

BATCH_SIZE = 8
"""Questions per batch: the most that a kill can lose."""


@dataclass(frozen=True)
class _Task:
    position: int
    question: Question


def run_evaluation(
    dataset: Dataset,
    system: System,
    transformation: str,
    store: RunStore,
    *,
    limit: int | None = None,
    fresh: bool = False,
    on_progress: Callable[[int, int], None] | None = None,
    should_stop: Callable[[], bool] | None = None,
) -> RunRecord:
    """Evaluate a system over the first ``limit`` questions of a dataset (all by default).

    The same evaluation resumes the same run: questions that the store already holds are not asked again, so
    a finished run is returned as it is. ``fresh`` asks all of them anew, in a run that takes the old one's
    place once it is finished and until then is resumed by ``fresh`` alone.

    ``on_progress(done, total)`` is called at the start and after each batch; ``should_stop()`` is asked
    between batches, and where it says yes (or the evaluation is interrupted) the run is ``stopped`` with
    everything finished kept.

    A question whose table the dataset lacks gets an abstention that says so. Raises CrossheadError for an
    unknown transformation, a system that does not answer every question, and a store that fails.
    """
    flats = {table_id: flatten(table, transformation) for table_id, table in dataset.tables.items()}
    tasks = [_Task(position, question) for position, question in enumerate(dataset.questions[:limit])]
    identity = RunIdentity(
        dataset_fingerprint=dataset.fingerprint,
        system=system.name,
        system_version=system.version,
        weights=system.weights,
        transformation=transformation,
        limit=limit if len(tasks) < len(dataset.questions) else None,
    )
    if fresh and store.find_run(identity):
        identity = replace(identity, replacement=True)
    run = store.start_run(identity, dataset.name, len(tasks))
    report = on_progress or (lambda done, total: None)
    report(run.done, run.total)
    if run.status == "finished":
        return run

    answered = store.answered(run.id)
    pending = _by_table(task for task in tasks if task.question.id not in answered)
    store.set_status(run.id, "running")
    try:
        for start in range(0, len(pending), BATCH_SIZE):
            if should_stop is not None and should_stop():
                store.set_status(run.id, "stopped")
                return store.run(run.id)
            batch = pending[start : start + BATCH_SIZE]
            store.save(run.id, _evaluate(batch, flats, system))
            report(run.done + start + len(batch), run.total)
    except BaseException:
        store.set_status(run.id, "stopped")
        raise
    store.finish_run(run.id)
    return store.run(run.id)


def _by_table(tasks: Iterable[_Task]) -> list[_Task]:
    """Tasks with those over one table together, so that a system encodes a table once."""
    groups: dict[str, list[_Task]] = {}
    for task in tasks:
        groups.setdefault(task.question.table_id, []).append(task)
    return [task for group in groups.values() for task in group]


def _evaluate(batch: Sequence[_Task], flats: Mapping[str, FlatTable], system: System) -> list[Saved]:
    start = time.perf_counter()
    predictions = _predict([task.question for task in batch], flats, system)
    seconds = (time.perf_counter() - start) / len(batch)
    return [
        Saved(judge(task.question, _table(task.question, flats), prediction), task.position, seconds)
        for task, prediction in zip(batch, predictions, strict=True)
    ]


def _predict(
    questions: Sequence[Question], flats: Mapping[str, FlatTable], system: System
) -> list[Prediction]:
    """One prediction per question; those without a table are not put to the system."""
    answerable = [question for question in questions if question.table_id in flats]
    answers = system.predict([Request(question.text, flats[question.table_id]) for question in answerable])
    if len(answers) != len(answerable):
        raise CrossheadError(
            f"The system {system.name} gave {len(answers)} predictions for {len(answerable)} questions; "
            "it has to give one for each."
        )
    predicted = dict(zip((question.id for question in answerable), answers, strict=True))
    return [
        predicted.get(question.id) or abstain(f"The dataset has no table {question.table_id!r}.")
        for question in questions
    ]


def _table(question: Question, flats: Mapping[str, FlatTable]) -> Table:
    """The table of a question; one without rows and columns where the dataset lacks it."""
    flat = flats.get(question.table_id)
    return flat.table if flat else Table(question.table_id, (), (), ())
