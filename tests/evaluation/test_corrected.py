"""Accuracy as published, without disputed golds, and against the corrected ones."""

from datetime import UTC, datetime

import pytest

from qa_core.evaluation.corrected import Accuracies, Share, accuracies
from qa_core.evaluation.judgements import Judged, Judgement, judged
from qa_core.evaluation.runner import run_evaluation
from qa_core.evaluation.runs import RunRecord
from qa_core.evaluation.store import RunStore
from qa_core.table import Location
from tests.evaluation.evaluation_fakes import FirstColumn, airline_dataset

DATASET = airline_dataset(12)
ELSEWHERE = Location(3, 1)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> RunStore:
    return RunStore(f"sqlite:///{tmp_path_factory.mktemp('store')}/runs.sqlite")


@pytest.fixture(scope="module")
def run(store: RunStore) -> RunRecord:
    """Of the questions q-0 to q-11 it misses q-0 and q-10 by their column, and gives no answer to q-7."""
    return run_evaluation(DATASET, FirstColumn(), "base", store)


def verdict(question_id: str, name: str, answer: str = "", better: Location | None = None) -> Judgement:
    return Judgement(question_id, "gold", "", "Ada", datetime(2026, 1, 2, tzinfo=UTC), name, better, answer)


def measured(store: RunStore, run: RunRecord, *said: Judgement) -> Accuracies:
    return accuracies(store, run.id, DATASET, judged(said))


def test_where_nobody_disputes_a_gold_all_three_are_the_same(store: RunStore, run: RunRecord) -> None:
    published = Share(9, 12)
    assert measured(store, run) == Accuracies(published, published, published, ())
    assert accuracies(store, run.id, DATASET, {"q-1": Judged(tags=("unit",))}).disputed == ()


def test_a_gold_that_stands_after_all_is_not_disputed(store: RunStore, run: RunRecord) -> None:
    said = verdict("q-0", "wrong", answer="0"), verdict("q-0", "stands")
    assert measured(store, run, *said).disputed == ()


def test_a_miss_that_the_correction_calls_right_is_a_hit_against_the_corrected_golds(
    store: RunStore, run: RunRecord
) -> None:
    found = measured(store, run, verdict("q-0", "wrong", answer="0"))
    assert found == Accuracies(Share(9, 12), Share(9, 11), Share(10, 12), ("q-0",))


def test_a_hit_on_a_wrong_gold_is_none_against_the_corrected_one(store: RunStore, run: RunRecord) -> None:
    found = measured(store, run, verdict("q-1", "wrong", answer="something else"))
    assert found == Accuracies(Share(9, 12), Share(8, 11), Share(8, 12), ("q-1",))


def test_an_alternative_takes_nothing_from_those_that_gave_the_gold(store: RunStore, run: RunRecord) -> None:
    other = verdict("q-1", "alternative", answer="something else")
    assert measured(store, run, other).corrected == Share(9, 12)
    beside = verdict("q-10", "alternative", answer="10")
    assert measured(store, run, other, beside).corrected == Share(10, 12)


def test_of_a_question_that_no_cell_answers_no_answer_is_right(store: RunStore, run: RunRecord) -> None:
    found = measured(store, run, verdict("q-7", "unanswerable"), verdict("q-2", "unanswerable"))
    assert found == Accuracies(Share(9, 12), Share(8, 10), Share(9, 12), ("q-2", "q-7"))


def test_a_dispute_of_a_question_that_the_run_was_not_asked_counts_for_nothing(store: RunStore) -> None:
    first = run_evaluation(DATASET, FirstColumn(), "transpose-all", store, limit=3)
    found = measured(store, first, verdict("q-1", "unanswerable"), verdict("q-9", "unanswerable"))
    assert found == Accuracies(Share(2, 3), Share(1, 2), Share(1, 3), ("q-1",))


def test_where_all_golds_are_disputed_there_is_no_accuracy_without_them(store: RunStore) -> None:
    first = run_evaluation(DATASET, FirstColumn(), "transpose-partial", store, limit=1)
    found = measured(store, first, verdict("q-0", "wrong", answer="0"))
    assert (found.undisputed, found.undisputed.accuracy) == (Share(0, 0), None)
    assert found.corrected.accuracy == 1
