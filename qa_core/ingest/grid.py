"""The grid: what a document shows of a table, before anybody has said what is a header.

Every reader (HTML, spreadsheet, delimited text, Markdown) yields grids; everything after that reads grids
only. Positions count from 0 and spans are resolved, so a cell knows the slots that it covers, whatever the
order in which the document gave the cells.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

MAX_SLOTS = 150_000
"""The most slots (rows × columns) of a grid that is read; a larger one is cut by whole rows."""

COLUMN_HEADER = "column-header"
ROW_HEADER = "row-header"
HEADER = "header"


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell as the document shows it, at its upper left slot, over ``rows`` × ``columns`` slots.

    ``indent`` is in points, ``emphasised`` says italic or underlined. ``declared`` is ``COLUMN_HEADER`` or
    ``ROW_HEADER`` where the document says so itself (``<thead>``, ``<th scope>``), ``HEADER`` where it says
    only that the cell is one (``<th>``), else empty.
    """

    text: str
    row: int
    column: int
    rows: int = 1
    columns: int = 1
    bold: bool = False
    emphasised: bool = False
    centred: bool = False
    indent: float = 0.0
    declared: str = ""

    def at(self, row: int, column: int, rows: int, columns: int) -> Cell:
        """The cell in another place."""
        return Cell(
            self.text, row, column, rows, columns,
            self.bold, self.emphasised, self.centred, self.indent, self.declared,
        )  # fmt: skip

    @property
    def end_row(self) -> int:
        return self.row + self.rows

    @property
    def end_column(self) -> int:
        return self.column + self.columns


@dataclass(frozen=True)
class Source:
    """Where a grid was found.

    ``file`` is the file's name; ``index`` the place among the file's tables (HTML: the index of the
    ``<table>`` element in document order), from 0; ``sheet`` and ``range`` name a spreadsheet's part
    ("A3:F20"); ``headings`` is the path of headings above the table, outermost first.
    """

    file: str = ""
    index: int = 0
    sheet: str = ""
    range: str = ""
    headings: tuple[str, ...] = ()


@dataclass(frozen=True)
class Grid:
    """The cells of one table, in reading order, without two on one slot.

    ``title`` is what stands above the table and names it, ``units`` a remark like "(in millions)" found
    there. ``steps`` says in readable words what reading already left out (rows beyond a limit, hidden ones).
    ``may_lay_out`` is True where documents of this kind draw tables that only lay out a page.
    """

    cells: tuple[Cell, ...]
    n_rows: int
    n_columns: int
    source: Source = field(default_factory=Source)
    title: str = ""
    units: str = ""
    steps: tuple[str, ...] = ()
    may_lay_out: bool = False

    @cached_property
    def rows(self) -> tuple[tuple[Cell, ...], ...]:
        """The cells that begin in each row, by column."""
        rows: list[list[Cell]] = [[] for _ in range(self.n_rows)]
        for cell in self.cells:
            rows[cell.row].append(cell)
        return tuple(tuple(sorted(row, key=lambda cell: cell.column)) for row in rows)

    @cached_property
    def held(self) -> tuple[dict[int, Cell], ...]:
        """For each row the cell with text that covers each column, spans from above among them."""
        held: list[dict[int, Cell]] = [{} for _ in range(self.n_rows)]
        for row in self.rows:
            for cell in row:
                if cell.text:
                    for below in range(cell.row, min(cell.end_row, self.n_rows)):
                        for column in range(cell.column, min(cell.end_column, self.n_columns)):
                            held[below][column] = cell
        return tuple(held)


def place(rows: Sequence[Sequence[Cell]], max_slots: int = MAX_SLOTS) -> tuple[list[Cell], int, int]:
    """Give cells their slots: each goes to the first slot of its row that no span from above covers.

    ``rows`` holds the cells of each row in document order, their ``row`` and ``column`` still unset.
    Returns the placed cells, the number of rows and of columns. Spans reach over the last row at most, and
    reading stops before the row with which the grid would cover more than ``max_slots`` slots.
    """
    placed: list[Cell] = []
    covered: dict[int, int] = {}  # column -> first row that is free again
    width = 0
    for row, cells in enumerate(rows):
        column = 0
        if (row + 1) * width > max_slots:
            return _above(placed, row), row, width
        for cell in cells:
            while covered.get(column, 0) > row:
                column += 1
            if (row + 1) * max(width, column + cell.columns) > max_slots:
                return _above(placed, row), row, width
            end_row = row + min(cell.rows, len(rows) - row)
            end = column + 1
            covered[column] = end_row
            while end < column + cell.columns and covered.get(end, 0) <= row:
                covered[end] = end_row
                end += 1
            placed.append(cell.at(row, column, end_row - row, end - column))
            column = end
            width = max(width, column)
    return placed, len(rows), width


def _above(cells: Sequence[Cell], row: int) -> list[Cell]:
    """The cells that begin above a row, cut where they reach into it."""
    return [
        cell.at(cell.row, cell.column, min(cell.rows, row - cell.row), cell.columns)
        for cell in cells
        if cell.row < row
    ]
