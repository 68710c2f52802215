"""The grid view as a Streamlit component (components v2)."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import streamlit as st

from components.grid_view.markup import grid_markup
from components.registered import register
from qa_core.ingest.clean import CleanGrid
from qa_core.ingest.grid import Cell
from qa_core.ingest.layout import Layout

_component = register(__file__, "grid-view")


@dataclass(frozen=True)
class Line:
    """A row or a column of a clean grid."""

    axis: str
    place: int


def grid_view(
    cleaned: CleanGrid,
    layout: Layout,
    *,
    key: str,
    on_click: Callable[[Line], None],
    selected: Line | None = None,
    marked: Iterable[Cell] = (),
) -> None:
    """Draw the document's grid; ``on_click`` gets the row or column that a person chooses.

    ``marked`` are cells of ``cleaned.original`` to frame and to bring into sight. Of a large grid the rows
    around them are drawn, else those around ``selected``.
    """
    marked = tuple(marked)
    limits = {"row": cleaned.grid.n_rows, "column": cleaned.grid.n_columns}

    def report() -> None:
        match st.session_state[key].get("click"):
            case {"axis": str() as axis, "place": int() as place} if 0 <= place < limits.get(axis, 0):
                on_click(Line(axis, place))

    data = {
        "markup": grid_markup(cleaned, layout, _middle(cleaned, marked, selected)),
        "selected": selected and [selected.axis, selected.place],
        "marked": [[cell.row, cell.column] for cell in marked],
    }
    _component(key=key, data=json.dumps(data).encode(), on_click_change=report)


def _middle(cleaned: CleanGrid, marked: Sequence[Cell], selected: Line | None) -> int:
    if marked:
        return max(cell.row for cell in marked)
    return cleaned.row_origin[selected.place] if selected and selected.axis == "row" else 0
