"""Writing a question for a table: its fields, what the checks say, and the button that keeps it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime

import streamlit as st

from components.annotating.draft_fields import OF_DRAFT, draft_fields, draft_in_link, say_findings
from components.annotating.kept import annotation_list_markup, question_list_markup
from components.author import author, author_field
from components.double_click import is_second_click, remember_click
from components.layout import wide_and_narrow
from components.plain import counted, plain
from components.resources import annotation_store, say_fault
from components.selected_cell import select_cell, selected_cell
from components.state import catch_up, empty_text, typed_text
from components.table_choice import pick_table
from components.table_view import Marks, table_view
from qa_core.annotation.annotation import Annotation
from qa_core.annotation.carry import carried
from qa_core.annotation.checks import findings
from qa_core.annotation.finding import Finding
from qa_core.annotation.questions import questions_of_table
from qa_core.annotation.review import Held
from qa_core.datasets import Dataset
from qa_core.errors import CrossheadError
from qa_core.table import Table

_SAID = "annotation-said"


def write_annotations(dataset: Dataset) -> None:
    """Draw the choice of a table, the table, the fields of a question, and what was written for the table."""
    table = pick_table(dataset, clears=OF_DRAFT)
    if table is None:
        return
    subjects = annotation_store().held(dataset, table.id)
    others = questions_of_table(dataset, table.id, subjects)
    drawing, reading = wide_and_narrow("annotate")
    with reading:
        draft = draft_fields(table, others)
        found = findings(draft, table, others)
        author_field()
        _keep_button(dataset, table, found)
        say_findings(found)
    with drawing:
        alike = [place for finding in found if finding.check == "ambiguous" for place in finding.locations]
        table_view(
            table,
            Marks(other=alike, other_name="the same text"),
            key="annotated-table",
            selected=selected_cell(table),
            on_click=select_cell,
        )
        _written(dataset, table, subjects)


def _keep_button(dataset: Dataset, table: Table, found: list[Finding]) -> None:
    st.button(
        "Keep the question",
        type="primary",
        icon=":material/check:",
        shortcut="Ctrl+Enter",
        disabled=any(finding.severity == "refusal" for finding in found),
        on_click=_keep,
        args=(dataset, table),
    )
    fault, said = st.session_state.pop(_SAID, (None, ""))
    if fault is not None:
        say_fault(fault)
    elif said:
        st.success(plain(said), icon=":material/check:")


def _keep(dataset: Dataset, table: Table) -> None:
    """Keep what stands in the fields, and empty them; the kind stays for the next question."""
    catch_up()
    # The field may hold words that no pause has brought into the link.
    draft = replace(draft_in_link(table), text=typed_text("q"))
    if not is_second_click("annotation", draft.text):
        try:
            now = datetime.now(UTC)
            [kept] = annotation_store().add(dataset, table.id, [draft], author(), now)
        except CrossheadError as fault:
            st.session_state[_SAID] = fault, ""
            return
        again = "" if kept.made == now else " You had kept it before; it stands there once."
        st.session_state[_SAID] = None, f"Kept for {kept.author}: “{kept.draft.text}”{again}"
        remember_click("annotation", draft.text)
    empty_text("q", **dict.fromkeys(OF_DRAFT))


def _earlier(dataset: Dataset, table: Table, subjects: Mapping[str, Held]) -> None:
    """Those that were written before a brought table was corrected, and the way to take them over."""
    earlier = annotation_store().earlier(table)
    new = carried(earlier, table, subjects, datetime.now(UTC))
    if not new:
        return
    st.caption(
        f"{counted(len(new), 'question')} written before this table was corrected can be taken over: the "
        "answer still stands in its cell, or in one place only. They wait for a review then."
    )
    st.button("Take them over", icon=":material/move_down:", on_click=_take_over, args=(dataset, table, new))


def _take_over(dataset: Dataset, table: Table, new: list[Annotation]) -> None:
    try:
        for annotation in new:
            annotation_store().add(dataset, table.id, [annotation.draft], annotation.author, annotation.made)
    except CrossheadError as fault:
        st.session_state[_SAID] = fault, ""


def _written(dataset: Dataset, table: Table, subjects: Mapping[str, Held]) -> None:
    st.markdown(f"**Written for this table**: {len(subjects)}")
    if dataset.name == "brought":
        _earlier(dataset, table, subjects)
    if subjects:
        st.html(annotation_list_markup(reversed(list(subjects.values()))))
    own = dataset.questions_of(table.id)
    if own:
        with st.expander(f"The dataset's own {counted(len(own), 'question')} on it"):
            st.html(question_list_markup(own))
