"""Corrections as short text: for the store, and for the link to a table that is not kept yet.

``r6x`` takes row 6 as crosshead (``h`` header, ``x`` crosshead, ``b`` body, ``o`` left out), ``c0s`` column 0
as stub (``b`` body), ``p7-6`` puts row 7 under row 6, ``p7-`` at the root; a dot stands between two.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from qa_core.ingest.edit import Edit

_ROLES = {"row": {"header": "h", "crosshead": "x", "body": "b", "left out": "o"}}
_ROLES["column"] = {"stub": "s", "body": "b"}
_EDIT = re.compile(
    r"(?P<axis>[rc])(?P<place>[0-9]{1,6})(?P<role>[hxbos])|p(?P<row>[0-9]{1,6})-(?P<parent>[0-9]{0,6})"
)


def edits_to_text(edits: Sequence[Edit]) -> str:
    """The corrections in their order."""
    return ".".join(map(_to_text, edits))


def edits_from_text(text: str) -> tuple[Edit, ...]:
    """The corrections that a text holds; what is none is passed over, as a link may be cut."""
    matches = (_EDIT.fullmatch(part) for part in text.split("."))
    edits = (_from_match(match) for match in matches if match)
    return tuple(edit for edit in edits if edit)


def _to_text(edit: Edit) -> str:
    if edit.what == "parent":
        return f"p{edit.place}-{'' if edit.value is None else edit.value}"
    return f"{edit.what[0]}{edit.place}{_ROLES[edit.what][str(edit.value)]}"


def _from_match(match: re.Match[str]) -> Edit | None:
    if match["row"]:
        return Edit("parent", int(match["row"]), int(match["parent"]) if match["parent"] else None)
    what = "row" if match["axis"] == "r" else "column"
    value = next((role for role, letter in _ROLES[what].items() if letter == match["role"]), None)
    return Edit(what, int(match["place"]), value) if value else None
