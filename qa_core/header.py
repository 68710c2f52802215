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

    A *crosshead* line (``row is None``) stands over the rows ``start`` to ``stop - 1``. A body line shows
    the row ``row``; where that row heads the rows below it, ``stop`` is the end of those, else ``row + 1``.
    ``level`` is the indentation, 0 at the root.
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

    Neighbouring columns share a span where their paths agree on this level and on all above, so equal
    labels under different spanners stay apart. Blank levels are not drawn: the labels of a path move up
    over them, and the leaf of a path that shows fewer labels than the deepest one reaches down to the body.
    A column without labels gets one blank span of full height; a table without any gets no level.
    """
    columns = [_labelled_prefixes(table.column_path(column)) for column in range(table.n_columns)]
    height = max(map(len, columns), default=0)
    levels: list[list[Span]] = [[] for _ in range(height)]
    for level, spans in enumerate(levels):
        start = 0
        while start < len(columns):
            prefixes = columns[start]
            stop = start + 1
            if level < len(prefixes) - 1:
                while (
                    stop < len(columns)
                    and level < len(columns[stop]) - 1
                    and columns[stop][level] == prefixes[level]
                ):
                    stop += 1
                spans.append(Span(prefixes[level][-1], start, stop))
            elif level == len(prefixes) - 1:
                spans.append(Span(prefixes[level][-1], start, stop, height - level))
            elif not prefixes and level == 0:
                spans.append(Span("", start, stop, height))
            start = stop
    return levels


def row_lines(table: Table) -> list[RowLine]:
    """The body as drawn: crosshead lines above the rows that share them, then the rows themselves.

    A crosshead opens where the parents of a row differ from what stands above it. A row whose own path is
    the path of the rows below it (a line item and its breakdown) heads them itself, without a crosshead of
    the same words; one whose path is the open group's (a roll-forward's "Balance at December 31, 2017")
    closes the group and is drawn at the level of the crosshead. Blank levels open nothing and do not indent.
    """
    paths = [table.row_path(row) for row in range(table.n_rows)]
    lines: list[RowLine] = []
    above: HeaderPath = ()
    for row, path in enumerate(paths):
        parents = path[:-1]
        for level in range(_common_depth(above, parents), len(parents)):
            if parents[level].strip():
                stop = _end_of_group(paths, row, parents[: level + 1])
                lines.append(RowLine(parents[level], _visible(parents[:level]), None, row, stop))
        label = path[-1] if path else ""
        stop = _end_of_group(paths, row + 1, path) if label.strip() else row + 1
        lines.append(RowLine(label, _visible(parents), row, row, stop))
        above = path
    return lines


def repeated_leaves(paths: Sequence[HeaderPath]) -> set[str]:
    """Leaf labels that stand at the end of more than one path."""
    counts = Counter(leaf(path) for path in paths)
    return {label for label, n in counts.items() if n > 1 and label}


def _labelled_prefixes(path: HeaderPath) -> list[HeaderPath]:
    """The path down to each of its labels that is not blank."""
    return [path[: level + 1] for level, label in enumerate(path) if label.strip()]


def _end_of_group(paths: Sequence[HeaderPath], start: int, group: HeaderPath) -> int:
    """The first row from ``start`` on whose parents do not begin with ``group``."""
    stop = start
    while stop < len(paths) and paths[stop][:-1][: len(group)] == group:
        stop += 1
    return stop


def _common_depth(a: HeaderPath, b: HeaderPath) -> int:
    depth = 0
    while depth < min(len(a), len(b)) and a[depth] == b[depth]:
        depth += 1
    return depth


def _visible(path: HeaderPath) -> int:
    return sum(bool(level.strip()) for level in path)
