"""Saved slices on the page *Errors*: how a run does in each, and ways to save, rename and delete."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import pandas as pd
import streamlit as st

from components.figures_table import Figure, Line, figures_table_markup
from components.names import filter_titles
from components.plain import plain
from components.resources import say_fault, slice_store
from qa_core.errors import CrossheadError
from qa_core.evaluation.filters import Filters
from qa_core.evaluation.saved_slices import MOST_OF_A_NAME, SavedSlice
from qa_core.evaluation.statistics import wilson_interval

_NAME, _CHOSEN, _NEW_NAME, _SAID = "slice-name", "slice-chosen", "slice-new-name", "slice-said"


def saved_slices(frame: pd.DataFrame, filters: Filters, link: Callable[[Mapping[str, str]], str]) -> None:
    """Draw the saved slices with the figures of a run; ``link`` is the address of the questions of some
    filters. What is chosen now can be saved."""
    st.markdown("### Saved slices")
    fault = st.session_state.pop(_SAID, None)
    if fault is not None:
        say_fault(fault)
    slices = slice_store().all()
    if slices:
        heads = [("", ""), ("Right", "strict, 95 %"), ("Questions", "")]
        st.html(figures_table_markup(heads, {"": [_line(each, frame, link) for each in slices]}))
    saving, mending = st.columns([3, 2], gap="medium")
    with saving:
        _save(filters)
    if slices:
        with mending.expander("Rename or delete one"):
            _mend(slices)


def _line(saved: SavedSlice, frame: pd.DataFrame, link: Callable[[Mapping[str, str]], str]) -> Line:
    if saved.filters is None:
        return Line(saved.name, [Figure("not known", measured=False), Figure("–")], "of another Crosshead")
    strict = frame["strict"][saved.filters.mask(frame)]
    n, hits = len(strict), int(strict.sum())
    note = " · ".join(filter_titles(saved.filters))
    if not n:
        return Line(saved.name, [Figure("–"), Figure("0")], note)
    low, high = wilson_interval(hits, n)
    there = link(saved.filters.values)
    share = Figure(f"{100 * hits / n:.1f}", f"{100 * low:.1f} – {100 * high:.1f}", there)
    return Line(saved.name, [share, Figure(f"{n:,}", f"{hits:,} right", there)], note)


def _save(filters: Filters) -> None:
    if not filters.values:
        st.caption("What you choose by bars and facets can be saved here under a name, for every run.")
        return
    field, button = st.columns([3, 1], vertical_alignment="bottom")
    field.text_input(
        f"Save “{plain(' · '.join(filter_titles(filters)))}” as",
        key=_NAME,
        max_chars=MOST_OF_A_NAME,
        placeholder="a name",
    )
    button.button("Save", icon=":material/bookmark_add:", width="stretch", on_click=_saved, args=(filters,))


def _mend(slices: Sequence[SavedSlice]) -> None:
    names = {each.id: each.name for each in slices}
    if st.session_state.get(_CHOSEN) not in names:
        st.session_state[_CHOSEN] = None  # somebody else deleted it, and no other one is meant
    chosen = st.selectbox(
        "Saved slice",
        list(names),
        index=None,
        format_func=lambda each: names.get(each, each),
        key=_CHOSEN,
        placeholder="Choose one",
    )
    st.text_input("New name", key=_NEW_NAME, max_chars=MOST_OF_A_NAME)
    none = chosen is None
    with st.container(horizontal=True):
        st.button("Rename", on_click=_renamed, args=(chosen,), disabled=none)
        st.button("Delete", icon=":material/delete:", on_click=_deleted, args=(chosen,), disabled=none)


def _saved(filters: Filters) -> None:
    _do(lambda: slice_store().save(st.session_state[_NAME], filters), _NAME)


def _renamed(slice_id: str) -> None:
    _do(lambda: slice_store().rename(slice_id, st.session_state[_NEW_NAME]), _NEW_NAME)


def _deleted(slice_id: str) -> None:
    _do(lambda: slice_store().delete(slice_id), _NEW_NAME)


def _do(change: Callable[[], object], field: str) -> None:
    """Make a change and empty its field; where it is refused, the next drawing says why."""
    try:
        change()
    except CrossheadError as fault:
        st.session_state[_SAID] = fault
    else:
        st.session_state[field] = ""
