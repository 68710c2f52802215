"""Correcting what the rows and columns of a table were taken for, one choice at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

import streamlit as st

from components.grid_view import Line
from components.grid_view.markup import role_of
from components.plain import counted, plain, shorten
from components.state import choose, chosen, is_echo, show_choice
from qa_core.errors import CrossheadError
from qa_core.ingest.edit import COLUMN_ROLES, ROW_ROLES, Edit, Edits, edited_layout
from qa_core.ingest.extract import Extraction
from qa_core.ingest.grid import Grid
from qa_core.ingest.layout import Layout
from qa_core.ingest.tokens import is_number

Change = Callable[[Edits], Edits]
"""What makes new corrections of those that hold; in a store these may be others than those that are shown."""

ROOT = "root"
_FAULT = "header-editor-fault"
_MOST_OPTIONS = 1000


def selected_line(grid: Grid) -> Line | None:
    """The row or column that the link selects (``line=r7`` or ``c2``), if the grid has it."""
    value = chosen("line")
    axis = {"r": "row", "c": "column"}.get(value[:1])
    count = grid.n_rows if axis == "row" else grid.n_columns
    if axis and value[1:].isdecimal() and len(value) < 9 and int(value[1:]) < count:
        return Line(axis, int(value[1:]))
    return None


def select_line(line: Line) -> None:
    """Keep a row or column in the link."""
    choose(line=f"{line.axis[0]}{line.place}")


def header_editor(extraction: Extraction, edits: Edits, change: Callable[[Change], None]) -> None:
    """Draw the choices for the selected row or column, and what was corrected so far.

    ``change`` makes a change of the corrections hold; where that is not allowed, the sentence of its
    CrossheadError is shown.
    """

    def apply(make: Change) -> None:
        try:
            edited_layout(extraction.cleaned.grid, make(edits))
            change(make)
        except CrossheadError as fault:
            st.session_state[_FAULT] = str(fault)

    def add(edit: Edit) -> None:
        apply(lambda held: (*held, edit))

    grid, line = extraction.cleaned.grid, selected_line(extraction.cleaned.grid)
    with st.container(border=True, key="header-editor"):
        if line is None:
            st.caption("Wrong headers? Choose a row or a column of the original to say what it is.")
        elif line.axis == "row":
            _row_choices(grid, extraction.layout, line.place, add)
        else:
            _column_choices(grid, extraction.layout, line.place, add)
        if fault := st.session_state.pop(_FAULT, ""):
            st.error(plain(fault), icon=":material/error:")
        if edits:
            _history(extraction, edits, apply)


def undo(shown: Edits) -> Change:
    """Take back the last of the corrections that are shown; raises CrossheadError where others hold."""
    return _if_held(shown, shown[:-1])


def reset(shown: Edits) -> Change:
    """Take back all corrections that are shown; raises CrossheadError where others hold."""
    return _if_held(shown, ())


def _if_held(shown: Edits, then: Edits) -> Change:
    def change(held: Edits) -> Edits:
        if held != shown:
            raise CrossheadError(
                "The table was corrected elsewhere meanwhile, so nothing was taken back; "
                "it is shown as it is now."
            )
        return then

    return change


def figures_gone(extraction: Extraction, edits: Edits) -> str:
    """What became of the figures in rows that were taken out of the body by hand, "" where there are none."""
    counts: Counter[str] = Counter()
    for row in {edit.place for edit in edits if edit.what == "row"}:
        role = role_of(extraction.layout, row)
        figures = sum(
            is_number(cell.text)
            for cell in extraction.cleaned.grid.rows[row]
            if cell.column not in extraction.layout.stub
        )
        if role != "body":
            counts["in the headers" if role == "header" else "no longer in the table"] += figures
    return "; ".join(
        f"{counted(count, 'figure')} {'is' if count == 1 else 'are'} {where}"
        for where, count in sorted(counts.items())
        if count
    )


def possible_parents(layout: Layout, row: int) -> list[int]:
    """The rows that may head a row."""
    return [
        parent
        for parent in range(len(layout.parents))
        if parent != row
        and parent not in layout.left_out
        and (parent not in layout.header_rows or parent in layout.crossheads)
        and row not in layout.path(parent)
    ]


def row_name(grid: Grid, row: int) -> str:
    """A row by its number and first text."""
    text = next((cell.text for cell in grid.rows[row] if cell.text), "")
    return f"{row + 1} · {shorten(text, 60)}" if text else str(row + 1)


def _row_choices(grid: Grid, layout: Layout, row: int, apply: Callable[[Edit], None]) -> None:
    line = st.container(horizontal=True, vertical_alignment="bottom", gap="medium")
    _roles(line, f"Row {plain(row_name(grid, row))}", f"row-{row}", ROW_ROLES, role_of(layout, row),
           lambda role: apply(Edit("row", row, role)))  # fmt: skip
    if role_of(layout, row) in ("body", "crosshead"):
        _parent_choice(line, grid, layout, row, apply)


def _parent_choice(
    line: st.delta_generator.DeltaGenerator,
    grid: Grid,
    layout: Layout,
    row: int,
    apply: Callable[[Edit], None],
) -> None:
    parent = layout.parents[row]
    rows = sorted(possible_parents(layout, row), key=lambda other: abs(other - row))[:_MOST_OPTIONS]
    options = [ROOT, *map(str, sorted({*rows} | ({parent} if parent is not None else set())))]
    key = f"parent-of-{row}"
    show_choice(key, ROOT if parent is None else str(parent))

    def changed() -> None:
        picked = st.session_state[key]
        if picked in options and not is_echo(key):
            apply(Edit("parent", row, None if picked == ROOT else int(picked)))

    line.selectbox(
        "Stands under",
        options,
        key=key,
        on_change=changed,
        format_func=lambda option: "(no row)" if option == ROOT else row_name(grid, int(option)),
        width=320,
    )


def _column_choices(grid: Grid, layout: Layout, column: int, apply: Callable[[Edit], None]) -> None:
    text = next((cells[column].text for cells in grid.held if column in cells), "")
    name = f"Column {column + 1}" + (f" · {plain(shorten(text, 60))}" if text else "")
    role = "stub" if column in layout.stub else "body"
    _roles(st.container(), name, f"column-{column}", COLUMN_ROLES, role,
           lambda role: apply(Edit("column", column, role)))  # fmt: skip


def _roles(
    place: st.delta_generator.DeltaGenerator,
    label: str,
    name: str,
    roles: Sequence[str],
    role: str,
    apply: Callable[[str], None],
) -> None:
    key = f"role-of-{name}"
    show_choice(key, role)

    def changed() -> None:
        picked = st.session_state[key]
        if picked in roles and picked != role and not is_echo(key):
            apply(picked)

    place.segmented_control(label, roles, key=key, on_change=changed, required=True)


def _history(extraction: Extraction, edits: Edits, apply: Callable[[Change], None]) -> None:
    line = st.container(horizontal=True, vertical_alignment="center", gap="small")
    said = str(edits[-1]).removeprefix("by hand: ")
    gone = figures_gone(extraction, edits)
    line.caption(
        f"{counted(len(edits), 'correction')}; the last {plain(said)}" + (f" · {gone}" if gone else ""),
        width="stretch",
    )
    line.button("Undo", icon=":material/undo:", on_click=apply, args=(undo(edits),))
    line.button("Reset", icon=":material/restart_alt:", on_click=apply, args=(reset(edits),))
