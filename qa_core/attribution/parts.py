"""What can be left out: the headers that lead to a cell, and the words of a question."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from qa_core.lexicon import load_lexicon
from qa_core.table import Location, Table
from qa_core.text import squeeze
from qa_core.text_edit import header_extent, with_text

ROW, COLUMN = "row", "column"

_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
_WORD = re.compile(
    rf"""
      \b{_MONTH}\s+\d{{1,2}}(?:st|nd|rd|th)?(?:,?\s+(?:19|20)\d\d)?\b   # December 31, 2018
    | \b{_MONTH}\s+(?:19|20)\d\d\b                                      # December 2018
    | \b(?:q[1-4]|fy)\s?'?(?:19|20)?\d\d\b                              # Q2 2018, FY18
    | \([^()\s]*\w[^()\s]*\)                                            # (000)
    | [$€£¥]?\d(?:[\d,.]*\d)?(?:\s?[%¢])?(?!\w)                         # $1,200, 12 %
    | \w(?:[\w'’&./-]*\w)?                                              # words as they are written
    """,
    re.VERBOSE | re.IGNORECASE,
)
_BEFORE_STOP = re.compile(r"\s+(?=[?.,;:!])")


@dataclass(frozen=True)
class HeaderPart:
    """A header on the way to a cell.

    ``location`` is that of a row or column with ``level`` counted from the root at 0. In a table without row
    headers the first text of a row stands in for them: then it is a body cell and ``level`` None. ``lines``
    is how many rows or columns the header stands over.
    """

    axis: str
    location: Location
    level: int | None
    text: str
    lines: int

    def left_out_of(self, table: Table) -> Table:
        """The table with this header blank, for all rows or columns that share it; nothing moves."""
        return with_text(table, self.location, self.level, "")


@dataclass(frozen=True)
class WordPart:
    """A word of a question, or a run of them that is one number, date or name: characters from ``start`` to
    before ``stop``."""

    start: int
    stop: int
    text: str

    def left_out_of(self, question: str) -> str:
        """The question without it, and without the space that it leaves."""
        return _BEFORE_STOP.sub("", squeeze(f"{question[: self.start]} {question[self.stop :]}"))


def header_parts(table: Table, location: Location) -> list[HeaderPart]:
    """The headers that lead to a Location, its row's from the root to the leaf, then its column's.

    A header answer is led to by its own path. Blank levels say nothing, so they cannot be left out.
    """
    parts: list[HeaderPart] = []
    if location.row is not None:
        parts += _levels(table, ROW, Location(location.row, None)) or _label_cell(table, location)
    if location.column is not None:
        parts += _levels(table, COLUMN, Location(None, location.column))
    return parts


def _levels(table: Table, axis: str, header: Location) -> list[HeaderPart]:
    path = table.row_path(header.row) if header.row is not None else table.column_path(header.column or 0)
    return [
        HeaderPart(axis, header, level, text, len(header_extent(table, header, level)))
        for level, text in enumerate(path)
        if text.strip()
    ]


def _label_cell(table: Table, location: Location) -> list[HeaderPart]:
    """The cell that names a row where no row has a header; none where that cell is the answer."""
    if any(level.strip() for path in table.row_paths for level in path):
        return []
    row = location.row or 0
    for column, text in enumerate(table.body[row]):
        if text.strip():
            at = Location(row, column)
            return [HeaderPart(ROW, at, None, text, 1)] if at != location else []
    return []


def word_parts(question: str) -> list[WordPart]:
    """The words of a question in order."""
    return list(_names_joined(question))


def _names_joined(question: str) -> Iterator[WordPart]:
    """Neighbouring words that are written with a capital are one name: "Alaska Air Group's"."""
    run: list[WordPart] = []
    for match in _WORD.finditer(question):
        word = WordPart(match.start(), match.end(), match[0])
        if run and word.text[0].isupper() and question[run[-1].stop : word.start] == " ":
            run.append(word)
            continue
        yield from _joined(question, run)
        run = [word] if _begins_name(word) else []
        if not run:
            yield word
    yield from _joined(question, run)


def _joined(question: str, run: list[WordPart]) -> Iterator[WordPart]:
    if run:
        yield WordPart(run[0].start, run[-1].stop, question[run[0].start : run[-1].stop])


def _begins_name(word: WordPart) -> bool:
    return word.text[0].isupper() and word.text.lower() not in load_lexicon().stop_words
