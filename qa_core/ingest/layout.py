"""Header identification: which rows of a clean grid are headers, crossheads and body, which columns stub.

A ``Layout`` is a reading of a grid, separate from it, so that a person can correct it and the table be built
anew. ``identify`` makes the first one from what filings and web pages show.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from qa_core.ingest.context import is_units
from qa_core.ingest.grid import Cell, Grid
from qa_core.ingest.header_rows import FOOTNOTE, find_header_rows
from qa_core.ingest.hierarchy import find_crossheads, find_parents
from qa_core.ingest.line import Line
from qa_core.ingest.stub import find_stub
from qa_core.ingest.tokens import is_mark, is_value

_LONG = 120


@dataclass(frozen=True)
class Layout:
    """How the rows and columns of a clean grid are read; numbers are rows and columns of that grid.

    ``header_rows`` hold column headers, ``crossheads`` are rows whose label heads the rows below (a row may
    be both: its label a crosshead, its other cells units over the columns), ``left_out`` are titles and
    notes. All other rows are body rows. ``stub`` lists the columns that hold row headers, ``parents[row]`` is
    the row that heads a row, None at the root. ``confidence`` in [0, 1] is that of the header guess.
    """

    header_rows: frozenset[int]
    crossheads: frozenset[int]
    left_out: frozenset[int]
    stub: tuple[int, ...]
    parents: tuple[int | None, ...]
    confidence: float = 1.0

    def is_body(self, row: int) -> bool:
        return row not in self.left_out and row not in self.header_rows and row not in self.crossheads

    def path(self, row: int) -> tuple[int, ...]:
        """The rows that head a row, outermost first, without the row itself."""
        path: list[int] = []
        parent = self.parents[row]
        while parent is not None and len(path) < len(self.parents):
            path.append(parent)
            parent = self.parents[parent]
        return tuple(reversed(path))


def identify(grid: Grid) -> Layout:
    """The most likely layout of a clean grid."""
    found = find_header_rows(grid)
    stub = find_stub(grid, found.header, found.left_out)
    lines = lines_of(grid, stub)
    left_out = found.left_out | _notes(grid, lines, max(found.header, default=-1) + 1)
    rows = [
        row
        for row in range(grid.n_rows)
        if row not in left_out and (row not in found.header or row in found.crossheads)
    ]
    shown = [_without_values(lines[row]) if row in found.crossheads else lines[row] for row in rows]
    places = find_crossheads(shown) | {place for place, row in enumerate(rows) if row in found.crossheads}
    crossheads = frozenset(rows[place] for place in places)
    layout = Layout(
        frozenset(found.header),
        crossheads,
        frozenset(left_out),
        stub,
        grouped(lines, rows, crossheads, found.header),
    )
    return replace(layout, confidence=_confidence(grid, layout))


def grouped(
    lines: Sequence[Line], rows: Sequence[int], crossheads: Collection[int], header_rows: Collection[int]
) -> tuple[int | None, ...]:
    """The parent of each of a grid's ``lines``, when ``rows`` are read as its body with these crossheads."""
    shown = [_without_values(lines[row]) if row in crossheads else lines[row] for row in rows]
    parents: list[int | None] = [None] * len(lines)
    places = {place for place, row in enumerate(rows) if row in crossheads}
    found = find_parents(shown, places, _section_starts(rows, header_rows))
    for place, parent in enumerate(found):
        parents[rows[place]] = None if parent is None else rows[parent]
    return tuple(parents)


def _section_starts(rows: Sequence[int], header_rows: Collection[int]) -> set[int]:
    """The places in ``rows`` before which headers begin anew, in or right above the row itself."""
    starts: set[int] = set()
    for head in header_rows:
        place = bisect_left(rows, head)
        if place and head - 1 not in header_rows:
            starts.add(place)
    return starts


def _without_values(line: Line) -> Line:
    return replace(line, values=())


