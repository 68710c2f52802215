"""Why this cell: what each header and each word contributed to an answer, and what an edit changes."""

from __future__ import annotations

import streamlit as st

from components.answer_card import answer_card, gold_card
from components.layout import wide_and_narrow
from components.navigation import PAGES, require_frame
from components.pickers import (
    OF_TABLE,
    pick_dataset,
    pick_system,
    pick_transformation,
    switch_lexicon,
    table_title,
)
from components.plain import plain, shorten
from components.question_choice import BLANK, goes_with_table, is_of_lost_table, pick_question
from components.resources import current_dataset, say_fault
from components.selected_cell import select_cell, selected_cell
from components.state import choose, chosen, pick, shared_choices, show_text
from components.table_view import Marks, table_view
from components.why.answer_grid import answer_grid
from components.why.contributions import contributions
from components.why.contributions_markup import STYLE, signed
from components.why.edited_case import Case, Original, link
from components.why.text_editor import chosen_edits, edit_list, text_fields
from qa_core.datasets import Dataset
from qa_core.errors import CrossheadError
from qa_core.evaluation.gold import find_gold
from qa_core.evaluation.outcome import judge
from qa_core.prediction import Prediction
from qa_core.systems.registry import SYSTEMS
from qa_core.table import Location, Table
from qa_core.text_edit import edited_table

MOST_CHARACTERS = 500
WHOSE = {"predicted": "the predicted cell", "gold": "the gold's cell", "selected": "the selected cell"}


def page() -> None:
    """Draw the page."""
    st.markdown("## Why this cell")
    st.html(STYLE)
    pick_dataset()
    dataset = current_dataset()
    if is_of_lost_table(dataset, chosen("table"), chosen("q")):
        st.warning(
            "The table of this question is not kept any more, so it was not asked. Choose another one."
        )
        st.page_link(PAGES["ask"], query_params=shared_choices(table=None, q=None))
        return
    table = _pick_table(dataset)
    text, known = pick_question(dataset.questions_of(table.id))
    system, transformation, use_lexicon = _pick_system()
    if not text.strip():
        st.info("Type a question, or take one of the dataset's.")
        return
    wording = chosen("wording")[:MOST_CHARACTERS] if chosen("wording") else None
    original = Original(
        table, text, known, find_gold(known, table) if known else None, chosen_edits(table), wording
    )
    before = Case(table, text, system, transformation, use_lexicon)
    after = Case(
        edited_table(table, original.edits),
        text if wording is None else wording,
        system,
        transformation,
        use_lexicon,
    )
    try:
        _explain(original, before, after)
    except CrossheadError as fault:
        say_fault(fault)
    _grid(original, after)


def _pick_table(dataset: Dataset) -> Table:
    ids = list(dataset.tables)
    return dataset.table(
        pick(
            "Table",
            "table",
            ids,
            title=lambda table_id: (
                table_title(dataset.tables[table_id]) if table_id in dataset.tables else table_id
            ),
            clears=(*OF_TABLE, *goes_with_table(dataset.questions_of(chosen("table", ids[0])))),
        )
    )


def _pick_system() -> tuple[str, str, bool]:
    row = st.container(horizontal=True, vertical_alignment="bottom")
    columns = row.container(key="wide-system").columns(2)
    with columns[0]:
        system = pick_system()
    with columns[1]:
        transformation = pick_transformation()
    with row.container(key="half-lexicon"):
        use_lexicon = switch_lexicon(system)
    return system, transformation, use_lexicon


def _explain(original: Original, before: Case, after: Case) -> None:
    said_before, said = before.answer(), after.answer()
    drawing, reading = wide_and_narrow("why")
    with drawing:
        _draw_table(original, after.table, said_before.prediction, said.prediction)
    with reading:
        title = f"{SYSTEMS[after.system].title} answers{' after the edits' if original.is_edited else ''}"
        answer_card(title, after.table, said, original.judge(said.prediction))
        if original.is_edited:
            outcome = judge(original.known, before.table, said_before.prediction) if original.known else None
            answer_card("Before the edits", before.table, said_before, outcome)
        if original.known and original.gold:
            gold_card(original.table, original.gold, original.known.answers)
    _editor(original, after, said.prediction)
    if original.is_edited:
        _say_change(original, said_before.prediction, said.prediction)
    st.header("What contributed", anchor="contributions")
    whose = _pick_whose(original, after.table, said.prediction)
    if not original.is_edited:
        contributions(original, after, _place(whose, original, said.prediction))
        return
    beside = st.container(horizontal=True, gap="medium")
    for title, case, prediction in (
        ("Before the edits", before, said_before.prediction),
        ("After", after, said.prediction),
    ):
        with beside.container(key=f"half-{title}"):
            st.markdown(f"### {title}")
            contributions(original, case, _place(whose, original, prediction), key=title)


