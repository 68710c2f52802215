"""A grid as bytes: gzipped JSON, and back as the same grid."""

from __future__ import annotations

import gzip
import io
import json
import zlib
from typing import Any

from qa_core.errors import CrossheadError
from qa_core.ingest.grid import Cell, Grid, Source

MAX_CHARACTERS = 64_000_000
"""Characters of JSON up to which a grid is kept."""


def grid_to_bytes(grid: Grid) -> bytes:
    """The grid with all that it says of its cells. Raises CrossheadError for one too large to keep."""
    source = grid.source
    value = {
        "rows": grid.n_rows,
        "columns": grid.n_columns,
        "title": grid.title,
        "units": grid.units,
        "steps": grid.steps,
        "may_lay_out": grid.may_lay_out,
        "source": [source.file, source.index, source.sheet, source.range, source.headings],
        "cells": [_values(cell) for cell in grid.cells],
    }
    # In ASCII, so that half a surrogate pair from a damaged page comes back as it was.
    text = json.dumps(value, ensure_ascii=True, separators=(",", ":"))
    if len(text) > MAX_CHARACTERS:
        raise CrossheadError(
            f"The table holds more than {MAX_CHARACTERS:,} characters and is not kept; bring a part of it."
        )
    return gzip.compress(text.encode("ascii"), compresslevel=6, mtime=0)


def grid_from_bytes(content: bytes) -> Grid:
    """The grid that ``grid_to_bytes`` kept. Raises CrossheadError for anything else."""
    try:
        with gzip.open(io.BytesIO(content)) as file:
            text = file.read(MAX_CHARACTERS + 1)
        if len(text) > MAX_CHARACTERS:
            raise ValueError("too long")
        value = json.loads(text)
        file_name, index, sheet, cells, headings = value["source"]
        return Grid(
            cells=tuple(Cell(*cell) for cell in value["cells"]),
            n_rows=value["rows"],
            n_columns=value["columns"],
            source=Source(file_name, index, sheet, cells, tuple(headings)),
            title=value["title"],
            units=value["units"],
            steps=tuple(value["steps"]),
            may_lay_out=bool(value.get("may_lay_out")),
        )
    except (OSError, EOFError, zlib.error, ValueError, TypeError, KeyError, RecursionError):
        raise CrossheadError("The original of this table is damaged in the store; bring it again.") from None


def _values(cell: Cell) -> list[Any]:
    return [
        *(cell.text, cell.row, cell.column, cell.rows, cell.columns),
        *(cell.bold, cell.emphasised, cell.centred, cell.indent, cell.declared),
    ]