def lines_of(grid: Grid, stub: Sequence[int]) -> list[Line]:
    """Each row of a clean grid as its stub shows it."""
    columns = [column for column in range(grid.n_columns) if column not in stub]
    lines: list[Line] = []
    for cells in grid.held:
        labels = list(dict.fromkeys(cells[column] for column in stub if column in cells))
        across = next((cell for cell in labels if cell.end_column > max(stub) + 1), None)
        values = [cells[c].text if c in cells and cells[c] is not across else "" for c in columns]
        if not labels and len(cells) * 2 >= grid.n_columns > 2 and len(set(cells.values())) == 1:
            only = next(iter(cells.values()))
            if not is_value(only.text):  # a heading over the figures
                labels, across, values = [only], only, []
        lines.append(_line(labels, across, values, grid, lines[-1] if lines else None, stub))
    return lines


def _line(
    labels: Sequence[Cell],
    across: Cell | None,
    values: Sequence[str],
    grid: Grid,
    above: Line | None,
    stub: Sequence[int],
) -> Line:
    lead = labels[0] if labels else None
    over_all = across is not None and across.columns >= grid.n_columns - 1 and grid.n_columns > 1
    indent = lead.indent if lead and not lead.centred else 0.0
    if lead and above and len(stub) > 1 and lead.column > stub[0]:
        indent = above.indent  # the second level of a stub; the label above stands for this row as well
    return Line(
        " ".join(cell.text for cell in labels),
        indent,
        bool(lead and lead.bold),
        bool(lead and lead.emphasised),
        bool(over_all and across and (across.centred or across.declared)),
        tuple(values),
    )


def _notes(grid: Grid, lines: Sequence[Line], first: int) -> set[int]:
    """Footnotes and remarks that stand in the table's own rows."""
    found: set[int] = set()
    rows = [[cell for cell in row if cell.text] for row in grid.rows]
    below = range(first, grid.n_rows)
    filled = (row for row in below if lines[row].has_values and not _is_marked_text(rows[row]))
    last = max(filled, default=-1)
    for row in below:
        cells = rows[row]
        if len(cells) == 1 and not lines[row].has_values:
            text = cells[0].text
            remark = cells[0].columns > 1 and (text.endswith(".") or len(text) > _LONG) and len(text) > 60
            footnote = len(text) > 30 and FOOTNOTE.match(text)
            if row > last or footnote or remark or (is_units(text) and text.startswith("(")):
                found.add(row)
        elif row > last >= 0 and cells and is_mark(cells[0].text):
            found.add(row)
    return found


def _is_marked_text(cells: Sequence[Cell]) -> bool:
    """A footnote whose mark has a cell of its own."""
    return len(cells) == 2 and is_mark(cells[0].text) and not is_value(cells[1].text)


def _confidence(grid: Grid, layout: Layout) -> float:
    """How much speaks for a layout, 0 to 1: headers over every column, figures below, labels beside them."""
    body = [row for row in range(grid.n_rows) if layout.is_body(row)]
    columns = [column for column in range(grid.n_columns) if column not in layout.stub]
    if not body or not columns:
        return 0.1
    over = {column for row in layout.header_rows for column in grid.held[row]}
    headed = sum(column in over for column in columns) / len(columns)
    labelled = sum(any(column in grid.held[row] for column in layout.stub) for row in body) / len(body)
    counts: dict[int, list[int]] = {}
    for row in body:
        for column, cell in grid.held[row].items():
            count = counts.setdefault(column, [0, 0])
            count[0] += 1
            count[1] += is_value(cell.text)
    shares = [values / texts for column, (texts, values) in counts.items() if column not in layout.stub]
    pure = sum(max(share, 1 - share) for share in shares) / len(shares) if shares else 0.5
    return round(0.98 * (0.4 + 0.6 * headed) * (0.6 + 0.4 * labelled) * (0.4 + 0.6 * pure), 3)
