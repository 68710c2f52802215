"""The same question under all transformations and systems."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import streamlit as st

from components.figures_table import Figure, Line, figures_table_markup
from components.pickers import TRANSFORMATION_TITLES
from components.plain import counted, plain, shorten
from components.remembered import Remembered
from components.state import choose, chosen
from components.why.contributions_markup import cell_in_words
from qa_core.errors import CrossheadError
from qa_core.prediction import Prediction
from qa_core.systems.interface import Request
from qa_core.systems.registry import SYSTEMS
from qa_core.table import Table
from qa_core.transform import TRANSFORMATIONS, flatten

ASK_ALL = "all"

Verdict = Callable[[Prediction], str]
"""Whether a prediction is right, in a word; empty where no gold is known."""
LinkTo = Callable[[str, str], str]
"""The address of a system under a transformation."""


def answer_grid(table: Table, question: str, use_lexicon: bool, verdict: Verdict, link_to: LinkTo) -> None:
    """Draw what is known of all combinations, and a way to ask those that have not been asked."""
    shown = st.empty()
    faults: dict[str, str] = {}

    def draw() -> None:
        shown.html(_markup(table, question, use_lexicon, verdict, link_to, faults))

    waiting = list(_unasked(table, question, use_lexicon))
    quick = [each for each in waiting if not SYSTEMS[each].needs_model]
    for system in quick:
        _ask(table, question, system, use_lexicon, faults)
    slow = [each for each in waiting if SYSTEMS[each].needs_model]
    draw()
    if slow and chosen(ASK_ALL) == "1":
        line = st.container(horizontal=True, vertical_alignment="center")
        bar = line.progress(0.0)
        line.button(
            "Stop", key="stop-asking", icon=":material/stop:", on_click=choose, kwargs={ASK_ALL: None}
        )
        for number, system in enumerate(slow):
            title = plain(SYSTEMS[system].title)
            bar.progress(
                number / len(slow), text=f"{title} reads the table; a model is loaded on its first use …"
            )
            _ask(table, question, system, use_lexicon, faults)
            draw()
        line.empty()
    elif slow:
        st.button(
            "Ask them all",
            key="ask-all",
            icon=":material/grid_view:",
            on_click=choose,
            kwargs={ASK_ALL: "1"},
            help=f"Loads the models of {counted(len(slow), 'system')}, once for all questions.",
        )
    for fault in faults.values():
        st.error(plain(shorten(fault, 400)), icon=":material/error:")


def _requests(table: Table, question: str) -> list[Request]:
    return [Request(question, flatten(table, transformation)) for transformation in TRANSFORMATIONS]


def _unasked(table: Table, question: str, use_lexicon: bool) -> Iterator[str]:
    for system in SYSTEMS:
        remembered = Remembered(system, use_lexicon)
        if any(remembered.recall(request) is None for request in _requests(table, question)):
            yield system


def _ask(table: Table, question: str, system: str, use_lexicon: bool, faults: dict[str, str]) -> None:
    """Ask a system under each transformation, where it is not known, and keep what it says."""
    try:
        Remembered(system, use_lexicon).predict(_requests(table, question))
    except CrossheadError as fault:
        faults[system] = str(fault)


def _markup(
    table: Table,
    question: str,
    use_lexicon: bool,
    verdict: Verdict,
    link_to: LinkTo,
    faults: dict[str, str],
) -> str:
    chosen_one = chosen("system", "lexical"), chosen("transformation", "base")
    heads = [("", ""), *((spec.title, "") for spec in SYSTEMS.values())]
    lines = []
    for transformation in TRANSFORMATIONS:
        request = Request(question, flatten(table, transformation))
        figures = []
        for system in SYSTEMS:
            said = Remembered(system, use_lexicon).recall(request)
            link = link_to(system, transformation)
            here = (system, transformation) == chosen_one
            figures.append(
                _figure(table, said, verdict, link, here)
                if said
                else Figure("failed" if system in faults else "not asked", link=link, measured=False)
            )
        lines.append(Line(TRANSFORMATION_TITLES[transformation], figures))
    return figures_table_markup(heads, {"": lines})


def _figure(table: Table, said: Prediction, verdict: Verdict, link: str, here: bool) -> Figure:
    answer = shorten(said.answer, 24) or "no answer"
    notes = [verdict(said), f"{said.confidence:.2f}", "shown above" if here else ""]
    hint = cell_in_words(table, said.location)
    return Figure(answer, " · ".join(filter(None, notes)), link, hint)
