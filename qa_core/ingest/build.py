"""A Table from a clean grid and a layout."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from qa_core.ingest.clean import CleanGrid
from qa_core.ingest.grid import MAX_SLOTS, Cell, Grid
from qa_core.ingest.header_rows import spread_spanners
from qa_core.ingest.layout import Layout
from qa_core.ingest.tokens import is_value, is_year
from qa_core.table import HeaderPath, Table

_MAX_CELLS = 4 * MAX_SLOTS
"""The most cells of a table with sections, each of which may bring columns of its own."""

_WRAPPED = (",", "-", "–", " and", " of", " to", " in")


@dataclass(frozen=True)
class Places:
    """Where a table stood in its clean grid.

    ``rows`` and ``columns`` are the grid's row or column behind each of the table's; ``headers`` are the
    grid's rows that head each column, where several sections share it those of the first.
    """

    rows: tuple[int, ...]
    columns: tuple[int, ...]
    headers: tuple[tuple[int, ...], ...]


def build_table(cleaned: CleanGrid, layout: Layout, id: str) -> tuple[Table, Places]:
    """The Table that a layout makes of a clean grid, and where its rows and columns stood there.

    A column's path holds the header cells above it from the top, a spanner in each column that it covers; a
    header row in the middle begins a section whose rows have columns of their own where its headers differ.
    A row's path holds the labels of its crossheads and parents and its own. A cell that spans several rows or
    columns stands in each. Stubheads are kept in ``extra["stubhead"]``: they belong to no column.
    """
    grid = cleaned.grid
    columns = _Columns(grid, layout)
    rows = _Rows(grid, layout)
    cells: list[dict[int, str]] = []
    section: list[int] = []
    places: dict[int, int] | None = None
    for row in range(grid.n_rows):
        if row in layout.header_rows:
            if places is not None:
                section.clear()
            section.append(row)
            places = None
        if layout.is_body(row):
            if places is None:
                places = columns.places(section)
            rows.add(row)
            cells.append({places[c]: text for c, text in columns.texts(row)})
    width = len(columns.paths)
    stubhead = _stubhead(grid, layout)
    table = Table(
        id=id,
        column_paths=tuple(columns.paths) if any(columns.paths) else (),
        row_paths=tuple(rows.paths) if any(rows.paths) else (),
        cells=tuple(tuple(row.get(column, "") for column in range(width)) for row in cells),
        title=grid.title,
        source=grid.source.file,
        extra={"stubhead": stubhead} if stubhead else {},
        load_warnings=columns.warnings,
    )
    return table, Places(tuple(rows.origins), tuple(columns.origins), tuple(columns.headers))


class _Columns:
    """The table's columns: those of the grid, once for each path that a section gives them."""

    def __init__(self, grid: Grid, layout: Layout) -> None:
        self._grid = grid
        self._stub = set(layout.stub)
        self._layout = layout
        self._columns = [column for column in range(grid.n_columns) if column not in self._stub]
        self._reached = self._text_columns() if any(cell.declared for cell in grid.cells) else set()
        self._place_of: dict[tuple[int, HeaderPath], int] = {}
        n_body = sum(map(layout.is_body, range(grid.n_rows)))
        self._most = max(len(self._columns), _MAX_CELLS // max(1, n_body))
        self._last: dict[int, int] = {}
        self.paths: list[HeaderPath] = []
        self.origins: list[int] = []
        self.headers: list[tuple[int, ...]] = []
        self.warnings: tuple[str, ...] = ()

    def places(self, section: Sequence[int]) -> dict[int, int]:
        """Where the grid's columns stand in the table under the header rows ``section``."""
        if len(self.paths) + len(self._columns) > self._most:
            self.warnings = ("The table has too many sections; the last ones share the columns above them.",)
            return self._last
        held = spread_spanners(self._grid, section, self._layout.stub)
        places = {}
        for column in self._columns:
            path = column_path(held, column)
            key = (column, path)
            if key not in self._place_of:
                self._place_of[key] = len(self.paths)
                self.paths.append(path)
                self.origins.append(column)
                self.headers.append(tuple(section))
            places[column] = self._place_of[key]
        self._last = places
        return places

    def texts(self, row: int) -> list[tuple[int, str]]:
        """The body cells of a row by grid column; a label that reaches over figures is none of them."""
        held = self._grid.held[row]
        return [
            (column, held[column].text)
            for column in self._columns
            if column in held and (held[column].column not in self._stub or column in self._reached)
        ]

    def _text_columns(self) -> set[int]:
        """Columns of texts, into which web pages draw a label ("Total" over two columns)."""
        counts: dict[int, list[int]] = {}
        for row in range(self._grid.n_rows):
            if self._layout.is_body(row):
                for column, cell in self._grid.held[row].items():
                    if cell.column == column:
                        count = counts.setdefault(column, [0, 0])
                        count[0] += 1
                        count[1] += is_value(cell.text) and not is_year(cell.text)
        return {column for column, (texts, amounts) in counts.items() if amounts * 2 < texts}


class _Rows:
    """The row paths, one for each body row in order."""

    def __init__(self, grid: Grid, layout: Layout) -> None:
        self._grid = grid
        self._layout = layout
        self._labels: dict[int, list[str]] = {}
        self._above: list[str] = []
        self.paths: list[HeaderPath] = []
        self.origins: list[int] = []

    def add(self, row: int) -> None:
        labels = self._own(row)
        self._labels[row] = labels
        path: list[str] = []
        for above in self._layout.path(row):
            path.extend(self._labels.get(above) or self._crosshead(above))
        self.paths.append((*path, *labels))
        self.origins.append(row)

    def _own(self, row: int) -> list[str]:
        """The labels of a body row; one that stands once for several rows counts for each of them."""
        held, stub = self._grid.held[row], self._layout.stub
        labels = [held[column].text if column in held else "" for column in stub]
        if self._above and stub and not labels[0] and (any(labels) or _goes_on(held, stub)):
            filled = [label or above for label, above in zip(labels, self._above, strict=True)]
            labels = filled if any(labels) else list(self._above)
        if any(labels):
            self._above = labels
        spans = [held.get(c) for c in stub]
        return [
            label
            for i, label in enumerate(labels)
            if label and not (i and spans[i] is not None and spans[i] is spans[i - 1])
        ]

    def _crosshead(self, row: int) -> list[str]:
        """The label of a crosshead; of one that stands over the figures, that text."""
        held = self._grid.held[row]
        cells = dict.fromkeys(held[column] for column in self._layout.stub if column in held)
        return [cell.text for cell in cells or dict.fromkeys(held.values())]


def _goes_on(held: Mapping[int, Cell], stub: Sequence[int]) -> bool:
    """Whether a row without a label goes on with the one above: it begins with a cell and holds a text."""
    return max(stub) + 1 in held and not all(is_value(cell.text) for cell in held.values())


def column_path(held: Sequence[Mapping[int, Cell]], column: int) -> HeaderPath:
    """The header texts over a column, from the top; a cell that spans several header rows counts once.

    A header whose words break off at the end of its cell goes on in the cell below ("June 30,", "2025").
    """
    path: list[str] = []
    last: Cell | None = None
    for cells in held:
        cell = cells.get(column)
        if cell is not None and cell is not last:
            if (
                path
                and last is not None
                and last.columns == 1 == cell.columns
                and path[-1].endswith(_WRAPPED)
            ):
                path[-1] = f"{path[-1]} {cell.text}"
            else:
                path.append(cell.text)
        last = cell if cell is not None else last
    return tuple(path)


def _stubhead(grid: Grid, layout: Layout) -> list[list[str]]:
    """The header path over each stub column in the first section; empty where none of them has one."""
    first = next((row for row in range(grid.n_rows) if layout.is_body(row)), grid.n_rows)
    rows = sorted(row for row in layout.header_rows - layout.crossheads if row < first)
    held = [grid.held[row] for row in rows]
    paths = [list(column_path(held, column)) for column in layout.stub]
    return paths if any(paths) else []
