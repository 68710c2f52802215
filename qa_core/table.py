"""The table: header paths on both axes, body cells, and the locations in it.

A *header path* is the chain of labels that leads to a column or a row, root first:
``("Year Ended December 31,", "2018")``. A path may be empty, its levels may be empty strings, and paths
of one table may differ in depth. Real files are ragged, so a table keeps exactly what it was given;
its shape is the hull of headers and body, and a cell that was not given reads as the empty string.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

HeaderPath = tuple[str, ...]


@dataclass(frozen=True)
class Location:
    """Where something stands in a table, counted from 0.

    A body cell has both coordinates; ``Location(row, None)`` is the header of a row and
    ``Location(None, column)`` the header of a column.
    """

    row: int | None
    column: int | None

    def __post_init__(self) -> None:
        if self.row is None and self.column is None:
            raise ValueError("a location needs a row, a column or both")

    @property
    def is_cell(self) -> bool:
        return self.row is not None and self.column is not None

    @property
    def is_row_header(self) -> bool:
        return self.column is None

    @property
    def is_column_header(self) -> bool:
        return self.row is None

    def as_list(self) -> list[int | None]:
        """``[row, column]`` for JSON, null where the location is a header."""
        return [self.row, self.column]


@dataclass(frozen=True)
class Table:
    """A table with one header path per column and per row.

    ``column_paths`` and ``row_paths`` hold the paths as given (more or fewer than the body has columns or
    rows); ``cells`` the body rows as given, possibly of unequal length. Read through ``cell``,
    ``row_path``, ``column_path``, ``n_rows`` and ``n_columns``, which are safe for ragged tables.
    ``extra`` keeps fields of the source file that Crosshead does not interpret; ``warnings`` says in
    sentences what is odd about the table.
    """

    id: str
    column_paths: tuple[HeaderPath, ...]
    row_paths: tuple[HeaderPath, ...]
    cells: tuple[tuple[str, ...], ...]
    title: str = ""
    company: str = ""
    source: str = ""
    extra: Mapping[str, object] = field(default_factory=dict, compare=False)
    load_warnings: tuple[str, ...] = field(default=(), compare=False)

    @cached_property
    def n_rows(self) -> int:
        return max(len(self.cells), len(self.row_paths))

    @cached_property
    def n_columns(self) -> int:
        return max(len(self.column_paths), max(map(len, self.cells), default=0))

    def cell(self, row: int, column: int) -> str:
        """Text of a body cell; empty where the file gave none.

        Raises IndexError outside ``n_rows`` × ``n_columns``.
        """
        if not (0 <= row < self.n_rows and 0 <= column < self.n_columns):
            raise IndexError(f"cell ({row}, {column}) is outside {self.n_rows} × {self.n_columns}")
        cells = self.cells[row] if row < len(self.cells) else ()
        return cells[column] if column < len(cells) else ""

    @cached_property
    def body(self) -> tuple[tuple[str, ...], ...]:
        """All body cells, ``n_rows`` tuples of ``n_columns`` strings."""
        return tuple(
            tuple(self.cell(row, column) for column in range(self.n_columns)) for row in range(self.n_rows)
        )

    def row_path(self, row: int) -> HeaderPath:
        """Header path of a row, ``()`` where the table gives none."""
        return self.row_paths[row] if row < len(self.row_paths) else ()

    def column_path(self, column: int) -> HeaderPath:
        """Header path of a column, ``()`` where the table gives none."""
        return self.column_paths[column] if column < len(self.column_paths) else ()

    def __contains__(self, location: object) -> bool:
        if not isinstance(location, Location):
            return False
        return (location.row is None or 0 <= location.row < self.n_rows) and (
            location.column is None or 0 <= location.column < self.n_columns
        )

    def text_at(self, location: Location) -> str:
        """Text at a location: the cell, or the leaf label of the header."""
        if location.row is None:
            return leaf(self.column_path(location.column or 0))
        if location.column is None:
            return leaf(self.row_path(location.row))
        return self.cell(location.row, location.column)

    def texts(self) -> Iterator[str]:
        """All that a person can look for in it: title, company, header levels and cells."""
        yield from (self.title, self.company)
        for texts in (*self.column_paths, *self.row_paths, *self.cells):
            yield from texts

    def locations(self) -> Iterator[Location]:
        """Every body cell, row by row."""
        for row in range(self.n_rows):
            for column in range(self.n_columns):
                yield Location(row, column)

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 (hex) over headers and body: equal for tables that say the same."""
        content = json.dumps([self.column_paths, self.row_paths, self.cells], ensure_ascii=True)
        return hashlib.sha256(content.encode()).hexdigest()

    @cached_property
    def warnings(self) -> tuple[str, ...]:
        """What is odd about this table, a sentence each; empty for a regular one."""
        return self.load_warnings + tuple(_oddities(self))


def leaf(path: HeaderPath) -> str:
    """The last level of a path that is not blank; empty for a path without labels."""
    return next((level for level in reversed(path) if level.strip()), "")


def join_path(path: HeaderPath, separator: str = " ") -> str:
    """The labels of a path in one string, blank levels left out."""
    return separator.join(level for level in path if level.strip())


def _oddities(table: Table) -> Iterator[str]:
    widths = set(map(len, table.cells))
    if not table.cells:
        yield "The table has headers but no body rows."
    if len(widths) > 1:
        yield f"Body rows differ in length ({min(widths)} to {max(widths)}); missing cells are shown empty."
    for axis, paths, count in (
        ("row", table.row_paths, len(table.cells)),
        ("column", table.column_paths, max(widths, default=0)),
    ):
        if table.cells and len(paths) > count:
            yield f"{len(paths)} {axis} headers for {count} {axis}s: the surplus headers have no cells."
        if paths and len(paths) < count:
            yield f"{len(paths)} {axis} headers for {count} {axis}s: the last {axis}s have no header."
        if not paths and table.cells:
            yield f"The table has no {axis} headers."
        if any(not level.strip() for path in paths for level in path):
            yield f"Some {axis} headers have empty levels."
        repeated = sum(n > 1 for n in Counter(path for path in paths if path).values())
        if repeated:
            plural = "path repeats" if repeated == 1 else "paths repeat"
            yield f"{repeated} whole {axis} header {plural}."
