"""What a person chooses by each filter: out of the link, and by select boxes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from components.listing import write_search
from components.names import value_title
from components.state import chosen, pick, stale
from qa_core.evaluation.filters import FILTERS, Filters

ALL = "all"
MAIN_FILTERS = ("slice", "right", "reason", "sets")


def chosen_filters() -> Filters:
    """What the URL chooses by each filter; a value that is none is said to be stale and chooses nothing."""
    values: dict[str, str] = {}
    for name, facet in FILTERS.items():
        value = chosen(name, ALL)
        if value in facet.values:
            values[name] = value
        elif value != ALL:
            stale(facet.title, name, value, "all of them")
    return Filters(values)


def pick_filters() -> None:
    """The choices, each with a way to lift it."""
    others = [name for name in FILTERS if name not in MAIN_FILTERS]
    _pick_each(MAIN_FILTERS)
    write_search()
    set_ones = [FILTERS[name].title.lower() for name in others if chosen(name) in FILTERS[name].values]
    said = f" ({', '.join(set_ones)})" if set_ones else ""
    # Its choices are drawn while it is open: eight boxes more would be drawn anew at each step.
    key = f"more-facets-{'-'.join(set_ones)}"
    more = st.expander(f"More facets{said}", expanded=bool(set_ones), key=key, on_change="rerun")
    if more.open:
        with more:
            for start in range(0, len(others), 4):
                _pick_each(others[start : start + 4])


def _pick_each(names: Sequence[str]) -> None:
    for column, name in zip(st.columns(4), names, strict=False):
        facet = FILTERS[name]
        with column:
            if chosen(name, ALL) in (ALL, *facet.values):
                titles = partial(_title_in, name)
                pick(facet.title, name, [ALL, *facet.values], title=titles, clears=("case", "part"))
            else:
                st.selectbox(facet.title, [ALL], disabled=True)  # the stale choice is spoken of at the top


def _title_in(name: str, value: str) -> str:
    return value_title(name, value) if value in FILTERS[name].values else value
