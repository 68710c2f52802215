"""What a check finds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from qa_core.table import Location, Table, join_path
from qa_core.text import shorten

Severity = Literal["refusal", "warning", "note"]

NAMED_PLACES = 4
"""Places that a sentence names."""


@dataclass(frozen=True)
class Finding:
    """A sentence about a draft, how grave it is, and the Locations that it is about.

    ``check`` is the name of what was found.
    """

    check: str
    severity: Severity
    sentence: str
    locations: tuple[Location, ...] = ()


def refusal(check: str, sentence: str) -> Finding:
    """A finding that makes the draft no question."""
    return Finding(check, "refusal", sentence)


def warning(check: str, sentence: str, *locations: Location) -> Finding:
    """A finding that its author may have reasons for."""
    return Finding(check, "warning", sentence, locations)


def note(check: str, sentence: str, *locations: Location) -> Finding:
    """A finding that is not odd, but good to know."""
    return Finding(check, "note", sentence, locations)


def said_place(table: Table, location: Location) -> str:
    """A Location by its headers, "North America › Net sales, 2024", else as people count."""
    paths = []
    if location.row is not None:
        paths.append(join_path(table.row_path(location.row), " › ") or f"row {location.row + 1}")
    if location.column is not None:
        paths.append(join_path(table.column_path(location.column), " › ") or f"column {location.column + 1}")
    said = ", ".join(shorten(path, 80) for path in paths)
    return said if location.is_cell else f"the header {said}"


def said_places(table: Table, locations: Sequence[Location]) -> str:
    """Several Locations by their headers, of many the first."""
    named = "; ".join(said_place(table, location) for location in locations[:NAMED_PLACES])
    more = len(locations) - NAMED_PLACES
    return f"{named}; and {more:,} more" if more > 0 else named
