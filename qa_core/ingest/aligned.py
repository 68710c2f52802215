"""Tables of text whose columns are set by spaces, as terminals and e-mails show them."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import accumulate

from qa_core.errors import CrossheadError
from qa_core.ingest.blocks import MAX_TABLES, POINTS_PER_SPACE, split_blocks
from qa_core.ingest.grid import Cell, Grid, Source
from qa_core.text import as_text

MAX_CHARACTERS = 2_000_000
_MAX_LINE = 2000
_FIELD = re.compile(r"\S+(?: \S+)*")
_RULE = re.compile(r"(?=.*[-=_—]{3})[\s=_+|—–-]+")


def is_aligned(text: str) -> bool:
    """Whether most lines of a text have fields that two or more spaces part."""
    lines = [line for line in text[:200_000].splitlines() if line.strip() and not _RULE.fullmatch(line)]
    parted = sum(bool(re.search(r"\S {2,}\S", line[:_MAX_LINE])) for line in lines)
    return parted >= 2 and parted * 2 >= len(lines)


def read_aligned(text: str, file: str = "") -> list[Grid]:
    """One grid for each table of a text with columns set by spaces.

    A column ends where all rows of several fields have a space; a field covers each column that it reaches
    into. Rows below an empty line that are aligned otherwise are a table of their own.
    """
    if len(text) > MAX_CHARACTERS:
        raise CrossheadError(
            f"{file or 'The text'} has columns set by spaces and over {MAX_CHARACTERS:,} characters; "
            "bring it as CSV."
        )
    lines = as_text(text).expandtabs().splitlines()
    cells = [
        Cell(found[0], row, found.start(), columns=len(found[0]))
        for row, line in enumerate(line for line in lines if not _RULE.fullmatch(line))
        for found in _FIELD.finditer(line[:_MAX_LINE])
    ]
    grids: list[Grid] = []
    for block in split_blocks(cells, side_by_side=False)[:MAX_TABLES]:
        placed, n_columns = _in_columns(block.cells)
        top = block.top
        placed = [replace(cell, row=cell.row - top) for cell in placed]
        source = Source(file, len(grids))
        grids.append(Grid(tuple(placed), block.bottom - top, n_columns, source, block.title, block.units))
    return grids


def _in_columns(cells: tuple[Cell, ...]) -> tuple[list[Cell], int]:
    """The cells of a block, whose slots are characters, at columns; and the number of these."""
    rows: dict[int, list[Cell]] = {}
    for cell in cells:
        rows.setdefault(cell.row, []).append(cell)
    width = max(cell.end_column for cell in cells)
    most = max(map(len, rows.values()))
    change = [0] * (width + 1)
    for row in rows.values():
        if len(row) * 2 > most:  # a spanner reaches over the columns that it heads
            for cell in row:
                change[cell.column] += 1
                change[cell.end_column] -= 1
    filled = [count > 0 for count in accumulate(change)]
    column_at = list(
        accumulate(int(full and not before) for before, full in zip([False, *filled], filled, strict=False))
    )  # for each character the number of columns that begin up to it
    left = min(cell.column for cell in cells)
    placed: list[Cell] = []
    for row in rows.values():
        free = 0
        for cell in row:
            reached = column_at[cell.column] - filled[cell.column]
            first = max(free, min(reached, column_at[cell.end_column - 1] - 1))
            last = max(first, column_at[cell.end_column - 1] - 1)
            indent = POINTS_PER_SPACE * (cell.column - left) if first == 0 and cell is row[0] else 0.0
            placed.append(replace(cell, column=first, columns=last - first + 1, indent=indent))
            free = last + 1
    return placed, max(cell.end_column for cell in placed)
