"""A run as columns: all that is counted about its questions, without their texts.

A frame of 60,000 questions is read in half a second and filtered in milliseconds; what is shown of a
question is read from the store when it is shown.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from qa_core.evaluation.facets import FACETS, QUESTION_FACETS, SETS, confidence_edges

if TYPE_CHECKING:
    from qa_core.evaluation.store import RunStore


def run_frame(store: RunStore, run_id: str) -> pd.DataFrame:
    """A row for each question that a run answered, in the dataset's order.

    ``id`` and ``table`` name question and table, ``strict`` and ``normalised`` are verdicts, ``slices`` the
    named slices joined and enclosed by bars, ``set`` the paraphrase set and ``sets`` how many of it are
    right (empty for a question alone); each facet has a categorical column.

    Raises CrossheadError as the store does.
    """
    columns = store.columns(run_id)
    frame = pd.DataFrame({name: columns[name] for name in ("position", "id", "table", "set", "slices")})
    frame["strict"] = np.array(columns["strict"], bool)
    frame["normalised"] = np.array(columns["normalised"], bool)
    frame["seconds"] = np.array(columns["seconds"], float)
    confidence = np.array(columns["confidence"], float)
    frame["certainty"] = confidence
    for name, codes in _question_codes(columns["facets"]).items():
        frame[name] = _categorical(codes, name)
    reasons = {name: place for place, name in enumerate(FACETS["reason"].values)}
    frame["reason"] = _categorical(
        np.array([reasons[each or "right"] for each in columns["reason"]]), "reason"
    )
    frame["confidence"] = _categorical(np.searchsorted(confidence_edges(), confidence), "confidence")
    frame["sets"] = _sets(frame)
    return frame


def _question_codes(facets: list[str]) -> Mapping[str, NDArray[np.int64]]:
    """The codes of each facet of the questions, whose values are joined; -1 where a store does not know."""
    index, known = pd.factorize(np.array(facets, object))
    codes = {}
    for place, (name, facet) in enumerate(QUESTION_FACETS.items()):
        order = {value: code for code, value in enumerate(facet.values)}
        parts = [each.split("|") for each in known]
        codes[name] = np.array([order.get(p[place], -1) if len(p) > place else -1 for p in parts])[index]
    return codes


def _categorical(codes: NDArray[np.int64], facet: str) -> pd.Categorical:
    return pd.Categorical.from_codes(codes.astype(np.int8), list(FACETS[facet].values))


def _sets(frame: pd.DataFrame) -> pd.Categorical:
    """Of questions in a paraphrase set of which at least two were asked, how many of that set are right."""
    grouped = frame.groupby("set", sort=False)["strict"]
    asked, hits = grouped.transform("size"), grouped.transform("sum")
    counted = (frame["set"] != "") & (asked > 1)
    codes = np.where(hits == asked, 0, np.where(hits > 0, 1, 2))
    return pd.Categorical.from_codes(np.where(counted, codes, -1).astype(np.int8), list(SETS))
