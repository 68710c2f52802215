"""Saved slices: combinations of filters under names that people gave them, for the runs over any dataset."""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, Row, delete, func, select, update
from sqlalchemy.exc import IntegrityError

from qa_core.errors import CrossheadError
from qa_core.evaluation.filters import FILTERS, Filters, known_filters
from qa_core.storage.database import Database, default_store_url
from qa_core.storage.schema import saved_slices
from qa_core.text import shorten

MOST_OF_A_NAME = 60
MOST_SLICES = 200


@dataclass(frozen=True)
class SavedSlice:
    """A slice that somebody named.

    ``filters`` is None where it was saved by a Crosshead with filters that this one does not know.
    """

    id: str
    name: str
    filters: Filters | None
    made: datetime


class SavedSlices:
    """The saved slices of a store.

    A name belongs to one slice at a time; who comes second to it is told so, and nobody's slice is
    overwritten. Safe to use from several threads and processes. Every method raises CrossheadError where the
    database cannot be read or written.
    """

    def __init__(self, url: str | None = None) -> None:
        self._database = Database(url or default_store_url())

    def close(self) -> None:
        """Give back all connections."""
        self._database.close()

    def all(self) -> list[SavedSlice]:
        """All slices by name."""
        with self._database.reading() as connection:
            rows = connection.execute(select(saved_slices)).all()
        return sorted(map(_slice, rows), key=lambda each: (each.name.casefold(), each.name))

    def save(self, name: str, filters: Filters) -> SavedSlice:
        """Save a slice. The same one under its own name again changes nothing.

        Raises CrossheadError for a name that is empty, too long or another slice's, for filters that choose
        nothing or are unknown, and where there are too many slices already.
        """
        name = _checked(name)
        if not filters.values or known_filters(filters.values) != filters:
            raise CrossheadError("A slice is saved from what is chosen; choose a bar or a facet first.")
        text = json.dumps(dict(filters.values), sort_keys=True)
        new = SavedSlice(uuid.uuid4().hex[:12], name, filters, datetime.now(UTC))
        try:
            with self._database.writing() as connection:
                same = connection.execute(select(saved_slices).where(saved_slices.c.name == name)).first()
                if same is None:
                    _check_room(connection)
                    made = new.made.replace(tzinfo=None)
                    values = {"id": new.id, "name": name, "filters": text, "made": made}
                    connection.execute(saved_slices.insert().values(values))
        except IntegrityError:  # another process took the name in between
            return self.save(name, filters)
        if same is None:
            return new
        if same.filters != text:
            raise _taken(name)
        return _slice(same)

    def rename(self, slice_id: str, name: str) -> None:
        """Give a slice another name.

        Raises CrossheadError for a name that is empty, too long or another slice's, and where the slice is
        not kept any more.
        """
        name = _checked(name)
        try:
            with self._database.writing() as connection:
                changed = connection.execute(
                    update(saved_slices).where(saved_slices.c.id == slice_id).values(name=name)
                )
        except IntegrityError:
            raise _taken(name) from None
        if not changed.rowcount:
            raise CrossheadError("This slice is not kept any more; somebody deleted it. Save it anew.")

    def delete(self, slice_id: str) -> None:
        """Delete a slice; one that is not there any more is as it should be."""
        with self._database.writing() as connection:
            connection.execute(delete(saved_slices).where(saved_slices.c.id == slice_id))


def _check_room(connection: Connection) -> None:
    if (connection.scalar(select(func.count()).select_from(saved_slices)) or 0) >= MOST_SLICES:
        raise CrossheadError(f"There are {MOST_SLICES} saved slices, and no more are kept; delete one first.")


def _checked(name: str) -> str:
    """A name on one line, without signs that no screen shows."""
    words = " ".join("".join(sign if sign.isprintable() else " " for sign in name).split())
    if not words:
        raise CrossheadError("A saved slice needs a name; write one.")
    if len(words) > MOST_OF_A_NAME:
        raise CrossheadError(
            f"The name “{shorten(words, 40)}” has {len(words):,} characters, and at most {MOST_OF_A_NAME} "
            "are kept; write a shorter one."
        )
    return words


def _taken(name: str) -> CrossheadError:
    return CrossheadError(f"There is another slice of the name “{name}”; write another name.")


def _slice(row: Row[Any]) -> SavedSlice:
    return SavedSlice(row.id, row.name, _filters(row.filters), row.made.replace(tzinfo=UTC))


def _filters(text: str) -> Filters | None:
    values = json.loads(text)
    if not isinstance(values, Mapping) or not set(values) <= set(FILTERS):
        return None
    found = known_filters(values)
    return found if found == Filters(values) else None
