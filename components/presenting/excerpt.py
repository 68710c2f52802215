"""The part of a large table that a full room can read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from components.table_view import Marks
from qa_core.header import column_spans, row_lines
from qa_core.table import Location, Table

MOST_LINES = 10
"""Lines of an excerpt: levels of column headers, crossheads, rows."""
MOST_MARKED_ROWS, MOST_COLUMNS = 5, 4


@dataclass(frozen=True)
class Excerpt:
    """Some rows and columns of a table, with their whole header paths, as a table of its own."""

    of: Table
    rows: Sequence[int]
    columns: Sequence[int]

    @property
    def table(self) -> Table:
        """The excerpt; the table itself where that is the whole."""
        if (len(self.rows), len(self.columns)) == (self.of.n_rows, self.of.n_columns):
            return self.of
        return Table(
            id=self.of.id,
            column_paths=tuple(map(self.of.column_path, self.columns)),
            row_paths=tuple(map(self.of.row_path, self.rows)),
            cells=tuple(tuple(self.of.cell(row, column) for column in self.columns) for row in self.rows),
            title=self.of.title,
            company=self.of.company,
        )

    @property
    def n_lines(self) -> int:
        """How many lines it is high."""
        part = Excerpt(self.of, sorted(self.rows), sorted(self.columns)).table
        return len(column_spans(part)) + len(row_lines(part))

    @property
    def said(self) -> str:
        """What is left out, in words; nothing where nothing is."""
        parts = [
            f"{len(shown)} of {n:,} {noun}"
            for shown, n, noun in (
                (self.rows, self.of.n_rows, "rows"),
                (self.columns, self.of.n_columns, "columns"),
            )
            if len(shown) < n
        ]
        return " and ".join(parts)

    def marks(self, marks: Marks) -> Marks:
        """Marks of the table, where they are in the excerpt."""
        return marks.map(self._place)

    def _place(self, location: Location) -> Location | None:
        row, column = location.row, location.column
        if (row is not None and row not in self.rows) or (column is not None and column not in self.columns):
            return None
        return Location(
            None if row is None else self.rows.index(row),
            None if column is None else self.columns.index(column),
        )


def excerpt_around(table: Table, marked: Iterable[Location]) -> Excerpt:
    """What stands around some Locations, the most important of which come first."""
    places = [location for location in marked if location in table]
    rows = [place.row for place in places if place.row is not None]
    columns = [place.column for place in places if place.column is not None]
    shown = Excerpt(table, (), _nearest(columns, table.n_columns)[:MOST_COLUMNS])
    marked_rows = dict.fromkeys(rows)
    for place, row in enumerate(_nearest(rows, table.n_rows)):
        larger = replace(shown, rows=[*shown.rows, row])
        is_needed = row in marked_rows and place < MOST_MARKED_ROWS
        if not is_needed and shown.rows and larger.n_lines > MOST_LINES:
            break
        shown = larger
    return replace(shown, rows=sorted(shown.rows), columns=sorted(shown.columns))


def _nearest(marked: Sequence[int], n: int) -> list[int]:
    """The places 0 to ``n``: those that are marked, then the others by their distance from these."""
    first = list(dict.fromkeys(marked))
    others = sorted(range(n), key=lambda place: min((abs(place - each) for each in first), default=place))
    return list(dict.fromkeys([*first, *others]))
