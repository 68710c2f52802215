"""From the grid that a document draws to one with a column for each column of figures.

Filings draw one figure over several cells ("$", "(2,847", ")"), and put narrow empty cells between the
columns. Here signs join their number, slots that carry nothing go, and what is left gets new positions.
"""

from __future__ import annotations

import itertools
import re
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from qa_core.ingest.grid import Cell, Grid
from qa_core.ingest.tokens import is_mark, is_open_number, is_prefix, is_suffix, is_value

_NEAR = 1
"""The most empty slots between a sign and its number."""

_MARKS = "footnote marks"
_MOST_PATTERNS = 300
"""The most distinct row shapes that decide about columns; a real table has a handful."""

Interval = tuple[int, int]


@dataclass(frozen=True)
class CleanGrid:
    """A grid without spacers, and where each of its rows and columns stood in the document's grid.

    ``row_origin[r]`` is a row of ``original``; ``column_origin[c]`` the slots ``(start, stop)`` of it.
    ``steps`` says in readable words what was done.
    """

    grid: Grid
    original: Grid
    row_origin: tuple[int, ...]
    column_origin: tuple[Interval, ...]
    steps: tuple[str, ...]


def clean(original: Grid) -> CleanGrid:
    """Join signs with their numbers, drop spacer rows and columns, number what is left anew."""
    texts = _texts_by_slot(original)
    spans = any(cell.columns > 1 for cell in original.cells)
    marks = _mark_slots(original, texts, spans)
    signs = None if spans else _sign_slots(texts)
    if signs == set() and not marks:
        return _compacted(original)
    merged: Counter[str] = Counter()
    rows = [_joined(row, marks, signs, merged) for row in original.rows]
    kept_rows = [row for row, cells in enumerate(rows) if cells]
    columns = _columns([rows[row] for row in kept_rows])
    place_of = _slot_map(columns)
    new_row = _renumbering(kept_rows, original.n_rows)
    cells = []
    for row in kept_rows:
        for cell in _placed(rows[row], columns, place_of):
            top, bottom = new_row[cell.row], new_row[min(cell.end_row, original.n_rows)]
            cells.append(cell.at(top, cell.column, max(1, bottom - top), cell.columns))
    return _clean_grid(original, cells, kept_rows, columns, merged)


def _compacted(original: Grid) -> CleanGrid:
    """A grid without spans and signs of their own, less the rows and columns that hold nothing."""
    rows = sorted({cell.row for cell in original.cells if cell.text})
    columns = sorted({cell.column for cell in original.cells if cell.text})
    new_row, new_column = _renumbering(rows, original.n_rows), _renumbering(columns, original.n_columns)
    cells = [
        cell.at(
            new_row[cell.row],
            new_column[cell.column],
            max(1, new_row[min(cell.end_row, original.n_rows)] - new_row[cell.row]),
            1,
        )
        for cell in original.cells
        if cell.text
    ]
    return _clean_grid(original, cells, rows, [(column, column + 1) for column in columns], Counter())


def _clean_grid(
    original: Grid,
    cells: Sequence[Cell],
    rows: Sequence[int],
    columns: Sequence[Interval],
    merged: Counter[str],
) -> CleanGrid:
    """The clean grid of these cells, with the rows and slots of ``original`` that are left of it."""
    grid = replace(original, cells=tuple(cells), n_rows=len(rows), n_columns=len(columns), steps=())
    steps = (
        *original.steps,
        *_merging_steps(merged),
        *_dropping_steps(original, len(rows), len(columns)),
    )
    return CleanGrid(grid, original, tuple(rows), tuple(columns), steps)


def _dropping_steps(original: Grid, n_rows: int, n_columns: int) -> Iterable[str]:
    if original.n_rows > n_rows:
        yield f"dropped {_many(original.n_rows - n_rows, 'empty row')}"
    if original.n_columns > n_columns:
        yield f"drew {original.n_columns} columns together to {n_columns}"


