"""A document's grid as semantic HTML, every text escaped.

A first column and a first row say what the rows and columns were taken for; both carry the numbers of the
clean grid (``data-row``, ``data-column``), as the steps and corrections count. Cells carry their own upper
left slot (``data-at``). What cleaning dropped has no number.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from qa_core.ingest.clean import CleanGrid
from qa_core.ingest.grid import Cell, Grid
from qa_core.ingest.layout import Layout
from qa_core.ingest.tokens import is_prefix, is_suffix, is_value
from qa_core.text import as_text

MOST_ROWS = 400
"""Rows that are drawn; a browser gets no more at once."""

_MOST_CELLS = 20_000


def grid_markup(cleaned: CleanGrid, layout: Layout, around: int = 0) -> str:
    """The grid as one ``<table>`` element; where it is large, its headers and the rows around one of them.

    ``around`` is a row of ``cleaned.original``.
    """
    grid = cleaned.original
    heads = cleaned.row_origin[max(layout.header_rows)] + 1 if layout.header_rows else 0
    stretches = drawn_stretches(grid, heads, around)
    clean_row = {origin: row for row, origin in enumerate(cleaned.row_origin)}
    parts = ['<table role="grid">', *_head(cleaned, layout), "<tbody>"]
    following = 0
    for stretch in stretches:
        if stretch.start > following:
            left_out = f"{stretch.start - following:,} rows"
            parts.append(f'<tr class="gap"><td colspan="{grid.n_columns + 1}">⋮ {left_out}</td></tr>')
        covered = _covered(grid, stretch)
        for row in stretch:
            parts += (*_line(layout, clean_row.get(row)), *_slots(grid, row, covered, stretch), "</tr>")
        following = stretch.stop
    parts.append("</tbody></table>")
    if sum(map(len, stretches)) < grid.n_rows:
        parts.append(f'<p class="cut">{_said(stretches, grid.n_rows)}</p>')
    return "".join(parts)


def drawn_stretches(grid: Grid, heads: int, around: int) -> list[range]:
    """The rows of a grid that are drawn: all, or the first ``heads`` and as many as may be around one row."""
    most = min(MOST_ROWS, max(2, _MOST_CELLS // max(1, grid.n_columns)))
    if grid.n_rows <= most:
        return [range(grid.n_rows)]
    heads = min(heads, most // 2)
    size = most - heads
    # In steps, so that choosing a row near by leaves the drawing as it is.
    step = max(1, size // 2)
    start = min(max(around // step * step - step // 2, heads), grid.n_rows - size)
    return [range(most)] if start <= heads else [range(heads), range(start, start + size)]


def _said(stretches: list[range], n_rows: int) -> str:
    first, last = stretches[0], stretches[-1]
    if len(stretches) == 1:
        return f"The first {len(first):,} of {n_rows:,} rows."
    headers = f"{'the first' if len(first) == 1 else f'the first {len(first):,}'} and " if first else ""
    return f"Of {n_rows:,} rows {headers}{last.start + 1:,} to {last.stop:,} of the document are drawn."


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


def _slots(grid: Grid, row: int, covered: set[tuple[int, int]], stretch: range) -> Iterator[str]:
    """The cells of a row, and empty ones for slots that none fills and no span from above covers.

    The first row of a stretch has those that began above it as well.
    """
    column = 0
    for cell in (*_beginning(grid, row, stretch), None):
        stop = cell.column if cell else grid.n_columns
        empty = sum((row, slot) not in covered for slot in range(column, stop))
        if empty:
            yield f"<td{_over('colspan', empty)}></td>"
        if cell:
            yield _cell(cell, min(cell.end_row, stretch.stop) - row)
            column = cell.end_column


def _beginning(grid: Grid, row: int, stretch: range) -> Sequence[Cell]:
    if row > stretch.start or row == 0:
        return grid.rows[row]
    reaching = (cell for cell in grid.cells if cell.row <= row < cell.end_row)
    return sorted(reaching, key=lambda cell: cell.column)


def _covered(grid: Grid, stretch: range) -> set[tuple[int, int]]:
    """The slots of a stretch that spans from above cover."""
    return {
        (row, slot)
        for cell in grid.cells
        if cell.rows > 1
        for row in range(max(cell.row, stretch.start) + 1, min(cell.end_row, stretch.stop))
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
