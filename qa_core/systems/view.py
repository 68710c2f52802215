"""A table as the lexical system reads it: two axes of headers and a body of labels and values."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from qa_core.lexicon import MAX_TEXT, Lexicon, initials, load_lexicon, read
from qa_core.systems.axis import MAX_LEVELS, Axis, is_period_label, read_axis
from qa_core.systems.periods import Period, read_period
from qa_core.table import Table
from qa_core.text import fold

MAX_BODY_WORDS = 100_000
"""Words of body text that are indexed; a table with more is read up to there, row by row."""

_LETTERS = re.compile(r"[^\W\d_]{2,}")
_LETTERS_OR_DIGITS = re.compile(r"\w+")
_UNITS = re.compile(r"pts?\b|n/?a\b|nm\b|cents?\b")
_DASH = re.compile(r"[-\s$%().]*")
_NOT_NUMBER = re.compile(r"[^\d.:]+")
_MAYBE_PERIOD = re.compile(r"(?:19|20)\d\d|[qh'] ?\d|\dq")


class Kind(IntEnum):
    """What a body cell looks like."""

    BLANK = 0
    DASH = 1
    NUMBER = 2
    PERCENT = 3
    DATE = 4
    TEXT = 5


_FIGURES = frozenset((Kind.NUMBER, Kind.PERCENT))
_WORDS = frozenset((Kind.TEXT, Kind.DATE))


@dataclass(frozen=True)
class BodyPosting:
    """A word of body text and where it stands."""

    row: int
    column: int
    strength: float


@dataclass(frozen=True)
class TableView:
    """What a table says, read once for all its questions with one ``lexicon``.

    ``label_column`` is the body column that stands in for a missing stub, or None. ``own_names`` are the
    stems of title and company, ``owner`` their words and the initials of neighbouring ones. ``notes`` say
    what of the table was not read. ``years`` and ``quarters`` are all that the table speaks of anywhere.
    """

    table: Table
    rows: Axis
    columns: Axis
    kinds: NDArray[np.int8]
    label_column: int | None
    body: Mapping[str, tuple[BodyPosting, ...]]
    values: Mapping[str, tuple[tuple[int, int], ...]]
    own_names: frozenset[str]
    owner: frozenset[str]
    years: frozenset[int]
    quarters: frozenset[int]
    notes: tuple[str, ...]
    lexicon: Lexicon


def read_table(table: Table, lexicon: Lexicon | None = None) -> TableView:
    """Index a table's headers and body, by default with the shipped lexicon; cost is linear in its text."""
    lexicon = lexicon or load_lexicon()
    body = table.body
    kind_of = [[_kind(cell, lexicon) for cell in row] for row in body]
    kinds = np.array(kind_of, dtype=np.int8).reshape(table.n_rows, table.n_columns)
    row_paths = [table.row_path(row) for row in range(table.n_rows)]
    label_column: int | None = None
    if not any(any(level.strip() for level in path) for path in row_paths) and table.n_columns > 1:
        label_column = 0
        row_paths = [(*path, body[row][0]) for row, path in enumerate(row_paths)]
    periods = _body_periods(table, kinds, lexicon)
    rows = read_axis(row_paths, lexicon, periods)
    columns = read_axis((table.column_path(column) for column in range(table.n_columns)), lexicon)
    postings: dict[str, list[BodyPosting]] = {}
    values: dict[str, list[tuple[int, int]]] = {}
    left = MAX_BODY_WORDS
    for row, cells in enumerate(body):
        for column, cell in enumerate(cells):
            kind = kind_of[row][column]
            if kind in _FIGURES:
                values.setdefault(plain_value(cell), []).append((row, column))
            elif kind in _WORDS and left > 0:
                words = read(cell, lexicon)
                left -= len(words)
                for word in words:
                    for feature, strength in word.features.items():
                        postings.setdefault(feature, []).append(BodyPosting(row, column, strength))
    described = (table.title[:MAX_TEXT], table.company[:MAX_TEXT])
    names = frozenset(word.stem for text in described for word in read(text, lexicon))
    owner = _LETTERS_OR_DIGITS.findall(" ".join(described).lower())
    texts = {level for path in (*row_paths, *table.column_paths) for level in path[-MAX_LEVELS:]}
    texts.update(
        cell
        for line, line_kinds in zip(body, kind_of, strict=True)
        for cell, kind in zip(line, line_kinds, strict=True)
        if kind in _WORDS
    )
    spoken = [read_period(text[:MAX_TEXT], lexicon) for text in (*texts, *described)]
    spoken += [line.period for axis in (rows, columns) for line in axis.lines]
    return TableView(
        table,
        rows,
        columns,
        kinds,
        label_column,
        {feature: tuple(found) for feature, found in postings.items()},
        {value: tuple(found) for value, found in values.items()},
        names,
        frozenset(owner) | _runs(owner),
        _years(spoken),
        frozenset(quarter for period in spoken for quarter in period.quarters),
        tuple(_cut_notes(table, left <= 0)),
        lexicon,
    )


def _years(periods: Sequence[Period]) -> frozenset[int]:
    """All years of some periods, those between two of one period ("2016 through 2018") among them."""
    return frozenset(
        year for period in periods if period.years for year in range(min(period.years), max(period.years) + 1)
    )


def _runs(words: Sequence[str]) -> frozenset[str]:
    return frozenset(
        initials(words[start:stop])
        for start in range(len(words))
        for stop in range(start + 2, min(start + 5, len(words)) + 1)
    )


def _cut_notes(table: Table, body_cut: bool) -> Iterator[str]:
    if body_cut:
        yield f"Only the first {MAX_BODY_WORDS:,} words of the table's text cells were searched."
    paths = (*table.row_paths, *table.column_paths)
    if any(len(path) > MAX_LEVELS for path in paths):
        yield f"Only the deepest {MAX_LEVELS} levels of a header were read."
    texts = chain((table.title, table.company), chain.from_iterable(paths), chain.from_iterable(table.cells))
    if any(len(text) > MAX_TEXT for text in texts):
        yield f"Only the first {MAX_TEXT:,} characters of each header, cell and title were read."


def plain_value(text: str) -> str:
    """A number as a question would write it: without currency, separators, signs and units."""
    return _NOT_NUMBER.sub("", text[:MAX_TEXT]).strip(".:")


def _kind(cell: str, lexicon: Lexicon) -> Kind:
    cell = cell[:MAX_TEXT]
    text = fold(cell)
    if not text:
        return Kind.BLANK
    if _DASH.fullmatch(text):
        return Kind.DASH
    if any(map(str.isdigit, text)) and not _LETTERS.search(_UNITS.sub("", text)):
        if "%" in text:
            return Kind.PERCENT
        is_period = _MAYBE_PERIOD.search(text) and is_period_label(cell, lexicon)
        return Kind.DATE if is_period else Kind.NUMBER
    return Kind.DATE if is_period_label(cell, lexicon) else Kind.TEXT


def _body_periods(table: Table, kinds: NDArray[np.int8], lexicon: Lexicon) -> list[Period] | None:
    """The period of each row from the first body column that holds nothing but periods, if there is one."""
    for column in range(table.n_columns):
        filled = kinds[:, column][kinds[:, column] != Kind.BLANK]
        if len(filled) and (filled == Kind.DATE).all():
            return [read_period(table.cell(row, column), lexicon) for row in range(table.n_rows)]
    return None
