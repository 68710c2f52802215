"""A question and a flat table as TAPAS reads them: tokens, each with seven ids of its place in the table.

Herzig et al. 2020, "TaPas: Weakly Supervised Table Parsing via Pre-training", and Eisenschlos et al. 2020
for the positions that start anew in every cell. The ids are those of transformers' ``TapasTokenizer``, which
is asked for the word pieces alone and for each distinct text once; what it does with a data frame for every
question is done here once for a table.

A table that does not fit is cut as that tokenizer's own settings say. With a ``cell_trim_length`` no cell
gets more pieces than that, and rows are dropped from the end, whole. Without one (-1, as in the published
checkpoints) all headers and cells are first shortened to as many pieces as fit, and rows are dropped only
where one word of each cell is too much.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qa_core.errors import CrossheadError
from qa_core.systems.selection import BoundedCache
from qa_core.text import as_text
from qa_core.transform import FlatTable

SEGMENT, COLUMN, ROW, PREVIOUS_LABEL, RANK, INVERSE_RANK, RELATION = range(7)
"""The ids of a token's place, in the order in which the model takes them."""

MAX_TABLES = 64
MAX_TEXTS = 16_384
MAX_CHARACTERS = 4_000
"""Characters of one text that are read; more than fill the model."""
MAX_RANKED_CELLS = 16_384
"""Cells that are read for the ranks of numbers in their columns; further rows have none."""
_MIN_RANKED_SHARE = 0.7
_EQUAL, _LESS, _GREATER = 1, 2, 4

Ids = NDArray[np.int64]
Value = tuple[float | None, ...]
"""A number (one field) or a date (year, month and day, None where not given)."""


class UnreadableError(CrossheadError):
    """A question or table that has no room in the model; the message says what is too large."""


@dataclass(frozen=True)
class TapasInput:
    """One sequence for the model and what it leaves out.

    ``ids`` and ``positions`` have an entry for each token, ``places`` (tokens × 7) the ids of its place, in
    which rows and columns count from 1 and 0 is the header row. ``n_rows`` of the flat table's rows are in
    it, and ``shortened`` of its headers and cells only with their first ``most_pieces`` word pieces.
    """

    ids: Ids
    places: Ids
    positions: Ids
    n_rows: int
    shortened: int
    most_pieces: int


@dataclass(frozen=True)
class _Pieces:
    """Word pieces of one text; ``words`` says of each where its word starts."""

    ids: tuple[int, ...]
    words: tuple[int, ...]


@dataclass(frozen=True)
class _RankedColumn:
    """The comparable values of a column by row, and the fields that all of them give."""

    values: dict[int, Value]
    fields: tuple[int, ...]


@dataclass(frozen=True)
class _TableTokens:
    """All that stands in a table, token by token in reading order, header row first.

    ``offsets`` counts the tokens within a cell. ``ranks`` and ``inverse_ranks`` are indexed by row and column
    id.
    """

    ids: Ids
    rows: Ids
    columns: Ids
    offsets: Ids
    words: Ids
    n_rows: int
    ranked: dict[int, _RankedColumn]
    ranks: Ids
    inverse_ranks: Ids


