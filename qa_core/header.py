"""How header paths are laid out: spanners over columns, crossheads over rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from qa_core.table import HeaderPath, Table, leaf


@dataclass(frozen=True)
class Span:
    """One drawn column-header cell: ``label`` over columns ``start`` to ``stop - 1``, ``depth`` levels."""

    label: str
    start: int
    stop: int
    depth: int = 1


@dataclass(frozen=True)
class RowLine:
    """One drawn line of a table.

    A *crosshead* line (``row is None``) stands over the rows ``start`` to ``stop - 1``; a body line shows
    the row ``row``. ``level`` is the indentation, 0 at the root.
    """

    label: str
    level: int
    row: int | None
    start: int
    stop: int


def header_depth(paths: Sequence[HeaderPath]) -> int:
    """Number of levels of the deepest path, 0 without paths."""
    return max(map(len, paths), default=0)


def column_spans(table: Table) -> list[list[Span]]:
    """Column headers as drawn, one list of spans per level from the top.

    Neighbouring columns share a span where their labels agree on this level and on all above, so equal
    labels under different spanners stay apart. The leaf of a path that is shorter than the deepest one
    reaches down to the body.
    """
    paths = [table.column_path(column) for column in range(table.n_columns)]
    height = header_depth(paths)
    levels: list[list[Span]] = []
    for level in range(height):
        spans: list[Span] = []
        start = 0
        while start < len(paths):
            path = paths[start]
            stop = start + 1
            is_leaf = level >= len(path) - 1
            if not is_leaf:
                while (
                    stop < len(paths)
                    and len(paths[stop]) - 1 > level
                    and (paths[stop][: level + 1] == path[: level + 1])
                ):
                    stop += 1
            if level < max(len(path), 1):
                label = path[level] if path else ""
                spans.append(Span(label, start, stop, height - level if is_leaf else 1))
            start = stop
        levels.append(spans)
    return levels


def row_lines(table: Table) -> list[RowLine]:
    """The body as drawn: crosshead lines above the rows that share them, then the rows themselves.

    A crosshead opens where the parents of a row differ from those of the row above. A row whose own path
    is the open group's path closes the group (a roll-forward's "Balance at December 31, 2017") and is drawn
    at the level of the crosshead.
    """
    paths = [table.row_path(row) for row in range(table.n_rows)]
    lines: list[RowLine] = []
    opened: HeaderPath = ()
    for row, path in enumerate(paths):
        parents = path[:-1]
        shared = _common_depth(opened, parents)
        for level in range(shared, len(parents)):
            if parents[level].strip():
                stop = row + 1
                while stop < len(paths) and paths[stop][:-1][: level + 1] == parents[: level + 1]:
                    stop += 1
                lines.append(RowLine(parents[level], _visible(parents[:level]), None, row, stop))
        lines.append(RowLine(path[-1] if path else "", _visible(parents), row, row, row + 1))
        opened = parents
    return lines


def repeated_leaves(paths: Sequence[HeaderPath]) -> set[str]:
    """Leaf labels that stand at the end of more than one path."""
    counts = Counter(leaf(path) for path in paths)
    return {label for label, n in counts.items() if n > 1 and label}


def _common_depth(a: HeaderPath, b: HeaderPath) -> int:
    depth = 0
    while depth < min(len(a), len(b)) and a[depth] == b[depth]:
        depth += 1
    return depth


def _visible(path: HeaderPath) -> int:
    return sum(bool(level.strip()) for level in path)
