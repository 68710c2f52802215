"""The table view as a Streamlit component (components v2)."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from components.registered import register
from components.table_view.excerpt import drawn_rows
from components.table_view.marks import NO_MARKS, Marks
from components.table_view.markup import table_markup
from qa_core.table import Location, Table
from qa_core.transform import FlatTable

_component = register(__file__, "table-view")


@dataclass(frozen=True)
class RowColumnScores:
    """Scores for the score map, one per row and one per column; higher is better, no fixed unit."""

    rows: Sequence[float]
    columns: Sequence[float]


def table_view(
    table: Table,
    marks: Marks = NO_MARKS,
    *,
    key: str,
    scores: RowColumnScores | None = None,
    selected: Location | None = None,
    caption: str | None = None,
    height: int | None = None,
    on_click: Callable[[Location], None] | None = None,
) -> Location | None:
    """Draw a table; return the Location clicked since the last run, once, else None.

    ``marks`` also underlines the header paths that lead to what it marks; Locations outside the table are
    left out. Of a large table the first rows are drawn and those with a mark. ``scores`` switches the score
    map on. ``height`` bounds the view, in CSS pixels. ``on_click`` is called before the script runs again,
    which spares a page that changes its state on a click a second run. Leaf headers can be clicked, spanners
    and crossheads cannot.
    """
    return _mount(
        table,
        f"{table.id} {table.fingerprint}",
        marks,
        key=key,
        scores=scores,
        selected=selected,
        caption=caption,
        height=height,
        origin=lambda location: location,
        on_click=on_click,
    )


def flat_table_view(
    flat: FlatTable,
    marks: Marks = NO_MARKS,
    *,
    key: str,
    selected: Location | None = None,
    caption: str | None = None,
    height: int | None = None,
    on_click: Callable[[Location], None] | None = None,
) -> Location | None:
    """Draw the flat table that a system sees; Locations, in and out, are those of the original table."""
    table = flat.table

    def place(location: Location) -> Location | None:
        return _place(flat, location) if location in table else None

    return _mount(
        _as_table(flat),
        f"{table.id} {table.fingerprint} {flat.transformation}",
        marks.map(place),
        key=key,
        scores=None,
        selected=place(selected) if selected is not None else None,
        caption=caption,
        height=height,
        origin=lambda location: _origin(flat, location),
        on_click=on_click,
        stub_column=flat.has_stub,
    )


def _mount(
    table: Table,
    token: str,
    marks: Marks,
    *,
    key: str,
    scores: RowColumnScores | None,
    selected: Location | None,
    caption: str | None,
    height: int | None,
    origin: Callable[[Location], Location | None],
    on_click: Callable[[Location], None] | None,
    stub_column: bool = False,
) -> Location | None:
    """Draw with what the browser needs; ``token`` tells a click on this table from one on a former table."""

    def clicked(value: object) -> Location | None:
        location = _location_in(value, token)
        return origin(location) if location is not None and location in table else None

    def report() -> None:
        location = clicked(st.session_state[key].get("click"))
        if on_click is not None and location is not None:
            on_click(location)

    important = (*filter(None, (selected,)), *marks.predicted, *marks.gold, *marks.other)
    drawn = drawn_rows(table, (at.row for at in important if at.row is not None and at in table))
    data = {
        "table": token,
        "markup": table_markup(table, caption, stub_column=stub_column, drawn=drawn),
        "marks": {
            "gold": _within(table, marks.gold),
            "predicted": _within(table, marks.predicted),
            "other": _within(table, marks.other),
        },
        "numbers": [[*each.as_list(), text] for each, text in marks.numbers.items() if each in table],
        "names": {"gold": "gold", "predicted": marks.predicted_name, "other": marks.other_name},
        "scores": scores
        and {
            "rows": _finite(scores.rows, table.n_rows),
            "columns": _finite(scores.columns, table.n_columns),
        },
        "selected": selected.as_list() if selected is not None and selected in table else None,
        "height": height,
    }
    # As bytes: for a dict Streamlit would import pandas and pyarrow to look for data frames in it.
    result = _component(key=key, data=json.dumps(data).encode(), on_click_change=report)
    return clicked(result.get("click"))


def _location_in(value: object, token: str) -> Location | None:
    """The Location that a click reports; None for no click, or one on another table."""
    match value:
        case {"table": table, "row": int() | None as row, "column": int() | None as column}:
            if table == token and (row, column) != (None, None):
                return Location(row, column)
    return None


def _within(table: Table, locations: Collection[Location]) -> list[list[int | None]]:
    return [location.as_list() for location in dict.fromkeys(locations) if location in table]


def _finite(scores: Sequence[float], n: int) -> list[float | None]:
    """``n`` scores that JSON can carry: null where a score is missing, infinite or not a number."""
    known: list[Any] = [float(score) if math.isfinite(score) else None for score in scores[:n]]
    return known + [None] * (n - len(known))


def _as_table(flat: FlatTable) -> Table:
    return Table(
        id=flat.table.id,
        column_paths=tuple((label,) for label in flat.header),
        row_paths=(),
        cells=flat.cells,
        title=flat.table.title,
    )


def _place(flat: FlatTable, location: Location) -> Location | None:
    """Where the flat table shows a Location of the original: a flat cell, or a field of the flat header.

    None for the header of a flat row in a flat table without a stub.
    """
    cell = flat.place(location)
    if cell is not None:
        return Location(*cell)
    field = location.row if flat.transposed else location.column
    return None if field is None else Location(None, field + flat.has_stub)


def _origin(flat: FlatTable, location: Location) -> Location | None:
    """The inverse of ``_place``; None for the header of the flat stub."""
    if location.column is None:
        return None
    if location.row is not None:
        return flat.origin(location.row, location.column)
    field = location.column - flat.has_stub
    if field < 0:
        return None
    return Location(field, None) if flat.transposed else Location(None, field)
