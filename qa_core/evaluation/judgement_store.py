"""Judgements in the store's database: entries are added, and never changed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Row, func, select

from qa_core.datasets.dataset import Dataset
from qa_core.evaluation.judgements import Judged, Judgement, checked, judged
from qa_core.storage.database import Database, default_store_url
from qa_core.storage.schema import judgements
from qa_core.table import Location

_ASKED_AT_ONCE = 1_000
_COLUMNS = [column for column in judgements.c if column.name not in ("number", "dataset_fingerprint", "key")]
# An import brings in what was made before other entries, which hold then.
_IN_ORDER = judgements.c.made, judgements.c.number


class JudgementStore:
    """What people said about the questions of datasets.

    Safe to use from several threads and processes. Every method raises CrossheadError where the database
    cannot be read or written.
    """

    def __init__(self, url: str | None = None) -> None:
        self._database = Database(url or default_store_url())

    def close(self) -> None:
        """Give back all connections."""
        self._database.close()

    def add(self, dataset: Dataset, entries: Iterable[Judgement], *, undated: datetime | None = None) -> int:
        """Keep entries, all or none, and say how many are new; one that is there already stays as it is.

        ``undated`` is the time that stands for none. An entry of this time is left out where its author said
        the same before, at whatever time: so a file without times is imported twice without harm.

        Raises CrossheadError also for an entry that ``checked`` refuses or whose question or table the
        dataset lacks.
        """
        kept: dict[str, Judgement] = {}
        for entry in entries:
            question = dataset.question(entry.question_id)
            whole = checked(entry, question, dataset.table(question.table_id))
            kept[whole.key] = whole
        fingerprint = dataset.fingerprint
        with self._database.writing() as connection:
            there = select(judgements.c.key).where(judgements.c.dataset_fingerprint == fingerprint)
            if len(kept) <= _ASKED_AT_ONCE:
                there = there.where(judgements.c.key.in_(list(kept)))
            for key in connection.scalars(there):
                kept.pop(key, None)
            if any(entry.made == undated for entry in kept.values()):
                known = select(*_COLUMNS).where(judgements.c.dataset_fingerprint == fingerprint)
                said = {_said(_judgement(row)) for row in connection.execute(known)}
                kept = {
                    key: entry
                    for key, entry in kept.items()
                    if entry.made != undated or _said(entry) not in said
                }
            if kept:
                connection.execute(
                    judgements.insert(), [_values(fingerprint, key, entry) for key, entry in kept.items()]
                )
        return len(kept)

    def entries(self, dataset: Dataset, question_id: str | None = None) -> list[Judgement]:
        """All entries about a dataset, or about one question of it, in the order in which they were made."""
        query = select(*_COLUMNS).where(judgements.c.dataset_fingerprint == dataset.fingerprint)
        if question_id is not None:
            query = query.where(judgements.c.question_id == question_id)
        with self._database.reading() as connection:
            return [_judgement(row) for row in connection.execute(query.order_by(*_IN_ORDER))]

    def judged(self, dataset: Dataset) -> Mapping[str, Judged]:
        """What holds now of each question that has entries."""
        return judged(self.entries(dataset))

    def revision(self, dataset: Dataset) -> int:
        """A number that grows with each entry about a dataset."""
        query = select(func.max(judgements.c.number)).where(
            judgements.c.dataset_fingerprint == dataset.fingerprint
        )
        with self._database.reading() as connection:
            return connection.scalar(query) or 0


def _said(entry: Judgement) -> Judgement:
    """An entry without its time."""
    return replace(entry, made=datetime.min)


def _values(fingerprint: str, key: str, entry: Judgement) -> dict[str, Any]:
    better = entry.better
    return {
        "dataset_fingerprint": fingerprint,
        "key": key,
        "question_id": entry.question_id,
        "kind": entry.kind,
        "text": entry.text,
        "author": entry.author,
        "made": entry.made.astimezone(UTC).replace(tzinfo=None),
        "verdict": entry.verdict,
        "better_row": better.row if better else None,
        "better_column": better.column if better else None,
        "answer": entry.answer,
    }


def _judgement(row: Row[Any]) -> Judgement:
    values = row._asdict()
    place = values.pop("better_row"), values.pop("better_column")
    return Judgement(
        **values | {"made": row.made.replace(tzinfo=UTC)},
        better=None if place == (None, None) else Location(*place),
    )
