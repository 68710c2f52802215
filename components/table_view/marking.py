"""Marks written into the markup of a table, for a page without scripts: what view.js puts on a drawn one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from typing import NamedTuple

from components.table_view.marks import Marks
from qa_core.table import Location, Table

_NAMED = ("gold", "predicted", "other")
_SHOWN = ("predicted", "gold", "other")


class Mark(NamedTuple):
    """What a cell or header gets: attributes, and markup behind its text."""

    attributes: str = ""
    badge: str = ""


NO_MARK = Mark()


class Marking:
    """The marks of one table, by where they stand."""

    def __init__(self, kinds: Mapping[Location, tuple[str, ...]], names: Mapping[str, str]) -> None:
        self._kinds, self._names = kinds, names

    @classmethod
    def of(cls, table: Table, marks: Marks) -> Marking:
        """The marks on a table; Locations outside it are left out."""
        places = {"predicted": marks.predicted, "gold": marks.gold, "other": marks.other}
        kinds: dict[Location, tuple[str, ...]] = {}
        for kind in _SHOWN:
            for location in dict.fromkeys(places[kind]):
                if location in table:
                    kinds[location] = (*kinds.get(location, ()), kind)
        return cls(kinds, {"gold": "gold", "predicted": marks.predicted_name, "other": marks.other_name})

    @property
    def rows(self) -> list[int]:
        """The rows that hold a mark, most important first."""
        return [location.row for location in self._kinds if location.row is not None]

    def cell(self, row: int, column: int) -> Mark:
        """Of a body cell."""
        return self._mark(Location(row, column)) if self._kinds else NO_MARK

    def row_header(self, row: int | None, start: int, stop: int) -> Mark:
        """Of the header of a row, or of a crosshead, where ``row`` is None; it stands over some rows."""
        below = [at for at in self._kinds if at.row is not None and start <= at.row < stop]
        return self._header(None if row is None else Location(row, None), below)

    def column_header(self, column: int | None, start: int, stop: int) -> Mark:
        """Of the header of a column, or of a spanner, where ``column`` is None."""
        below = [at for at in self._kinds if at.column is not None and start <= at.column < stop]
        return self._header(None if column is None else Location(None, column), below)

    def legend(self) -> str:
        """What the frames mean."""
        in_order = sorted(self._kinds.values(), key=lambda kinds: min(map(_NAMED.index, kinds)))
        styles = {self._words(kinds): _style(kinds) for kinds in in_order}
        entries = [
            f'<span><span class="frame" data-mark="{style}"></span>{escape(words)}</span>'
            for words, style in styles.items()
        ]
        if entries:
            entries.append("<span>underlined: the headers that lead there</span>")
        return f'<div class="legend">{"".join(entries)}</div>'

    def _header(self, itself: Location | None, below: Iterable[Location]) -> Mark:
        mark = self._mark(itself) if itself else NO_MARK
        leading = {kind for at in below if at != itself for kind in self._kinds[at]}
        path = f' data-path="{_style(leading)}"' if leading else ""
        return Mark(mark.attributes + path, mark.badge)

    def _mark(self, location: Location) -> Mark:
        kinds = self._kinds.get(location)
        if kinds is None:
            return NO_MARK
        badge = f'<span class="badge">{escape(self._words(kinds))}</span>'
        return Mark(f' data-mark="{_style(kinds)}"', badge)

    def _words(self, kinds: Iterable[str]) -> str:
        return " = ".join(self._names[kind] for kind in _NAMED if kind in kinds)


def _style(kinds: Iterable[str]) -> str:
    kinds = set(kinds)
    if "gold" in kinds and len(kinds) > 1:
        return "agree"
    return next(kind for kind in _SHOWN if kind in kinds)


UNMARKED = Marking({}, {})
