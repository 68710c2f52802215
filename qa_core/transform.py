"""Transformations: a Table becomes a FlatTable for systems that know one header row and string cells.

The three of the AIT-QA paper (Katsis et al. 2022): the row headers become the first column under a dummy
header and each path is joined into one flat header (*base*); the same with rows and columns exchanged
(*transpose-all*); and exchanged only where the row headers hold more characters than the column headers
(*transpose-partial*). Every flat cell remembers the Location it came from, so a prediction on any flat
form is reported in the original table.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from qa_core.errors import CrossheadError
from qa_core.table import HeaderPath, Location, Table, join_path

DUMMY_HEADER = ""


@dataclass(frozen=True)
class FlatTable:
    """One header row and string cells, with provenance.

    ``header`` has one string per flat column and ``cells`` one tuple of as many strings per flat row.
    Where the stub side has any header, flat column 0 holds its joined paths (``has_stub``).
    """

    table: Table
    transformation: str
    transposed: bool

    @cached_property
    def _line_paths(self) -> list[HeaderPath]:
        """Header paths of the flat rows."""
        return _column_paths(self.table) if self.transposed else _row_paths(self.table)

    @cached_property
    def _field_paths(self) -> list[HeaderPath]:
        """Header paths of the flat columns that hold body cells."""
        return _row_paths(self.table) if self.transposed else _column_paths(self.table)

    @cached_property
    def has_stub(self) -> bool:
        return any(self._line_paths)

    @property
    def n_rows(self) -> int:
        return len(self._line_paths)

    @property
    def n_columns(self) -> int:
        return len(self._field_paths) + self.has_stub

    @cached_property
    def header(self) -> tuple[str, ...]:
        stub = (DUMMY_HEADER,) if self.has_stub else ()
        return stub + tuple(join_path(path) for path in self._field_paths)

    @cached_property
    def cells(self) -> tuple[tuple[str, ...], ...]:
        body = self.table.body
        lines = tuple(zip(*body, strict=True)) if self.transposed else body
        if self.transposed and not lines:
            lines = ((),) * self.n_rows
        if not self.has_stub:
            return lines
        return tuple((join_path(path), *line) for path, line in zip(self._line_paths, lines, strict=True))

    def origin(self, row: int, column: int) -> Location:
        """The Location in the original table of the flat cell (``row``, ``column``).

        Raises IndexError where the flat table has no such cell.
        """
        if not (0 <= row < self.n_rows and 0 <= column < self.n_columns):
            raise IndexError(f"flat cell ({row}, {column}) is outside {self.n_rows} × {self.n_columns}")
        field = column - self.has_stub
        line_location: int | None = row
        field_location: int | None = field if field >= 0 else None
        if self.transposed:
            return Location(field_location, line_location)
        return Location(line_location, field_location)

    def place(self, location: Location) -> tuple[int, int] | None:
        """The flat (row, column) that shows a Location; None for one that stands in the flat header."""
        line, field = (location.column, location.row) if self.transposed else (location.row, location.column)
        if line is None:
            return None
        if field is None:
            return (line, 0) if self.has_stub else None
        return line, field + self.has_stub


def base(table: Table) -> FlatTable:
    """Row headers as the first column, headers joined; rows stay rows."""
    return FlatTable(table, "base", transposed=False)


def transpose_all(table: Table) -> FlatTable:
    """As ``base`` of the table with rows and columns exchanged."""
    return FlatTable(table, "transpose-all", transposed=True)


def transpose_partial(table: Table) -> FlatTable:
    """Transposed where the row headers hold more characters than the column headers."""
    transposed = _characters(table.row_paths) > _characters(table.column_paths)
    return FlatTable(table, "transpose-partial", transposed)


TRANSFORMATIONS: dict[str, Callable[[Table], FlatTable]] = {
    "base": base,
    "transpose-all": transpose_all,
    "transpose-partial": transpose_partial,
}


def flatten(table: Table, transformation: str) -> FlatTable:
    """Apply a transformation by name.

    Raises CrossheadError for a name that is not in ``TRANSFORMATIONS``.
    """
    if transformation not in TRANSFORMATIONS:
        known = ", ".join(TRANSFORMATIONS)
        raise CrossheadError(f"There is no transformation {transformation!r}; choose one of {known}.")
    return TRANSFORMATIONS[transformation](table)


def _row_paths(table: Table) -> list[HeaderPath]:
    return [table.row_path(row) for row in range(table.n_rows)]


def _column_paths(table: Table) -> list[HeaderPath]:
    return [table.column_path(column) for column in range(table.n_columns)]


def _characters(paths: Sequence[HeaderPath]) -> int:
    return sum(len(level) for path in paths for level in path)
