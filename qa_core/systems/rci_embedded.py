"""rci with Crosshead's own weights: an interaction model over header paths, on top of the lexical evidence.

The score of a row (a column) is what the words of the question say for it (``lexical``: log-odds) plus what
``LineScorer`` makes of question and header path read together; the score of a cell is that of its row plus
that of its column (Glass et al. 2021). The model is trained with the lexical scores in place. It reads the
table's own hierarchy; the transformation makes no difference.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from qa_core.prediction import Prediction
from qa_core.systems.encoder import batched
from qa_core.systems.fired import fired_entries
from qa_core.systems.interface import Request
from qa_core.systems.lexical import LexicalSystem, Reading
from qa_core.systems.line_texts import COLUMN, ROW, LineTexts, line_texts
from qa_core.systems.selection import BoundedCache, answer_open, check_numbers, select
from qa_core.systems.view import TableView
from qa_core.table import Location, leaf

if TYPE_CHECKING:
    from qa_core.systems.line_scorer import Query
    from qa_core.systems.rci_weights import TrainedScorer

VERSION = "1"
MAX_TABLES = 64
"""Tables whose tokens are kept; the least recently used one goes first."""
MAX_LINES = 400
"""Rows, and columns, that the model reads of a table: those for which the words of the question say most."""
MAX_BEHIND = 6.0
"""Lines whose words are so many log-odds behind the best of their side are not read by the model: of the
questions held apart from training one in a hundred has its answer there."""
LEAST_LINES = 4
STUB_BEHIND = 2.0
"""Log-odds by which the stub, read as a column, is behind the best column before the model says anything."""
_LINES_AT_ONCE = 256
NOT_HERE = "Perhaps this table does not answer the question: where one does, the confidence is seldom so low."

_NAMES = (ROW, "rows"), (COLUMN, "columns")

Scores = NDArray[np.float64]


@dataclass(frozen=True)
class Judgement:
    """Log-odds of a question over one table, the original's rows × columns and row headers among them.

    ``absent`` are the log-odds of "not in this table" on the scale of the cells; ``reading`` is what the
    words of the question say, from which the model went on.
    """

    rows: Scores
    columns: Scores
    cells: Scores
    headers: dict[Location, float]
    absent: float
    notes: tuple[str, ...]
    reading: Reading


@dataclass(frozen=True)
class TableLines:
    """The texts of a table's lines, and their token ids by side."""

    texts: LineTexts
    ids: tuple[tuple[list[int], ...], tuple[list[int], ...]]


@dataclass(frozen=True)
class _Put:
    """A question as it is put to the model: the lines of its table, what its words say for them, and the
    places of those that are read; ``cut`` tokens of it are not."""

    reading: Reading
    lines: TableLines
    said: tuple[Scores, Scores]
    read: tuple[list[int], list[int]]
    query: Query
    cut: int


