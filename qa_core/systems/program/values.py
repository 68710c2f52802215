"""What a cell writes: a number with its unit, a date, or text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import Literal

from qa_core.evaluation.matching import is_blank
from qa_core.systems.periods import MONTHS
from qa_core.text import fold, squeeze

_LONGEST = 80
"""Characters; a longer cell is text."""
_SCALES = {"thousand": 3, "k": 3, "million": 6, "mn": 6, "billion": 9, "bn": 9, "trillion": 12}
_UNITS = {"%": "%", "percent": "%", "per cent": "%", "pts": "pts", "points": "pts", "pp": "pts", "¢": "¢"}
_CURRENCIES = "$€£¥₹"
_DIGITS = r"(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?|\.\d+"
_NUMBER = re.compile(
    rf"(?P<open>\()?\s*(?P<sign>[+-])?\s*(?:us)?(?P<currency>[{_CURRENCIES}])?\s*(?P<inner>\(|[+-])?\s*"
    rf"(?P<number>{_DIGITS})(?P<close>\))?\s*"
    r"(?P<scale>(?:thousand|k|million|mn|billion|bn|trillion)\b)?\s*"
    r"(?P<unit>%|¢|percent|per cent|pts|points|pp|[a-z][a-z./²³]{0,11})?\s*(?P<end>\))?\.?"
)
_FOOTNOTES = re.compile(r"(?:\s*(?:\[[^\]]{1,4}\]|\((?:[a-z]|\d{1,2})\)|[*†‡^]+))+\Z")
_RANK = re.compile(r"(\d+)(?:st|nd|rd|th)\b\.?")
_MONTH = rf"(?P<month>{'|'.join(sorted(MONTHS, key=len, reverse=True))})\.?"
_WEEKDAY = r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day,?\s+)?"
_DAY, _YEAR = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?", r"(?P<year>\d{4})"
_DATES = tuple(
    re.compile(_WEEKDAY + form)
    for form in (
        rf"{_MONTH}\s+{_DAY}(?:,?\s+{_YEAR})?",
        rf"{_DAY}\s+{_MONTH}(?:,?\s+{_YEAR})?",
        rf"{_MONTH},?\s+{_YEAR}",
        rf"{_YEAR}-(?P<month>\d{{1,2}})-{_DAY}",
        rf"(?P<month>\d{{1,2}})/{_DAY}/{_YEAR}",
    )
)


@dataclass(frozen=True, order=True)
class Date:
    """A day, a month, or a day of any year; 0 for a part that is not written. Ordered by year, month, day."""

    year: int = 0
    month: int = 0
    day: int = 0


@dataclass(frozen=True)
class CellValue:
    """What a cell writes: its text as it stands, and the number with its ``unit`` or the date that it is.

    ``unit`` is a sign or a word in lower case ("$", "%", "km"), empty without one. A number that is scaled in
    words ("1.2 million") is written out.
    """

    text: str
    number: Decimal | None = None
    unit: str = ""
    date: Date | None = None

    @property
    def type(self) -> Literal["text", "number", "date"]:
        """What it is, as far as it can be ordered."""
        return "number" if self.number is not None else "date" if self.date is not None else "text"

    @property
    def is_missing(self) -> bool:
        """Whether there is nothing but white space and dashes."""
        return is_blank(self.text) or not fold(self.text).strip("-. ") or fold(self.text) in ("n/a", "none")


@lru_cache(maxsize=200_000)
def read_cell(text: str) -> CellValue:
    """Read a cell, or a constant that a program compares cells with.

    "(1,234)" is negative, "12th" is 12, "$1.2 million" is 1200000 in $, footnote marks are left out. A number
    of four digits is a number: a column of years orders and compares the same as numbers and as dates.
    """
    text = squeeze(text)
    folded = fold(text[: _LONGEST + 1])
    if len(folded) > _LONGEST:
        return CellValue(text)
    date = _date(folded)
    if date is not None:
        return CellValue(text, date=date)
    for form in (folded, _FOOTNOTES.sub("", folded)):
        number = _number(form)
        if number is not None:
            return CellValue(text, *number)
    return CellValue(text)


def _number(text: str) -> tuple[Decimal, str] | None:
    rank = _RANK.fullmatch(text)
    if rank is not None:
        return Decimal(rank[1]), ""
    found = _NUMBER.fullmatch(text)
    if found is None:
        return None
    part = found.groupdict()
    opened = [part["open"], part["inner"] == "(" and "("]
    closed = [part["close"], part["end"]]
    if sum(map(bool, opened)) != sum(map(bool, closed)) or sum(map(bool, opened)) > 1:
        return None
    signs = [sign for sign in (part["sign"], part["inner"]) if sign in ("+", "-")]
    unit = part["unit"] or ""
    if len(signs) + bool(any(opened)) > 1 or (part["currency"] and unit):
        return None
    value = Decimal(part["number"].replace(",", "")).scaleb(_SCALES.get(part["scale"] or "", 0))
    negative = any(opened) or signs == ["-"]
    return (-value if negative else value), part["currency"] or _UNITS.get(unit, unit)


def _date(text: str) -> Date | None:
    for form in _DATES:
        found = form.fullmatch(text)
        if found is None:
            continue
        part = found.groupdict()
        month = MONTHS.get(part["month"]) or int(part["month"])
        date = Date(int(part.get("year") or 0), month, int(part.get("day") or 0))
        return date if date.month <= 12 and date.day <= 31 else None
    return None
