"""The text that a spreadsheet shows for a value and a number format (ECMA-376 part 1, 18.8.31).

Written for what Excel ships and what financial models use: sections and conditions, thousands, scaling,
percent, scientific notation, fractions, dates and durations, literals, currencies with a locale.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
from fractions import Fraction
from functools import cached_property, lru_cache

from qa_core.text import squeeze

GENERAL = "General"
_LONGEST_FORMAT = 255
_LONGEST_NUMBER = 1e21
_WIDTH = 11
"""Characters that the format "General" gives a number."""

_TOKEN = re.compile(
    r"""
      "(?P<quoted>[^"]*)"?
    | \\(?P<escaped>.)
    | (?P<space>_.)
    | (?P<fill>\*.)
    | \[(?P<bracket>[^\]]*)\]
    | (?P<general>General)
    | (?P<half>AM/PM|A/P)
    | (?P<date>y+|m+|d+|h+|s+(?:\.0+)?)
    | (?P<exponent>E[+-])
    | (?P<fraction>/\s*(?:[1-9]\d*|[#?0]))
    | (?P<place>[#0?])
    | (?P<point>\.)
    | (?P<comma>,)
    | (?P<percent>%)
    | (?P<text>@)
    | (?P<literal>.)
    """,
    re.VERBOSE | re.IGNORECASE | re.DOTALL,
)
_SECTION = re.compile(r"""(?:"[^"]*"?|\\.|_.|\*.|\[[^\]]*\]|[^;"\\_*\[]|[\\_*\[])*""", re.DOTALL)
_CONDITION = re.compile(r"\s*(<=|>=|<>|<|>|=)\s*(-?\d+(?:\.\d+)?)\s*")
_CURRENCY = re.compile(r"\$([^-]*)(?:-.*)?")
_ELAPSED = re.compile(r"h+|m+|s+", re.IGNORECASE)
_COLOUR = re.compile(r"black|blue|cyan|green|magenta|red|white|yellow|color\s*\d+", re.IGNORECASE)
# fmt: off
_MONTHS = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
    "November", "December",
]
# fmt: on
_FILLERS = {"0": "0", "?": " ", "#": ""}
"""What a place shows for which there is no digit."""
_GROUP = re.compile(r"(?<=\d)(?=(?:\d{3})+$)")
_DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]

Token = tuple[str, str]


@dataclass(frozen=True)
class _Section:
    tokens: tuple[Token, ...]
    condition: tuple[str, float] | None
    coloured: bool

    @cached_property
    def kinds(self) -> frozenset[str]:
        return frozenset(kind for kind, _ in self.tokens)

    @cached_property
    def places(self) -> _Places:
        return _places(self.tokens)


@dataclass(frozen=True)
class _Places:
    """Where the digits of a number go: tokens for those before and behind the point and of the power.

    ``scaling`` is the power of ten that percent signs and trailing commas ask for.
    """

    point: int | None
    whole: tuple[int, ...]
    decimals: tuple[int, ...]
    power: tuple[int, ...]
    grouped: bool
    scaling: int


def display(value: object, number_format: str = GENERAL, date_1904: bool = False) -> str:
    """The text shown for a cell's value: a string, a bool, a number or a date; None is the empty string.

    White space that only aligns the text is left out. A negative number that a format tells by colour alone
    gets a minus sign, as colour is no text. Text of a format that cannot be followed is that of "General".
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    sections = _sections(number_format) if len(number_format) <= _LONGEST_FORMAT else ()
    if isinstance(value, str):
        return _text(value, sections)
    if isinstance(value, date | time | timedelta):
        value = _serial(value, date_1904)
    if not isinstance(value, int | float) or not math.isfinite(value) or abs(value) >= _LONGEST_NUMBER:
        return str(value)
    if not sections:
        return _general(value)
    section, signed = _choose(sections, value)
    shown = squeeze(_show(section, value if signed else abs(value), date_1904))
    if value < 0 and not signed and section.coloured and not re.search(r"[-–—−(]", shown):
        return "-" + shown
    return shown


def _text(value: str, sections: tuple[_Section, ...]) -> str:
    section = next((s for s in sections if "text" in s.kinds), None)
    if section is None:
        return "" if len(sections) >= 4 and not sections[3].tokens else value
    return "".join(
        value if kind == "text" else text for kind, text in section.tokens if kind not in ("space", "fill")
    )


@lru_cache(maxsize=2000)
def _sections(number_format: str) -> tuple[_Section, ...]:
    """The sections of a format; none for "General"."""
    if number_format.strip().lower() in ("general", ""):
        return ()
    parts: list[_Section] = []
    start = 0
    while start <= len(number_format) and len(parts) < 4:
        match = _SECTION.match(number_format, start)
        end = match.end() if match else len(number_format)
        parts.append(_section(number_format[start:end]))
        start = end + 1
    return tuple(parts)


def _section(text: str) -> _Section:
    tokens: list[Token] = []
    condition = None
    coloured = False
    for match in _TOKEN.finditer(text):
        kind = str(match.lastgroup)
        found = match[kind]
        if kind == "bracket":
            if limit := _CONDITION.fullmatch(found):
                condition = (limit[1], float(limit[2]))
            elif currency := _CURRENCY.fullmatch(found):
                tokens.append(("quoted", currency[1]))
            elif _ELAPSED.fullmatch(found):
                tokens.append(("elapsed", found.lower()))
            elif _COLOUR.fullmatch(found.strip()):
                coloured = True
        elif kind == "date" and found[0] in "YDHS" and len(found) == 1 and found != found.lower():
            tokens.append((kind, found.lower()))
        else:
            tokens.append((kind, found.lower() if kind == "date" else found))
    return _Section(tuple(tokens), condition, coloured)


def _choose(sections: tuple[_Section, ...], value: float) -> tuple[_Section, bool]:
    """The section for a number, and whether the number keeps its sign in it."""
    numeric = [s for s in sections[:3] if "text" not in s.kinds] or list(sections[:1])
    if any(section.condition for section in numeric):
        for place, section in enumerate(numeric):
            if section.condition is None or _holds(section.condition, value):
                return section, place == 0 or value >= 0
        return numeric[-1], True
    if value < 0 and len(numeric) > 1:
        return numeric[1], False
    if value == 0 and len(numeric) > 2:
        return numeric[2], True
    return numeric[0], True


def _holds(condition: tuple[str, float], value: float) -> bool:
    sign, limit = condition
    return {
        "<": value < limit,
        "<=": value <= limit,
        ">": value > limit,
        ">=": value >= limit,
        "=": value == limit,
        "<>": value != limit,
    }[sign]


def _show(section: _Section, value: float, date_1904: bool) -> str:
    if section.kinds & {"date", "elapsed", "half"}:
        return _date(section.tokens, value, date_1904)
    if "general" in section.kinds:
        return "".join(
            _general(value) if kind == "general" else _literal(kind, text) for kind, text in section.tokens
        )
    if "text" in section.kinds:
        return _general(value)
    if "place" not in section.kinds:
        sign = "-" if value < 0 and section.tokens else ""
        return sign + "".join(_literal(kind, text) for kind, text in section.tokens)
    if "fraction" in section.kinds:
        return _fraction(section.tokens, value)
    return _number(section, value)


def _literal(kind: str, text: str) -> str:
    return "" if kind == "fill" else " " if kind == "space" else text


def _general(value: float) -> str:
    """A number in at most eleven characters, as a column that is wide enough shows it."""
    size = abs(value)
    if size and not 1e-4 <= size < 1e11:
        mantissa, exponent = f"{value:.5E}".split("E")
        return f"{_trimmed(mantissa)}E{exponent}"
    if value == int(value):
        return str(int(value))
    return _trimmed(f"{value:.{max(0, _WIDTH - 1 - len(str(int(size))))}f}")


def _trimmed(digits: str) -> str:
    return digits.rstrip("0").rstrip(".") if "." in digits else digits


def _places(tokens: tuple[Token, ...]) -> _Places:
    kinds = [kind for kind, _ in tokens]
    every = [number for number, kind in enumerate(kinds) if kind == "place"]
    point = kinds.index("point") if "point" in kinds else None
    power = kinds.index("exponent") if "exponent" in kinds else len(tokens)
    digits = [number for number in every if number < power]
    whole = [number for number in digits if point is None or number < point]
    thousands = 0
    for last in {group[-1] for group in (whole, digits) if group}:
        while last + 1 < len(kinds) and kinds[last + 1] == "comma":
            thousands, last = thousands + 1, last + 1
    return _Places(
        point,
        tuple(whole),
        tuple(number for number in digits if number not in whole),
        tuple(number for number in every if number > power),
        bool(whole) and "comma" in kinds[whole[0] : whole[-1]],
        2 * kinds.count("percent") - 3 * thousands,
    )


def _number(section: _Section, value: float) -> str:
    """A number with its digits put into the places that a format has for them."""
    tokens, places = section.tokens, section.places
    amount = Decimal(repr(value)).scaleb(places.scaling)
    exponent = 0
    if places.power and amount:
        step = max(1, len(places.whole))
        exponent = amount.adjusted() // step * step
        if _rounded(amount.scaleb(-exponent), len(places.decimals)).adjusted() >= step:
            exponent += step
        amount = amount.scaleb(-exponent)
    amount = _rounded(amount, len(places.decimals))
    integer, _, fraction = f"{abs(amount):f}".partition(".")
    shown = _whole(integer.lstrip("0"), places.whole, tokens, places.grouped)
    shown |= _decimals(fraction, places.decimals, tokens)
    shown |= _whole(str(abs(exponent)).lstrip("0"), places.power, tokens, False)
    parts = ["-" if amount < 0 else ""]
    for number, (kind, literal) in enumerate(tokens):
        if kind == "place":
            parts.append(shown[number])
        elif kind == "point":
            if number == places.point:
                parts.append("." if places.whole else integer.lstrip("0") + ".")
        elif kind == "exponent":
            parts.append("E" + ("-" if exponent < 0 else literal[1].replace("-", "")))
        elif kind != "comma":
            parts.append(_literal(kind, literal))
    return "".join(parts)


def _rounded(amount: Decimal, places: int) -> Decimal:
    try:
        return amount.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)
    except InvalidOperation:
        return amount


def _whole(digits: str, places: tuple[int, ...], tokens: tuple[Token, ...], grouped: bool) -> dict[int, str]:
    """Digits before the point for each place; the first place takes those for which there is none."""
    if not places:
        return {}
    missing = places[: max(0, len(places) - len(digits))]
    surplus = len(digits) - len(places) + len(missing)
    own = [_FILLERS[tokens[number][1]] for number in missing] + list(digits[surplus:])
    own[0] = digits[:surplus] + own[0]
    if grouped:
        own = [_GROUP.sub(",", "".join(own)), *[""] * (len(own) - 1)]
    return dict(zip(places, own, strict=True))


def _decimals(digits: str, places: tuple[int, ...], tokens: tuple[Token, ...]) -> dict[int, str]:
    kept = len(digits.rstrip("0"))
    return {
        number: digits[count] if count < kept else _FILLERS[tokens[number][1]]
        for count, number in enumerate(places)
    }


def _fraction(tokens: tuple[Token, ...], value: float) -> str:
    """A whole number and a fraction: ``# ?/?``, ``# ??/??``, ``# ?/8``; without ``#`` a fraction alone."""
    bar = next(place for place, (kind, _) in enumerate(tokens) if kind == "fraction")
    fixed = re.search(r"[1-9]\d*", tokens[bar][1])
    further = sum(kind == "place" for kind, _ in tokens[bar + 1 :])
    places = [place for place in range(bar) if tokens[place][0] == "place"]
    split = next(
        (place for place in range(bar) if tokens[place][0] == "literal" and tokens[place][1] == " "), None
    )
    has_whole = split is not None and any(place < split for place in places)
    size = abs(Fraction(value))
    whole = int(size) if has_whole else 0
    rest = size - whole
    if fixed:
        bottom = int(fixed[0][:6])
        top = int(rest * bottom + Fraction(1, 2))
    else:
        nearest = rest.limit_denominator(10 ** min(1 + further, 6) - 1)
        top, bottom = nearest.numerator, nearest.denominator
    if has_whole and top >= bottom:
        whole, top = whole + 1, 0
    begin, end = (places[0] if places else bar), bar + further
    before = "".join(_literal(kind, text) for kind, text in tokens[:begin])
    after = "".join(_literal(k, t) for k, t in tokens[end + 1 :])
    figure = f"{top}/{bottom}" if top or not has_whole else ""
    shown = " ".join(part for part in (str(whole) if whole or not figure else "", figure) if part)
    if not has_whole:
        shown = figure
    return ("-" if value < 0 else "") + before + shown + after


def _serial(value: date | time | timedelta, date_1904: bool) -> float:
    """A date as spreadsheets count it: days since the end of 1899."""
    if isinstance(value, timedelta):
        return value / timedelta(days=1)
    if isinstance(value, time):
        return (value.hour * 3600 + value.minute * 60 + value.second + value.microsecond / 1e6) / 86400
    moment = value if isinstance(value, datetime) else datetime(value.year, value.month, value.day)
    return (moment.replace(tzinfo=None) - _epoch(date_1904)) / timedelta(days=1)


def _epoch(date_1904: bool) -> datetime:
    return datetime(1904, 1, 1) if date_1904 else datetime(1899, 12, 30)


def _date(tokens: tuple[Token, ...], value: float, date_1904: bool) -> str:
    """A serial number as date, time or duration; as a plain number where there is no such date."""
    finest = max((text.count("0") for kind, text in tokens if kind == "date" and text[0] == "s"), default=0)
    elapsed = any(kind == "elapsed" for kind, _ in tokens)
    if (value < 0 and not elapsed) or abs(value) >= 2_958_466:  # beyond 31 December 9999
        return _general(value)
    ticks = 10 ** min(finest, 6)
    seconds = Fraction(round(abs(value) * 86400 * ticks), ticks)
    days = value if value >= 60 or date_1904 else value + 1  # Excel counts a 29 February 1900
    moment = _epoch(date_1904) + timedelta(days=int(days) if value >= 1 or date_1904 else 0)
    within = seconds - int(abs(value)) * 86400
    moment += timedelta(microseconds=int(within * 1_000_000))
    halves = any(kind == "half" for kind, _ in tokens)
    parts = []
    units = [(place, text) for place, (kind, text) in enumerate(tokens) if kind in ("date", "elapsed")]
    order = {place: number for number, (place, _) in enumerate(units)}
    for place, (kind, text) in enumerate(tokens):
        if kind == "elapsed":
            size = {"h": 3600, "m": 60, "s": 1}[text[0]]
            parts.append(
                ("-" if value < 0 and not order[place] else "") + f"{int(seconds / size):0{len(text)}d}"
            )
        elif kind == "date":
            number = order[place]
            before = units[number - 1][1] if number else ""
            after = units[number + 1][1] if number + 1 < len(units) else ""
            is_minute = text[0] == "m" and len(text) <= 2 and (before[:1] == "h" or after[:1] == "s")
            parts.append(_unit("minute" if is_minute else text[0], text, moment, halves))
        elif kind == "half":
            mark = ("AM", "PM") if len(text) > 3 else ("A", "P")
            parts.append(mark[moment.hour >= 12])
        elif kind == "place":
            parts.append(f"{moment.microsecond:06d}"[:1] if _after_point(tokens, place) else "")
        else:
            parts.append(_literal(kind, text))
    return "".join(parts)


def _after_point(tokens: tuple[Token, ...], place: int) -> bool:
    return place > 0 and tokens[place - 1][0] == "point"


def _unit(unit: str, text: str, moment: datetime, halves: bool) -> str:
    length = len(text)
    if unit == "y":
        return f"{moment.year % 100:02d}" if length <= 2 else f"{moment.year:04d}"
    if unit == "m":
        name = _MONTHS[moment.month - 1]
        return {1: str(moment.month), 2: f"{moment.month:02d}", 3: name[:3], 5: name[0]}.get(length, name)
    if unit == "d":
        name = _DAYS[moment.weekday()]
        return {1: str(moment.day), 2: f"{moment.day:02d}", 3: name[:3]}.get(length, name)
    if unit == "h":
        hour = (moment.hour - 1) % 12 + 1 if halves else moment.hour
        return f"{hour:0{min(length, 2)}d}"
    if unit == "minute":
        return f"{moment.minute:0{length}d}"
    digits = text.count("0")
    whole = length - digits - (1 if digits else 0)
    tail = "." + f"{moment.microsecond:06d}"[:digits] if digits else ""
    return f"{moment.second:0{min(whole, 2)}d}{tail}"
