"""What stands above a table: its title, its units, and the headings that it belongs to."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from qa_core.text import shorten

MAX_TITLE = 300
"""Characters of a title."""

_STANDS_ALONE = 40
"""Characters from which the last sentence of a short paragraph says enough without those before it."""

_NEAR = 12
_FURNITURE = 80
_OFTEN = 6
"""A line of at most ``_FURNITURE`` characters that comes so often belongs to the pages."""

_UNITS = re.compile(
    r"\(?(?:[$€£¥] )?\b(?:[a-z]{3} )?"
    r"(?:amounts?|dollars?|figures|u\.?s\.? dollars|shares|unaudited|tabular amounts)?"
    r"[^().]{0,30}"
    r"\b(?:in|stated in|expressed in) (?:[a-z]+ )?(?:(?:tens|hundreds) of )?"
    r"(?:thousands|millions|billions|dollars|percent\w*|whole|usd|eur|u\.s\.)\b[^()]*\)?",
    re.IGNORECASE,
)  # fmt: skip
_WHOLLY_UNITS = re.compile(
    r"\(?(?:[\w.,$&/ -]*\b(?:thousands|millions|billions|dollars|percent\w*|shares|unaudited|units)\b[^()]*)"
    r"\)?[:.*]?",
    re.IGNORECASE,
)
_PAGE_FURNITURE = re.compile(
    r"[-–—\s]*(?:page )?[a-z]?-?\d{1,4}[-–—\s]*|table of contents|index to .{0,60}|"
    r"(?:see|the) accompanying notes .*|\(?continued\)?|\|.*|.*\|\s*\d+",
    re.IGNORECASE,
)
_FOOTNOTE = re.compile(r"(?:\(\w{1,3}\)|\[\w{1,3}\]|\*+|†|\d\))\s*\S.{20,}")
_REMARK = re.compile(r"(?:\(\w{1,3}\)|\[\w{1,3}\]|[*•●○▪†‡]|notes?:|n/?m\b)", re.IGNORECASE)
_POINTS_BELOW = re.compile(
    r"\b(?:following|below|as follows|table (?:presents|shows|sets|summarizes|summarises))\b", re.IGNORECASE
)
_SENTENCE = re.compile(r"(?<=[a-z\])”\"]\.)\s+(?=[A-Z])")
_PART = re.compile(r"part\s+[ivx]+\b", re.IGNORECASE)
_ITEM = re.compile(r"item\s+\d{1,2}[a-c]?\b", re.IGNORECASE)
_NOTE = re.compile(r"(?:note\s+)?\d{1,2}\s*[.:—–-]\s*\S|note\s+[a-z\d]{1,2}\b", re.IGNORECASE)


@dataclass(frozen=True)
class Block:
    """One block of text: a paragraph, a heading, a short layout table. ``level`` is 1 to 6 for ``<h1>``…"""

    text: str
    bold: bool = False
    emphasised: bool = False
    level: int = 0


@dataclass(frozen=True)
class Context:
    """Title and units of a table and the headings above it, outermost first; empty where there are none."""

    title: str = ""
    units: str = ""
    headings: tuple[str, ...] = ()


class Headings:
    """The open headings while a document is read from top to bottom."""

    def __init__(self) -> None:
        self._open: list[tuple[int, str]] = []

    def read(self, block: Block) -> None:
        """Take note of a block; one that is no heading changes nothing."""
        rank = _heading_rank(block)
        if rank:
            self._open = [entry for entry in self._open if entry[0] < rank] + [(rank, block.text)]

    @property
    def path(self) -> tuple[str, ...]:
        return tuple(text for _, text in self._open)


def context_above(blocks: Sequence[Block], headings: tuple[str, ...]) -> Context:
    """Title and units from the blocks between the last table and this one, nearest last.

    The title is the nearest line that introduces the table: the sentence of a paragraph that points to it
    ("… were as follows:"), a heading, a line of its own. A remark of units between the two joins it.
    """
    units = ""
    below: list[str] = []
    for block in reversed(blocks[-_NEAR:]):
        if _PAGE_FURNITURE.fullmatch(block.text) or _FOOTNOTE.match(block.text):
            continue
        if is_units(block.text):
            units = units or block.text
            below.insert(0, block.text)
            continue
        if not any(map(str.isalpha, block.text)):
            continue
        sentence = _introduction(block)
        if not sentence:
            break
        title = shorten(" ".join([sentence, *below]), MAX_TITLE)
        return Context(title, units or units_in(sentence), headings)
    return Context(shorten(" ".join([*headings[-1:], *below]), MAX_TITLE), units, headings)


def is_units(text: str) -> bool:
    """Whether a text says units and nothing else: "(In millions, except per share data)"."""
    return (
        len(text) <= 160
        and bool(_WHOLLY_UNITS.fullmatch(text))
        and ("(" in text[:1] or bool(_UNITS.match(text)))
    )


def units_in(text: str) -> str:
    """The remark of units in a text, in its own words and brackets; empty without one."""
    for match in re.finditer(r"\([^()]{3,160}\)", text):
        if is_units(match[0]):
            return match[0]
    return ""


def _introduction(block: Block) -> str:
    text = block.text
    sentences = _SENTENCE.split(text)
    if len(text) <= 200 and (_heading_rank(block) or not text.endswith(".") or _POINTS_BELOW.search(text)):
        last = sentences[-1]
        return last if last.endswith(":") and len(last) >= _STANDS_ALONE else text
    pointing = [s for s in sentences if s.endswith(":") or _POINTS_BELOW.search(s)]
    return pointing[-1] if pointing else ""


def _heading_rank(block: Block) -> int:
    """1 for the outermost headings, 0 for what is none."""
    text = block.text
    if block.level:
        return block.level
    if not text or len(text) > 160 or not (block.bold or block.emphasised) or not any(map(str.isalpha, text)):
        return 0
    if _PAGE_FURNITURE.fullmatch(text) or is_units(text) or text.endswith((";", ",")) or _REMARK.match(text):
        return 0
    if _PART.match(text):
        return 1
    if _ITEM.match(text):
        return 2
    if block.bold and _NOTE.match(text):
        return 3
    if block.bold:
        return 4 if text.isupper() else 5
    return 6


def contexts(parts: Iterable[Block | int]) -> dict[int, Context]:
    """The context of each table; ``parts`` are a document's blocks and table indices in document order.

    Short lines that come again and again, page numbers aside, are headers and footers of pages and skipped.
    """
    parts = list(parts)
    counts = Counter(
        _masked(part.text) for part in parts if isinstance(part, Block) and len(part.text) <= _FURNITURE
    )
    headings = Headings()
    near: list[Block] = []
    found: dict[int, Context] = {}
    for part in parts:
        if isinstance(part, int):
            found[part] = context_above(near, headings.path)
            near = []
        elif counts[_masked(part.text)] < _OFTEN or is_units(part.text) or part.text.endswith(":"):
            headings.read(part)
            near = [*near[-_NEAR:], part]
    return found


def _masked(text: str) -> str:
    return re.sub(r"\d+", "#", text)
