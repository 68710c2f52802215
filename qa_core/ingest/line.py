"""One line of a table as its stub shows it, and what its label and figures say of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from qa_core.ingest.tokens import is_dash, is_value, number_value

_MOST_WORDS = 0.75
"""The share of words that a total and its crosshead have in common at the least."""

_TOTAL = re.compile(
    r"(?:sub-?\s?totals?|(?:grand )?totals?|aggregate)\b|.*\btotals?[:\s\d()\[\]*]*$", re.IGNORECASE
)
_BARE_TOTAL = re.compile(r"(?:sub-?\s?|grand )?totals?[\s\d()\[\]*,:]*", re.IGNORECASE)
_NET = re.compile(r"(?:net|gross)\b", re.IGNORECASE)
_SUBTOTAL = re.compile(
    r"(?:sub-?\s?totals?|totals?|net|aggregate|gross|income|loss|earnings|profit|balance|"
    r"operating (?:income|profit|loss|margin))\b",
    re.IGNORECASE,
)
_PART_OF = re.compile(
    r"(?:of which|including|incl\.?|thereof|as an? (?:%|percent)|%|percent|per\b)", re.IGNORECASE
)
_BALANCE = re.compile(
    r".*\b(?:balances?|beginning|ending|opening|closing|outstanding|(?:un|non-?)vested)\b", re.IGNORECASE
)
_BEGINNING = re.compile(r".*\b(?:beginning|opening|start) ?(?:of|balance)?\b|.*\bbeginning$", re.IGNORECASE)
_ENDING = re.compile(r".*\b(?:ending|closing|end of|at end)\b|.*,? end$", re.IGNORECASE)
_STOPWORDS = frozenset(
    (
        *("a", "an", "and", "by", "for", "from", "in", "net", "of", "on", "or", "than", "the", "to"),
        *("total", "totals", "subtotal", "used", "provided"),
    )
)


@dataclass(frozen=True)
class Line:
    """One line of a table as its stub shows it; ``values`` are the texts of its body cells, empty or not.

    ``indent`` is in points, ``emphasised`` says italic or underlined, ``across`` that the label stands over
    the whole table.
    """

    label: str
    indent: float = 0.0
    bold: bool = False
    emphasised: bool = False
    across: bool = False
    values: tuple[str, ...] = ()

    @cached_property
    def has_values(self) -> bool:
        return any(self.values)

    @cached_property
    def figures(self) -> tuple[float | None, ...]:
        """The values as numbers, None for other texts."""
        return tuple(number_value(text) if text else None for text in self.values)

    @cached_property
    def has_figures(self) -> bool:
        return any(figure is not None for figure in self.figures)

    @cached_property
    def has_texts(self) -> bool:
        """Whether a value is neither a figure nor what stands for none."""
        return any(text and not is_value(text) for text in self.values)

    @cached_property
    def says_total(self) -> bool:
        return self.has_values and bool(_TOTAL.match(self.label)) and not self.says_part

    @property
    def is_bare_total(self) -> bool:
        return bool(_BARE_TOTAL.fullmatch(self.label))

    @property
    def says_net(self) -> bool:
        return bool(_NET.match(self.label))

    @property
    def says_subtotal(self) -> bool:
        return bool(_SUBTOTAL.match(self.label))

    @property
    def says_part(self) -> bool:
        return bool(_PART_OF.match(self.label))

    @cached_property
    def is_rate(self) -> bool:
        """Whether its figures are percentages and nothing else."""
        texts = [text for text in self.values if text and not is_dash(text)]
        return bool(texts) and all(text.endswith("%") for text in texts)

    @property
    def says_balance(self) -> bool:
        return bool(_BALANCE.match(self.label))

    @property
    def says_beginning(self) -> bool:
        return bool(_BEGINNING.match(self.label))

    @property
    def says_ending(self) -> bool:
        return bool(_ENDING.match(self.label))

    @cached_property
    def weight(self) -> int:
        """How much a label stands out: more for one that may hold others."""
        letters = [letter for letter in self.label if letter.isalpha()]
        capitals = bool(letters) and all(map(str.isupper, letters))
        return 4 * self.bold + 2 * capitals - self.emphasised + 2 * self.across

    @property
    def style(self) -> tuple[int, bool]:
        """What crossheads of one level have in common: their weight, and whether they end in a colon."""
        return self.weight, self.label.endswith(":")


def shares_a_word(a: Line, b: Line) -> bool:
    """Whether two labels have a word in common that says something."""
    return bool(set(_words(a.label)) & set(_words(b.label)))


def likeness(total: str, crosshead: str) -> int:
    """3 where a total's words are those of the crosshead, 2 where it has them all, 1 where it has a part."""
    summed, heading = _words(total), _words(crosshead)
    if not summed or not heading:
        return 0
    if set(summed) == set(heading):
        return 3
    common = set(summed) & set(heading)
    if len(common) == len(set(heading)):
        return 2
    enough = len(common) >= max(2.0, _MOST_WORDS * max(len(set(heading)), len(set(summed))))
    if enough and summed[-1] == heading[-1]:
        return 2
    return 1 if set(summed) < set(heading) else 0


@lru_cache(maxsize=20_000)
def _words(label: str) -> tuple[str, ...]:
    words = re.findall(r"[^\W\d_]+|\d{4}", re.sub(r"\([^)]*\)|\[[^\]]*\]", " ", label[:500]).casefold())
    return tuple(word.rstrip("s") for word in words if word not in _STOPWORDS and len(word) > 1)


def adds_up(total: Line, parts: Sequence[Line], at_least: int = 2) -> bool:
    """Whether the figures of ``parts`` add up to those of ``total`` in most columns that have any.

    Columns with fewer than ``at_least`` figures among the parts say nothing.
    """
    checked = right = 0
    for column, value in enumerate(total.figures):
        if value is None:
            continue
        figures = [
            figure
            for part in parts
            if column < len(part.figures) and (figure := part.figures[column]) is not None
        ]
        if len(figures) < at_least:
            continue
        checked += 1
        right += _is_near(sum(figures), value)
    return checked > 0 and right * 2 > checked


def differs_by(later: Line, earlier: Line, parts: Sequence[Line]) -> bool:
    """Whether ``later`` is ``earlier`` plus or minus the sum of ``parts`` in most columns."""
    checked = right = 0
    for column, (after, before) in enumerate(zip(later.figures, earlier.figures, strict=False)):
        if after is None or before is None:
            continue
        change = sum(part.figures[column] or 0.0 for part in parts if column < len(part.figures))
        checked += 1
        right += change != 0 and (_is_near(before - change, after) or _is_near(before + change, after))
    return checked > 0 and right * 2 > checked


def exceeds(part: Line, whole: Line) -> bool:
    """Whether a line is larger than the one above it in most columns, and so no part of it."""
    pairs = [
        (a, b) for a, b in zip(part.figures, whole.figures, strict=False) if a is not None and b is not None
    ]
    return sum(abs(a) > abs(b) for a, b in pairs) * 2 > len(pairs)


def _is_near(a: float, b: float) -> bool:
    return abs(a - b) <= max(1.0 if b == int(b) else 0.1, abs(b) * 1e-3)
