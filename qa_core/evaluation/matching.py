"""Answer matching: two rules, shown side by side.

Neither rule lets a blank answer match anything, not even a gold answer that is itself a dash or blank: an
answer of white space, control characters or U+FFFD alone is no answer.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from decimal import Decimal

from qa_core.text import fold, squeeze


@dataclass(frozen=True)
class MatchingRule:
    """Says whether ``match(predicted, gold)``; ``explanation`` is shown where the user picks the rule."""

    name: str
    title: str
    explanation: str
    match: Callable[[str, str], bool]


@dataclass(frozen=True)
class _Quantity:
    """A number as a filing writes it; ``value`` is None for a dash, which stands for nothing reported."""

    value: Decimal | None
    unit: str

    def agrees_with(self, other: _Quantity) -> bool:
        return self.value == other.value and (self.unit == other.unit or "" in (self.unit, other.unit))


_CURRENCIES = {
    **dict.fromkeys(("$", "us$", "usd"), "$"),
    **dict.fromkeys(("€", "eur"), "€"),
    **dict.fromkeys(("£", "gbp"), "£"),
    **dict.fromkeys(("¥", "jpy"), "¥"),
    **dict.fromkeys(("c$", "ca$", "cad"), "cad"),
    **dict.fromkeys(("a$", "au$", "aud"), "aud"),
    "chf": "chf",
}
_UNITS = {
    **_CURRENCIES,
    **dict.fromkeys(("%", "percent"), "%"),
    **dict.fromkeys(("¢", "cents"), "¢"),
    **dict.fromkeys(("pts", "pts.", "points"), "pts"),
}


def _alternatives(words: Iterable[str]) -> str:
    return "|".join(sorted(map(re.escape, words), key=len, reverse=True))


_QUANTITY = re.compile(
    rf"""
    (?P<sign>[-+])? \ ?
    (?P<currency>{_alternatives(_CURRENCIES)})? \ ?
    (?P<inner_sign>[-+])? \ ?
    (?P<opening>\()? \ ?
    (?P<inner_currency>{_alternatives(_CURRENCIES)})? \ ?
    (?: (?P<number> (?: 0 | [1-9][0-9]{{0,2}}(?:,[0-9]{{3}})+ | [1-9][0-9]* ) (?:\.[0-9]+)? | \.[0-9]+ )
      | -{{1,3}} ) \ ?
    (?P<inner_unit>{_alternatives(_UNITS)})? \ ?
    (?P<closing>\))? \ ?
    (?P<unit>{_alternatives(_UNITS)})?
    """,
    re.VERBOSE,
)

# Compatibility folding would turn a raised footnote mark into a digit: 813² must not become 8132.
_RAISED = re.compile(
    r"(?<![^\W\d_])(?=[\u00b2\u00b3\u00b9\u00bc-\u00be\u2070-\u2089\u2150-\u215f\u2460-\u249b])"
)


def strict_match(predicted: str, gold: str) -> bool:
    """Equality of the strings after white space is squeezed, as in the AIT-QA paper (Katsis et al. 2022)."""
    predicted = squeeze(predicted)
    return predicted == squeeze(gold) and not is_blank(predicted)


def normalised_match(predicted: str, gold: str) -> bool:
    """Equality as quantities where both strings are one, else as text (see ``MATCHING_RULES``)."""
    if is_blank(predicted) or is_blank(gold):
        return False
    predicted, gold = _comparable(predicted), _comparable(gold)
    if predicted == gold:
        return True
    first, second = _quantity(predicted), _quantity(gold)
    return first is not None and second is not None and first.agrees_with(second)


def matches_any(match: Callable[[str, str], bool], predicted: str, answers: Iterable[str]) -> bool:
    """Whether a prediction matches one of several accepted answers."""
    return any(match(predicted, answer) for answer in answers)


def is_blank(text: str) -> bool:
    """Whether a text shows nothing: white space, control and format characters, U+FFFD."""
    return all(
        char.isspace() or char == "\ufffd" or unicodedata.category(char).startswith("C") for char in text
    )


def number(text: str) -> Decimal | None:
    """The number that a text as a whole writes, whatever its unit; None for other text and for a dash."""
    quantity = _quantity(_comparable(text))
    return quantity.value if quantity else None


def _comparable(text: str) -> str:
    return fold(_RAISED.sub("^", squeeze(text)))


def _quantity(text: str) -> _Quantity | None:
    """The quantity that a folded text as a whole writes, or None for other text."""
    found = _QUANTITY.fullmatch(text)
    if found is None:
        return None
    part = found.groupdict()
    signs = [part[name] for name in ("sign", "inner_sign", "opening") if part[name]]
    names = ("currency", "inner_currency", "inner_unit", "unit")
    units = [_UNITS[part[name]] for name in names if part[name]]
    if len(signs) > 1 or len(units) > 1 or bool(part["opening"]) != bool(part["closing"]):
        return None
    unit = units[0] if units else ""
    if part["number"] is None:
        return _Quantity(None, unit)
    value = Decimal(part["number"].replace(",", ""))
    negative = signs and signs[0] in "-("
    return _Quantity(value.copy_negate() if negative else value, unit)


MATCHING_RULES: dict[str, MatchingRule] = {
    "strict": MatchingRule(
        "strict",
        "Strict",
        "The answer is the gold string, character by character; only white space may differ. This is the "
        "rule of the AIT-QA paper. `60%` does not match `60`, nor `$5,813` match `5813`: a system that "
        "selects the right cell repeats its text.",
        strict_match,
    ),
    "normalised": MatchingRule(
        "normalised",
        "Normalised",
        "Numbers are compared as exact decimals: currency signs, thousands separators, `%`, `¢` and `pts` "
        "may be missing on one side, and parentheses are a minus. `60%` matches `60`, since a missing sign "
        "is no other answer; it matches neither `$60`, because two different units disagree, nor `0.6`. "
        "`(12)` matches `-12`, `1.0` matches `1.00`, `—` matches `-` and `$—` but not `0`, and an empty "
        "answer matches nothing. All else is compared as text, without regard to case and to kinds of dash "
        "and quotation mark, and is never reduced to its digits: `Boeing 737` does not match `737`, nor "
        "`12 (a)` match `12`.",
        normalised_match,
    ),
}
