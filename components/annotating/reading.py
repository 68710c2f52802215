"""What a reviewer said of an annotation unseen: in the link, and beside what its author said."""

from __future__ import annotations

from components.annotating.draft_fields import FLAG_VALUES, KINDS, flag_name
from components.plain import html, shorten
from components.selected_cell import cell_text, parse_cell
from qa_core.annotation.annotation import Draft
from qa_core.annotation.finding import said_place
from qa_core.annotation.review import Held, Reading
from qa_core.table import Table

_UNSEEN = "-"
_PARTED = ";"


def reading_to_text(reading: Reading) -> str:
    """A reading as the link has it: ``cell;kind;flag``, ``-`` for one that says nothing."""
    kinds = {title: name for name, title in KINDS.items()}
    if reading == Reading():
        return _UNSEEN
    cell = cell_text(reading.cell) if reading.cell else ""
    return _PARTED.join([cell, kinds.get(reading.kind, ""), flag_name(reading.row_hierarchy_needed)])


def reading_from_text(text: str, table: Table) -> Reading:
    """The reading that a link has; what is not of this table or nonsense is left open."""
    cell, kind, flag, *_ = *text.split(_PARTED), "", "", ""
    return Reading(parse_cell(cell, table), KINDS.get(kind, ""), FLAG_VALUES.get(flag))


def comparison_markup(table: Table, subject: Held, reading: Reading) -> str:
    """A line for each aspect of which the reviewer said anything: whether the two agree, and on what."""
    draft = subject.draft
    lines = [
        ("Answer cell", draft.cell == reading.cell, _cell(table, draft), _cell(table, reading)),
        ("Kind", draft.kind == reading.kind, draft.kind, reading.kind),
        (
            "Row hierarchy",
            draft.row_hierarchy_needed == reading.row_hierarchy_needed,
            _flag(draft),
            _flag(reading),
        ),
    ]
    items = "".join(
        f"<li><b>{name}</b><i>{'✓ the same' if same else '✗ differs'}</i>"
        f"<div>you: {html(mine)} · {html(subject.drafted_by)}: {html(theirs or 'nothing')}</div></li>"
        for name, same, theirs, mine in lines
        if mine
    )
    return f'<ol class="ch-list">{items}</ol>'


def _cell(table: Table, said: Draft | Reading) -> str:
    return f"{shorten(table.text_at(said.cell), 40)}, {said_place(table, said.cell)}" if said.cell else ""


def _flag(said: Draft | Reading) -> str:
    return {"yes": "needed", "no": "not needed", "": ""}[flag_name(said.row_hierarchy_needed)]
