"""Edits of a table as short text: for a link."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TypeGuard

from qa_core.errors import CrossheadError
from qa_core.json_lines import parse_json
from qa_core.table import Location
from qa_core.text import as_text
from qa_core.text_edit import MAX_EDIT_TEXT, MAX_EDITS, REMEMBERED, TextEdit, check_length

_MAX_LENGTH = MAX_EDITS * 2 * (MAX_EDIT_TEXT + REMEMBERED)
_MAX_PLACE = 10_000_000


def edits_to_text(edits: Iterable[TextEdit]) -> str:
    """Edits as compact JSON: ``[[row, column, level, was, text], …]``, null for what is none."""
    values = [[*edit.location.as_list(), edit.level, edit.was, edit.text] for edit in edits]
    return json.dumps(values, ensure_ascii=False, separators=(",", ":"))


def edits_from_text(text: str) -> tuple[TextEdit, ...]:
    """The inverse of ``edits_to_text``.

    Raises CrossheadError for text that it does not write, and for more or longer edits than are allowed.
    """
    if len(text) > _MAX_LENGTH:
        raise CrossheadError("The edits of this link are longer than a link may hold.")
    value = parse_json(text, "The edits of this link")
    if not isinstance(value, list) or len(value) > MAX_EDITS:
        raise CrossheadError(f"The edits of this link are no list of at most {MAX_EDITS}.")
    edits = tuple(map(_edit, value))
    if len({edit.place for edit in edits}) < len(edits):
        raise CrossheadError("The edits of this link change one text twice.")
    return edits


def _edit(entry: object) -> TextEdit:
    match entry:
        case [row, column, level, str() as was, str() as text] if (
            _is_place(row) and _is_place(column) and _is_place(level)
        ):
            has_level = (row is None) != (column is None)  # a header is that of a row or of a column
            is_somewhere = row is not None or column is not None
            if is_somewhere and has_level == (level is not None) and len(was) <= REMEMBERED:
                edit = TextEdit(Location(row, column), level, was, as_text(text))
                check_length(edit)
                return edit
    raise CrossheadError("The edits of this link hold one that is no [row, column, level, was, text].")


def _is_place(value: object) -> TypeGuard[int | None]:
    return value is None or (type(value) is int and 0 <= value < _MAX_PLACE)
