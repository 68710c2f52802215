"""Wordings of one's own in the store's database: entries are added, and never changed."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC
from typing import Any

from sqlalchemy import Connection, Row, func, select
from sqlalchemy.exc import IntegrityError

from qa_core.datasets.dataset import Dataset
from qa_core.evaluation.rewordings import Rewording, checked, standing
from qa_core.storage.database import Database, default_store_url
from qa_core.storage.schema import rewordings

_COLUMNS = [rewordings.c[name] for name in ("question_id", "text", "author", "made", "kept")]


class RewordingStore:
    """The wordings that people kept for the questions of datasets.

    Safe to use from several threads and processes. Every method raises CrossheadError where the database
    cannot be read or written.
    """

    def __init__(self, url: str | None = None) -> None:
        self._database = Database(url or default_store_url())

    def close(self) -> None:
        """Give back all connections."""
        self._database.close()

    def add(self, dataset: Dataset, entries: Iterable[Rewording]) -> int:
        """Write entries, all or none, and say how many there are: keeping what is kept and removing what is
        not writes nothing.

        Raises CrossheadError also for an entry that ``checked`` refuses.
        """
        wanted = [checked(entry, dataset) for entry in entries]
        while True:
            try:
                with self._database.writing() as connection:
                    return _add(connection, dataset.fingerprint, wanted)
            except IntegrityError:  # another process wrote the same in between; now it is there
                continue

    def entries(self, dataset: Dataset) -> list[Rewording]:
        """All entries about a dataset in the order in which they were written."""
        query = select(*_COLUMNS).where(rewordings.c.dataset_fingerprint == dataset.fingerprint)
        with self._database.reading() as connection:
            return [_rewording(row) for row in connection.execute(query.order_by(rewordings.c.number))]

    def standing(self, dataset: Dataset) -> list[Rewording]:
        """The wordings that are kept now."""
        return standing(self.entries(dataset))


def _add(connection: Connection, fingerprint: str, wanted: Iterable[Rewording]) -> int:
    written = 0
    for entry in wanted:
        of_wording = rewordings.c.dataset_fingerprint == fingerprint, rewordings.c.key == entry.key
        turn = connection.scalar(select(func.count()).where(*of_wording)) or 0
        is_kept = turn % 2 == 1  # entries about one wording keep and remove it by turns
        if is_kept == entry.kept:
            continue
        connection.execute(rewordings.insert().values(_values(fingerprint, turn, entry)))
        written += 1
    return written


def _values(fingerprint: str, turn: int, entry: Rewording) -> dict[str, Any]:
    return {
        "dataset_fingerprint": fingerprint,
        "key": entry.key,
        "turn": turn,
        "question_id": entry.question_id,
        "text": entry.text,
        "kept": entry.kept,
        "author": entry.author,
        "made": entry.made.astimezone(UTC).replace(tzinfo=None),
    }


def _rewording(row: Row[Any]) -> Rewording:
    return Rewording(**row._asdict() | {"made": row.made.replace(tzinfo=UTC)})
