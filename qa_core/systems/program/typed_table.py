"""A flat table whose columns have types."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from qa_core.systems.program.values import CellValue, read_cell
from qa_core.transform import FlatTable

ColumnType = Literal["text", "number", "date"]
LEAST_SHARE = 0.6
"""The share of a column's written cells that have to be numbers, or dates, for it to be of that type."""
_MOST_CELLS = 500
"""Cells of a column that its type is told by; of a longer one they are taken from all of its length."""


@dataclass(frozen=True)
class TypedTable:
    """The flat table that a program runs on."""

    flat: FlatTable

    def cell(self, row: int, column: int) -> CellValue:
        """What a flat cell writes."""
        return read_cell(self.flat.cells[row][column])

    @cached_property
    def types(self) -> tuple[ColumnType, ...]:
        """The type of each column: that of most of its cells."""
        return tuple(map(self._type, range(self.flat.n_columns)))

    def _type(self, column: int) -> ColumnType:
        every = -(-self.flat.n_rows // _MOST_CELLS) or 1
        cells = [self.cell(row, column) for row in range(0, self.flat.n_rows, every)]
        written = [cell for cell in cells if not cell.is_missing]
        found: Counter[ColumnType] = Counter(cell.type for cell in written)
        types: tuple[ColumnType, ...] = ("number", "date")
        return next((name for name in types if found[name] >= LEAST_SHARE * max(len(written), 1)), "text")
