"""rci-representation: rows and columns scored apart by a sentence encoder.

The *representation* form of RCI (Glass et al. 2021, "Capturing Row and Column Semantics in Transformer Based
Question Answering over Tables"): question, rows and columns are encoded separately, a row written as
``header : value * header : value …`` and a column as ``header * value * value …``; a cell scores as its row
plus its column. The paper trains the encoder for this; here it is a general sentence encoder as it comes.
Such a one loses the header among the values, so a line's score is mostly that of its header alone
(``HEADER_SHARE``, chosen on development questions: it raised the share of right cells from 36 % to 43 %).

What a table may cost is bounded by ``MAX_TOKENS``. Headers come first, as most of the score is theirs; a
line without room for its whole text scores by its header alone, one without header either is dropped.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from qa_core.prediction import Prediction
from qa_core.systems.encoder import Encoder, Vectors
from qa_core.systems.interface import Request
from qa_core.systems.selection import BoundedCache, answer_open, select, top_probability
from qa_core.transform import FlatTable

VERSION = "2"
MAX_TABLES = 64
"""Tables (in one transformation each) whose embeddings are kept; the least recently used one goes first."""
MAX_TOKENS = 16_384
"""Tokens of one table that are encoded; the largest tables of filings have some 5,000."""
_LINES_PER_COUNT = 256

HEADER_SHARE = 0.7
"""Weight of the header alone in a line's score; the rest is the line as the paper writes it."""
STUB_HANDICAP = 0.2
"""What the stub column, whose cells are row headers, must be ahead of the best other column to be chosen."""
SHARPNESS = 20.0
"""Cosines are close together; times this they serve as log-odds for the confidence."""

LOWEST = -1.0
"""What a dropped line scores in a prediction: the lowest that a cosine can be."""

Scores = NDArray[np.float64]


@dataclass(frozen=True)
class LineTexts:
    """What is encoded of one side of a flat table: each line as the paper writes it, and its header."""

    lines: tuple[str, ...]
    headers: tuple[str, ...]


@dataclass(frozen=True)
class Side:
    """Encoded lines of one side, of which only the first ones need be there.

    ``headers`` and ``lines`` are vectors of the first headers and of the first whole lines, no more lines
    than headers; ``blank`` tells of all lines whether the header is empty, so that it says nothing;
    ``tokens_cut`` are the tokens of each whole line that did not fit.
    """

    lines: Vectors
    headers: Vectors
    blank: NDArray[np.bool_]
    tokens_cut: tuple[int, ...]


@dataclass(frozen=True)
class FlatScores:
    """Cosine scores of the flat table's rows and columns, the stub column among them; NaN where dropped."""

    rows: Scores
    columns: Scores


class RciRepresentationSystem:
    """Scores flat rows and flat columns by cosine with the question; see the head of this file."""

    name = "rci-representation"
    version = VERSION

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder
        self.weights = encoder.weights
        self._tables: BoundedCache[tuple[str, bool], tuple[Side, Side]] = BoundedCache(MAX_TABLES)

    def predict(self, requests: Sequence[Request]) -> list[Prediction]:
        """One prediction per request, in order; all texts of the batch are encoded together."""
        return answer_open(requests, self._answer)

    def score(self, requests: Sequence[Request]) -> list[tuple[FlatScores, tuple[str, ...]]]:
        """Scores of each request's flat table, with notes on what did not fit the encoder."""
        sides = self._encode_tables(request.flat for request in requests)
        questions = self._encoder.encode([request.question.strip() for request in requests])
        scored = []
        for request, question, cut in zip(requests, questions.vectors, questions.tokens_cut, strict=True):
            rows, columns = sides[_key(request.flat)]
            scores = FlatScores(line_scores(question, rows), line_scores(question, columns))
            scored.append((scores, tuple(_cut_notes(rows, columns, cut, self._encoder.max_tokens))))
        return scored

    def _answer(self, requests: Sequence[Request]) -> list[Prediction]:
        return [
            self._decide(request.flat, scores, notes)
            for request, (scores, notes) in zip(requests, self.score(requests), strict=True)
        ]

    def _decide(self, flat: FlatTable, scores: FlatScores, notes: tuple[str, ...]) -> Prediction:
        rows, columns = original_scores(flat, scores)
        rows, columns = (np.nan_to_num(side, nan=LOWEST) for side in (rows, columns))
        cells = rows[:, None] + columns[None, :]
        headers = {}
        if flat.has_stub:
            for row in np.flatnonzero(np.isfinite(scores.rows + scores.columns[0])):
                score = scores.rows[row] + scores.columns[0] - STUB_HANDICAP
                headers[flat.origin(int(row), 0)] = float(score)
        blank = np.array([[not cell.strip() for cell in row] for row in flat.table.body])
        cells = np.where(blank, cells.min() - 1.0, cells)
        prediction = select(flat.table, cells, rows, columns, headers)
        confidence = top_probability(cells * SHARPNESS)
        return replace(prediction, confidence=round(confidence, 4), notes=(*prediction.notes, *notes))

    def _encode_tables(self, flats: Iterable[FlatTable]) -> dict[tuple[str, bool], tuple[Side, Side]]:
        found: dict[tuple[str, bool], tuple[Side, Side]] = {}
        missing: dict[tuple[str, bool], tuple[LineTexts, LineTexts]] = {}
        blank: dict[tuple[str, bool], tuple[NDArray[np.bool_], NDArray[np.bool_]]] = {}
        for flat in flats:
            key = _key(flat)
            if key in found or key in missing:
                continue
            cached = self._tables.get(key)
            if cached:
                found[key] = cached
            else:
                rows, columns = linearise_rows(flat), linearise_columns(flat)
                blank[key] = _blank(rows), _blank(columns)
                missing[key] = self._admit(rows, columns)
        encoded = self._encoder.encode(
            [text for sides in missing.values() for side in sides for text in (*side.headers, *side.lines)]
        )
        start = 0
        for key, sides in missing.items():
            made = []
            for side, no_header in zip(sides, blank[key], strict=True):
                middle = start + len(side.headers)
                stop = middle + len(side.lines)
                headers, lines = encoded.vectors[start:middle], encoded.vectors[middle:stop]
                made.append(Side(lines, headers, no_header, encoded.tokens_cut[middle:stop]))
                start = stop
            found[key] = made[0], made[1]
            self._tables.put(key, found[key])
        return found

    def _admit(self, rows: LineTexts, columns: LineTexts) -> tuple[LineTexts, LineTexts]:
        """Those first headers and lines of rows and of columns that fit ``MAX_TOKENS``, headers first."""
        left = MAX_TOKENS
        column_headers, left = self._fitting(columns.headers, left)
        row_headers, left = self._fitting(rows.headers, left)
        column_lines, left = self._fitting(columns.lines[: len(column_headers)], left)
        row_lines, _ = self._fitting(rows.lines[: len(row_headers)], left)
        return LineTexts(row_lines, row_headers), LineTexts(column_lines, column_headers)

    def _fitting(self, texts: tuple[str, ...], budget: int) -> tuple[tuple[str, ...], int]:
        """The first texts that fit a budget of tokens, and what they leave of it."""
        for start in range(0, len(texts), _LINES_PER_COUNT):
            counts = self._encoder.count_tokens(texts[start : start + _LINES_PER_COUNT])
            for number, count in enumerate(counts, start):
                cost = min(count, self._encoder.max_tokens)
                if cost > budget:
                    return texts[:number], budget
                budget -= cost
        return texts, budget