class RciEmbeddedSystem:
    """See the head of this file. Safe to share between threads; one batch is scored at a time."""

    def __init__(self, trained: TrainedScorer, lexical: LexicalSystem, weights: str = "") -> None:
        """``weights`` names what was loaded."""
        trained.scorer.eval()
        self._trained = trained
        self._lexical = lexical
        self.name = f"rci{lexical.suffix}"
        self.version = f"{VERSION} (lexical {lexical.version})"
        self.weights = weights
        self._tables: BoundedCache[str, TableLines] = BoundedCache(MAX_TABLES)
        self._lock = threading.Lock()

    def with_lexical(self, lexical: LexicalSystem) -> RciEmbeddedSystem:
        """The same model, not another copy of it, on top of another reading of the words."""
        other = RciEmbeddedSystem(self._trained, lexical, self.weights)
        other._lock = self._lock
        return other

    def predict(self, requests: Sequence[Request]) -> list[Prediction]:
        """One prediction per request, in order."""
        return answer_open(requests, self._answer)

    def _answer(self, requests: Sequence[Request]) -> list[Prediction]:
        return [
            self._decide(request, judged)
            for request, judged in zip(requests, self.judge(requests), strict=True)
        ]

    def judge(self, requests: Sequence[Request]) -> list[Judgement]:
        """Score questions, each over its table, which must have a body cell that is not empty.

        Raises NoNumbersError where a score is no number.
        """
        put = [self._put(request) for request in requests]
        sizes = [len(one.query.lines) for one in put]
        judged: dict[int, Judgement] = {}
        for batch in batched(sorted(range(len(put)), key=sizes.__getitem__), sizes, _LINES_AT_ONCE):
            for place, gains in zip(batch, self._gains([put[i] for i in batch]), strict=True):
                judged[place] = self._judgement(put[place], gains)
        return [judged[place] for place in range(len(put))]

    def _put(self, request: Request) -> _Put:
        from qa_core.systems.line_scorer import Query

        reading = self._lexical.read(request)
        lines = self._tables.get_or_make(request.flat.table.fingerprint, lambda: self._lines(reading.view))
        said = evidence(reading, lines.texts)
        read = worth_reading(said[ROW]), worth_reading(said[COLUMN])
        question, cut = self._ids(request.question)
        query = Query(
            question,
            [lines.ids[side][i] for side in (ROW, COLUMN) for i in read[side]],
            [side for side in (ROW, COLUMN) for _ in read[side]],
        )
        return _Put(reading, lines, said, read, query, cut)

    def _gains(self, put: Sequence[_Put]) -> list[tuple[Scores, Scores]]:
        """What the model adds to each line of a side: where it did not read one, the least that it adds."""
        import torch

        with self._lock, torch.inference_mode():
            scores = self._trained.scorer([one.query for one in put]).double().numpy()
        check_numbers(scores)
        made = []
        for one in put:
            sides = []
            for side in (ROW, COLUMN):
                read, scores = np.split(scores, [len(one.read[side])])
                every = np.full(len(one.lines.ids[side]), read.min())
                every[one.read[side]] = read
                sides.append(every)
            made.append((sides[ROW], sides[COLUMN]))
        return made

    def _judgement(self, put: _Put, gains: tuple[Scores, Scores]) -> Judgement:
        reading = put.reading
        n_columns = reading.view.table.n_columns
        rows, columns = (
            self._trained.scorer.prior_weights[side].item() * put.said[side] + gains[side]
            for side in (ROW, COLUMN)
        )
        extras = reading.cells - reading.rows[:, None] - reading.columns[None, :]
        cells = rows[:, None] + columns[None, :n_columns] + extras
        stub = float(columns[n_columns]) if put.lines.texts.stub else None
        notes = [f"The question's last {put.cut:,} tokens were not read."] if put.cut else []
        return Judgement(
            rows,
            columns[:n_columns],
            cells,
            _headers(reading, cells, rows, stub),
            self._trained.scorer.absent.item(),
            (*reading.notes, *notes, *_unread(put.said)),
            reading,
        )

    def _decide(self, request: Request, judged: Judgement) -> Prediction:
        prediction = select(request.flat.table, judged.cells, judged.rows, judged.columns, judged.headers)
        if prediction.location is None:
            return prediction
        choices = np.concatenate([judged.cells.ravel(), [*judged.headers.values(), judged.absent]])
        total = np.logaddexp.reduce(choices / self._trained.temperature)
        confidence = float(np.exp(prediction.candidates[0].score / self._trained.temperature - total))
        doubt = (NOT_HERE,) if confidence < self._trained.refusal else ()
        return replace(
            prediction,
            confidence=round(min(confidence, 1.0), 4),
            notes=(*prediction.notes, *doubt, *judged.notes),
            lexicon=fired_entries(judged.reading.ask, judged.reading.view, prediction.location),
        )

    def _lines(self, view: TableView) -> TableLines:
        texts = line_texts(view)
        rows, columns = (tuple(self._ids(text)[0] for text in side) for side in texts.choices)
        return TableLines(texts, (rows, columns))

    def _ids(self, text: str) -> tuple[list[int], int]:
        from qa_core.systems.line_scorer import token_ids

        return token_ids(self._trained.tokenizer, text)


def load_embedded_rci(lexical: LexicalSystem, path: Path | None = None) -> RciEmbeddedSystem:
    """The system with Crosshead's own weights, or with those of a file that was trained.

    Raises CrossheadError as ``load_scorer`` does.
    """
    from qa_core.systems import rci_weights

    trained = rci_weights.load_scorer(path or rci_weights.WEIGHTS)
    name = path.name if path else "crosshead-rci"
    return RciEmbeddedSystem(trained, lexical, f"{name}@{trained.digest}")


def evidence(reading: Reading, texts: LineTexts) -> tuple[Scores, Scores]:
    """The lexical log-odds of the lines of ``texts.choices``."""
    columns = reading.columns
    return reading.rows, np.append(columns, columns.max() - STUB_BEHIND) if texts.stub else columns


def worth_reading(said: Scores) -> list[int]:
    """The lines of a side that are put before the model, in order."""
    best_first = np.argsort(-said, kind="stable")
    near = int((said >= said.max() - MAX_BEHIND).sum())
    return sorted(best_first[: min(max(near, LEAST_LINES), MAX_LINES)].tolist())


def _unread(said: tuple[Scores, Scores]) -> list[str]:
    """Sentences about the lines that were not put before the model, although their words allow for them."""
    near = [(int((said[side] >= said[side].max() - MAX_BEHIND).sum()), name) for side, name in _NAMES]
    return [
        f"{n - MAX_LINES:,} of {n:,} {name} that the words allow for were judged by their words alone; the "
        f"model reads {MAX_LINES}."
        for n, name in near
        if n > MAX_LINES
    ]


def _headers(reading: Reading, cells: Scores, rows: Scores, stub: float | None) -> dict[Location, float]:
    """Row headers as answers: by the stub's score as a column, or as far ahead as the words put them."""
    lead = float(cells.max() - reading.cells.max())
    found = {location: score + lead for location, score in reading.headers.items()}
    if stub is not None:
        for row, score in enumerate(rows):
            location = Location(row, None)
            if leaf(reading.view.table.row_path(row)).strip():
                found[location] = max(found.get(location, -np.inf), float(score + stub))
    return found
