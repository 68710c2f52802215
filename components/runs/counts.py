"""What the bars of a run count under the filters that are set."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd
import streamlit as st

from components.names import filter_titles
from components.plain import plain
from qa_core.evaluation.facets import SETS
from qa_core.evaluation.filters import Filters
from qa_core.evaluation.misses import REASONS


@dataclass(frozen=True)
class RunCounts:
    """Of a run: of each filter's own bars, the questions that meet all the other choices.

    So a bar is as long as the list that a click on it opens.
    """

    frame: pd.DataFrame
    filters: Filters

    def _others(self, name: str) -> pd.DataFrame:
        return self.frame[self.filters.without(name).mask(self.frame)]

    def misses(self) -> dict[str, int]:
        """Strict misses by reason."""
        found = self._others("reason")["reason"].value_counts()
        return {name: int(found[name]) for name in REASONS}

    def paraphrase_sets(self) -> dict[str, int]:
        """Paraphrase sets that have a question among those, by how many of the whole set are right."""
        found = self._others("sets").groupby("sets", observed=False)["set"].nunique()
        return {name.removesuffix("-right"): int(found[name]) for name in SETS}

    def among(self, name: str) -> None:
        """Say what the bars of a filter are counted among, if it is not the whole run."""
        titles = filter_titles(self.filters.without(name))
        if titles:
            st.caption(f"Counted among: {plain(' · '.join(titles))}.")