def linearise_rows(flat: FlatTable) -> LineTexts:
    """Rows as ``header : value * header : value …``, and their stub cells."""
    lines = tuple(
        " * ".join(
            f"{header} : {cell}" if header.strip() else cell
            for header, cell in zip(flat.header, row, strict=True)
        )
        for row in flat.cells
    )
    return LineTexts(lines, tuple(row[0] if flat.has_stub else "" for row in flat.cells))


def linearise_columns(flat: FlatTable) -> LineTexts:
    """Columns as ``header * value * value …``, and their headers."""
    lines = tuple(
        " * ".join((header, *(row[column] for row in flat.cells)))
        for column, header in enumerate(flat.header)
    )
    return LineTexts(lines, flat.header)


def line_scores(question: Vectors, side: Side) -> Scores:
    """Cosine of a question (dimensions) with each line, mixed with that of the line's header.

    Where only the header was encoded its cosine stands for both, and where it is empty or was not encoded
    the score is NaN.
    """
    n_headers, n_lines = len(side.headers), len(side.lines)
    headers = np.where(side.blank, np.nan, 1.0)
    headers[n_headers:] = np.nan
    of_headers = _cosines(side.headers, question)
    headers[:n_headers] *= of_headers
    scores = headers.copy()
    scores[:n_lines] = (1.0 - HEADER_SHARE) * _cosines(side.lines, question) + (
        HEADER_SHARE * of_headers[:n_lines]
    )
    return scores


def _cosines(vectors: Vectors, question: Vectors) -> Vectors:
    # A matrix product would round equal lines differently by their place, and so break their ties.
    products: Vectors = (vectors * question).sum(axis=1)
    return products


def original_scores(flat: FlatTable, scores: FlatScores) -> tuple[Scores, Scores]:
    """Row and column scores of the original table, the stub column left out."""
    lines, fields = scores.rows, scores.columns[int(flat.has_stub) :]
    return (fields, lines) if flat.transposed else (lines, fields)


def _key(flat: FlatTable) -> tuple[str, bool]:
    return flat.table.fingerprint, flat.transposed


def _blank(texts: LineTexts) -> NDArray[np.bool_]:
    return np.array([not header.strip() for header in texts.headers], dtype=bool)


def _cut_notes(rows: Side, columns: Side, question_cut: int, limit: int) -> Iterable[str]:
    for side, name in ((rows, "row"), (columns, "column")):
        yield from _budget_notes(side, name)
        cut = [n for n in side.tokens_cut if n]
        if cut:
            plural = "s" if len(cut) > 1 else ""
            yield (
                f"{len(cut)} {name}{plural} of the flat table did not fit the encoder's {limit} tokens; "
                f"{sum(cut):,} tokens at the end were not read."
            )
    if question_cut:
        yield (
            f"The question did not fit the encoder's {limit} tokens; its last {question_cut:,} were not read."
        )


def _budget_notes(side: Side, name: str) -> Iterable[str]:
    n = len(side.blank)
    by_header = int((~side.blank[len(side.lines) : len(side.headers)]).sum())
    dropped = n - len(side.lines) - by_header
    reason = f"a table is encoded up to {MAX_TOKENS:,} tokens"
    if by_header:
        yield f"{by_header:,} of {n:,} {name}s of the flat table were scored by their header alone; {reason}."
    if dropped:
        yield f"{dropped:,} of {n:,} {name}s of the flat table were dropped; {reason}."
