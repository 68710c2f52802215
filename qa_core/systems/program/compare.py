"""How a cell compares with a constant, or with another cell of its column."""

from __future__ import annotations

from decimal import Decimal

from qa_core.systems.program.typed_table import ColumnType
from qa_core.systems.program.values import CellValue, Date
from qa_core.text import fold

Key = Decimal | tuple[int, ...]


def is_equal(cell: CellValue, constant: CellValue) -> bool:
    """Whether a cell says what a constant says: the same number, where no units disagree; a date of which
    the constant names a part ("2018" is equal to "March 5, 2018"); else the same text."""
    if cell.is_missing:
        return False
    if cell.number is not None and constant.number is not None and _agree(cell.unit, constant.unit):
        return cell.number == constant.number
    asked = as_date(constant)
    if cell.date is not None and asked is not None:
        return all(part in (0, own) for part, own in zip(_parts(asked), _parts(cell.date), strict=True))
    return fold(cell.text) == fold(constant.text)


def contains(cell: CellValue, constant: CellValue) -> bool:
    """Whether the words of a constant stand in a cell."""
    words = fold(constant.text)
    return bool(words) and words in fold(cell.text)


def order(cell: CellValue, type_: ColumnType) -> Key | None:
    """What a cell of a column is ordered by; None for one that is not of the column's type."""
    if type_ == "number":
        return cell.number
    if type_ == "date":
        date = as_date(cell)
        return _parts(date) if date else None
    return None


def against(cell: CellValue, constant: CellValue, type_: ColumnType) -> int | None:
    """-1, 0 or 1 for a cell that is less than a constant, as much or more; None where they do not compare.

    Dates are compared by the parts that the constant writes: nothing in 2018 is after 2018.
    """
    if type_ == "number":
        if cell.number is None or constant.number is None or not _agree(cell.unit, constant.unit):
            return None
        return (cell.number > constant.number) - (cell.number < constant.number)
    date, asked = as_date(cell), as_date(constant)
    if date is None or asked is None:
        return None
    pairs = [(own, part) for own, part in zip(_parts(date), _parts(asked), strict=True) if part]
    own, other = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    return (own > other) - (own < other)


def as_date(value: CellValue) -> Date | None:
    """The date that a value is, a number of a year among them."""
    if value.date is not None:
        return value.date
    number = value.number
    if number is not None and not value.unit and number == int(number) and 1000 <= number <= 2999:
        return Date(int(number))
    return None


def _agree(first: str, second: str) -> bool:
    return first == second or not first or not second


def _parts(date: Date) -> tuple[int, int, int]:
    return date.year, date.month, date.day
