"""Operators over selected cells: what is no number first, then exact values."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qa_core.systems.aggregation import AVERAGE, COUNT, NONE, SUM, Aggregate, aggregate

numbers = st.decimals(-(10**12), 10**12, places=2, allow_nan=False).filter(lambda value: bool(value))


def written(value: Decimal) -> str:
    """As a filing writes it: separators, and parentheses for a minus."""
    return f"{value:,}" if value > 0 else f"({-value:,})"


def test_a_sum_over_no_number_is_the_cells_themselves() -> None:
    assert aggregate(SUM, ["n/a", "—"]) == Aggregate(
        "n/a, —",
        notes=("SUM was asked for, but no selected cell is a number; the answer is the cells themselves.",),
    )


def test_an_operator_that_is_not_known_is_the_cells_themselves() -> None:
    assert aggregate("MEDIAN", ["1", "2"]) == Aggregate(
        "1, 2", notes=("MEDIAN is not computed; the answer is the cells themselves.",)
    )


def test_a_cell_that_is_no_number_is_left_out_and_said() -> None:
    assert aggregate(AVERAGE, ["2", "—", "5"]) == Aggregate(
        "3.5",
        AVERAGE,
        ("AVERAGE of 2 cells: 2; 5.", "1 selected cell is no number and was left out of the AVERAGE: —."),
    )
    assert aggregate(SUM, ["Fuel", "12", "Boeing 737"]).notes == (
        "SUM of 1 cell: 12.",
        "2 selected cells are no numbers and were left out of the SUM: Fuel; Boeing 737.",
    )


def test_the_sum_shows_operator_cells_and_value() -> None:
    assert aggregate(SUM, ["1,200", "(300)", "$50"]) == Aggregate(
        "950", SUM, ("SUM of 3 cells: 1,200; (300); $50.",)
    )


def test_many_cells_are_counted_and_some_shown() -> None:
    counted = aggregate(COUNT, ["x"] * 12)
    assert counted.answer == "12"
    assert counted.notes == ("COUNT of 12 cells: x; x; x; x; x; x; x; x; x; x; and 2 more.",)


@pytest.mark.parametrize(
    ("operator", "cells", "answer"),
    [
        (NONE, ["Maria Keller"], "Maria Keller"),
        (NONE, ["1,200", "(300)"], "1,200, (300)"),
        (COUNT, ["", "—"], "2"),
        (SUM, ["$5,813"], "$5,813"),
        (SUM, ["1,200", "1,300.50"], "2,500.50"),
        (SUM, ["12%", "3.5%"], "15.5"),
        (SUM, ["0.1", "0.2"], "0.3"),
        (SUM, ["5", "(5)"], "0"),
        (SUM, ["9" * 50, "1"], f"{10**50:,}"),
        (AVERAGE, ["10", "11"], "10.5"),
        (AVERAGE, ["10", "20"], "15"),
        (AVERAGE, ["100", "100"], "100"),
        (AVERAGE, ["1.00", "2.00"], "1.50"),
        (AVERAGE, ["1", "1", "2"], "1.33"),
        (AVERAGE, ["$1,000", "(2,000)"], "-500"),
    ],
)
def test_values(operator: str, cells: list[str], answer: str) -> None:
    assert aggregate(operator, cells).answer == answer


def test_a_number_longer_than_any_real_one_is_none() -> None:
    assert aggregate(SUM, ["9" * 61, "1", "2"]).answer == "3"


@given(st.lists(numbers, min_size=2, max_size=8), st.randoms())
def test_a_sum_is_exact_in_any_order(values: list[Decimal], order: object) -> None:
    cells = [written(value) for value in values]
    answer = aggregate(SUM, cells).answer
    assert Decimal(answer.replace(",", "")) == sum(values)
    order.shuffle(cells)  # type: ignore[attr-defined]
    assert aggregate(SUM, cells).answer == answer


@given(st.lists(numbers, min_size=2, max_size=8))
def test_an_average_lies_between_the_cells_and_near_their_mean(values: list[Decimal]) -> None:
    answer = Decimal(aggregate(AVERAGE, [written(value) for value in values]).answer.replace(",", ""))
    assert min(values) <= answer <= max(values)
    assert abs(answer - sum(values) / len(values)) <= Decimal("0.0001")


@given(
    st.sampled_from([NONE, SUM, AVERAGE, COUNT, "?"]), st.lists(st.text(max_size=8), min_size=1, max_size=5)
)
def test_any_texts_have_an_answer(operator: str, cells: list[str]) -> None:
    result = aggregate(operator, cells)
    assert result.operator in (operator, "")
    assert result.answer or cells == [""]
