"""Several tables on one sheet: where one ends and the next begins, and the lines that name them.

Rows that are empty all through part tables that stand one below the other, columns that are empty all
through those that stand side by side. A table may hold such gaps itself: rows that go on below a spacer in
the same columns without headers of their own stay with it, and so does a part on the right that has no
labels of its own.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from qa_core.ingest.context import MAX_TITLE, is_units
from qa_core.ingest.grid import MAX_SLOTS, Cell
from qa_core.ingest.tokens import is_period, is_value, is_year
from qa_core.text import shorten

MAX_TABLES = 1000
"""Tables of one file that are read."""
POINTS_PER_SPACE = 5.0
"""Points of indentation for one leading space of a text."""

_DEEPEST = 6
_MOST_LINES = 3
"""Lines of a text above a table; more are a text of its own."""


@dataclass(frozen=True)
class Block:
    """The cells of one table at the slots of the sheet; ``lines`` are the texts above that name it.

    ``top``, ``left``, ``bottom`` and ``right`` are its slots, the latter two exclusive.
    """

    cells: tuple[Cell, ...]
    lines: tuple[str, ...] = ()

    @cached_property
    def top(self) -> int:
        return min(cell.row for cell in self.cells)

    @cached_property
    def left(self) -> int:
        return min(cell.column for cell in self.cells)

    @cached_property
    def bottom(self) -> int:
        return max(cell.end_row for cell in self.cells)

    @cached_property
    def right(self) -> int:
        return max(cell.end_column for cell in self.cells)

    @property
    def title(self) -> str:
        return shorten(" ".join(line for line in self.lines if not is_units(line)), MAX_TITLE)

    @property
    def units(self) -> str:
        return next((line for line in self.lines if is_units(line)), "")

    def at_origin(self, max_slots: int = MAX_SLOTS) -> tuple[tuple[Cell, ...], int, int]:
        """The cells counted from the block's own corner, the number of rows and of columns.

        A block of more than ``max_slots`` slots is cut by whole rows.
        """
        top, left = self.top, self.left
        n_columns = self.right - left
        n_rows = min(self.bottom - top, max_slots // n_columns)
        if top == left == 0 and n_rows == self.bottom:
            return self.cells, n_rows, n_columns
        cells = (
            replace(
                cell,
                row=cell.row - top,
                column=cell.column - left,
                rows=min(cell.rows, top + n_rows - cell.row),
            )
            for cell in self.cells
            if cell.row < top + n_rows
        )
        return tuple(cells), n_rows, n_columns


def split_blocks(cells: Sequence[Cell], side_by_side: bool = True) -> list[Block]:
    """The tables among the cells of a sheet, from the top; of parts side by side, the left one first.

    ``cells`` hold text and cover no slot twice. Texts that belong to no table are left out.
    """
    parts = list(_parts(sorted(cells, key=lambda cell: (cell.row, cell.column)), side_by_side, 0))
    blocks: list[Block] = []
    waiting: list[Sequence[Cell]] = []
    for part in parts:
        if _is_text(part):
            waiting.append(part)
            continue
        body, lines = _without_lines(part)
        above = [text for text in waiting if text[-1].end_row <= part[0].row]
        if above and not any(not is_units(line) for line in lines):
            lines = [*(cell.text for cell in above[-1]), *lines]
        waiting = (
            [] if not side_by_side else [text for text in waiting if text[0].end_row <= part[0].row][-1:]
        )
        blocks.append(Block(tuple(body), tuple(lines)))
    return blocks


def _parts(cells: Sequence[Cell], side_by_side: bool, depth: int) -> Iterator[Sequence[Cell]]:
    """Cut at empty columns where both sides are tables, else at empty rows, and so on within the parts."""
    if not cells:
        return
    columns = _cut_columns(cells) if side_by_side else [cells]
    if len(columns) > 1 and depth < _DEEPEST:
        for part in columns:
            yield from _parts(part, side_by_side, depth + 1)
        return
    rows = _cut_rows(cells)
    if len(rows) > 1 and depth < _DEEPEST:
        for part in rows:
            yield from _parts(part, side_by_side, depth + 1)
        return
    yield cells


def _runs(intervals: Iterator[tuple[int, int]]) -> list[tuple[int, int]]:
    """Intervals joined where they touch or overlap."""
    runs: list[tuple[int, int]] = []
    for start, stop in sorted(set(intervals)):
        if runs and start <= runs[-1][1]:
            runs[-1] = (runs[-1][0], max(stop, runs[-1][1]))
        else:
            runs.append((start, stop))
    return runs


def _cut_rows(cells: Sequence[Cell]) -> list[list[Cell]]:
    runs = _runs((cell.row, cell.end_row) for cell in cells)
    bands: list[list[Cell]] = [[] for _ in runs]
    ends = iter(runs)
    band, end = -1, -1
    for cell in cells:
        if cell.row >= end:
            band, end = band + 1, next(ends)[1]
        bands[band].append(cell)
    joined = [bands[0]]
    first_row = bands[0]
    for (_, above), (below, _), lower in zip(runs, runs[1:], bands[1:], strict=False):
        if below - above == 1 and _goes_on(first_row, joined[-1], lower):
            joined[-1].extend(lower)
        else:
            joined.append(lower)
            first_row = lower
    return joined


def _goes_on(first: Sequence[Cell], upper: Sequence[Cell], lower: Sequence[Cell]) -> bool:
    """Whether the cells below a spacer row belong to the table above it."""
    if _is_text(first) or not _has_figures(upper[-200:]):
        return False
    left, right = min(c.column for c in first), max(c.end_column for c in first)
    if min(c.column for c in lower) != left or max(c.end_column for c in lower) > right:
        return False
    for _, row in itertools.groupby(lower[:50], key=lambda cell: cell.row):
        found = list(row)
        if len(found) > 1:
            return any(is_value(cell.text) and not is_year(cell.text) for cell in found[1:])
        if found[0].column != left or found[0].text.endswith("."):
            return False
    return False


def _has_figures(cells: Sequence[Cell]) -> bool:
    return any(is_value(cell.text) and not is_year(cell.text) for cell in cells)


def _cut_columns(cells: Sequence[Cell]) -> list[list[Cell]]:
    runs = _runs((cell.column, cell.end_column) for cell in cells)
    if len(runs) < 2:
        return [list(cells)]
    part_of: dict[int, int] = {}
    for number, (start, stop) in enumerate(runs):
        part_of.update(dict.fromkeys(range(start, stop), number))
    strips: list[list[Cell]] = [[] for _ in runs]
    for cell in cells:
        strips[part_of[cell.column]].append(cell)
    joined = [strips[0]]
    for strip in strips[1:]:
        if _has_stub(strip) and _has_stub(joined[-1]):
            joined.append(strip)
        else:
            joined[-1].extend(strip)
    return [sorted(part, key=lambda cell: (cell.row, cell.column)) for part in joined]


def _has_stub(cells: Sequence[Cell]) -> bool:
    """Whether a part stands for itself: labels in its first column, beside figures or texts."""
    left = min(cell.column for cell in cells)
    labels = [cell.text for cell in cells if cell.column == left]
    others = [cell.text for cell in cells if cell.column > left]
    texts = sum(not is_value(text) for text in labels) + sum(is_year(text) for text in labels)
    return len(labels) >= 2 and texts * 2 > len(labels) and any(is_value(text) for text in others)


def _is_text(cells: Sequence[Cell]) -> bool:
    """A few lines of one text each: a heading, a remark."""
    rows = [cell.row for cell in cells]
    return (
        len(rows) <= _MOST_LINES
        and len(set(rows)) == len(rows)
        and not any(is_value(cell.text) for cell in cells)
    )


def _without_lines(cells: Sequence[Cell]) -> tuple[Sequence[Cell], list[str]]:
    """A table without the lines directly above its headers, and these lines.

    A line is a single text at the table's left edge (or across it) above a row of several cells; it is none
    where it ends in a colon (a crosshead), or stands for the stub ("Year" above a column of years).
    """
    left = min(cell.column for cell in cells)
    rows = [list(row) for _, row in itertools.islice(itertools.groupby(cells, key=lambda c: c.row), 6)]
    count = 0
    while (
        count < min(_MOST_LINES, len(rows) - 2)
        and len(rows[count]) == 1
        and rows[count][0].column == left
        and rows[count][0].rows == 1
    ):
        count += 1
    lines = [row[0].text for row in rows[:count]]
    if not lines or len(rows[count]) == 1 or len(cells) - count < 3:
        return cells, []
    if any(is_value(line) or is_period(line) or line.endswith(":") for line in lines):
        return cells, []
    if all(is_units(line) for line in lines):
        return cells, []
    return cells[count:], lines
