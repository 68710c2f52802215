"""Periods as questions and headers write them."""

from __future__ import annotations

import pytest

from qa_core.lexicon import load_lexicon
from qa_core.systems.periods import agreement, path_period, read_period, years_back


@pytest.mark.parametrize(
    ("text", "years", "quarters"),
    [
        ("2018 (a)", {2018}, set()),
        ("FY18", {2018}, set()),
        ("Q1 '19", {2019}, {1}),
        ("1Q18", {2018}, {1}),
        ("4Q2018", {2018}, {4}),
        ("first quarter of fiscal 2020", {2020}, {1}),
        ("Three Months Ended March 31, 2018", {2018}, {1}),
        ("the last quarter of 2017", {2017}, {4}),
        ("between October and December 2018", {2018}, {4}),
        ("two years before 2024", {2022}, set()),
        ("2018/19", {2018, 2019}, set()),
        ("$2,018", set(), set()),
        ("2018%", set(), set()),
        ("part 12018", set(), set()),
        ("", set(), set()),
    ],
)
def test_years_and_quarters(text: str, years: set[int], quarters: set[int]) -> None:
    period = read_period(text)
    assert (set(period.years), set(period.quarters)) == (years, quarters)


@pytest.mark.parametrize(
    ("text", "months", "durations"),
    [
        ("Nine Months Ended September 30,", {9}, {9}),
        ("March 31", {3}, set()),
        ("in May 2018", {5}, set()),
        ("it may rise", set(), set()),
        ("Year Ended December 31,", {12}, {12}),
        ("52 weeks ended", set(), {12}),
    ],
)
def test_months_and_durations(text: str, months: set[int], durations: set[int]) -> None:
    period = read_period(text)
    assert (set(period.months), set(period.durations)) == (months, durations)


def test_the_deepest_level_that_names_a_year_decides() -> None:
    assert path_period(("2018", "Balance at December 31, 2017")).years == {2017}
    assert path_period(("Three Months Ended", "March 31, 2018")).quarters == {1}


def test_agreement() -> None:
    assert agreement(frozenset({2018}), frozenset({2018})) == 1.0
    assert agreement(frozenset({2018}), frozenset({2018, 2017})) == 0.5
    assert agreement(frozenset({2018}), frozenset({2017})) == -1.0
    assert agreement(frozenset(), frozenset({2017})) == 0.0


def test_years_back() -> None:
    assert years_back("two years earlier") == 2
    assert years_back("a year ago") == 1
    assert years_back("in the prior year") == 1
    assert years_back("the latest year") == 0
    assert years_back("in 2018") is None


def test_ordinals_are_the_lexicons() -> None:
    without = load_lexicon().without_meanings()
    for text in ("first quarter", "final three months", "the second-quarter figure"):
        assert read_period(text).quarters
        assert not read_period(text, without).quarters
    assert years_back("in the prior year", without) is None
    assert read_period("Q2 2018", without) == read_period("Q2 2018")
