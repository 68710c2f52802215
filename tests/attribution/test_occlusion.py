"""Leaving out and asking again: odd answers first, then the exact figures of lexical on a sample table."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings

from qa_core.attribution import HeaderPart, WordPart, attribute
from qa_core.attribution.occlusion import MAX_HEADERS, MAX_WORDS
from qa_core.datasets import load_dataset
from qa_core.prediction import Prediction, abstain
from qa_core.systems.interface import Request
from qa_core.systems.registry import load_system
from qa_core.table import Location, Table
from tests.strategies import tables
from tests.tables import AMAZON, FUEL, HEADERS_ONLY

lexical = load_system("lexical").predict


class Recorder:
    """Says the same to every request, and keeps what it was asked."""

    def __init__(self, prediction: Prediction) -> None:
        self.prediction = prediction
        self.asked: list[Request] = []
        self.batches: list[int] = []

    def __call__(self, requests: Sequence[Request]) -> list[Prediction]:
        self.asked += requests
        self.batches.append(len(requests))
        return [self.prediction] * len(requests)


def test_an_abstention_has_no_headers_but_its_words_are_asked() -> None:
    found = attribute(Recorder(abstain("No.")), AMAZON, "Sales in 2023?", "base")
    assert (found.location, found.headers) == (None, ())
    assert [each.part.text for each in found.words] == ["Sales", "in", "2023"]
    assert not any(each.changes for each in found.words)
    assert [each.drop for each in found.words] == [None] * 3


def test_a_word_without_which_there_is_no_answer_changes_it() -> None:
    found = attribute(lexical, AMAZON, "AWS?", "base")
    [word] = found.words
    assert (word.part.text, word.prediction.answer, word.changes, word.drop) == ("AWS", "", True, None)


def test_another_cell_than_the_predicted_one_can_be_asked_about() -> None:
    found = attribute(lexical, AMAZON, "AWS net sales in 2024?", "base", location=Location(0, 1))
    assert found.prediction.location == Location(2, 1)
    assert [each.part.text for each in found.headers][:2] == ["North America", "Net sales"]
    assert found.lead.row is not None and found.lead.row < 0 < (found.lead.column or 0)
    assert not found.headers[0].changes


def test_an_answer_of_several_cells_changes_with_any_of_them() -> None:
    both = Prediction("950", (Location(0, 0), Location(2, 0)), operator="SUM")
    fewer = Prediction("950", (Location(0, 0),), operator="SUM")

    def system(requests: Sequence[Request]) -> list[Prediction]:
        return [fewer if "total" not in request.question else both for request in requests]

    found = attribute(system, AMAZON, "total sales", "base")
    assert found.location == Location(0, 0)
    assert {each.part.text: each.changes for each in found.words} == {"total": True, "sales": False}


def test_a_header_answer_leaves_its_own_path_out() -> None:
    header = Prediction("Net sales", (Location(2, None),), row_scores=(0.0, 0.0, 1.0, 0.0))
    found = attribute(Recorder(header), AMAZON, "Which?", "base")
    assert [each.part.text for each in found.headers] == ["AWS", "Net sales"]
    assert (found.lead.row, found.lead.column, found.lead.whole) == (1.0, None, 1.0)


def test_tables_without_row_headers_and_without_rows() -> None:
    found = attribute(lexical, FUEL, "Average price per gallon in 2017?", "base")
    assert found.prediction.answer == "$1.74"
    year, price = found.headers
    assert (year.part.text, year.changes) == ("2017", False)  # the other row names another year
    assert year.drop is not None and year.drop > 1
    assert (price.part.text, price.changes) == ("Average Price Per Gallon", True)
    empty = attribute(lexical, HEADERS_ONLY, "2018?", "base")
    assert (empty.location, empty.headers, len(empty.words)) == (None, (), 1)


def test_a_long_question_and_a_deep_path_are_bounded_and_said() -> None:
    deep = Table("t", (("2018",),), (tuple(f"level {n}" for n in range(50)),), (("1",),))
    recorder = Recorder(Prediction("1", (Location(0, 0),)))
    found = attribute(recorder, deep, " ".join(["word"] * 100), "base")
    assert (len(found.headers), len(found.words)) == (MAX_HEADERS, MAX_WORDS) == (32, 40)
    assert found.unasked == (51 - 32, 60)
    assert found.headers[-1].part.text == "2018"
    assert found.headers[0].part.text == "level 19"
    assert len(recorder.asked) == 1 + 32 + 40


def test_progress_is_told_before_each_batch_and_can_break_it_off() -> None:
    told: list[tuple[int, int]] = []
    recorder = Recorder(Prediction("1", (Location(0, 0),)))
    attribute(recorder, AMAZON, "one two three", "base", on_progress=lambda *n: told.append(n))
    assert told == [(0, 7), (4, 7)]
    assert recorder.batches == [1, 4, 3]

    def stop(done: int, total: int) -> None:
        if done:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        attribute(recorder, AMAZON, "one two three", "base", on_progress=stop)
    assert recorder.batches == [1, 4, 3, 1, 4]


def test_the_transformation_is_that_of_every_request() -> None:
    recorder = Recorder(Prediction("1", (Location(0, 0),)))
    attribute(recorder, AMAZON, "Sales?", "transpose-all")
    assert {request.flat.transformation for request in recorder.asked} == {"transpose-all"}


@settings(max_examples=50, deadline=None)
@given(tables())
def test_a_system_that_heeds_nothing_gets_no_contributions(table: Table) -> None:
    for location in list(table.locations())[:3]:
        said = Prediction(
            "x", (location,), row_scores=(1.0,) * table.n_rows, column_scores=(0.5,) * table.n_columns
        )
        found = attribute(Recorder(said), table, "a b", "base")
        for each in (*found.headers, *found.words):
            assert not each.changes
            assert not each.drop


def test_the_headers_and_words_of_a_sample_question() -> None:
    dataset = load_dataset("sample")
    question = dataset.question("s-air-op-2-q1")
    found = attribute(lexical, dataset.table(question.table_id), question.text, "base")
    assert (found.location, found.prediction.answer) == (Location(20, 2), "19.3%")
    assert (found.lead.row, found.lead.column) == pytest.approx((1.51411, 1.58732), abs=1e-4)
    assert [
        (each.part.text, each.part.axis, each.part.lines, each.prediction.answer, each.prediction.location)
        for each in found.headers
        if isinstance(each.part, HeaderPart)
    ] == [
        ("Regional Operating Statistics: (c)", "row", 5, "4.5%", Location(1, 2)),
        ("RPMs (000,000)", "row", 1, "4.5%", Location(1, 2)),
        ("Twelve Months Ended December 31,", "column", 3, "19.3%", Location(20, 2)),
        ("Change", "column", 1, "4,892", Location(20, 0)),
    ]
    assert [each.drop for each in found.headers] == pytest.approx(
        [1.87411, 4.29919, 0.43411, 4.84164], abs=1e-4
    )
    needed = {each.part.text: each for each in found.words if each.changes}
    assert [*needed] == ["traffic", "regional"]
    assert needed["regional"].prediction.location == found.headers[0].prediction.location == Location(1, 2)
    assert needed["traffic"].drop == pytest.approx(1.57866, abs=1e-4)
    [year] = [each for each in found.words if each.part.text == "2018"]
    assert year.part == WordPart(58, 62, "2018")
    assert (year.drop, year.lead.column) == (0.0, pytest.approx(2.97732, abs=1e-4))
