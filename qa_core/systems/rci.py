"""rci: rows and columns scored apart by a sentence encoder, after RCI's *representation* form.

Glass et al. 2021, "Capturing Row and Column Semantics in Transformer Based Question Answering over
Tables": question, rows and columns are encoded separately, a row written as
``header : value * header : value …`` and a column as ``header * value * value …``; a cell scores as its row
plus its column. The paper trains the encoder for this; here it is a general sentence encoder as it comes.
Such a one loses the header among the values, so a line's score is mostly that of its header alone
(``HEADER_SHARE``, chosen on development questions: it raised the share of right cells from 36 % to 43 %).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from qa_core.prediction import Prediction
from qa_core.systems.encoder import Encoder, Vectors
from qa_core.systems.interface import Request
from qa_core.systems.selection import BoundedCache, refusal, select, top_probability
from qa_core.transform import FlatTable

VERSION = "1"
MAX_TABLES = 64
"""Tables (in one transformation each) whose embeddings are kept; the least recently used one goes first."""

HEADER_SHARE = 0.7
"""Weight of the header alone in a line's score; the rest is the line as the paper writes it."""
STUB_HANDICAP = 0.2
"""What the stub column, whose cells are row headers, must be ahead of the best other column to be chosen."""
SHARPNESS = 20.0
"""Cosines are close together; times this they serve as log-odds for the confidence."""

Scores = NDArray[np.float64]


@dataclass(frozen=True)
class LineTexts:
    """What is encoded of one side of a flat table: each line as the paper writes it, and its header."""

    lines: tuple[str, ...]
    headers: tuple[str, ...]


@dataclass(frozen=True)
class Side:
    """Encoded lines of one side: vectors of whole lines and of headers, and tokens that did not fit."""

    lines: Vectors
    headers: Vectors
    tokens_cut: tuple[int, ...]


@dataclass(frozen=True)
class FlatScores:
    """Cosine scores of the flat table's rows and columns, the stub column among them."""

    rows: Scores
    columns: Scores


class RciSystem:
    """Scores flat rows and flat columns by cosine with the question; see the head of this file."""

    name = "rci"
    version = VERSION

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder
        self.weights = encoder.weights
        self._tables: BoundedCache[tuple[str, bool], tuple[Side, Side]] = BoundedCache(MAX_TABLES)

    def predict(self, requests: Sequence[Request]) -> list[Prediction]:
        """One prediction per request, in order; all texts of the batch are encoded together."""
        refused = [refusal(request) for request in requests]
        open_requests = [request for request, no in zip(requests, refused, strict=True) if no is None]
        answers = iter(self._answer(open_requests))
        return [no if no is not None else next(answers) for no in refused]

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
        cells = rows[:, None] + columns[None, :]
        headers = {}
        if flat.has_stub:
            for row in range(flat.n_rows):
                location = flat.origin(row, 0)
                headers[location] = float(scores.rows[row] + scores.columns[0] - STUB_HANDICAP)
        blank = np.array([[not cell.strip() for cell in row] for row in flat.table.body])
        cells = np.where(blank, cells.min() - 1.0, cells)
        prediction = select(flat.table, cells, rows, columns, headers)
        confidence = top_probability(cells * SHARPNESS)
        return replace(prediction, confidence=round(confidence, 4), notes=(*prediction.notes, *notes))

    def _encode_tables(self, flats: Iterable[FlatTable]) -> dict[tuple[str, bool], tuple[Side, Side]]:
        found: dict[tuple[str, bool], tuple[Side, Side]] = {}
        missing: dict[tuple[str, bool], tuple[LineTexts, LineTexts]] = {}
        for flat in flats:
            key = _key(flat)
            if key in found or key in missing:
                continue
            cached = self._tables.get(key)
            if cached:
                found[key] = cached
            else:
                missing[key] = linearise_rows(flat), linearise_columns(flat)
        texts = list(
            dict.fromkeys(
                text for sides in missing.values() for side in sides for text in (*side.lines, *side.headers)
            )
        )
        place = {text: i for i, text in enumerate(texts)}
        encoded = self._encoder.encode(texts)
        for key, (rows, columns) in missing.items():
            made = tuple(
                Side(
                    encoded.vectors[[place[text] for text in side.lines]],
                    encoded.vectors[[place[text] for text in side.headers]],
                    tuple(encoded.tokens_cut[place[text]] for text in side.lines),
                )
                for side in (rows, columns)
            )
            found[key] = made[0], made[1]
            self._tables.put(key, found[key])
        return found


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
    """Cosine of a question (dimensions) with each line, mixed with that of the line's header."""
    scores = (1.0 - HEADER_SHARE) * (side.lines @ question) + HEADER_SHARE * (side.headers @ question)
    return np.asarray(scores, dtype=float)


def original_scores(flat: FlatTable, scores: FlatScores) -> tuple[Scores, Scores]:
    """Row and column scores of the original table, the stub column left out."""
    lines, fields = scores.rows, scores.columns[int(flat.has_stub) :]
    return (fields, lines) if flat.transposed else (lines, fields)


def _key(flat: FlatTable) -> tuple[str, bool]:
    return flat.table.fingerprint, flat.transposed


def _cut_notes(rows: Side, columns: Side, question_cut: int, limit: int) -> Iterable[str]:
    for side, name in ((rows, "row"), (columns, "column")):
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
