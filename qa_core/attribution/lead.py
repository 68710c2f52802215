"""How far a system's scores put a cell ahead of the others."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from qa_core.prediction import Prediction
from qa_core.table import Location


@dataclass(frozen=True)
class Lead:
    """By how much the row and the column of a Location are scored above the best other row and column.

    Negative where another is scored higher, None where the system gives no score or there is no other. The
    unit is that of the system's scores.
    """

    row: float | None = None
    column: float | None = None

    @property
    def whole(self) -> float | None:
        """The lead over the best other cell, where a cell's score is its row's plus its column's."""
        known = [lead for lead in (self.row, self.column) if lead is not None]
        if not known:
            return None
        return sum(known) if max(known) < 0 else min(known)


def lead_of(prediction: Prediction, location: Location | None) -> Lead:
    """The lead that a prediction's scores give to a Location, of a header on its own axis only."""
    if location is None:
        return Lead()
    return Lead(
        _ahead(prediction.row_scores, location.row), _ahead(prediction.column_scores, location.column)
    )


def _ahead(scores: Sequence[float], line: int | None) -> float | None:
    if line is None or line >= len(scores) or not math.isfinite(scores[line]):
        return None
    others = [score for other, score in enumerate(scores) if other != line and math.isfinite(score)]
    return scores[line] - max(others) if others else None
