"""What the text of a cell is: a number, a year, a date, a sign that belongs to the number beside it."""

from __future__ import annotations

import re
from functools import lru_cache

_CURRENCY = r"(?:[A-Z]{0,3}[$€£¥₹₩]|USD|EUR|GBP|CHF|JPY|RMB|CAD|AUD|Rs\.?)"
_NUMBER = re.compile(
    rf"[(\[]?[-–—−+~<>≤≥]?\s?{_CURRENCY}?\s?[(\[]?[-–−+]?\s?\d[\d,.' ]*\d?(?:\s?[)\]])?\s?"
    rf"(?:%|‰|x|X|pts?\.?|bps|pp|ppt|¢|{_CURRENCY})?\s?[)\]]?\s?(?:%|pts?)?(?:\s?(?:\(\w\)|\[\w+\]|\*+|†))?"
)
_DASH = re.compile(rf"{_CURRENCY}?\s?\(?(?:[-–—−‒―]{{1,3}}|\.{{2,4}}|…)\)?\s?%?")
_NOTHING = re.compile(r"n/?a\.?|n\.?m\.?f?\.?|nil|none|not meaningful|not applicable|\*+|nmf", re.IGNORECASE)
_YEAR = re.compile(
    r"(?:fiscal |fy ?|year |calendar |cy ?)?'?(?:1[89]|20|21)\d\d(?:\s?[-–/]\s?(?:(?:1[89]|20|21)?\d\d))?"
    r"(?:\s?(?:e|est\.?|a|\(?[a-z\d]\)|\[[a-z\d]+\]|\*+))?",
    re.IGNORECASE,
)
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|"
    r"oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)
_DATE = re.compile(
    rf"(?:.{{0,30}}\b)?{_MONTH}\s+\d{{1,2}}(?:\s?,?\s?\d{{4}})?,?(?:\s?\(?[a-z\d]\)|\s?\[\w\])?|"
    rf"\d{{1,2}}(?:st|nd|rd|th)?\s+{_MONTH},?(?:\s+\d{{2,4}})?|{_MONTH}\s*[-–,]?\s*(?:\d{{4}}|'?\d{{2}})|"
    r"\d{1,2}[/.]\d{1,2}[/.]\d{2,4}|\d{4}-\d{2}(?:-\d{2})?",
    re.IGNORECASE,
)
_PERIOD = re.compile(
    rf"(?:.{{0,40}}\b)?(?:year|years|quarter|months?|weeks?|half|period|fiscal|q[1-4]|[1-4]q)\b.{{0,40}}|{_MONTH}.{{0,6}}",
    re.IGNORECASE,
)
_PREFIX = re.compile(rf"\(?{_CURRENCY}\s?\(?|\(")
_SUFFIX = re.compile(r"\)\s?(?:%|pts?\.?|x)?|%\s?\)?|‰|pts?\.?|bps|pp|ppt|x|¢|]")
_MARK = re.compile(r"(?:\(\w{1,2}\)|\[\w{1,2}\]|[*†‡§¶#]{1,3}|\d{1,2}\)|(?:\(\w\))+)(?:\s?,?\s?\(\w\))*")


@lru_cache(maxsize=100_000)
def is_number(text: str) -> bool:
    """A number with whatever signs filings put around it: "$(2,847)", "12.5%", "(2.4) pts"; no date."""
    return bool(_NUMBER.fullmatch(text)) and len(text) <= 40


def is_open_number(text: str) -> bool:
    """A number whose closing bracket is in a cell of its own: "(12", "$(2,847"."""
    return "(" in text and ")" not in text and is_number(text + ")")


@lru_cache(maxsize=100_000)
def is_value(text: str) -> bool:
    """What stands where a number could: a number, a dash, "N/A"."""
    return is_number(text) or is_dash(text) or bool(_NOTHING.fullmatch(text))


def is_dash(text: str) -> bool:
    """A dash that says "nothing": "—", "$ —", "- %"."""
    return bool(text) and bool(_DASH.fullmatch(text))


@lru_cache(maxsize=100_000)
def is_year(text: str) -> bool:
    """A year or a pair of years: "2024", "Fiscal 2024", "2008–09", "2025E"."""
    return bool(_YEAR.fullmatch(text))


@lru_cache(maxsize=100_000)
def is_date(text: str) -> bool:
    """A date or a month with a year: "December 31, 2024", "10/30/2024", "Sep 2023"."""
    return len(text) <= 80 and bool(_DATE.fullmatch(text))


def is_period(text: str) -> bool:
    """A year, a date, or words for a period: "Three Months Ended", "Q1", "Total 2024"."""
    return len(text) <= 90 and (is_year(text) or is_date(text) or bool(_PERIOD.fullmatch(text)))


def is_prefix(text: str) -> bool:
    """A sign in a cell of its own that belongs to the number on its right: "$", "(", "$(", "-"."""
    return bool(_PREFIX.fullmatch(text))


def is_suffix(text: str) -> bool:
    """A sign in a cell of its own that belongs to the number on its left: ")", "%", ")%", "pts"."""
    return bool(_SUFFIX.fullmatch(text))


def is_mark(text: str) -> bool:
    """A footnote mark: "(1)", "[a]", "*"."""
    return bool(_MARK.fullmatch(text))


@lru_cache(maxsize=100_000)
def number_value(text: str) -> float | None:
    """The value of a number as filings write it, brackets as minus, a dash as 0; None for other text."""
    if is_dash(text):
        return 0.0
    if not is_number(text):
        return None
    digits = re.search(r"\d[\d,' ]*(?:\.\d+)?|\.\d+", text)
    if digits is None:
        return None
    value = float(re.sub(r"[,' ]", "", digits[0]))
    before = text[: digits.start()]
    return -value if "(" in before or re.search(r"[-–—−]", before) else value
