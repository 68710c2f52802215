"""Periods: the years, quarters, months and durations that a question or a header speaks of."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from qa_core.lexicon import MAX_TEXT, Lexicon, load_lexicon, stems
from qa_core.text import fold

_NO: frozenset[int] = frozenset()
MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan", "february feb", "march mar", "april apr", "may", "june jun", "july jul",
            "august aug", "september sept sep", "october oct", "november nov", "december dec",
        ),
        start=1,
    )
    for name in names.split()
}  # fmt: skip
"""Months, counted from 1, by the names that texts write."""
_COUNTS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "nine": 9, "twelve": 12}

_YEAR = re.compile(r"(?<![\d.,$])((?:19|20)\d\d)(?!\d|[.,]\d|%)(?:\s?[/-]\s?(\d\d)(?![\d,.]))?")
_SHORT_YEAR = re.compile(r"(?:'|\bfy\s?'?|\b[1-4]q\s?'?|\b[1-4]q\s?fy|\bq[1-4]\s?'?|\bh[12]\s?'?)(\d\d)\b")
_QUARTER = re.compile(r"\bq([1-4])(?!\d\d\d)|\b([1-4])q|\bquarter ([1-4])\b")
_DURATION = re.compile(r"\b(\d+|" + "|".join(_COUNTS) + r")[- ](month|week)s?\b")
_MONTH = re.compile(r"\b(" + "|".join(name for name in MONTHS if name != "may") + r")\b\.?")
_MAY = re.compile(r"(?:\b(?:in|of|during|since|from|to|through|by|end|-)\s)may\b|\bmay\s\d|\bmay$|^may\b")
_YEAR_LONG = re.compile(r"\b(?:years? ended|fiscal years?|full[- ]years?|annual|for the year|whole year)\b")
_QUARTER_LONG = re.compile(r"\bquarters?\b|\bquarterly\b")
_NUMBERS_OF_YEARS = r"\b(?:(one|two|three|four|five|a|the) years?|(twelve) months?|years?)"
_BEFORE = re.compile(
    _NUMBERS_OF_YEARS + r" (?:before|earlier than|prior to|preceding) (?:fiscal |fy |[a-z]+ )?((?:19|20)\d\d)"
)
_AGO = re.compile(r"\b(one|two|three|four|five|a) years? (?:earlier|ago|before|back|prior|previously)\b")
_MONTHS_OF_QUARTER = {frozenset({m, m + 2}): m // 3 + 1 for m in (1, 4, 7, 10)}


@dataclass(frozen=True)
class Period:
    """What a text says about time; an empty set where it says nothing.

    ``durations`` are in months. A quarter is named, or follows from the month that a period of three
    months ends in.
    """

    years: frozenset[int] = _NO
    quarters: frozenset[int] = _NO
    months: frozenset[int] = _NO
    durations: frozenset[int] = _NO

    def __bool__(self) -> bool:
        return bool(self.years or self.quarters or self.months or self.durations)


@lru_cache(maxsize=20_000)
def read_period(text: str, lexicon: Lexicon | None = None) -> Period:
    """The period that a text names ("Q1 '19", "1Q18", "Three Months Ended March 31, 2018", "FY18").

    Ordinals ("the final quarter") are those of the lexicon, by default the shipped one.
    """
    lexicon = lexicon or load_lexicon()
    ordinals = lexicon.quarters.find_longest(stems(text))
    text = fold(text[:MAX_TEXT])
    years: set[int] = set()
    for before in _BEFORE.finditer(text):
        years.add(int(before[3]) - _COUNTS.get(before[1] or "one", 1))
    for match in _YEAR.finditer(_BEFORE.sub(" ", text)):
        years.add(int(match[1]))
        if match[2]:
            years.add(int(match[1][:2] + match[2]))
    for match in _SHORT_YEAR.finditer(text):
        years.add(2000 + int(match[1]) if int(match[1]) < 70 else 1900 + int(match[1]))
    quarters = {int(next(filter(None, match.groups()))) for match in _QUARTER.finditer(text)}
    quarters |= {int(number) for span in ordinals for number in span.names}
    months = {MONTHS[match[1]] for match in _MONTH.finditer(text)}
    if _MAY.search(text):
        months.add(5)
    durations: set[int] = set()
    for match in _DURATION.finditer(text):
        count = _COUNTS.get(match[1]) or int(match[1][:3])
        durations.add(count if match[2] == "month" else round(count * 12 / 52))
    if _YEAR_LONG.search(text):
        durations.add(12)
    if quarters or _QUARTER_LONG.search(text):
        durations.add(3)
    if "first half" in text or "second half" in text:
        durations.add(6)
    if frozenset(months) in _MONTHS_OF_QUARTER:
        quarters.add(_MONTHS_OF_QUARTER[frozenset(months)])
    last_month = max(months, default=0)
    if not quarters and 3 in durations and last_month % 3 == 0 and last_month and len(months) < 3:
        quarters.add(last_month // 3)
    return Period(frozenset(years), frozenset(quarters), frozenset(months), frozenset(durations))


def years_back(text: str, lexicon: Lexicon | None = None) -> int | None:
    """How many years before the newest a question means ("two years earlier"), None where it does not say.

    Ordinals ("the prior year") are those of the lexicon, by default the shipped one.
    """
    found = _AGO.search(fold(text[:MAX_TEXT]))
    if found:
        return _COUNTS.get(found[1], 1)
    ordinals = (lexicon or load_lexicon()).years_back.find_longest(stems(text))
    return max((int(number) for span in ordinals for number in span.names), default=None)


def path_period(path: Sequence[str], lexicon: Lexicon | None = None) -> Period:
    """The period of a header path: of each kind what the deepest level says that says anything."""
    levels = [read_period(level, lexicon) for level in path]
    whole = read_period(" ".join(path), lexicon)

    def deepest(kind: str) -> frozenset[int]:
        return next((found for level in reversed(levels) if (found := getattr(level, kind))), _NO)

    # A quarter may follow only from two levels together ("Three Months Ended" over "March 31, 2018").
    quarters = deepest("quarters") or whole.quarters
    return Period(deepest("years"), quarters, deepest("months"), deepest("durations"))


def agreement(asked: frozenset[int], given: frozenset[int]) -> float:
    """Share of the given period that was asked for; -1 where the two differ, 0 where either is silent."""
    if not asked or not given:
        return 0.0
    return len(asked & given) / len(given) or -1.0
