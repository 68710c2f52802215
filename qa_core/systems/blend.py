"""blend: the lexical scores plus what a sentence encoder says of the same rows and columns.

A cell scores as in ``lexical``, plus ``ENCODER_WEIGHT`` times the standardised ``rci-representation`` scores
of its row and column. The lexical scores are log-odds and stay as they are: how far apart they stand is what
they know. The encoder's cosines have no scale of their own, so each side is standardised (mean 0, deviation
1) over the table. The weight was chosen on the same development questions as the lexical weights.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from qa_core.prediction import Prediction
from qa_core.systems.features import Scores
from qa_core.systems.fired import fired_entries
from qa_core.systems.interface import Request
from qa_core.systems.lexical import LexicalSystem, judge_confidence
from qa_core.systems.rci_representation import VERSION as RCI_VERSION
from qa_core.systems.rci_representation import FlatScores, RciRepresentationSystem, original_scores
from qa_core.systems.selection import answer_open, select, top_probability

ENCODER_WEIGHT = 0.6
NOISE = 1e-5
"""More than cosines of one text differ by when it is encoded among others."""


class BlendSystem:
    """Lexical and rci-representation together; see the head of this file."""

    def __init__(self, lexical: LexicalSystem, rci: RciRepresentationSystem) -> None:
        self._lexical = lexical
        self._rci = rci
        self.name = f"blend{lexical.suffix}"
        self.version = f"2 (lexical {lexical.version}; rci {RCI_VERSION})"
        self.weights = rci.weights

    def predict(self, requests: Sequence[Request]) -> list[Prediction]:
        """One prediction per request, in order."""
        return answer_open(requests, self._answer)

    def _answer(self, requests: Sequence[Request]) -> list[Prediction]:
        return [
            self._decide(request, encoded)
            for request, encoded in zip(requests, self._rci.score(requests), strict=True)
        ]

    def _decide(self, request: Request, encoded: tuple[FlatScores, tuple[str, ...]]) -> Prediction:
        scores, notes = encoded
        reading = self._lexical.read(request)
        encoder_rows, encoder_columns = original_scores(request.flat, scores)
        row_gain = ENCODER_WEIGHT * standardised(encoder_rows)
        column_gain = ENCODER_WEIGHT * standardised(encoder_columns)
        cells = reading.cells + row_gain[:, None] + column_gain[None, :]
        lead = float(cells.max() - reading.cells.max())
        headers = {location: value + lead for location, value in reading.headers.items()}
        prediction = select(
            request.flat.table, cells, reading.rows + row_gain, reading.columns + column_gain, headers
        )
        judged = judge_confidence(prediction, reading, top_probability(cells))
        fired = fired_entries(reading.ask, reading.view, judged.location)
        return replace(judged, notes=(*judged.notes, *notes), lexicon=fired)


def standardised(scores: Scores) -> Scores:
    """Scores with mean 0 and deviation 1; zeros where all are equal, and where there is none (NaN).

    Cosines that differ by no more than ``NOISE`` are equal.
    """
    known = scores[np.isfinite(scores)]
    deviation = known.std() if len(known) else 0.0
    if deviation <= NOISE:
        return np.zeros(len(scores))
    return np.where(np.isfinite(scores), (scores - known.mean()) / deviation, 0.0)
