"""The fields of a question that is being written, all kept in the URL."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from components.plain import html, plain, shorten
from components.question_choice import option_titles
from components.segments import pick_segment
from components.selected_cell import cell_text, selected_cell
from components.state import choose, chosen, pick, write_text
from qa_core.annotation.annotation import MOST_OF_A_QUESTION, MOST_OF_AN_ANSWER, Draft
from qa_core.annotation.answer_checks import answer_place
from qa_core.annotation.checks import needs_row_hierarchy
from qa_core.annotation.finding import Finding, said_place
from qa_core.annotation.review import Reading
from qa_core.question import KPI_DRIVEN, TABLE_DRIVEN, Question
from qa_core.table import Table

OF_DRAFT = ("cell", "wrote", "needed", "like")
"""The URL parameters of a draft that go when the next one is begun, beside its text ``q``."""

KINDS = {"kpi": KPI_DRIVEN, "table": TABLE_DRIVEN}
FLAGS = {"yes": "needed", "no": "not needed"}
FLAG_VALUES = {"yes": True, "no": False}
_SAID = {"refusal": "○ Missing", "warning": "⚠ Look again", "note": "Note"}
_KIND_HELP = (
    f"**{KPI_DRIVEN}**: asks for a key performance indicator in an expert's words, which need not be the "
    f"table's.  \n**{TABLE_DRIVEN}**: written by reading the table."
)
_FLAG_HELP = (
    "Whether the cell can be told from others only by the headers above its row's label. Proposed from the "
    "table: needed where the label also stands under other headers."
)


def draft_in_link(table: Table) -> Draft:
    """What the URL says of the draft; the hierarchy flag is the table's where the URL has none."""
    cell = selected_cell(table)
    written = chosen("wrote").strip() if cell is None else ""
    draft = Draft(
        chosen("q")[:MOST_OF_A_QUESTION].strip(),
        cell,
        (written[:MOST_OF_AN_ANSWER],) if written else (),
        KINDS.get(chosen("kind"), ""),
        FLAG_VALUES.get(chosen("needed")),
        chosen("like"),
    )
    if draft.row_hierarchy_needed is None:
        return replace(draft, row_hierarchy_needed=needs_row_hierarchy(table, answer_place(draft, table)))
    return draft


def as_parameters(draft: Draft) -> dict[str, str | None]:
    """The URL parameters that ``draft_in_link`` reads as a draft."""
    kinds = {title: name for name, title in KINDS.items()}
    return {
        "q": draft.text,
        "cell": cell_text(draft.cell) if draft.cell else None,
        "wrote": None if draft.cell else next(iter(draft.answers), None),
        "kind": kinds.get(draft.kind),
        "needed": flag_name(draft.row_hierarchy_needed) or None,
        "like": draft.paraphrase_of or None,
    }


def draft_fields(table: Table, others: Sequence[Question]) -> Draft:
    """Draw all fields of a draft; ``others`` are the questions of which it may be a paraphrase."""
    write_text(
        "Question", "q", placeholder="Ask for one cell of this table", max_chars=MOST_OF_A_QUESTION, live=True
    )
    answer_field(table)
    draft = draft_in_link(table)
    reading_fields(draft)
    titles = {"": "no other question"} | option_titles(others)
    pick(
        "Paraphrase of", "like", list(titles), default="", noun="a paraphrase of",
        title=lambda name: shorten(titles.get(name, name), 120),
        help="A question of this table that asks for the same answer in other words.",
    )  # fmt: skip
    return draft


def answer_field(table: Table) -> None:
    """Draw the answer: the cell that was clicked, else a field for its text."""
    cell = selected_cell(table)
    if cell is None:
        write_text("Answer", "wrote", placeholder="Click its cell, or write it", max_chars=MOST_OF_AN_ANSWER,
                   live=True)  # fmt: skip
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        text = shorten(table.text_at(cell), 80)
        shown = f"**{plain(text)}**" if text else "*an empty cell*"
        st.markdown(f"Answer: {shown}  \n{plain(said_place(table, cell))}", width="stretch")
        st.button(
            "Another answer", icon=":material/close:", type="tertiary", key="forget-answer",
            help="Click another cell instead, or write the answer.",
            on_click=choose, kwargs={"cell": None},
        )  # fmt: skip


def reading_fields(draft: Draft | None = None) -> None:
    """Draw kind and hierarchy flag, which shows what was proposed for a ``draft``."""
    pick_segment("Kind", "kind", KINDS, help=_KIND_HELP)
    proposed = flag_name(draft.row_hierarchy_needed) if draft else ""
    pick_segment("Row hierarchy", "needed", FLAGS, default=proposed, help=_FLAG_HELP)


def reading_in_link(table: Table) -> Reading:
    """What the URL says of answer, kind and flag; nothing is proposed."""
    cell = answer_place(draft_in_link(table), table)
    return Reading(cell, KINDS.get(chosen("kind"), ""), FLAG_VALUES.get(chosen("needed")))


def flag_name(needed: bool | None) -> str:
    """The name of a hierarchy flag in ``FLAGS``; empty for none."""
    return "" if needed is None else "yes" if needed else "no"


def say_findings(found: Sequence[Finding]) -> None:
    """Say what the checks found, a line each."""
    if found:
        items = (
            f"<li><b>{_SAID[each.severity]}</b><i></i><div>{html(each.sentence)}</div></li>" for each in found
        )
        st.html(f'<ol class="ch-list">{"".join(items)}</ol>')
