"""One brought table: the original beside what was made of it, and the corrections."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from components.bringing.header_editor import Change, header_editor, select_line, selected_line
from components.found_tables.markup import confidence_in_words
from components.grid_view import grid_view
from components.plain import counted, plain, shorten
from components.selected_cell import select_cell, selected_cell
from components.table_view import table_view
from qa_core.collection.origin import cells_behind
from qa_core.ingest.edit import Edits
from qa_core.ingest.extract import Extraction
from qa_core.table import Table, join_path

_LONGEST_CAPTION = 90
_LONGEST_LEVEL = 80
_LONGEST_PATH = 240
_LONGEST_STEP = 400


def brought_table(
    table: Table,
    extraction: Extraction | None,
    edits: Edits,
    change: Callable[[Change], None],
) -> None:
    """Draw a table beside its original; without ``extraction`` it stands alone.

    ``change`` makes a change of the corrections hold.
    """
    selected = selected_cell(table)
    if extraction is None:
        st.caption("The document gives the headers itself, so there is nothing to correct.")
        table_view(table, key="brought", selected=selected, on_click=select_cell)
        return
    header_editor(extraction, edits, change)
    row = st.container(horizontal=True, gap="medium")
    with row.container(key="half-original"):
        said = "framed: where the chosen cell came from" if selected else "as the document draws it"
        st.markdown(f"**Original** · {said}")
        grid_view(
            extraction.cleaned,
            extraction.layout,
            key="original",
            on_click=select_line,
            selected=selected_line(extraction.cleaned.grid),
            marked=cells_behind(extraction, selected) if selected else (),
        )
    with row.container(key="half-cleaned"):
        st.markdown("**Cleaned** · click a cell to see where it came from")
        caption = shorten(table.title or table.id, _LONGEST_CAPTION)
        table_view(table, key="brought", selected=selected, caption=caption, on_click=select_cell)
    _steps(extraction)


def provenance(table: Table, extraction: Extraction | None, by_hand: bool = False) -> str:
    """Where a table stood, its units, size and how its headers were found, in one line of markdown."""
    parts = [plain(shorten(table.source, _LONGEST_LEVEL))] if table.source else []
    if extraction:
        source = extraction.source
        if source.headings:
            levels = tuple(shorten(level, _LONGEST_LEVEL) for level in source.headings)
            parts.append(plain(shorten(join_path(levels, " › "), _LONGEST_PATH)))
        place = shorten(" ".join(filter(None, (source.sheet, source.range))), _LONGEST_LEVEL)
        parts.append(plain(place) or f"table {source.index + 1}")
        if extraction.units and extraction.units.lower() not in table.title.lower():
            parts.append(plain(shorten(extraction.units, _LONGEST_LEVEL)))
    parts.append(f"{counted(table.n_rows, 'row')} × {counted(table.n_columns, 'column')}")
    if by_hand:
        parts.append("headers: corrected by hand")
    elif extraction:
        parts.append(f"{confidence_in_words(extraction.confidence)} ({extraction.confidence:.2f})")
    return " · ".join(parts)


def _steps(extraction: Extraction) -> None:
    with st.expander(f"What was done: {counted(len(extraction.steps), 'step')}", expanded=True):
        st.caption(
            "\n".join(f"1. {plain(shorten(step, _LONGEST_STEP))}" for step in extraction.steps) or "Nothing."
        )
