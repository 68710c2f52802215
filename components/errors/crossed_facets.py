"""Strict accuracy of a run by two facets at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pandas as pd
import streamlit as st

from components.figures_table import Figure, Line, figures_table_markup
from components.runs.counts import RunCounts
from components.state import pick
from qa_core.evaluation.facets import FACETS
from qa_core.evaluation.filters import Filters


def crossed_facets(frame: pd.DataFrame, filters: Filters, link: Callable[[Mapping[str, str]], str]) -> None:
    """Draw the accuracies by two facets that the link names, of what the filters on others leave; ``link``
    gives the address of the questions of some filters."""
    st.markdown("### Two facets crossed")
    down, across = st.columns(2)
    with down:
        rows = pick("Rows", "rows", list(FACETS), default="row-depth", title=_facet_title)
    with across:
        others = [name for name in FACETS if name != rows]
        columns = pick("Columns", "columns", others, default="column-depth", title=_facet_title)
    among = frame[filters.without(rows, columns).mask(frame)]
    counted = among.groupby([rows, columns], observed=False)["strict"].agg(["size", "sum"])
    shown = [name for name in FACETS[columns].values if counted.xs(name, level=columns)["size"].sum()]
    heads = [("", ""), *((FACETS[columns].values[name], "") for name in shown)]
    lines = [
        Line(
            title,
            [_crossing(counted.loc[(value, name)], link({rows: value, columns: name})) for name in shown],
        )
        for value, title in FACETS[rows].values.items()
        if counted.xs(value, level=rows)["size"].sum()
    ]
    RunCounts(frame, filters.without(rows, columns)).among("")
    st.html(figures_table_markup(heads, {f"{FACETS[rows].title} by {FACETS[columns].title.lower()}": lines}))


def _facet_title(name: str) -> str:
    return FACETS[name].title if name in FACETS else name


def _crossing(counted: pd.Series, address: str) -> Figure:
    n, hits = int(counted["size"]), int(counted["sum"])
    if not n:
        return Figure("–")
    return Figure(f"{100 * hits / n:.0f} %", f"{hits:,} of {n:,}", address, shade=1 - hits / n)