def _draw_table(original: Original, table: Table, before: Prediction, now: Prediction) -> None:
    moved = original.is_edited and before.locations != now.locations
    table_view(
        table,
        Marks(
            gold=original.gold.targets if original.gold else (),
            predicted=now.locations,
            other=before.locations if moved else (),
            other_name="before the edits",
        ),
        key="why-table",
        selected=selected_cell(table),
        on_click=select_cell,
        height=460,
    )
    st.caption("Click a cell or a header to edit its text and that of the headers that lead to it.")


def _say_change(original: Original, then: Prediction, now: Prediction) -> None:
    """In a sentence what the edits changed."""
    if (then.answer, then.locations) == (now.answer, now.locations):
        said = "The edits leave the answer as it was."
    elif then.locations == now.locations:
        said = f"The same cell is chosen, which now says “{now.answer}”."
    else:
        said = f"The answer moves from “{then.answer or 'none'}” to “{now.answer or 'none'}”."
    change = f"{then.confidence:.2f} → {now.confidence:.2f} ({signed(now.confidence - then.confidence)})"
    verdict = f" · {original.verdict(now)}" if original.verdict(now) else ""
    st.markdown(f"**{plain(shorten(said, 300))}** Confidence {change}{verdict}")


def _editor(original: Original, after: Case, prediction: Prediction) -> None:
    """Fields for the question and for the texts of the selected or predicted cell, and what was edited."""
    with st.container(border=True, key="text-editor"):
        st.markdown("**Edit and see what changes**")
        _wording_field(original)
        selected = selected_cell(after.table) or prediction.location
        if selected is not None and selected in after.table:
            text_fields(original.table, after.table, original.edits, selected)
        edit_list(original.edits)
        if original.wording is not None:
            line = st.container(horizontal=True, vertical_alignment="center", gap="small")
            line.markdown(f"Question, was: {plain(shorten(original.question, 120))}", width="stretch")
            line.button(
                "Undo", key="undo-wording", icon=":material/undo:", on_click=choose, kwargs={"wording": None}
            )
        if len(original.edits) + (original.wording is not None) > 1:
            st.button(
                "Undo all",
                icon=":material/restart_alt:",
                on_click=choose,
                kwargs={"edits": None, "wording": None},
            )


def _wording_field(original: Original) -> None:
    key = "edited-question"

    def typed() -> None:
        new = st.session_state[key]
        choose(wording=None if new.strip() == original.question.strip() else new or BLANK)

    shown = original.question if original.wording is None else original.wording
    show_text(key, shown[:MOST_CHARACTERS])
    st.text_input("Question", key=key, on_change=typed, max_chars=MOST_CHARACTERS)


def _pick_whose(original: Original, table: Table, prediction: Prediction) -> str:
    """Whose headers are left out, and whose lead is measured."""
    there = {
        "predicted": prediction.location is not None,
        "gold": bool(original.gold and original.gold.targets),
        "selected": selected_cell(table) is not None,
    }
    options = [name for name, is_there in there.items() if is_there] or ["predicted"]
    choosing, saying = st.columns([1, 3])
    with choosing:
        whose = pick(
            "Of which cell", "of", options, title=lambda name: WHOSE.get(name, name), noun="the cell"
        )
    saying.caption(
        "Each header that leads to the cell is made blank wherever that very header stands (a spanner for "
        "all its columns, a crosshead for all its rows), and each word of the question is left out; then the "
        "system is asked again (Li et al. 2016). Lead: how far the scores of its row and column put the cell "
        "ahead of the best other cell, in the system’s own unit; negative where another cell is ahead. Below "
        "a word stands by how much the lead falls without it (brown) or rises (−, blue); a frame says that "
        "the answer changes. A click on a word or an answer leaves that part out."
    )
    return whose


def _place(whose: str, original: Original, prediction: Prediction) -> Location | None:
    if whose == "gold" and original.gold:
        return next(iter(original.gold.targets), None)
    return selected_cell(original.table) if whose == "selected" else prediction.location


def _grid(original: Original, after: Case) -> None:
    st.header("Under all transformations and systems", anchor="grid")
    if original.is_edited:
        st.caption("With the edits.")

    def link_to(system: str, transformation: str) -> str:
        return link(original.edits, original.wording, system=system, transformation=transformation)

    answer_grid(after.table, after.question, after.use_lexicon, original.verdict, link_to)


require_frame()
page()
