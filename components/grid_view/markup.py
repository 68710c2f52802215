"""A document's grid as semantic HTML, every text escaped.

A first column and a first row say what the rows and columns were taken for; both carry the numbers of the
clean grid (``data-row``, ``data-column``), as the steps and corrections count. Cells carry their own upper
left slot (``data-at``). What cleaning dropped has no number.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from qa_core.ingest.clean import CleanGrid
from qa_core.ingest.grid import Cell, Grid
from qa_core.ingest.layout import Layout
from qa_core.ingest.tokens import is_prefix, is_suffix, is_value
from qa_core.text import as_text

MOST_ROWS = 400
"""Rows that are drawn; a browser gets no more at once."""

_MOST_CELLS = 20_000


def grid_markup(cleaned: CleanGrid, layout: Layout) -> str:
    """The grid as one ``<table>`` element, its first rows where it is large."""
    grid = cleaned.original
    rows = min(grid.n_rows, MOST_ROWS, max(1, _MOST_CELLS // max(1, grid.n_columns)))
    clean_row = {origin: row for row, origin in enumerate(cleaned.row_origin)}
    covered = _covered(grid, rows)
    parts = ['<table role="grid">', *_head(cleaned, layout), "<tbody>"]
    for row in range(rows):
        parts += (*_line(layout, clean_row.get(row)), *_slots(grid, row, covered, rows), "</tr>")
    parts.append("</tbody></table>")
    if rows < grid.n_rows:
        parts.append(f'<p class="cut">The first {rows:,} of {grid.n_rows:,} rows.</p>')
    return "".join(parts)


def role_of(layout: Layout, row: int) -> str:
    """What a row of the clean grid was taken for, as the corrections name it."""
    if row in layout.left_out:
        return "left out"
    if row in layout.crossheads:
        return "crosshead"
    return "header" if row in layout.header_rows else "body"


def _head(cleaned: CleanGrid, layout: Layout) -> Iterator[str]:
    yield '<thead><tr><td class="corner"></td>'
    slot = 0
    for column, (start, stop) in enumerate(cleaned.column_origin):
        if start > slot:
            yield f"<td{_over('colspan', start - slot)}></td>"
        role = "stub" if column in layout.stub else "body"
        name = f"column {column + 1}: {role}"
        yield (
            f'<th scope="col"{_over("colspan", stop - start)} class="{role}" data-column="{column}" '
            f'aria-label="{name}">{column + 1}{" stub" if role == "stub" else ""}</th>'
        )
        slot = stop
    if slot < cleaned.original.n_columns:
        yield f"<td{_over('colspan', cleaned.original.n_columns - slot)}></td>"
    yield "</tr></thead>"


def _line(layout: Layout, number: int | None) -> Iterator[str]:
    """The begin of a row, with what it was taken for; ``number`` is None for one that cleaning dropped."""
    if number is None:
        yield '<tr class="dropped"><td class="corner"></td>'
        return
    role = role_of(layout, number)
    word = "" if role == "body" else f" {role}"
    yield (
        f'<tr class="{role.replace(" ", "-")}"><th scope="row" data-row="{number}" '
        f'aria-label="row {number + 1}: {role}"><b>{number + 1}</b>{word}</th>'
    )


def _slots(grid: Grid, row: int, covered: set[tuple[int, int]], rows: int) -> Iterator[str]:
    """The cells of a row, and empty ones for slots that none fills and no span from above covers."""
    column = 0
    for cell in (*grid.rows[row], None):
        stop = cell.column if cell else grid.n_columns
        empty = sum((row, slot) not in covered for slot in range(column, stop))
        if empty:
            yield f"<td{_over('colspan', empty)}></td>"
        if cell:
            yield _cell(cell, min(cell.end_row, rows) - row)
            column = cell.end_column


def _covered(grid: Grid, rows: int) -> set[tuple[int, int]]:
    """The slots among the first rows that spans from above cover."""
    return {
        (row, slot)
        for cell in grid.cells
        if cell.rows > 1
        for row in range(cell.row + 1, min(cell.end_row, rows))
        for slot in range(cell.column, cell.end_column)
    }


def _cell(cell: Cell, rows: int) -> str:
    classes = [
        name
        for name, holds in (
            ("bold", cell.bold),
            ("italic", cell.emphasised),
            ("centred", cell.centred),
            ("figure", is_value(cell.text) or is_prefix(cell.text) or is_suffix(cell.text)),
            ("long", len(cell.text) > 40),
        )
        if holds
    ]
    named = f' class="{" ".join(classes)}"' if classes else ""
    indent = f' style="--indent:{min(max(cell.indent, 0), 120):.1f}pt"' if cell.indent else ""
    return (
        f'<td{_over("rowspan", rows)}{_over("colspan", cell.columns)}{named}{indent} dir="auto" '
        f'data-at="{cell.row},{cell.column}">{escape(as_text(cell.text))}</td>'
    )


def _over(attribute: str, n: int) -> str:
    return f' {attribute}="{n}"' if n > 1 else ""
