"""Corrections of a layout by hand: a sequence of edits over the guessed one, so that each can be undone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from qa_core.errors import CrossheadError
from qa_core.ingest.clean import CleanGrid
from qa_core.ingest.extract import Extraction, with_layout
from qa_core.ingest.grid import Grid
from qa_core.ingest.layout import Layout, grouped, identify, lines_of

ROW_ROLES = ("header", "crosshead", "body", "left out")
COLUMN_ROLES = ("stub", "body")


@dataclass(frozen=True)
class Edit:
    """One correction; rows and columns are those of the clean grid, from 0.

    ``what`` is "row" (``value`` one of ``ROW_ROLES``), "column" (one of ``COLUMN_ROLES``) or "parent"
    (``value`` the row that heads row ``place``, None for the root).
    """

    what: str
    place: int
    value: str | int | None

    def __str__(self) -> str:
        if self.what == "parent":
            under = "at the root" if self.value is None else f"under row {int(self.value) + 1}"
            return f"by hand: put row {self.place + 1} {under}"
        return f"by hand: took {self.what} {self.place + 1} as {self.value}"


Edits = tuple[Edit, ...]
"""Corrections in their order."""


def edited(cleaned: CleanGrid, edits: Sequence[Edit]) -> Extraction:
    """The table that a clean grid gives with the guessed layout and these corrections, in their order.

    Raises CrossheadError for an edit that the grid does not allow; the edits before it are unaffected.
    """
    extraction = with_layout(cleaned, edited_layout(cleaned.grid, edits))
    if not edits:
        return extraction
    steps = (*extraction.steps, *map(str, edits))
    table = replace(extraction.table, extra={**extraction.table.extra, "steps": list(steps)})
    return replace(extraction, table=table, steps=steps)


def edited_layout(grid: Grid, edits: Sequence[Edit]) -> Layout:
    """The guessed layout of a clean grid with corrections.

    A new role regroups the rows; parents given by hand before outlive that.
    """
    layout = identify(grid)
    by_hand: dict[int, Edit] = {}
    for edit in edits:
        layout = _apply(grid, layout, edit)
        if edit.what == "parent":
            by_hand[edit.place] = edit
        else:
            layout = _with_parents(grid, layout, list(by_hand.values()))
    return layout


def _apply(grid: Grid, layout: Layout, edit: Edit) -> Layout:
    if edit.what == "row":
        return _with_row(grid, layout, edit)
    if edit.what == "column":
        return _with_column(grid, layout, edit)
    if edit.what == "parent":
        return _with_parent(grid, layout, edit)
    raise CrossheadError(f"There is no correction of a {edit.what!r}; choose row, column or parent.")


def _with_row(grid: Grid, layout: Layout, edit: Edit) -> Layout:
    _check(edit.place, grid.n_rows, "row")
    if edit.value not in ROW_ROLES:
        raise CrossheadError(f"A row cannot be {edit.value!r}; choose one of {', '.join(ROW_ROLES)}.")
    row = frozenset((edit.place,))

    def with_or_without(rows: frozenset[int], role: str) -> frozenset[int]:
        return rows | row if edit.value == role else rows - row

    return _regrouped(
        grid,
        replace(
            layout,
            header_rows=with_or_without(layout.header_rows, "header"),
            crossheads=with_or_without(layout.crossheads, "crosshead"),
            left_out=with_or_without(layout.left_out, "left out"),
        ),
    )


def _with_column(grid: Grid, layout: Layout, edit: Edit) -> Layout:
    _check(edit.place, grid.n_columns, "column")
    if edit.value not in COLUMN_ROLES:
        raise CrossheadError(f"A column cannot be {edit.value!r}; choose one of {', '.join(COLUMN_ROLES)}.")
    stub = set(layout.stub) - {edit.place} | ({edit.place} if edit.value == "stub" else set())
    if len(stub) == grid.n_columns:
        raise CrossheadError("Every column would be stub; leave one for the body.")
    return _regrouped(grid, replace(layout, stub=tuple(sorted(stub))))


def _with_parent(grid: Grid, layout: Layout, edit: Edit) -> Layout:
    _check(edit.place, grid.n_rows, "row")
    parent = edit.value
    if parent is not None:
        if not isinstance(parent, int):
            raise CrossheadError(f"{parent!r} is no row; name the row that heads row {edit.place + 1}.")
        _check(parent, grid.n_rows, "row")
        if parent in layout.left_out or (parent in layout.header_rows and parent not in layout.crossheads):
            raise CrossheadError(f"Row {parent + 1} heads columns or is left out; it cannot head a row.")
        if parent == edit.place or edit.place in layout.path(parent):
            raise CrossheadError(f"Row {edit.place + 1} would stand under itself; choose another parent.")
    parents = list(layout.parents)
    parents[edit.place] = parent
    return replace(layout, parents=tuple(parents))


def _with_parents(grid: Grid, layout: Layout, edits: Sequence[Edit]) -> Layout:
    """The layout with several parents changed at once: which of them is first does not matter."""
    parents = list(layout.parents)
    for edit in edits:
        parents[edit.place] = None
    layout = replace(layout, parents=tuple(parents))
    for edit in edits:
        layout = _with_parent(grid, layout, edit)
    return layout


def _regrouped(grid: Grid, layout: Layout) -> Layout:
    """The layout with its rows grouped anew under its crossheads."""
    rows = [row for row in range(grid.n_rows) if layout.is_body(row) or row in layout.crossheads]
    return replace(
        layout, parents=grouped(lines_of(grid, layout.stub), rows, layout.crossheads, layout.header_rows)
    )


def _check(place: int, count: int, noun: str) -> None:
    if not 0 <= place < count:
        raise CrossheadError(f"There is no {noun} {place + 1}; the grid has {count} {noun}s.")
