"""A run as columns says what its stored outcomes say."""

from dataclasses import replace
from pathlib import Path

import pytest

from qa_core.evaluation.comparison import CHANGES
from qa_core.evaluation.facets import QUESTION_FACETS, answer_facets
from qa_core.evaluation.filters import Filters
from qa_core.evaluation.frame import compared_frame, dataset_frame, questions_frame, run_frame, summary_of
from qa_core.evaluation.outcome import judge
from qa_core.evaluation.runner import run_evaluation
from qa_core.evaluation.store import RunStore
from tests.evaluation.evaluation_fakes import FirstColumn, airline_dataset
from tests.evaluation.test_comparison import SecondColumn

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


def test_the_figures_of_a_frame_are_those_of_the_store(store: RunStore) -> None:
    for limit in (None, 3, 9):
        run = run_evaluation(DATASET, FirstColumn(), "base", store, limit=limit)
        assert summary_of(run_frame(store, run.id)) == store.summary(run.id)


def test_the_figures_of_no_answers_are_those_of_the_store(store: RunStore) -> None:
    run = run_evaluation(DATASET, FirstColumn(), "base", store, should_stop=lambda: True)
    assert summary_of(run_frame(store, run.id)) == store.summary(run.id)


def test_runs_share_the_columns_of_their_questions(store: RunStore) -> None:
    whole = run_evaluation(DATASET, FirstColumn(), "base", store)
    part = run_evaluation(DATASET, FirstColumn(), "base", store, limit=4)
    questions = questions_frame(store, DATASET.fingerprint)
    assert run_frame(store, whole.id, questions).equals(run_frame(store, whole.id))
    assert run_frame(store, part.id, questions)["id"].tolist() == ["q-0", "q-1", "q-2", "q-3"]
    assert questions.equals(dataset_frame(DATASET))


def test_a_question_without_its_table_is_of_no_slice_and_no_facet() -> None:
    lost = replace(DATASET, tables={"tab-0": DATASET.tables["tab-0"]})
    frame = dataset_frame(lost)
    assert frame["slices"][1] == "||"
    assert frame[[*QUESTION_FACETS]].loc[1].isna().all()
    assert frame[[*QUESTION_FACETS]].loc[0].notna().all()


def test_two_runs_side_by_side_say_what_the_paired_cases_say(store: RunStore) -> None:
    one = run_evaluation(DATASET, FirstColumn(), "base", store)
    two = run_evaluation(DATASET, SecondColumn(), "base", store, limit=15)
    compared = compared_frame(run_frame(store, one.id), run_frame(store, two.id))
    cases = store.paired_cases(one.id, two.id)
    assert compared["id"].tolist() == [case.question_id for case in cases]
    assert compared["change"].tolist() == [case.change for case in cases]
    for change in CHANGES:
        for reason in ("neighbouring-period", "no-answer"):
            meant = Filters({"change": change, "reason": reason}).mask(compared)
            found = store.paired_cases(one.id, two.id, change=change, reason=reason)
            assert compared["id"][meant].tolist() == [case.question_id for case in found]


def test_cases_at_positions_are_those_of_the_frame(store: RunStore) -> None:
    one = run_evaluation(DATASET, FirstColumn(), "base", store)
    two = run_evaluation(DATASET, SecondColumn(), "base", store)
    found = store.paired_cases(one.id, two.id, positions=[7, 3])
    assert [case.question_id for case in found] == ["q-3", "q-7"]
    assert [case.question_id for case in store.cases_at(one.id, [7, 3])] == ["q-3", "q-7"]
    assert [case.question_id for case in store.cases_of(one.id, ["q-7", "q-3", "gone"])] == ["q-3", "q-7"]
