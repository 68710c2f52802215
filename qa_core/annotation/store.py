"""Annotations and reviews in the store's database: entries are added, and never changed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, Row, Select, select
from sqlalchemy.exc import IntegrityError

from qa_core.annotation.annotation import (
    ANONYMOUS,
    MOST_OF_A_NAME,
    Annotation,
    Draft,
    draft_from_json,
    draft_to_json,
)
from qa_core.annotation.checks import as_kept
from qa_core.annotation.review import Held, Reading, Review, checked_review, held, is_same_person
from qa_core.datasets.dataset import Dataset
from qa_core.errors import CrossheadError
from qa_core.evaluation.matching import is_blank
from qa_core.storage.database import Database, default_store_url
from qa_core.storage.schema import annotated, reviews
from qa_core.table import Location, Table
from qa_core.text import as_text, fold, squeeze

_AT_ONCE = 500
"""Values that one query asks for."""
_TRIES = 10


class AnnotationStore:
    """What people wrote for tables, and what others said of it.

    Safe to use from several threads and processes. Every method raises CrossheadError where the database
    cannot be read or written.
    """

    def __init__(self, url: str | None = None) -> None:
        self._database = Database(url or default_store_url())

    def close(self) -> None:
        """Give back all connections."""
        self._database.close()

    def add(
        self, dataset: Dataset, table_id: str, drafts: Iterable[Draft], author: str, made: datetime
    ) -> list[Annotation]:
        """Keep drafts for a table, all or none; one that the author has kept before is given as it was kept.

        Raises CrossheadError also for a draft that ``as_kept`` refuses and a table that the dataset lacks.
        """
        table = dataset.table(table_id)
        author = squeeze(as_text(author))[:MOST_OF_A_NAME]
        author = ANONYMOUS if is_blank(author) else author
        with self._database.reading() as connection:
            known = _ids(connection, dataset, table)
        made_now = [
            Annotation(table.fingerprint, table_id, as_kept(draft, table, known), author, made)
            for draft in drafts
        ]
        for _ in range(_TRIES):
            try:
                with self._database.writing() as connection:
                    there = {
                        annotation.id: annotation
                        for annotation in _annotations(
                            connection, annotated.c.table_fingerprint == table.fingerprint
                        )
                    }
                    new = {each.id: each for each in made_now if each.id not in there}
                    if new:
                        connection.execute(annotated.insert(), list(map(_annotation_values, new.values())))
                    return [there.get(each.id, each) for each in made_now]
            except IntegrityError:  # another process kept one of them a moment ago
                continue
        raise CrossheadError("The question could not be kept, as others write at the same time; try again.")

    def review(self, dataset: Dataset, review: Review) -> Held:
        """Keep a review, and say what holds then; one that the reviewer gave last already stays as it is.

        Raises CrossheadError also for a review that ``checked_review`` refuses, an annotation that is not one
        of the dataset's, and a mended version that ``as_kept`` refuses.
        """
        for _ in range(_TRIES):
            try:
                with self._database.writing() as connection:
                    subject = self._subject(connection, dataset, review.annotation_id)
                    kept = self._checked(connection, dataset, subject, review)
                    given = [e for e in subject.reviews if is_same_person(e.reviewer, kept.reviewer)]
                    last = given[-1] if given else None
                    if last and replace(last, made=kept.made, reviewer=kept.reviewer) == kept:
                        return subject
                    connection.execute(reviews.insert(), _review_values(kept, last))
                    return subject.with_review(kept)
            except IntegrityError:  # the same review a moment ago
                continue
        raise CrossheadError("The review could not be kept, as others write at the same time; try again.")

    def held(self, dataset: Dataset, table_id: str | None = None) -> dict[str, Held]:
        """What holds of all annotations of a dataset by id, or of those of one table, in order.

        An annotation that was written for the same table elsewhere has the id of the dataset's table.
        """
        tables = [dataset.table(table_id)] if table_id is not None else list(dataset.tables.values())
        with self._database.reading() as connection:
            return self._held(connection, tables)

    def earlier(self, table: Table) -> dict[str, Held]:
        """What holds of annotations of tables with this one's id and other headers or cells.

        Of a brought table these were written before it was corrected.
        """
        with self._database.reading() as connection:
            found = _annotations(
                connection,
                (annotated.c.table_id == table.id) & (annotated.c.table_fingerprint != table.fingerprint),
            )
            return held(found, _reviews(connection, found))

    def _held(self, connection: Connection, tables: Sequence[Table]) -> dict[str, Held]:
        homes: dict[str, list[str]] = {}
        for table in tables:
            homes.setdefault(table.fingerprint, []).append(table.id)
        found = [
            annotation
            for part in _parts(list(homes))
            for annotation in _annotations(connection, annotated.c.table_fingerprint.in_(part))
        ]
        at_home = [
            annotation
            if annotation.table_id in homes[annotation.table_fingerprint]
            else replace(annotation, table_id=homes[annotation.table_fingerprint][0])
            for annotation in found
        ]
        return held(at_home, _reviews(connection, at_home))

    def _subject(self, connection: Connection, dataset: Dataset, annotation_id: str) -> Held:
        found = _annotations(connection, annotated.c.id == annotation_id)
        tables = [
            table
            for table in dataset.tables.values()
            if found and table.fingerprint == found[0].table_fingerprint
        ]
        if not tables:
            raise CrossheadError(
                f"The dataset {dataset.name} has no annotation {annotation_id!r:.60}; choose another "
                "question."
            )
        return self._held(connection, tables)[annotation_id]

    def _checked(self, connection: Connection, dataset: Dataset, subject: Held, review: Review) -> Review:
        if review.mended is not None:
            table = dataset.table(subject.table_id)
            known = [each for each in _ids(connection, dataset, table) if each != subject.id]
            review = replace(review, mended=as_kept(review.mended, table, known))
        return checked_review(review, subject)


def _ids(connection: Connection, dataset: Dataset, table: Table) -> list[str]:
    """Ids of all questions and annotations of a table."""
    found = _annotations(connection, annotated.c.table_fingerprint == table.fingerprint)
    return [question.id for question in dataset.questions_of(table.id)] + [each.id for each in found]


def _annotations(connection: Connection, condition: Any) -> list[Annotation]:
    query: Select[Any] = select(annotated).where(condition).order_by(annotated.c.number)
    return list(map(_annotation, connection.execute(query)))


def _reviews(connection: Connection, of: Sequence[Annotation]) -> Iterator[Review]:
    """All reviews of annotations, in the order of writing for each."""
    for part in _parts([annotation.id for annotation in of]):
        query = select(reviews).where(reviews.c.annotation_id.in_(part)).order_by(reviews.c.number)
        yield from map(_review, connection.execute(query))


def _parts(values: Sequence[str]) -> Iterator[Sequence[str]]:
    for start in range(0, len(values), _AT_ONCE):
        yield values[start : start + _AT_ONCE]


def _annotation_values(annotation: Annotation) -> dict[str, Any]:
    return {
        "table_fingerprint": annotation.table_fingerprint,
        "table_id": annotation.table_id,
        "id": annotation.id,
        "draft": json.dumps(draft_to_json(annotation.draft)),
        "author": annotation.author,
        "made": _moment(annotation.made),
    }


def _annotation(row: Row[Any]) -> Annotation:
    return Annotation(
        row.table_fingerprint,
        row.table_id,
        draft_from_json(json.loads(row.draft)),
        row.author,
        row.made.replace(tzinfo=UTC),
    )


def _review_values(review: Review, before: Review | None) -> dict[str, Any]:
    """The columns of a review; ``before`` is the reviewer's one before it."""
    said = {
        "annotation_id": review.annotation_id,
        "version": review.version,
        "verdict": review.verdict,
        "reason": review.reason,
        "mended": json.dumps(draft_to_json(review.mended)) if review.mended else "",
        "reading": json.dumps(_reading_to_json(review.reading)) if review.reading else "",
    }
    unique = [*said.values(), fold(review.reviewer), before.made.isoformat() if before else ""]
    key = hashlib.sha256(json.dumps(unique).encode()).hexdigest()[:32]
    return {**said, "key": key, "reviewer": review.reviewer, "made": _moment(review.made)}


def _review(row: Row[Any]) -> Review:
    return Review(
        row.annotation_id,
        row.version,
        row.verdict,
        row.reason,
        row.reviewer,
        row.made.replace(tzinfo=UTC),
        draft_from_json(json.loads(row.mended)) if row.mended else None,
        _reading_from_json(json.loads(row.reading)) if row.reading else None,
    )


def _reading_to_json(reading: Reading) -> dict[str, Any]:
    return {
        "cell": reading.cell.as_list() if reading.cell else None,
        "type": reading.kind,
        "row_hierarchy_needed": reading.row_hierarchy_needed,
    }


def _reading_from_json(record: Mapping[str, Any]) -> Reading:
    cell = record["cell"]
    return Reading(Location(*cell) if cell else None, record["type"], record["row_hierarchy_needed"])


def _moment(made: datetime) -> datetime:
    """A time in UTC without a zone, as not every database keeps one."""
    return made.astimezone(UTC).replace(tzinfo=None)
