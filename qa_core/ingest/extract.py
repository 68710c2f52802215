"""A table out of a document: cleaned, its headers identified, built, with the steps that were taken."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from qa_core.ingest.build import Places, build_table
from qa_core.ingest.clean import CleanGrid, clean
from qa_core.ingest.context import is_units, units_in
from qa_core.ingest.data_tables import carries_data
from qa_core.ingest.grid import Grid, Source
from qa_core.ingest.layout import Layout, identify
from qa_core.table import Table

_MOST_STEPS = 40


@dataclass(frozen=True)
class Extraction:
    """A table and how it came about.

    ``cleaned`` holds the document's grid and the clean one; ``layout`` tells which of its rows and columns
    are headers, ``places`` where the table's rows and columns stood. ``steps`` says in readable words what
    was done, ``is_data`` whether the table carries data.
    """

    table: Table
    cleaned: CleanGrid
    layout: Layout
    places: Places
    units: str
    steps: tuple[str, ...]
    is_data: bool

    @property
    def source(self) -> Source:
        return self.cleaned.grid.source

    @property
    def confidence(self) -> float:
        """That of the header guess, 0 to 1."""
        return self.layout.confidence


def extract(grid: Grid) -> Extraction:
    """Clean a grid, identify its headers and build the table."""
    cleaned = clean(grid)
    return with_layout(cleaned, identify(cleaned.grid))


def with_layout(cleaned: CleanGrid, layout: Layout) -> Extraction:
    """The table that a layout, guessed or corrected by hand, makes of a clean grid."""
    grid = cleaned.grid
    units = _units(cleaned, layout)
    steps = (*cleaned.steps, *_layout_steps(grid, layout))
    if len(steps) > _MOST_STEPS:
        steps = (*steps[:_MOST_STEPS], f"and {len(steps) - _MOST_STEPS} further steps")
    table, places = build_table(cleaned, layout, _identifier(grid.source))
    above = [
        cell.text
        for row in sorted(layout.left_out)
        if row < min(layout.header_rows, default=0)
        for cell in grid.rows[row]
    ]
    title = table.title or next((text for text in above if not is_units(text)), "")
    extra = {
        **table.extra,
        **_provenance(grid.source),
        "units": units,
        "steps": list(steps),
        "confidence": layout.confidence,
    }
    table = replace(
        table,
        title=title,
        extra={name: value for name, value in extra.items() if value not in ("", [])},
        load_warnings=(*table.load_warnings, *map(_sentence, cleaned.original.steps)),
    )
    is_data = carries_data(cleaned, layout) if grid.may_lay_out else bool(table.cells)
    return Extraction(table, cleaned, layout, places, units, steps, is_data)


def _sentence(step: str) -> str:
    return f"{step[:1].upper()}{step[1:]}."


def _identifier(source: Source) -> str:
    stem = re.sub(
        r"\.(?:gz|html?|xhtml?|xlsx|xlsm|csv|tsv|txt|text|md|markdown|jsonl?)\b",
        "",
        source.file.rsplit("/", 1)[-1],
        flags=re.IGNORECASE,
    )
    return f"{stem or 'table'}-{source.index}"


def _provenance(source: Source) -> dict[str, object]:
    return {
        "filing": source.file,
        "table_index": source.index,
        "sheet": source.sheet,
        "range": source.range,
        "headings": list(source.headings),
    }


def _units(cleaned: CleanGrid, layout: Layout) -> str:
    """The units of a table: from its stubhead or header rows, else from the text above it."""
    grid = cleaned.grid
    for row in sorted(layout.header_rows | layout.left_out):
        for cell in grid.rows[row]:
            if is_units(cell.text):
                return cell.text
    return grid.units or units_in(grid.title)


def _layout_steps(grid: Grid, layout: Layout) -> Iterator[str]:
    texts = [" ".join(cell.text for cell in row if cell.text) for row in grid.rows]

    def named(row: int) -> str:
        text = texts[row]
        return f"row {row + 1} (“{text[:60]}{'…' if len(text) > 60 else ''}”)"

    heads = sorted(layout.header_rows)
    if heads:
        yield f"took {_rows(heads)} as column headers"
    else:
        yield "found no column headers"
    if layout.stub:
        names = ", ".join(str(column + 1) for column in layout.stub)
        yield f"took column{'s' if len(layout.stub) > 1 else ''} {names} as the stub"
    else:
        yield "found no stub: the rows have no headers"
    for row in sorted(layout.left_out):
        yield f"left out {named(row)}"
    for row in sorted(layout.crossheads):
        yield f"took {named(row)} as crosshead"
    for row in sorted({parent for parent in layout.parents if parent is not None} - layout.crossheads):
        yield f"took {named(row)} as parent of the rows below it"


def _rows(rows: list[int]) -> str:
    if len(rows) == 1:
        return f"row {rows[0] + 1}"
    if rows == list(range(rows[0], rows[-1] + 1)):
        return f"rows {rows[0] + 1} to {rows[-1] + 1}"
    return "rows " + ", ".join(str(row + 1) for row in rows)
