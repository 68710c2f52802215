"""What cells write."""

from decimal import Decimal

import pytest

from qa_core.systems.program.values import Date, read_cell


@pytest.mark.parametrize(
    ("text", "number", "unit"),
    [
        ("1,234", "1234", ""),
        ("1234.50", "1234.50", ""),
        (".5", "0.5", ""),
        ("(1,234)", "-1234", ""),
        ("−12", "-12", ""),
        ("+3", "3", ""),
        ("$1,234", "1234", "$"),
        ("$(45)", "-45", "$"),
        ("($45)", "-45", "$"),
        ("US$ 3.1 billion", "3100000000", "$"),
        ("€ 2 million", "2000000", "€"),
        ("12%", "12", "%"),
        ("(0.6) pts", "-0.6", "pts"),
        ("7.50¢", "7.50", "¢"),
        ("97.9\xa0MHz", "97.9", "mhz"),
        ("5 km", "5", "km"),
        ("3rd", "3", ""),
        ("21.", "21", ""),
        ("1,613[2]", "1613", ""),
        ("48 (b)", "48", ""),
        ("233 a/c", "233", "a/c"),
        ("1,23", None, ""),
        ("3–1", None, ""),
        ("12:45", None, ""),
        ("Boeing 737", None, ""),
        ("(45", None, ""),
        ("--5", None, ""),
        ("$5%", None, ""),
        ("", None, ""),
        ("—", None, ""),
    ],
)
def test_a_number_and_its_unit(text: str, number: str | None, unit: str) -> None:
    cell = read_cell(text)
    assert (cell.number, cell.unit) == (None if number is None else Decimal(number), unit)


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("March 5, 2018", Date(2018, 3, 5)),
        ("Mar. 5 2018", Date(2018, 3, 5)),
        ("5 March 2018", Date(2018, 3, 5)),
        ("5th September", Date(0, 9, 5)),
        ("Saturday, September 7, 1998", Date(1998, 9, 7)),
        ("2018-03-05", Date(2018, 3, 5)),
        ("3/5/2018", Date(2018, 3, 5)),
        ("March 2018", Date(2018, 3)),
        ("May 3", Date(0, 5, 3)),
        ("13/13/2018", None),
        ("March", None),
        ("2018", None),
    ],
)
def test_a_date(text: str, date: Date | None) -> None:
    assert read_cell(text).date == date


@pytest.mark.parametrize("text", ["", " ", "—", "-", "–", "N/A", "none", "\u200b", "..."])
def test_a_cell_that_writes_nothing(text: str) -> None:
    assert read_cell(text).is_missing


def test_a_long_cell_is_text() -> None:
    assert read_cell("1" * 100).number is None
