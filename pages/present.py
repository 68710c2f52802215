"""Present: one case or one chart on the whole screen, for a room; turned by keyboard, every state a link."""

from __future__ import annotations

import streamlit as st

from components.navigation import require_frame
from components.plain import shorten
from components.presenting.cases import asked_case, asked_deck, draw_case, stored_case, stored_deck
from components.presenting.charts import Shown, draw_chart, slides
from components.presenting.deck import Deck
from components.presenting.frame import leave_presenting, presenting_style, turning
from components.resources import current_dataset, open_store, say_fault
from components.state import chosen
from qa_core.datasets import Dataset
from qa_core.errors import CrossheadError
from qa_core.evaluation.runs import RunRecord
from qa_core.evaluation.store import RunStore


def page() -> None:
    """Draw the page."""
    presenting_style()
    dataset = current_dataset()
    try:
        if chosen("chart"):
            _chart(dataset)
        else:
            _case(dataset)
    except CrossheadError as fault:
        say_fault(fault)
        _way_back()


def _chart(dataset: Dataset) -> None:
    store = open_store()
    shown = Shown(dataset, store, _runs(dataset, store), st.context.theme.type == "dark")
    there = slides(shown)
    name = chosen("chart")
    if name not in there:
        raise CrossheadError(f"There is no chart “{shorten(name, 60)}” of this run; choose another one.")
    draw_chart(shown, there[name](shown))
    turning(Deck("chart", list(there), name, {}))


def _case(dataset: Dataset) -> None:
    if chosen("run") and chosen("case"):
        store = open_store()
        runs = _runs(dataset, store)
        case = stored_case(dataset, store, runs, dataset.question(chosen("case")))
        deck = stored_deck(dataset, store, runs)
    else:
        case, question = asked_case(dataset)
        deck = asked_deck(dataset, case.table, question)
    hidden = chosen("veil") == "1" and not chosen("shown")
    draw_case(case, hidden=hidden)
    turning(deck, veiled=hidden)


def _runs(dataset: Dataset, store: RunStore) -> list[RunRecord]:
    """The run that the link names, and the one beside it. Raises CrossheadError for one over others."""
    runs = [store.run(chosen(name)) for name in ("run", "other") if chosen(name)]
    if not runs:
        raise CrossheadError("This link names no run; open it from a chart or a case.")
    for run in runs:
        if run.dataset_fingerprint != dataset.fingerprint or not run.done:
            raise CrossheadError(f"The run {run.id} has no answers over {dataset.name}; choose another run.")
    return runs


def _way_back() -> None:
    if st.button("Leave", icon=":material/close:", shortcut="Escape"):
        leave_presenting()


require_frame()
page()