def _many(count: int, noun: str) -> str:
    return f"{count} {noun}" + ("" if count == 1 else "s")


def _merging_steps(merged: Counter[str]) -> Iterable[str]:
    for sign, count in sorted(merged.items()):
        target = "the cell before them" if sign == _MARKS else "the number"
        yield f"merged {sign} into {target}, {_many(count, 'cell')}"


def _texts_by_slot(grid: Grid) -> dict[int, set[str]]:
    """The texts that begin in each slot."""
    texts: dict[int, set[str]] = defaultdict(set)
    for cell in grid.cells:
        if cell.text:
            texts[cell.column].add(cell.text)
    return texts


def _mark_slots(grid: Grid, texts: Mapping[int, set[str]], spans: bool) -> set[int]:
    """First slots of columns that hold footnote marks and nothing else.

    "(5)" may be a mark or minus five. A filing draws its marks narrow, beside cells that span; in a grid
    without spans numbers are marks where they count up from one over the table.
    """
    slots = {slot for slot, found in texts.items() if slot and all(map(is_mark, found))}
    if spans:
        return slots
    marks = [cell.text for row in grid.rows for cell in row if cell.column in slots and cell.text]
    numbers = list(dict.fromkeys(int(digits) for mark in marks for digits in re.findall(r"\d+", mark)))
    if numbers == list(range(1, len(numbers) + 1)):
        return slots
    return {slot for slot in slots if not any(map(str.isdigit, "".join(texts[slot])))}


def _sign_slots(texts: Mapping[int, set[str]]) -> set[int]:
    """First slots of the columns of a grid without spans that hold signs and nothing else.

    In such a grid, as a spreadsheet or CSV gives, every column is one of data unless it shows nothing but
    "$", "%" or brackets.
    """
    return {
        slot for slot, found in texts.items() if all(is_prefix(text) or is_suffix(text) for text in found)
    }


def _joined(row: Sequence[Cell], marks: set[int], signs: set[int] | None, merged: Counter[str]) -> list[Cell]:
    """The cells of a row that hold text, signs joined to their numbers.

    ``signs`` are the slots whose signs are joined; None where cells span, and so those of any slot are.
    """
    cells = [cell for cell in row if cell.text]
    joined: list[Cell] = []
    for place, cell in enumerate(cells):
        following = cells[place + 1].text if place + 1 < len(cells) else ""
        before = joined[-1] if joined else None
        if before and cell.column - before.end_column <= _NEAR and cell.row == before.row:
            if (
                is_prefix(before.text)
                and (signs is None or before.column in signs)
                and (is_value(cell.text) or is_open_number(cell.text) or _opens(cell.text))
            ):
                merged[_name(before.text)] += 1
                joined[-1] = _union(before, cell, before.text + cell.text, body=cell)
                continue
            number = is_value(before.text) or is_open_number(before.text)
            here = signs is None or cell.column in signs
            if number and here and is_suffix(cell.text) and not (cell.text == "x" and following):
                merged[_name(cell.text)] += 1
                space = " " if cell.text[0].isalpha() and cell.text != "x" else ""
                joined[-1] = _union(before, cell, before.text + space + cell.text, body=before)
                continue
            if cell.column in marks and before.column not in marks:
                merged[_MARKS] += 1
                joined[-1] = _union(before, cell, f"{before.text} {cell.text}", body=before)
                continue
        joined.append(cell)
    return joined


def _opens(text: str) -> bool:
    return text.startswith("(") and len(text) <= 2


def _name(sign: str) -> str:
    return sign.strip() if sign.strip() not in ("(", ")") else "brackets"


def _union(left: Cell, right: Cell, text: str, body: Cell) -> Cell:
    return replace(
        body,
        text=text,
        column=left.column,
        columns=right.end_column - left.column,
        rows=min(left.rows, right.rows),
        indent=left.indent,
    )