class TapasReader:
    """Makes the model's input; not safe to be used by two threads at once."""

    def __init__(self, tokenizer: Any, config: Any, max_tokens: int) -> None:
        """``tokenizer`` is a TapasTokenizer and ``config`` the TapasConfig of the same checkpoint."""
        from transformers.models.tapas import tokenization_tapas

        self.max_tokens = max_tokens
        self._tokenizer = tokenizer
        self._values_of: Any = tokenization_tapas
        self._hint_of_value = hint_of_value(tokenization_tapas)
        self._sizes = np.array(config.type_vocab_sizes)
        self.max_rows = int(min(tokenizer.max_row_id, self._sizes[ROW])) - 1
        self.max_columns = int(min(tokenizer.max_column_id, self._sizes[COLUMN])) - 1
        self._last_position = int(config.max_position_embeddings) - 1
        self._positions_in_cell = bool(config.reset_position_index_per_cell)
        self._trim: int = tokenizer.cell_trim_length
        self._pieces: BoundedCache[str, _Pieces] = BoundedCache(MAX_TEXTS)
        self._values: BoundedCache[str, tuple[Value, ...]] = BoundedCache(MAX_TEXTS)
        self._tables: BoundedCache[tuple[str, bool], _TableTokens] = BoundedCache(MAX_TABLES)

    def read(self, question: str, flat: FlatTable) -> TapasInput:
        """The model's input for a question over a table.

        Raises UnreadableError where the question, the columns or the first row have no room.
        """
        asked = self._question(question)
        key = flat.table.fingerprint, flat.transposed
        table = self._tables.get_or_make(key, lambda: self._table(flat))
        n_rows, most_pieces = self._fit(table, self.max_tokens - len(asked) - 2)
        if not n_rows:
            raise UnreadableError(
                f"The question, the headers and the first row of the flat table do not fit the model's "
                f"{self.max_tokens} tokens; ask more briefly, or use another transformation."
            )
        inside = table.rows <= n_rows
        kept = inside & (table.words < most_pieces)
        rows, columns = table.rows[kept], table.columns[kept]
        relations = self._relations(question, table, n_rows)
        start = len(asked) + 2
        places = np.zeros((start + len(rows), len(self._sizes)), np.int64)
        places[start:, SEGMENT] = 1
        places[start:, COLUMN] = columns
        places[start:, ROW] = rows
        places[start:, RANK] = table.ranks[rows, columns]
        places[start:, INVERSE_RANK] = table.inverse_ranks[rows, columns]
        places[start:, RELATION] = relations[rows, columns]
        ids = [self._tokenizer.cls_token_id, *asked, self._tokenizer.sep_token_id]
        positions = np.arange(len(places))
        if self._positions_in_cell:
            positions[start:] = table.offsets[kept]
        cut = inside & ~kept
        return TapasInput(
            ids=np.concatenate([np.array(ids, np.int64), table.ids[kept]]),
            places=np.minimum(places, self._sizes - 1),
            positions=np.minimum(positions, self._last_position),
            n_rows=n_rows,
            shortened=len(set(zip(table.rows[cut].tolist(), table.columns[cut].tolist(), strict=True))),
            most_pieces=most_pieces,
        )

    def _question(self, question: str) -> tuple[int, ...]:
        ids = self._pieces_of(question).ids
        least, most = self._tokenizer.min_question_length or 0, self._tokenizer.max_question_length
        if most is None:
            most = self.max_tokens
        if not least <= len(ids) <= most:
            raise UnreadableError(
                f"The question has {len(ids):,} tokens, and the model reads questions of {least} to {most}; "
                "word it otherwise."
            )
        return ids

    def _table(self, flat: FlatTable) -> _TableTokens:
        if flat.n_columns > self.max_columns:
            raise UnreadableError(
                f"The flat table has {flat.n_columns:,} columns, and the model tells {self.max_columns} "
                "apart; use another transformation."
            )
        header = ("",) * flat.n_columns if self._tokenizer.strip_column_names else flat.header
        lines = [header, *flat.cells[: self.max_rows]]
        texts = [[self._pieces_of(text) for text in line] for line in lines]
        cells = [
            (row, column, pieces)
            for row, line in enumerate(texts)
            for column, pieces in enumerate(line, 1)
            if pieces.ids
        ]
        lengths = [len(pieces.ids) for _, _, pieces in cells]
        ranked = self._ranked_columns(flat)
        ranks, inverse_ranks = _ranks(ranked, (len(lines), flat.n_columns + 1))
        return _TableTokens(
            ids=_joined(pieces.ids for _, _, pieces in cells),
            rows=np.repeat(np.array([row for row, _, _ in cells], np.int64), lengths),
            columns=np.repeat(np.array([column for _, column, _ in cells], np.int64), lengths),
            offsets=_joined(range(length) for length in lengths),
            words=_joined(pieces.words for _, _, pieces in cells),
            n_rows=len(lines) - 1,
            ranked=ranked,
            ranks=ranks,
            inverse_ranks=inverse_ranks,
        )

    def _fit(self, table: _TableTokens, room: int) -> tuple[int, int]:
        """How many rows, and how many pieces of each cell, fit a number of tokens."""
        shortest = 1 if self._trim < 0 else max(1, self._trim)
        costs = np.cumsum(np.bincount(table.rows[table.words < shortest], minlength=table.n_rows + 1))
        n_rows = max(0, int(np.searchsorted(costs, room, side="right")) - 1)
        if self._trim >= 0:
            return n_rows, shortest
        starts = np.maximum(table.words[table.rows <= n_rows], 0)
        by_pieces = np.cumsum(np.bincount(starts, minlength=1))
        return n_rows, int(np.searchsorted(by_pieces, room, side="right"))

    def _ranked_columns(self, flat: FlatTable) -> dict[int, _RankedColumn]:
        """The columns of numbers and of dates by column id, their rows by row id."""
        lines = flat.cells[: MAX_RANKED_CELLS // flat.n_columns]
        columns = {}
        for column, cells in enumerate(zip(*lines, strict=True), 1):
            values = _of_one_kind([self._values_in(cell) for cell in cells])
            fields = _common_fields(values.values())
            if fields:
                columns[column] = _RankedColumn(values, fields)
        return columns

    def _relations(self, question: str, table: _TableTokens, n_rows: int) -> Ids:
        """Whether values of the question are equal to, less or greater than a cell, as a sum of flags."""
        relations = np.zeros_like(table.ranks)
        for value in dict.fromkeys(self._values_in(question)):
            for column, ranked in table.ranked.items():
                fields = _shared_fields(ranked, value)
                if not fields:
                    continue
                asked = _key(value, fields)
                for row, other in ranked.values.items():
                    if row <= n_rows:
                        relations[row, column] |= _relation(asked, _key(other, fields))
        return relations

    def _pieces_of(self, text: str) -> _Pieces:
        return self._pieces.get_or_make(text, lambda: self._split(text))

    def _split(self, text: str) -> _Pieces:
        pieces = self._tokenizer.tokenize(as_text(text[:MAX_CHARACTERS]))
        words, start = [], -1
        for place, piece in enumerate(pieces):
            if not piece.startswith("##"):
                start = place
            words.append(start)
        return _Pieces(tuple(self._tokenizer.convert_tokens_to_ids(pieces)), tuple(words))

    def _values_in(self, text: str) -> tuple[Value, ...]:
        return self._values.get_or_make(text, lambda: self._parse(text))

    def _parse(self, text: str) -> tuple[Value, ...]:
        normalised = self._values_of.normalize_for_match(text[:MAX_CHARACTERS])
        if not self._hint_of_value.search(normalised):
            return ()
        spans = self._values_of.parse_text(normalised)
        found = chain.from_iterable(span.values for span in spans)
        return tuple(
            (each.date.year, each.date.month, each.date.day) if each.date else (each.float_value,)
            for each in found
        )


def hint_of_value(tokenization: Any) -> re.Pattern[str]:
    """What a folded text holds at least where that tokenizer finds a number or date in it, which takes it
    long to find out: a digit, a word for a number, the name of a month, or what Python reads as a number."""
    months = (date(2000, month, 1).strftime("%B").lower() for month in range(1, 13))
    words = {*tokenization._NUMBER_WORDS, *tokenization._ORDINAL_WORDS, *months, "inf", "nan"}
    return re.compile(r"\d|" + "|".join(map(re.escape, sorted(words))), re.IGNORECASE)


def _of_one_kind(cells: Sequence[Sequence[Value]]) -> dict[int, Value]:
    """By row id the first value of each cell that is of the column's most frequent kind, number or date.

    None has one where less than 70 % of the cells hold values of that kind.
    """
    counts = Counter(kind for values in cells for kind in {len(value) for value in values})
    if not counts or max(counts.values()) < len(cells) * _MIN_RANKED_SHARE:
        return {}
    # A date is longer than a number; of two kinds equally frequent it is the one.
    kind = max(counts, key=lambda size: (counts[size], size))
    first = (next((value for value in values if len(value) == kind), None) for values in cells)
    return {row: value for row, value in enumerate(first, 1) if value is not None}


def _common_fields(values: Iterable[Value]) -> tuple[int, ...]:
    """The fields that all values give: what they can be compared by."""
    given = [{place for place, field in enumerate(value) if field is not None} for value in values]
    return tuple(sorted(set.intersection(*given))) if given else ()


def _shared_fields(column: _RankedColumn, value: Value) -> tuple[int, ...]:
    """The fields by which a value can be compared with those of a column; none where the kinds differ."""
    if len(next(iter(column.values.values()))) != len(value):
        return ()
    return tuple(field for field in column.fields if value[field] is not None)


def _key(value: Value, fields: Iterable[int]) -> tuple[float, ...]:
    return tuple(float(value[field] or 0) for field in fields)


def _relation(asked: tuple[float, ...], cell: tuple[float, ...]) -> int:
    if asked == cell:
        return _EQUAL
    return _LESS if asked < cell else _GREATER


def _ranks(columns: dict[int, _RankedColumn], shape: tuple[int, int]) -> tuple[Ids, Ids]:
    """The place of each value among the distinct ones of its column, from the least and from the greatest."""
    ranks, inverse = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
    for column, ranked in columns.items():
        keys = {row: _key(value, ranked.fields) for row, value in ranked.values.items()}
        order = {key: place for place, key in enumerate(sorted(set(keys.values())), 1)}
        for row, key in keys.items():
            if row < shape[0]:
                ranks[row, column] = order[key]
                inverse[row, column] = len(order) + 1 - order[key]
    return ranks, inverse


def _joined(parts: Iterable[Iterable[int]]) -> Ids:
    return np.fromiter(chain.from_iterable(parts), np.int64)
