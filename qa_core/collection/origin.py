"""From a place in a table to the cells of the document that it came from, and back."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from qa_core.ingest.build import column_path
from qa_core.ingest.extract import Extraction
from qa_core.ingest.grid import Cell
from qa_core.ingest.header_rows import spread_spanners
from qa_core.table import HeaderPath, Location


@dataclass(frozen=True)
class Origin:
    """Where the rows and columns of an extracted table stood; rows and columns here are of the clean grid."""

    extraction: Extraction

    @cached_property
    def rows(self) -> tuple[int, ...]:
        """The row of the clean grid behind each row of the table."""
        layout = self.extraction.layout
        return tuple(row for row in range(self.extraction.cleaned.grid.n_rows) if layout.is_body(row))

    @cached_property
    def columns(self) -> tuple[int, ...]:
        """The column of the clean grid behind each column of the table.

        A grid column stands in the table once for each path that the sections of the table give it.
        """
        return tuple(column for column, _ in self._header_rows)

    @cached_property
    def _header_rows(self) -> dict[tuple[int, HeaderPath], list[int]]:
        """For each column of the table, by grid column and path, the rows that first head it."""
        grid, layout = self.extraction.cleaned.grid, self.extraction.layout
        columns = [column for column in range(grid.n_columns) if column not in layout.stub]
        found: dict[tuple[int, HeaderPath], list[int]] = {}
        section: list[int] = []
        heads_rows = False
        for row in range(grid.n_rows):
            if row in layout.header_rows:
                section = [row] if heads_rows else [*section, row]
                heads_rows = False
            if layout.is_body(row) and not heads_rows:
                held = spread_spanners(grid, section, layout.stub)
                for column in columns:
                    found.setdefault((column, column_path(held, column)), section)
                heads_rows = True
        return found

    def cells(self, location: Location) -> tuple[Cell, ...]:
        """The document's cells behind a body cell or a header of the table."""
        if location.row is None:
            column = location.column or 0
            return self._in(list(self._header_rows.values())[column], [self.columns[column]])
        row = self.rows[location.row]
        if location.column is None:
            layout = self.extraction.layout
            return self._in([*layout.path(row), row], layout.stub)
        return self._in([row], [self.columns[location.column]])

    def _in(self, rows: list[int], columns: list[int] | tuple[int, ...]) -> tuple[Cell, ...]:
        """The document's cells with text that reach into rows and columns of the clean grid."""
        cleaned = self.extraction.cleaned
        of_rows = {cleaned.row_origin[row] for row in rows}
        slots = [cleaned.column_origin[column] for column in columns]
        return tuple(
            cell
            for cell in cleaned.original.cells
            if cell.text
            and any(row in of_rows for row in range(cell.row, cell.end_row))
            and any(cell.column < stop and start < cell.end_column for start, stop in slots)
        )
