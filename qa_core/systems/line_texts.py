"""Rows and columns of a table as texts for a model: their header paths, and what a path alone does not say.

A row that has texts or dates in its cells names them too, as a question may; one without a header is named by
its first cells. A column says what kind of values it holds. Where the lines of a side stand for years, each
says whether it is the latest, the earliest or the one before the latest, which nothing in it tells by itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from qa_core.systems.periods import path_period
from qa_core.systems.view import Kind, TableView
from qa_core.table import HeaderPath, Table, leaf
from qa_core.text import shorten

ROW, COLUMN = 0, 1
"""The two sides of a table."""
LEVELS = " > "
MAX_CHARACTERS = 240
_MAX_VALUE = 60
_VALUES = 3
_NAMES = 4
_KINDS = {Kind.PERCENT: "percent", Kind.DATE: "date", Kind.TEXT: "text"}


@dataclass(frozen=True)
class LineTexts:
    """A text for each row and each column; ``stub`` is that of the stub read as a column, or empty."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    stub: str

    @property
    def choices(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The lines of each side that an answer may stand in; a stub is the last column."""
        return self.rows, (*self.columns, self.stub) if self.stub else self.columns


def line_texts(view: TableView) -> LineTexts:
    """The texts of a table's rows and columns, at most ``MAX_CHARACTERS`` characters each."""
    table = view.table
    row_years = _recency([table.row_path(row) for row in range(table.n_rows)])
    column_years = _recency([table.column_path(column) for column in range(table.n_columns)])
    rows = tuple(
        _join("row", table.row_path(row), _row_values(view, row), row_years[row])
        for row in range(table.n_rows)
    )
    columns = tuple(
        _join("column", table.column_path(column), _column_values(view, column), column_years[column])
        for column in range(table.n_columns)
    )
    return LineTexts(rows, columns, _stub(table))


def _join(side: str, path: Sequence[str], values: str, recency: str) -> str:
    header = LEVELS.join(level for level in path if level.strip())
    parts = (side, header, values, recency)
    return shorten("; ".join(part for part in parts if part), MAX_CHARACTERS)


def _row_values(view: TableView, row: int) -> str:
    cells, kinds = view.table.body[row], view.kinds[row]
    named = any(level.strip() for level in view.table.row_path(row))
    told = [
        shorten(cell, _MAX_VALUE)
        for cell, kind in zip(cells, kinds, strict=True)
        if kind in (Kind.TEXT, Kind.DATE) or (not named and cell.strip())
    ]
    return ", ".join(told[:_VALUES])


def _column_values(view: TableView, column: int) -> str:
    table = view.table
    told = Counter(int(kind) for kind in view.kinds[:, column] if kind not in (Kind.BLANK, Kind.DASH))
    kind = Kind(told.most_common(1)[0][0]) if told else Kind.NUMBER
    named = any(level.strip() for level in table.column_path(column))
    words = _KINDS.get(kind, "")
    if kind is Kind.NUMBER and any("$" in row[column] for row in table.body):
        words = "money"
    if named:
        return words
    cells = [row[column] for row in table.body if row[column].strip()]
    return ", ".join(filter(None, (words, *(shorten(cell, _MAX_VALUE) for cell in cells[:_VALUES]))))


def _stub(table: Table) -> str:
    names = [name for row in range(table.n_rows) if (name := leaf(table.row_path(row)).strip())]
    if not names:
        return ""
    return shorten(
        f"column; name; {', '.join(shorten(name, _MAX_VALUE) for name in names[:_NAMES])}", MAX_CHARACTERS
    )


def _recency(paths: Sequence[HeaderPath]) -> list[str]:
    newest = [max(path_period(path).years, default=0) for path in paths]
    years = sorted({year for year in newest if year}, reverse=True)
    if len(years) < 2:
        return [""] * len(paths)
    words = {years[-1]: "earliest", years[1]: "previous", years[0]: "latest"}
    return [words.get(year, "") for year in newest]
