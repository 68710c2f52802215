"""Which rows of a large table are drawn: a browser chokes on tens of thousands of cells."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from qa_core.header import RowLine
from qa_core.table import Table

MOST_CELLS = 12_000
"""Body cells that are drawn, by whole rows."""

_LEAST_MARKED = 8


def drawn_rows(table: Table, marked: Iterable[int], most_cells: int = MOST_CELLS) -> tuple[int, ...] | None:
    """The rows that are drawn: those of ``marked``, most important first, and the first ones; None for all.

    Marked rows are drawn also where the first few fill the bound of ``most_cells`` by their width.
    """
    most = max(1, most_cells // max(1, table.n_columns))
    if table.n_rows <= most:
        return None
    rows = set(islice(dict.fromkeys(marked), max(most, _LEAST_MARKED)))
    for row in range(table.n_rows):
        if len(rows) >= most:
            break
        rows.add(row)
    return tuple(sorted(rows))


def excerpt(lines: Iterable[RowLine], rows: Sequence[int], n_rows: int) -> Iterator[RowLine | int]:
    """The lines of the given rows and of what heads them; between, the number of rows that are left out."""
    following = 0
    for line in lines:
        within = bisect_left(rows, line.start)
        if within == len(rows) or rows[within] >= line.stop:
            continue
        if line.start > following:
            yield line.start - following
        following = line.start if line.row is None else line.row + 1
        yield line
    if n_rows > following:
        yield n_rows - following


def said(rows: Sequence[int], n_rows: int) -> str:
    """What is drawn, in a sentence."""
    first = next((place for place, row in enumerate(rows) if row != place), len(rows))
    if first == len(rows):
        return f"The first {first:,} of {n_rows:,} rows are drawn."
    which = f"the first {first:,} and those with a mark" if first else "those with a mark"
    return f"{len(rows):,} of {n_rows:,} rows are drawn: {which}."
