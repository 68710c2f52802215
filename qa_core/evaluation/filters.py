"""Filters: which questions of a run are meant."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from qa_core.evaluation.facets import FACETS, SETS, Facet
from qa_core.evaluation.misses import REASONS
from qa_core.evaluation.slices import SLICES

if TYPE_CHECKING:
    import pandas as pd

FILTERS: dict[str, Facet] = {
    "slice": Facet("Slice", {name: name.replace("-", " ") for name in SLICES}),
    "right": Facet("Verdict", {"no": "wrong (strict)", "yes": "right (strict)"}),
    "reason": Facet("Structural reason", {name: name.replace("-", " ") for name in REASONS}),
    "sets": Facet("Paraphrase sets", {name: name.replace("-", " ") for name in SETS}),
    **{name: facet for name, facet in FACETS.items() if name != "reason"},
}
"""What a run's questions can be filtered by: named slices, verdicts, paraphrase sets, and all facets."""


@dataclass(frozen=True)
class Filters:
    """Which questions of a run are meant, by the names of ``FILTERS``; what is not named may be anything."""

    values: Mapping[str, str]

    def without(self, *names: str) -> Filters:
        """The same but for some."""
        return Filters({name: value for name, value in self.values.items() if name not in names})

    def mask(self, frame: pd.DataFrame) -> NDArray[np.bool_]:
        """Which rows of a frame meet all of them."""
        kept = np.ones(len(frame), bool)
        for name, value in self.values.items():
            kept &= _meets(frame, name, value)
        return kept


def known_filters(values: Mapping[str, str]) -> Filters:
    """Of some names and values those that are filters of this version."""
    return Filters({name: values[name] for name in FILTERS if values.get(name) in FILTERS[name].values})


def _meets(frame: pd.DataFrame, name: str, value: str) -> NDArray[np.bool_]:
    if name == "slice":
        met = frame["slices"].str.contains(f"|{value}|", regex=False)
    elif name == "right":
        met = frame["strict"] == (value == "yes")
    else:
        met = frame[name] == value
    return np.asarray(met, bool)
