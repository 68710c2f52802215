"""The cell that a person clicked, kept in the URL as ``cell=row,column`` with an empty half for a header."""

from __future__ import annotations

import re

from components.state import choose, chosen
from qa_core.table import Location, Table

_CELL = re.compile(r"[0-9]{0,6},[0-9]{0,6}")


def selected_cell(table: Table) -> Location | None:
    """The Location that the link selects; None where it selects none or one outside the table."""
    return parse_cell(chosen("cell"), table)


def parse_cell(text: str, table: Table) -> Location | None:
    """The Location that ``cell_text`` wrote; None for another text and for one outside the table."""
    halves = [int(half) if half else None for half in text.split(",")] if _CELL.fullmatch(text) else []
    if halves in ([], [None, None]):
        return None
    location = Location(*halves)
    return location if location in table else None


def select_cell(location: Location) -> None:
    """Keep a Location in the link."""
    choose(cell=cell_text(location))


def cell_text(location: Location) -> str:
    """A Location as the link has it."""
    return ",".join("" if half is None else str(half) for half in location.as_list())
