"""Asking the system of a run its questions in other words: in batches, each saved before the next begins."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from qa_core.datasets import Dataset
from qa_core.errors import CrossheadError
from qa_core.evaluation.gold import find_gold
from qa_core.evaluation.outcome import judge
from qa_core.evaluation.perturbations import PERTURBATIONS, perturb
from qa_core.evaluation.perturbed_store import PerturbedAnswer, PerturbedStore
from qa_core.evaluation.runner import BATCH_SIZE
from qa_core.evaluation.runs import RunRecord
from qa_core.evaluation.store import RunStore
from qa_core.question import Question
from qa_core.systems.interface import Request, System
from qa_core.transform import FlatTable, flatten


def ask_perturbed(
    dataset: Dataset,
    run: RunRecord,
    system: System,
    runs: RunStore,
    store: PerturbedStore,
    *,
    on_progress: Callable[[int, int], None] | None = None,
    should_stop: Callable[[], bool] | None = None,
) -> None:
    """Ask all that a run answered in the words of every perturbation that fits; what is stored is not asked
    again.

    ``system`` is the one that made the run (see ``reasking.system_of``). ``on_progress(done, total)`` is
    called at the start and after each batch of questions; ``should_stop()`` is asked between batches. Raises
    CrossheadError for a dataset that the run is not over, a system that does not answer every question, and a
    store that fails.
    """
    check_dataset(dataset, run)
    answered = runs.answered(run.id)
    store.forget_other_rules(run.id)
    done = store.looked_at(run.id)
    left = _by_table(
        question for question in dataset.questions if question.id in answered and question.id not in done
    )
    report = on_progress or (lambda done, total: None)
    report(len(answered) - len(left), len(answered))
    flats: dict[str, FlatTable] = {}
    for start in range(0, len(left), BATCH_SIZE):
        if should_stop is not None and should_stop():
            return
        batch = left[start : start + BATCH_SIZE]
        for table_id in {question.table_id for question in batch} - set(flats):
            if table_id in dataset.tables:
                flats[table_id] = flatten(dataset.tables[table_id], run.transformation)
        store.save(run.id, [question.id for question in batch], _answers(batch, flats, system))
        report(len(answered) - len(left) + start + len(batch), len(answered))


def check_dataset(dataset: Dataset, run: RunRecord) -> None:
    """Raise CrossheadError where a run is over another dataset."""
    if run.dataset_fingerprint != dataset.fingerprint:
        raise CrossheadError(
            f"The run {run.id} is over another dataset than this {dataset.name}; name the {run.dataset} that "
            "it is over, as it was then."
        )


def _by_table(questions: Iterable[Question]) -> list[Question]:
    """Questions with those over one table together, so that a system encodes a table once."""
    groups: dict[str, list[Question]] = {}
    for question in questions:
        groups.setdefault(question.table_id, []).append(question)
    return [question for group in groups.values() for question in group]


def _answers(batch: Sequence[Question], flats: dict[str, FlatTable], system: System) -> list[PerturbedAnswer]:
    worded = [
        (question, name, text)
        for question in batch
        if question.table_id in flats
        for name, text in wordings(question, flats[question.table_id])
    ]
    requests = [Request(text, flats[question.table_id]) for question, _, text in worded]
    start = time.perf_counter()
    predictions = system.predict(requests) if requests else []
    seconds = (time.perf_counter() - start) / max(len(requests), 1)
    if len(predictions) != len(requests):
        raise CrossheadError(
            f"The system {system.name} gave {len(predictions)} predictions for {len(requests)} questions; "
            "it has to give one for each."
        )
    answers = []
    for (question, name, text), prediction in zip(worded, predictions, strict=True):
        outcome = judge(replace(question, text=text), flats[question.table_id].table, prediction)
        answers.append(
            PerturbedAnswer(
                question.id,
                name,
                text,
                prediction.answer,
                prediction.location,
                outcome.strict,
                outcome.reason,
                prediction.confidence,
                seconds,
            )
        )
    return answers


def wordings(question: Question, flat: FlatTable) -> list[tuple[str, str]]:
    """The perturbations that fit a question, each with its wording."""
    gold = find_gold(question, flat.table)
    found = ((name, perturb(name, question.text, flat.table, gold)) for name in PERTURBATIONS)
    return [(name, text) for name, text in found if text is not None]
