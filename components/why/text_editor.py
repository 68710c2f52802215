"""Editing the texts of a table, kept in the link; the table itself is never changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import streamlit as st

from components.plain import plain, shorten
from components.state import choose, chosen, show_text
from qa_core.errors import CrossheadError
from qa_core.table import Location, Table
from qa_core.text_edit import (
    MAX_EDIT_TEXT,
    MAX_EDITS,
    TextEdit,
    check_edit,
    place_in_words,
    text_edit,
    text_of,
)
from qa_core.text_edit_format import edits_from_text, edits_to_text

Edits = tuple[TextEdit, ...]
_FAULT = "text-editor-fault"
_ABREAST = 5


def chosen_edits(table: Table) -> Edits:
    """The edits that the link makes of a table; those that do not fit it are said and left out, as are all
    where they cannot be read."""
    if not chosen("edits"):
        return ()
    try:
        edits = edits_from_text(chosen("edits"))
    except CrossheadError as fault:
        line = st.container(horizontal=True, vertical_alignment="center")
        line.warning(f"{plain(str(fault))} The table is shown as it is.", width="stretch")
        line.button("Forget it", key="forget-edits", on_click=keep_edits, args=((),))
        return ()
    return tuple(edit for edit in edits if _fits(table, edits, edit))


def _fits(table: Table, edits: Edits, edit: TextEdit) -> bool:
    try:
        check_edit(table, edit)
    except CrossheadError as fault:
        line = st.container(horizontal=True, vertical_alignment="center")
        line.warning(plain(str(fault)), width="stretch")
        _undo_button(line, edits, edit, "Forget it")
        return False
    return True


def with_edit(table: Table, edits: Edits, location: Location, level: int | None, text: str) -> Edits:
    """Edits with one more, in place of an earlier one of that text; putting back what stood there undoes it.

    Raises CrossheadError as ``text_edit``, and where there would be more than ``MAX_EDITS``.
    """
    edit = text_edit(table, location, level, text)
    others = tuple(other for other in edits if other.place != edit.place)
    if edit.text == text_of(table, *edit.place):
        return others
    if len(others) >= MAX_EDITS:
        raise CrossheadError(f"{MAX_EDITS} edits are the most that a link holds. Undo some.")
    return (*others, edit)


def keep_edits(edits: Edits) -> None:
    """Write edits to the link."""
    choose(edits=edits_to_text(edits) if edits else None)


def text_fields(original: Table, edited: Table, edits: Edits, location: Location) -> None:
    """A field for the text of a cell, and for each header that leads to it, root first."""
    fields = [*_fields_of(edited, location)]
    for start in range(0, len(fields), _ABREAST):
        for column, field in zip(st.columns(_ABREAST), fields[start : start + _ABREAST], strict=False):
            with column:
                _draw(field, original, edited, edits)
    if fault := st.session_state.pop(_FAULT, ""):
        st.error(plain(fault), icon=":material/error:")


@dataclass(frozen=True)
class _Field:
    label: str
    location: Location
    level: int | None


def _fields_of(table: Table, location: Location) -> Iterator[_Field]:
    if location.is_cell:
        yield _Field("Cell", location, None)
    if location.row is not None:
        path = table.row_path(location.row)
        yield from _levels("Row header", Location(location.row, None), len(path))
    if location.column is not None:
        path = table.column_path(location.column)
        yield from _levels("Column header", Location(None, location.column), len(path))


def _levels(name: str, header: Location, depth: int) -> Iterator[_Field]:
    for level in range(depth):
        yield _Field(f"{name} {level + 1} of {depth}" if depth > 1 else name, header, level)


def _draw(field: _Field, original: Table, edited: Table, edits: Edits) -> None:
    text = text_of(edited, field.location, field.level)
    if len(text) > MAX_EDIT_TEXT:
        st.caption(f"{field.label}: longer than {MAX_EDIT_TEXT} characters, so it cannot be edited here.")
        return
    key = f"edit-{','.join(map(str, field.location.as_list()))}-{field.level}"

    def typed() -> None:
        try:
            keep_edits(with_edit(original, edits, field.location, field.level, st.session_state[key]))
        except CrossheadError as fault:
            st.session_state[_FAULT] = str(fault)

    show_text(key, text)
    st.text_input(field.label, key=key, on_change=typed, max_chars=MAX_EDIT_TEXT)


def edit_list(edits: Edits) -> None:
    """Each edit with a way to undo it."""
    for edit in edits:
        line = st.container(horizontal=True, vertical_alignment="center", gap="small")
        was, text = (plain(shorten(each, 60)) or "blank" for each in (edit.was, edit.text))
        line.markdown(f"{place_in_words(*edit.place)}: {was} → **{text}**", width="stretch")
        _undo_button(line, edits, edit, "Undo")


def _undo_button(
    place: st.delta_generator.DeltaGenerator, edits: Sequence[TextEdit], edit: TextEdit, label: str
) -> None:
    others = tuple(other for other in edits if other != edit)
    key = f"undo-{','.join(map(str, edit.location.as_list()))}-{edit.level}"
    place.button(label, key=key, icon=":material/undo:", on_click=keep_edits, args=(others,))
