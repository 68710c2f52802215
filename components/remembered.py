"""Predictions that are kept, so that asking many times over can be broken off and taken up again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from components.resources import all_said
from qa_core.prediction import Prediction
from qa_core.systems.interface import Request
from qa_core.systems.registry import SYSTEMS, load_system
from qa_core.systems.selection import BoundedCache

MOST_KEPT = 2000

_Key = tuple[str, bool, str, str, tuple[str, str, str]]


@dataclass(frozen=True)
class Remembered:
    """A system, with or without the lexicon where it uses one; loaded when it is asked something new."""

    system: str
    use_lexicon: bool

    def recall(self, request: Request) -> Prediction | None:
        """What it said to this request; None where it was not asked, or too long ago."""
        return _kept().get(self._key(request))

    def predict(self, requests: Sequence[Request]) -> list[Prediction]:
        """One prediction per request, in order. Raises CrossheadError where the system cannot be loaded."""
        known = {number: self.recall(request) for number, request in enumerate(requests)}
        new = [number for number, prediction in known.items() if prediction is None]
        if new:
            use_lexicon = self.use_lexicon or not SYSTEMS[self.system].uses_lexicon
            system = load_system(self.system, use_lexicon=use_lexicon)
            for number, prediction in zip(new, system.predict([requests[n] for n in new]), strict=True):
                _kept().put(self._key(requests[number]), prediction)
                known[number] = prediction
        return [prediction for prediction in known.values() if prediction is not None]

    def _key(self, request: Request) -> _Key:
        spec = SYSTEMS[self.system]
        transformation = request.flat.transformation if spec.reads_flat else ""
        use_lexicon = self.use_lexicon or not spec.uses_lexicon
        return self.system, use_lexicon, transformation, request.question, all_said(request.flat.table)


@st.cache_resource(show_spinner=False)
def _kept() -> BoundedCache[_Key, Prediction]:
    return BoundedCache(MOST_KEPT)
