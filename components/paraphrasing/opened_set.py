"""A paraphrase set in its table: every wording's predicted cell under its number, and the gold."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from components.answer_card import cell_card, gold_card
from components.layout import wide_and_narrow
from components.paraphrasing.own_wording import Asked, ask_own, keep_own, own_list, say_wordings
from components.paraphrasing.sets import ParaphraseSet, wording_list
from components.pickers import table_title
from components.plain import plain, shorten
from components.reveal import reveal
from components.selected_cell import select_cell, selected_cell
from components.state import choose
from components.table_view import Marks, table_view
from qa_core.datasets import Dataset
from qa_core.evaluation.rewordings import Rewording
from qa_core.evaluation.runs import RunRecord
from qa_core.question import Question
from qa_core.table import Location


def opened_set(
    dataset: Dataset, run: RunRecord, shown: ParaphraseSet, question: Question, own: Sequence[Rewording]
) -> None:
    """Draw a set with its wordings, those kept by people among them, and the field for another one.

    ``question`` is the one of the set that an own wording asks for.
    """
    title, close = st.columns([6, 1], vertical_alignment="bottom")
    with title:
        reveal(question.id, key="opened-set")
        kind = "set" if question.paraphrase_group else "question"
        st.header(f"The {kind} {plain(shorten(shown.name, 60))}", anchor="set")
    close.button(
        "Close", icon=":material/close:", width="stretch", on_click=choose,
        kwargs={"set": None, "wording": None, "cell": None},
    )  # fmt: skip
    say_wordings()
    asked = ask_own(run, question, shown.table)
    selected = selected_cell(shown.table)
    drawing, reading = wide_and_narrow("set")
    with drawing:
        table_view(
            shown.table,
            _marks(shown, asked),
            key="set-table",
            selected=selected,
            on_click=select_cell,
            caption=table_title(shown.table),
        )
        if shown.table.source:
            st.caption(plain(shown.table.source))
    with reading:
        if asked:
            keep_own(dataset, question, shown.table, asked)
        if selected:
            cell_card(shown.table, selected)
        gold_card(shown.table, shown.gold, question.answers)
        st.html(f'<div class="ch-card"><h4>Wordings</h4>{wording_list(shown, run)}</div>')
        own_list(dataset, own)


def _marks(shown: ParaphraseSet, asked: Asked | None) -> Marks:
    """Where all wordings point; those of one's own under a mark of their own."""
    numbers: dict[Location, list[str]] = {}
    for wording in shown.wordings:
        if wording.location is not None:
            numbers.setdefault(wording.location, []).append(str(wording.number))
    at = asked.timed.prediction.location if asked else None
    if at is not None:
        numbers.setdefault(at, []).append("(new)")
    own = [wording.location for wording in shown.wordings if wording.own and wording.location]
    return Marks(
        gold=shown.gold.targets,
        predicted=[wording.location for wording in shown.wordings if not wording.own and wording.location],
        other=[*own, at] if at is not None else own,
        predicted_name="predicted",
        other_name="own",
        numbers={location: ", ".join(each) for location, each in numbers.items()},
    )
