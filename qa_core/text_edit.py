"""Other words in a table: one text of it replaced, as a reader does who asks "what if it said …?".

A body cell is replaced alone. A header is replaced wherever that very header stands: a spanner for all its
columns, a crosshead for all its rows. So edits of a table do not depend on their order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from qa_core.errors import CrossheadError
from qa_core.table import HeaderPath, Location, Table
from qa_core.text import as_text

MAX_EDITS = 20
MAX_EDIT_TEXT = 200
"""Characters of the new text of an edit."""

REMEMBERED = 40
"""Characters by which a replaced text is known again."""


@dataclass(frozen=True)
class TextEdit:
    """A text of a table that becomes ``text``.

    ``location`` is a body cell, or the header of a row or column whose ``level`` (from 0, the root) is meant.
    ``was`` is how the replaced text began, so that an edit of another table is known for one.
    """

    location: Location
    level: int | None
    was: str
    text: str

    @property
    def place(self) -> tuple[Location, int | None]:
        return self.location, self.level


def text_edit(table: Table, location: Location, level: int | None, text: str) -> TextEdit:
    """The edit that puts ``text`` there; one for all lines that a header stands over.

    Raises CrossheadError where the table has no such text, or the new one is longer than ``MAX_EDIT_TEXT``.
    """
    was = text_of(table, location, level)
    if level is not None:
        first = header_extent(table, location, level).start
        location = Location(first, None) if location.is_row_header else Location(None, first)
    edit = TextEdit(location, level, was[:REMEMBERED], as_text(text))
    check_length(edit)
    return edit


def edited_table(table: Table, edits: Sequence[TextEdit]) -> Table:
    """The table with other texts; the one given is left as it is.

    Raises CrossheadError for more than ``MAX_EDITS`` edits, and for one that ``check_edit`` refuses.
    """
    if len(edits) > MAX_EDITS:
        raise CrossheadError(
            f"There are {len(edits)} edits of the table; {MAX_EDITS} are the most. Undo some."
        )
    for edit in edits:
        check_edit(table, edit)
    changed = table
    for edit in edits:
        if edit.level is None:
            changed = _with_cell(changed, edit.location, edit.text)
        else:  # where a header stands is as in the table given, whatever others are called by now
            lines = header_extent(table, edit.location, edit.level)
            changed = _with_header(changed, edit.location.is_row_header, lines, edit.level, edit.text)
    return changed


def check_edit(table: Table, edit: TextEdit) -> None:
    """Raises CrossheadError where an edit is too long, or was made on a text that does not stand there."""
    check_length(edit)
    now = text_of(table, *edit.place)
    if now[:REMEMBERED] != edit.was:
        raise CrossheadError(
            f"{place_in_words(*edit.place)} does not say “{edit.was}” but “{now[:REMEMBERED]}”, so its edit "
            f"to “{edit.text[:REMEMBERED]}” is left out."
        )


def with_text(table: Table, location: Location, level: int | None, text: str) -> Table:
    """The table with one text replaced; see the head of this file. Raises CrossheadError as ``text_of``."""
    text_of(table, location, level)
    if level is None:
        return _with_cell(table, location, text)
    lines = header_extent(table, location, level)
    return _with_header(table, location.is_row_header, lines, level, text)


def text_of(table: Table, location: Location, level: int | None) -> str:
    """The text of a body cell (``level`` None), or of a level of a header path.

    Raises CrossheadError where the table has none there.
    """
    if location in table:
        if level is None and location.is_cell:
            return table.text_at(location)
        path = _path(table, location)
        if level is not None and not location.is_cell and 0 <= level < len(path):
            return path[level]
    raise CrossheadError(
        f"This table has no {place_in_words(location, level).lower()}; its edit is left out."
    )


def header_extent(table: Table, location: Location, level: int) -> range:
    """The neighbouring rows or columns that share a header: their paths agree down to ``level``."""
    paths = table.row_paths if location.is_row_header else table.column_paths
    line = location.row if location.row is not None else location.column or 0
    node = paths[line][: level + 1]

    def under(other: int) -> bool:
        return 0 <= other < len(paths) and paths[other][: level + 1] == node

    start = stop = line
    while under(start - 1):
        start -= 1
    while under(stop):
        stop += 1
    return range(start, stop)


def place_in_words(location: Location, level: int | None) -> str:
    """Where an edit stands, as people count: "Header 2 of row 5", "Cell in row 5, column 1"."""
    if location.row is not None and location.column is not None:
        return f"Cell in row {location.row + 1}, column {location.column + 1}"
    of = f"row {location.row + 1}" if location.row is not None else f"column {(location.column or 0) + 1}"
    return f"Header {(level or 0) + 1} of {of}"


def check_length(edit: TextEdit) -> None:
    """Raises CrossheadError where the new text is longer than ``MAX_EDIT_TEXT``."""
    if len(edit.text) > MAX_EDIT_TEXT:
        raise CrossheadError(
            f"{place_in_words(*edit.place)}: the new text has {len(edit.text):,} characters; "
            f"{MAX_EDIT_TEXT} are the most."
        )


def _path(table: Table, location: Location) -> HeaderPath:
    return (
        table.row_path(location.row) if location.row is not None else table.column_path(location.column or 0)
    )


def _with_cell(table: Table, location: Location, text: str) -> Table:
    row, column = location.row or 0, location.column or 0
    cells = [*table.cells, *[()] * (row + 1 - len(table.cells))]
    line = [*cells[row], *[""] * (column + 1 - len(cells[row]))]
    line[column] = text
    cells[row] = tuple(line)
    return replace(table, cells=tuple(cells))


def _with_header(table: Table, of_rows: bool, lines: range, level: int, text: str) -> Table:
    paths = list(table.row_paths if of_rows else table.column_paths)
    for line in lines:
        paths[line] = (*paths[line][:level], text, *paths[line][level + 1 :])
    return replace(table, row_paths=tuple(paths)) if of_rows else replace(table, column_paths=tuple(paths))
