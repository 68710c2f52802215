"""Which rows of a clean grid are column headers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from qa_core.ingest.context import is_units, units_in
from qa_core.ingest.grid import COLUMN_HEADER, HEADER, ROW_HEADER, Cell, Grid
from qa_core.ingest.tokens import is_date, is_mark, is_period, is_value, is_year

_MOST = 12
_LONG = 120
_LOOK_AHEAD = 30
FOOTNOTE = re.compile(r"(?:\(\w{1,3}\)|\[\w{1,3}\]|\d{1,2}\)|[*†‡]+|notes?:|sources?:)\s*\S", re.IGNORECASE)


@dataclass
class HeaderRows:
    """Rows that head columns, those of them whose label is a crosshead too, and titles that are neither."""

    header: set[int] = field(default_factory=set)
    crossheads: set[int] = field(default_factory=set)
    left_out: set[int] = field(default_factory=set)


def find_header_rows(grid: Grid) -> HeaderRows:
    """Header rows at the top of a grid and those that begin further sections below."""
    return _Search(grid).find()


class _Search:
    def __init__(self, grid: Grid) -> None:
        self._grid = grid
        self._rows = [[cell for cell in row if cell.text] for row in grid.rows]
        self._amounts = self._amount_columns()
        self._found = HeaderRows()

    def find(self) -> HeaderRows:
        self._read_top()
        first = max(self._found.header, default=-1) + 1
        self._read_stubhead_below(first)
        self._read_sections(max(first, 1))
        telling = self._rows_told_apart_by_label()
        for row in self._found.header:
            if row in telling or self._is_crosshead_too(row):
                self._found.crossheads.add(row)
        return self._found

    def _amount_columns(self) -> set[int]:
        """Columns that hold mostly amounts."""
        counts: dict[int, list[int]] = {}
        for row in self._rows:
            for cell in row:
                if cell.columns == 1 and cell.column > 0:
                    count = counts.setdefault(cell.column, [0, 0])
                    count[0] += 1
                    count[1] += _is_amount(cell)
        return {column for column, (texts, amounts) in counts.items() if amounts * 2 >= texts}

    def _read_top(self) -> None:
        """A cell across the whole table above the headers is its title, or a crosshead where more follow."""
        header, left_out = self._found.header, self._found.left_out
        waiting: set[int] = set()
        for row, cells in enumerate(self._rows[:_MOST]):
            if not cells:
                continue
            if not self._is_across(cells) and self._is_header(row):
                header.add(row)
                for held in waiting:
                    if is_units(self._rows[held][0].text):
                        left_out.add(held)
                    elif not self._is_across(self._rows[held]):
                        header.add(held)
                    elif not self._has_cells_across_below(row):
                        left_out.add(held)
                waiting = set()
            elif (
                len(cells) == 1
                and (not header or is_units(cells[0].text))
                and not FOOTNOTE.match(cells[0].text)
            ):
                waiting.add(row)
            elif self._is_spanned(row):
                header.add(row)
            else:
                break

    def _has_cells_across_below(self, row: int) -> bool:
        return any(
            self._is_across(below) and not FOOTNOTE.match(below[0].text) for below in self._rows[row + 1 : -1]
        )

    def _is_across(self, cells: Sequence[Cell]) -> bool:
        """Whether a row is one cell over the whole table."""
        return len(cells) == 1 and cells[0].columns >= self._grid.n_columns > 1

    def _is_spanned(self, row: int) -> bool:
        """Whether a header cell from above reaches into this row, which then is one as well."""
        return any(
            cell.end_row > row and cell.column > 0
            for above in self._found.header
            for cell in self._rows[above]
        )

    def _is_header(self, row: int) -> bool:
        cells, header = self._rows[row], self._found.header
        if all(cell.declared in (COLUMN_HEADER, HEADER) for cell in cells) and (
            len(cells) > 1 or self._is_declared(row + 1)
        ):
            return True
        if any(cell.declared == COLUMN_HEADER for cell in cells):
            return True
        if any(c.declared for above in header for c in self._rows[above]) and not self._is_spanned(row):
            return False  # the document tells headers itself
        if cells[0].declared in (ROW_HEADER, HEADER) and len(cells) > 1:
            return False
        label = cells[0] if cells[0].column == 0 else None
        others = [cell for cell in cells if cell is not label]
        if not others or (label and label.end_column >= self._grid.n_columns > 1):
            return False
        if any(map(_is_amount, others)):
            return False
        if label is None or is_units(label.text) or (len(others) == 1 and is_units(others[0].text)):
            return True
        return self._continues(row, others) if header else self._may_be_first(row)

    def _is_declared(self, row: int) -> bool:
        below = self._rows[row] if row < len(self._rows) else []
        return len(below) > 1 and all(cell.declared for cell in below)

    def _continues(self, row: int, others: Sequence[Cell]) -> bool:
        """Whether a row with a label, right below header rows, is one of them: "Segment | 2024 | 2023"."""
        over = {column for cell in others for column in range(cell.column, cell.end_column)}
        if len(self._amounts) > 1 and len(over & self._amounts) * 3 >= 2 * len(self._amounts):
            return True
        open_spanner = any(cell.columns > 1 for above in self._found.header for cell in self._rows[above])
        periods = all(is_year(cell.text) or is_date(cell.text) for cell in others)
        narrow = all(cell.columns == 1 for cell in others)
        return self._stands_out(row) or (open_spanner and narrow and periods)

    def _may_be_first(self, row: int) -> bool:
        """Whether a first row with a label could be headers: short texts above something of another kind."""
        cells = self._rows[row]
        if all(is_period(cell.text) for cell in cells[1:]) or self._stands_out(row):
            return True
        if any(len(cell.text) > _LONG or is_mark(cell.text) for cell in cells):
            return False
        return row + 1 < len(self._rows) and not FOOTNOTE.match(cells[0].text)

    def _stands_out(self, row: int) -> bool:
        """Whether a row is in bold and the first row below that has several cells is not."""
        below = next((cells for cells in self._rows[row + 1 : row + _LOOK_AHEAD] if len(cells) > 1), [])
        return all(cell.bold for cell in self._rows[row]) and not all(cell.bold for cell in below)

    def _read_stubhead_below(self, first: int) -> None:
        """A line without figures above years, or one of units, names the stub and heads no rows."""
        cells = self._rows[first] if first < len(self._rows) else []
        if len(cells) != 1 or cells[0].column != 0 or self._is_across(cells):
            return
        labels = [row[0].text for row in self._rows[first + 1 : first + 3] if row and row[0].column == 0]
        above_years = len(labels) == 2 and all(map(is_year, labels)) and not is_year(cells[0].text)
        if above_years or (not self._found.header and is_units(cells[0].text)):
            self._found.header.add(first)

    def _read_sections(self, first: int) -> None:
        """Header rows that begin a further section: periods or bold texts in place of figures, no label.

        A row that repeats an earlier header row is one even where it has a label.
        """
        seen = {_texts(self._rows[row]) for row in self._found.header}
        for row in range(first, len(self._rows)):
            cells = self._rows[row]
            if row in self._found.header or len(cells) < 2:
                continue
            labelled = cells[0].column == 0 and not is_units(cells[0].text)
            others = [cell for cell in cells if cell.column > 0]
            if any(map(_is_amount, others)) or any(cell.declared == ROW_HEADER for cell in cells):
                continue
            repeats = len(others) > 1 and _texts(cells) in seen
            heads = all(is_period(cell.text) or cell.declared == HEADER for cell in others) or all(
                cell.bold for cell in others
            )
            if repeats or (heads and (not labelled or self._replaces_amounts(cells))):
                self._found.header.add(row)
                seen.add(_texts(cells))
                self._add_spanners_above(row, first)

    def _replaces_amounts(self, cells: Sequence[Cell]) -> bool:
        """Whether a row in bold has words where the rows around it have amounts, over several columns."""
        over = {c for cell in cells if cell.column > 0 for c in range(cell.column, cell.end_column)}
        return all(cell.bold for cell in cells) and len(cells) > 2 and over <= self._amounts

    def _add_spanners_above(self, row: int, first: int) -> None:
        """The header rows right above a header row: cells over the columns, no label, no amount."""
        above = row - 1
        while above > first:
            cells = self._rows[above]
            if not cells or cells[0].column == 0 or any(map(_is_amount, cells)):
                return
            self._found.header.add(above)
            above -= 1

    def _rows_told_apart_by_label(self) -> set[int]:
        """Header rows alike but for their labels: "2024 | First | Second" and "2023 | First | Second"."""
        labels: dict[tuple[tuple[int, str], ...], dict[int, str]] = {}
        for row in self._found.header:
            cells = self._rows[row]
            if len(cells) > 1 and cells[0].column == 0 and cells[0].columns == 1 and not cells[0].declared:
                labels.setdefault(_texts(cells), {})[row] = cells[0].text
        alike = [of for of in labels.values() if len(set(of.values())) > 1]
        return {row for of in alike for row, label in of.items() if not is_units(label)}

    def _is_crosshead_too(self, row: int) -> bool:
        """Whether the label of a header row heads rows: "Revenue by end market:" beside the units."""
        cells = self._rows[row]
        if len(cells) < 2 or cells[0].column != 0 or cells[0].columns > 1 or cells[0].declared:
            return False
        label = cells[0].text
        return label.endswith(":") and not (is_units(label) or units_in(label) or is_period(label))


def _is_amount(cell: Cell) -> bool:
    return is_value(cell.text) and not is_year(cell.text)


def _texts(cells: Sequence[Cell]) -> tuple[tuple[int, str], ...]:
    return tuple((cell.column, cell.text) for cell in cells if cell.column > 0)


def spread_spanners(grid: Grid, header_rows: Sequence[int], stub: Sequence[int]) -> list[dict[int, Cell]]:
    """The header cell over each column, row by row; spanners reach to the next where those below repeat.

    Filings sometimes draw "Three months" over the figures and not over the "$ Change" beside them, before
    "Six months" begins; the repeated headers below tell that the two blocks are alike.
    """
    held = [dict(grid.held[row]) for row in header_rows]
    for place, row in enumerate(header_rows[:-1]):
        spanners = sorted(
            {cell.column: cell for cell in grid.held[row].values() if cell.column not in stub}.items()
        )
        if len(spanners) < 2 or all(cell.columns == 1 for _, cell in spanners):
            continue
        starts = [column for column, _ in spanners]
        ends = [*starts[1:], grid.n_columns]
        below = header_rows[-1]
        blocks = [
            [grid.held[below][c].text if c in grid.held[below] else "" for c in range(start, end)]
            for start, end in zip(starts, ends, strict=True)
        ]
        rest = [[_without_period(text) for text in block] for block in blocks]
        if len(blocks[0]) > 1 and all(block == rest[0] for block in rest[1:]):
            for (start, cell), end in zip(spanners, ends, strict=True):
                for column in range(start, end):
                    held[place].setdefault(column, cell)
    return held


def _without_period(text: str) -> str:
    return "" if is_year(text) or is_date(text) else text
