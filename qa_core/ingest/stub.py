"""Which columns of a clean grid are the stub: those that hold row headers."""

from __future__ import annotations

from collections.abc import Sequence

from qa_core.ingest.context import is_units
from qa_core.ingest.grid import HEADER, ROW_HEADER, Cell, Grid
from qa_core.ingest.tokens import is_period, is_value, is_year


def find_stub(grid: Grid, header: set[int], left_out: set[int]) -> tuple[int, ...]:
    """The stub's columns, from the left; empty for a table whose rows have no headers."""
    if grid.n_columns < 2:
        return ()
    body = [row for row in range(grid.n_rows) if row not in header and row not in left_out]
    declared = _declared(grid, body)
    if declared:
        return declared
    heads = [grid.held[row][0] for row in sorted(header) if 0 in grid.held[row]]
    labels = [grid.held[row][0] for row in body if 0 in grid.held[row] and grid.held[row][0].columns == 1]
    if heads and not is_units(heads[-1].text):
        amounts = sum(is_value(cell.text) and not is_year(cell.text) for cell in labels)
        if is_period(heads[-1].text) and amounts * 2 > len(labels):
            return ()
        if grid.n_columns == 2 and _are_two_lists(grid, body):
            return ()
    return (0, 1) if grid.n_columns > 2 and _has_second_level(grid, body, labels) else (0,)


def _declared(grid: Grid, body: Sequence[int]) -> tuple[int, ...]:
    """The leading columns whose body cells the document declares row headers; one is left as body."""
    counts: dict[int, int] = {}
    for row in body:
        cells = [cell for cell in grid.rows[row] if cell.text]
        if len(cells) > 1:
            for cell in cells:
                if cell.declared in (ROW_HEADER, HEADER) and cell.columns == 1:
                    counts[cell.column] = counts.get(cell.column, 0) + cell.rows
    stub: list[int] = []
    while len(stub) < grid.n_columns - 1 and counts.get(len(stub), 0) * 2 > len(body):
        stub.append(len(stub))
    return tuple(stub)


def _has_second_level(grid: Grid, body: Sequence[int], labels: Sequence[Cell]) -> bool:
    """Whether the second column goes on with the labels of the first, which stand once for several rows."""
    second = [grid.held[row][1].text for row in body if 1 in grid.held[row]]
    if not second or any(is_value(text) for text in second) or len(set(second)) < 2:
        return False
    distinct = {id(cell): cell for cell in labels}.values()
    if sum(cell.rows > 1 for cell in distinct) * 2 > len(distinct):
        return True
    blank = sum(0 not in grid.held[row] and 1 in grid.held[row] for row in body)
    return blank * 3 >= len(body) and len(set(second)) * 2 <= len(second)


def _are_two_lists(grid: Grid, body: Sequence[int]) -> bool:
    """Two columns of texts of one kind side by side, none of which labels the other."""
    left = [grid.held[row][0].text for row in body if 0 in grid.held[row]]
    right = [grid.held[row][1].text for row in body if 1 in grid.held[row]]
    if not left or not right or any(is_value(text) or is_period(text) for text in left + right):
        return False
    means = sorted(sum(map(len, texts)) / len(texts) for texts in (left, right))
    commas = [sum("," in text for text in texts) / len(texts) for texts in (left, right)]
    return means[1] <= 1.6 * means[0] and abs(commas[0] - commas[1]) <= 0.5
