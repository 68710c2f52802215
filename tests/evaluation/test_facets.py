"""Facets of questions and of answers over tables as filings print them."""

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qa_core.datasets import load_dataset
from qa_core.evaluation.calibration import Answer, calibration
from qa_core.evaluation.facets import ANSWER_FACETS, QUESTION_FACETS, answer_facets, answer_kind
from qa_core.evaluation.gold import find_gold
from qa_core.evaluation.outcome import judge
from qa_core.prediction import Prediction
from qa_core.question import KPI_DRIVEN, Question
from qa_core.table import Table

TABLE = Table(
    "t",
    (("Year Ended December 31,", "2018"), ("Year Ended December 31,", "% Change"), ("Maturity",)),
    (
        ("Mainline:", "", "Revenue passengers (000)"),
        ("Mainline:", "Fuel cost, in dollars"),
        (),
        ("Headcount of pilots",),
    ),
    (
        ("35,603", "3.2", "May 15, 2027"),
        ("2.14", "(0.6)", "2031"),
        ("12.1%", "", "12/31/2019"),
        ("75", "1.1 pts", "at will"),
    ),
)


def facets(answer: str, table: Table = TABLE, **about: object) -> dict[str, str]:
    question = replace(Question("q", "t", "How many?", (answer,)), **about)
    return dict(judge(question, table, Prediction("")).facets)


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        ("35,603", "count"),
        ("3.2", "percent"),
        ("May 15, 2027", "date"),
        ("2.14", "money"),
        ("(0.6)", "percent"),
        ("2031", "date"),
        ("12.1%", "percent"),
        ("12/31/2019", "date"),
        ("1.1 pts", "percent"),
        ("at will", "text"),
        ("$12,5", "money"),
        ("Maybelline 2", "text"),
        ("", "text"),
    ],
)
def test_what_an_answer_is_says_itself_or_the_headers_over_it(answer: str, kind: str) -> None:
    assert answer_kind(answer, TABLE, find_gold(Question("q", "t", "?", (answer,)), TABLE)) == kind


def test_where_no_header_says_it_the_title_does() -> None:
    titled = replace(TABLE, title="Segment results ($ in millions)")
    gold = find_gold(Question("q", "t", "?", ("75",)), titled)
    assert answer_kind("75", titled, gold) == "money"
    assert answer_kind("75", TABLE, gold) == "count"


def test_a_question_has_a_value_of_each_facet() -> None:
    assert facets("35,603", kind=KPI_DRIVEN, row_hierarchy_needed=True, paraphrase_group="p") == {
        "category": "kpi-driven",
        "hierarchy": "needed",
        "paraphrase": "paraphrased",
        "leaf": "unique",
        "row-depth": "2",
        "column-depth": "2",
        "size": "small",
        "answer": "count",
    }


def test_depth_counts_levels_with_a_label() -> None:
    assert facets("12.1%")["row-depth"] == "0"
    assert facets("12.1%")["column-depth"] == "2"
    assert facets("at will")["column-depth"] == "1"


def test_a_gold_in_a_row_header_has_no_column_and_one_nowhere_no_depth() -> None:
    header = facets("Headcount of pilots")
    assert (header["row-depth"], header["column-depth"]) == ("1", "no-cell")
    nowhere = facets("no such text")
    assert (nowhere["row-depth"], nowhere["column-depth"]) == ("no-cell", "no-cell")


@pytest.mark.parametrize(
    ("rows", "size"), [(50, "small"), (51, "middling"), (151, "large"), (500, "large"), (501, "vast")]
)
def test_a_table_is_as_large_as_its_body(rows: int, size: str) -> None:
    assert facets("x", Table("t", (("a",),), (), (("x",),) * rows))["size"] == size


def test_values_of_real_questions_are_those_that_the_facets_name() -> None:
    dataset = load_dataset("sample")
    for question in dataset.questions:
        found = judge(question, dataset.table(question.table_id), Prediction("")).facets
        assert list(found) == list(QUESTION_FACETS)
        assert all(value in QUESTION_FACETS[name].values for name, value in found.items())


@pytest.mark.parametrize(
    ("confidence", "tenth"),
    [(0.0, "0"), (0.1, "0"), (0.11, "1"), (0.3, "2"), (0.6, "5"), (0.7, "6"), (0.79, "7"), (1.0, "9")],
)
def test_an_answer_has_a_reason_and_a_tenth_of_the_scale(confidence: float, tenth: str) -> None:
    assert answer_facets(False, "both-wrong", confidence) == {"reason": "both-wrong", "confidence": tenth}
    assert answer_facets(True, "", confidence)["reason"] == "right"
    assert list(ANSWER_FACETS) == ["reason", "confidence"]


@given(st.lists(st.floats(0, 1) | st.sampled_from([n / 10 for n in range(11)]), min_size=1, max_size=40))
def test_the_tenths_are_the_bins_of_the_reliability_diagram(confidences: list[float]) -> None:
    counts = Counter(answer_facets(True, "", each)["confidence"] for each in confidences)
    bins = calibration([Answer(each, True) for each in confidences]).bins
    titles = ANSWER_FACETS["confidence"].values
    assert {titles[name]: n for name, n in counts.items()} == {
        f"{each.low:.1f} to {each.high:.1f}": each.n for each in bins
    }
