"""A run as columns says what its stored outcomes say."""

from pathlib import Path

import pytest

from qa_core.evaluation.facets import QUESTION_FACETS, answer_facets
from qa_core.evaluation.frame import run_frame
from qa_core.evaluation.outcome import judge
from qa_core.evaluation.runner import run_evaluation
from qa_core.evaluation.store import RunStore
from tests.evaluation.evaluation_fakes import FirstColumn, airline_dataset

DATASET = airline_dataset(22)


@pytest.fixture
def store(tmp_path: Path) -> RunStore:
    return RunStore(f"sqlite:///{tmp_path}/runs.sqlite")


def test_every_column_is_that_of_the_outcomes(store: RunStore) -> None:
    run = run_evaluation(DATASET, FirstColumn(), "base", store)
    frame = run_frame(store, run.id)
    assert len(frame) == 22
    for row, case in zip(frame.itertuples(index=False), store.outcomes(run.id), strict=True):
        question = DATASET.question(row.id)
        outcome = judge(question, DATASET.table(row.table), store.prediction(run.id, row.id))
        assert (row.id, row.table, row.strict, row.normalised) == (
            case.question_id,
            case.table_id,
            case.strict,
            case.normalised,
        )
        assert {name: frame[name][row.position] for name in QUESTION_FACETS} == outcome.facets
        of_answer = answer_facets(outcome.strict, outcome.reason, case.confidence)
        assert {name: frame[name][row.position] for name in of_answer} == of_answer


def test_paraphrase_sets_are_told_by_how_many_of_them_are_right(store: RunStore) -> None:
    run = run_evaluation(DATASET, FirstColumn(), "base", store)
    sets = run_frame(store, run.id)["sets"]
    # Item 0 is answered from another column and item 7 not at all; from 10 on there are no sets.
    assert (
        sets[:10].tolist() == ["some-right"] * 2 + ["all-right"] * 4 + ["some-right"] * 2 + ["all-right"] * 2
    )
    assert sets[10:].isna().all()


def test_a_question_of_a_set_asked_alone_is_in_none(store: RunStore) -> None:
    run = run_evaluation(DATASET, FirstColumn(), "base", store, limit=3)
    assert run_frame(store, run.id)["sets"].isna().tolist() == [False, False, True]


def test_a_run_without_answers_has_columns(store: RunStore) -> None:
    run = run_evaluation(DATASET, FirstColumn(), "base", store, should_stop=lambda: True)
    frame = run_frame(store, run.id)
    assert len(frame) == 0
    assert list(frame["answer"].cat.categories) == list(QUESTION_FACETS["answer"].values)
