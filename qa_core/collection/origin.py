"""From a place in a table to the cells of the document that it came from."""

from __future__ import annotations

from collections.abc import Sequence

from qa_core.ingest.extract import Extraction
from qa_core.ingest.grid import Cell
from qa_core.table import Location


def cells_behind(extraction: Extraction, location: Location) -> tuple[Cell, ...]:
    """The document's cells behind a body cell or a header of an extracted table."""
    places, layout = extraction.places, extraction.layout
    if location.row is None:
        column = location.column or 0
        return _in(extraction, places.headers[column], [places.columns[column]])
    row = places.rows[location.row]
    if location.column is None:
        return _in(extraction, [*layout.path(row), row], layout.stub)
    return _in(extraction, [row], [places.columns[location.column]])


def _in(extraction: Extraction, rows: Sequence[int], columns: Sequence[int]) -> tuple[Cell, ...]:
    """The document's cells with text that reach into rows and columns of the clean grid."""
    cleaned = extraction.cleaned
    of_rows = {cleaned.row_origin[row] for row in rows}
    slots = [cleaned.column_origin[column] for column in columns]
    return tuple(
        cell
        for cell in cleaned.original.cells
        if cell.text
        and any(row in of_rows for row in range(cell.row, cell.end_row))
        and any(cell.column < stop and start < cell.end_column for start, stop in slots)
    )
