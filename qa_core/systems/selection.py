"""From scores to a prediction: what the systems share once rows, columns and cells have their scores."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from qa_core.errors import CrossheadError
from qa_core.prediction import MAX_CANDIDATES, Candidate, Prediction, abstain
from qa_core.systems.interface import Request
from qa_core.table import Location, Table, leaf

Scores = NDArray[np.float64]

BLANK_QUESTION = "The question is empty; type one."
NO_CELLS = "The table has no body cells, so there is nothing to answer from."
BEST_IS_EMPTY = "The best matching cell is empty; the answer is the best of the others."
NO_TEXT = "All body cells of the table are empty, so there is nothing to answer from."
NO_NUMBERS = (
    "The model makes values that are no numbers of this question and table; word it otherwise, or use "
    "another model."
)


class NoNumbersError(CrossheadError):
    """A model made values that are no numbers of what it read."""


def check_numbers(values: NDArray[Any]) -> None:
    """Raises NoNumbersError where not all values are finite."""
    if not np.isfinite(values).all():
        raise NoNumbersError("The model makes values that are no numbers.")


def refusal(request: Request) -> Prediction | None:
    """An abstention for a request that no system can answer, else None."""
    table = request.flat.table
    if not request.question.strip():
        return abstain(BLANK_QUESTION)
    if not table.n_rows or not table.n_columns or not table.cells:
        return abstain(NO_CELLS)
    if not any(cell.strip() for row in table.cells for cell in row):
        return abstain(NO_TEXT)
    return None


def answer_open(
    requests: Sequence[Request],
    answer: Callable[[Sequence[Request]], Iterable[Prediction]],
    refused: Callable[[Request], Prediction | None] = refusal,
) -> list[Prediction]:
    """One prediction per request, in order: the abstention of each that is refused, and for the others, which
    ``answer`` is given together, what it makes of them. Where it raises NoNumbersError it is given each
    alone, and where it does again that one is an abstention."""
    abstentions = [refused(request) for request in requests]
    open_requests = [request for request, no in zip(requests, abstentions, strict=True) if no is None]
    answers = iter(_answered(open_requests, answer))
    return [no if no is not None else next(answers) for no in abstentions]


def _answered(
    requests: Sequence[Request], answer: Callable[[Sequence[Request]], Iterable[Prediction]]
) -> list[Prediction]:
    try:
        return list(answer(requests))
    except NoNumbersError:
        if len(requests) == 1:
            return [abstain(NO_NUMBERS)]
        return [prediction for request in requests for prediction in _answered([request], answer)]


def select(
    table: Table,
    cell_scores: Scores,
    row_scores: Sequence[float] | Scores,
    column_scores: Sequence[float] | Scores,
    header_scores: Mapping[Location, float] | None = None,
) -> Prediction:
    """The best scored Location as the answer, with the runners-up as candidates; confidence is left at 0.

    ``cell_scores`` is rows × columns of the original table. Of equal scores the first in reading order
    wins. An empty cell is neither answer nor candidate; where nothing else is scored the prediction abstains.
    """
    filled = np.array([[bool(cell.strip()) for cell in row] for row in table.body])
    flat = np.where(filled, cell_scores, -np.inf).ravel()
    few = min(MAX_CANDIDATES, flat.size)
    best = np.argpartition(-flat, few - 1)[:few] if few < flat.size else np.arange(flat.size)
    # A partition takes any of the equals at its edge; all of them compete, in reading order.
    best = np.flatnonzero(flat >= flat[best].min())
    width = cell_scores.shape[1]
    scored = [(Location(*map(int, divmod(i, width))), float(flat[i])) for i in best if flat[i] > -np.inf]
    scored += [(at, score) for at, score in (header_scores or {}).items() if table.text_at(at).strip()]
    scored.sort(key=lambda pair: -pair[1])
    candidates = tuple(
        Candidate(at, table.text_at(at), score, row_label(table, at)) for at, score in scored[:MAX_CANDIDATES]
    )
    if not candidates:
        return abstain(NO_TEXT)
    top = candidates[0]
    return Prediction(
        answer=top.text,
        locations=(top.location,),
        candidates=candidates,
        row_scores=tuple(map(float, row_scores)),
        column_scores=tuple(map(float, column_scores)),
        notes=(BEST_IS_EMPTY,) if cell_scores.max() > top.score else (),
    )


def row_label(table: Table, location: Location) -> str:
    """What a row is called: its header, or its first text where the table has no row headers."""
    if location.row is None:
        return ""
    label = leaf(table.row_path(location.row))
    if label or any(level.strip() for path in table.row_paths for level in path):
        return label
    return leaf(tuple(reversed(table.body[location.row])))


def top_probability(cell_scores: Scores) -> float:
    """Share of the best cell among all, where scores are log-odds: 1 for a clear winner, 1/n for n equals."""
    exponents = np.exp(cell_scores - cell_scores.max())
    return float(1.0 / exponents.sum())


K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class BoundedCache(Generic[K, V]):
    """A thread-safe map that forgets what was not used for longest once it holds ``size`` entries."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._entries: OrderedDict[K, V] = OrderedDict()
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._entries)

    def get(self, key: K) -> V | None:
        """The entry of ``key``, now the most recently used; None where there is none."""
        with self._lock:
            if key in self._entries:
                self._entries.move_to_end(key)
            return self._entries.get(key)

    def put(self, key: K, value: V) -> None:
        """Keep an entry, at the expense of the least recently used one."""
        with self._lock:
            self._entries[key] = value
            self._entries.move_to_end(key)
            while len(self._entries) > self.size:
                self._entries.popitem(last=False)

    def get_or_make(self, key: K, make: Callable[[], V]) -> V:
        """The entry of ``key``, made where there is none (twice, harmlessly, if two threads ask at once)."""
        value = self.get(key)
        if value is None:
            value = make()
            self.put(key, value)
        return value