def _columns(rows: Sequence[Sequence[Cell]]) -> list[Interval]:
    """The columns of a table as slot intervals, left to right.

    Two slots belong to one column where a cell covers both, unless that cell stands over two cells of some
    other row: such a cell is a spanner.
    """
    counts = Counter(tuple((cell.column, cell.end_column) for cell in row) for row in rows)
    patterns = [pattern for pattern, _ in counts.most_common(_MOST_PATTERNS)]
    intervals = {interval for pattern in patterns for interval in pattern}
    edges = [([left for left, _ in pattern], [right for _, right in pattern]) for pattern in patterns]
    narrow = sorted(
        (start, stop)
        for start, stop in intervals
        if not any(bisect_left(lefts, stop) - bisect_right(rights, start) > 1 for lefts, rights in edges)
    )
    columns: list[Interval] = []
    for start, stop in narrow:
        if columns and start < columns[-1][1]:
            columns[-1] = (columns[-1][0], max(columns[-1][1], stop))
        else:
            columns.append((start, stop))
    parts = [part for column in columns for part in _split(column, patterns)]
    return _with_uncovered(parts, counts)


def _with_uncovered(columns: Sequence[Interval], patterns: Iterable[Sequence[Interval]]) -> list[Interval]:
    """The columns and one for each cell that stands in none of them, narrow cells first."""
    found = list(columns)
    covered = {slot for start, stop in columns for slot in range(start, stop)}
    intervals = {interval for pattern in patterns for interval in pattern}
    for start, stop in sorted(intervals, key=lambda interval: (interval[1] - interval[0], interval)):
        if covered.isdisjoint(range(start, stop)):
            found.append((start, stop))
            covered.update(range(start, stop))
    return sorted(found)


def _split(column: Interval, patterns: Sequence[Sequence[Interval]]) -> list[Interval]:
    """A chain of cells that shift against each other, cut where the row with the most cells cuts it."""
    start, stop = column
    if stop - start == 1:
        return [column]
    inside = [[i for i in pattern if start <= i[0] and i[1] <= stop] for pattern in patterns]
    finest = max(inside, key=len, default=[])
    if len(finest) < 2:
        return [column]
    cuts = [start, *(right[0] for right in finest[1:]), stop]
    return list(itertools.pairwise(cuts))


def _slot_map(columns: Sequence[Interval]) -> dict[int, int]:
    return {slot: place for place, (start, stop) in enumerate(columns) for slot in range(start, stop)}


def _placed(cells: Sequence[Cell], columns: Sequence[Interval], place_of: dict[int, int]) -> list[Cell]:
    """The cells of one row at their new columns; two that fall on one column become one."""
    placed: list[Cell] = []
    for cell in cells:
        covered = sorted({place_of[slot] for slot in range(cell.column, cell.end_column) if slot in place_of})
        first, last = covered[0], covered[-1]
        if len(covered) > 1:  # a cell that only touches a neighbouring column belongs to the one it fills
            share = {p: _common((cell.column, cell.end_column), columns[p]) for p in covered}
            full = [p for p in covered if share[p] * 2 >= columns[p][1] - columns[p][0]] or [
                max(covered, key=lambda p: share[p])
            ]
            first, last = full[0], full[-1]
        if placed and first < placed[-1].end_column:
            if last < placed[-1].end_column:
                placed[-1] = replace(placed[-1], text=f"{placed[-1].text} {cell.text}")
                continue
            first = placed[-1].end_column
        placed.append(cell.at(cell.row, first, cell.rows, last - first + 1))
    return placed


def _common(a: Interval, b: Interval) -> int:
    return max(0, min(a[1], b[1]) - max(a[0], b[0]))


def _renumbering(kept: Sequence[int], count: int) -> list[int]:
    """For each old row the number of kept rows before it; one entry more than there are rows."""
    kept_set = set(kept)
    numbers, number = [], 0
    for row in range(count):
        numbers.append(number)
        number += row in kept_set
    return [*numbers, number]
