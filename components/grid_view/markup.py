"""A document's grid as semantic HTML, every text escaped.

A first column and a first row say what the rows and columns were taken for; both carry the numbers of the
clean grid (``data-row``, ``data-column``), as the steps and corrections count. Cells carry their own upper
left slot (``data-at``). What cleaning dropped has no number.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from html import escape

from qa_core.ingest.clean import CleanGrid
from qa_core.ingest.grid import Cell
from qa_core.ingest.layout import Layout
from qa_core.ingest.tokens import is_prefix, is_suffix, is_value
from qa_core.text import as_text

MOST_ROWS = 400
"""Rows that are drawn; a browser gets no more at once."""

_MOST_CELLS = 20_000


@lru_cache(maxsize=16)
def grid_markup(cleaned: CleanGrid, layout: Layout) -> str:
    """The grid as one ``<table>`` element, its first rows where it is large."""
    original = cleaned.original
    rows = min(original.n_rows, MOST_ROWS, max(1, _MOST_CELLS // max(1, original.n_columns)))
    clean_row = {origin: row for row, origin in enumerate(cleaned.row_origin)}
    return "".join(
        (
            '<table role="grid">',
            *_head(cleaned, layout),
            "<tbody>",
            *(part for row in range(rows) for part in _row(cleaned, layout, row, clean_row.get(row), rows)),
            "</tbody></table>",
            f'<p class="cut">The first {rows:,} of {original.n_rows:,} rows.</p>'
            if rows < original.n_rows
            else "",
        )
    )


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


def _row(cleaned: CleanGrid, layout: Layout, row: int, number: int | None, rows: int) -> Iterator[str]:
    original = cleaned.original
    if number is None:
        yield '<tr class="dropped"><td class="corner"></td>'
    else:
        role = role_of(layout, number)
        yield (
            f'<tr class="{role.replace(" ", "-")}"><th scope="row" data-row="{number}" '
            f'aria-label="row {number + 1}: {role}"><b>{number + 1}</b> {"" if role == "body" else role}</th>'
        )
    column = 0
    covered = cleaned.original.rows[row]
    for cell in covered:
        yield from _gap(cleaned, row, column, cell.column)
        yield _cell(cell, min(cell.end_row, rows) - row)
        column = cell.end_column
    yield from _gap(cleaned, row, column, original.n_columns)
    yield "</tr>"


def _gap(cleaned: CleanGrid, row: int, start: int, stop: int) -> Iterator[str]:
    """Empty cells for slots that no cell fills; none for those that a span from above covers."""
    above = cleaned_cover(cleaned)
    empty = sum((row, slot) not in above for slot in range(start, stop))
    if empty:
        yield f"<td{_over('colspan', empty)}></td>"


@lru_cache(maxsize=4)
def cleaned_cover(cleaned: CleanGrid) -> frozenset[tuple[int, int]]:
    """The slots that spans from rows above cover."""
    return frozenset(
        (row, slot)
        for cell in cleaned.original.cells
        if cell.rows > 1
        for row in range(cell.row + 1, cell.end_row)
        for slot in range(cell.column, cell.end_column)
    )


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
