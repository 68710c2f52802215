"""What every system has in common."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from qa_core.prediction import Prediction
from qa_core.transform import FlatTable


@dataclass(frozen=True)
class Request:
    """One question over one table as a transformation gave it (the original is ``flat.table``)."""

    question: str
    flat: FlatTable


class System(Protocol):
    """Answers questions in batches.

    ``version`` changes whenever the same weights would answer differently; ``weights`` names what was
    loaded (empty for a system without a model). Both stand in every stored run.
    """

    name: str
    version: str
    weights: str

    def predict(self, requests: Sequence[Request]) -> list[Prediction]:
        """One prediction per request, in order. Never raises for an odd table or an empty question:
        such a request gets an abstention that says why."""
        ...
