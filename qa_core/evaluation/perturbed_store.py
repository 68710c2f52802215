"""Answers to perturbed questions in the store's database, beside the run that they belong to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, TypedDict, Unpack

from sqlalchemy import ColumnElement, Select, and_, case, delete, func, select
from sqlalchemy.exc import IntegrityError

from qa_core.errors import CrossheadError
from qa_core.evaluation.comparison import PAIRS
from qa_core.evaluation.perturbations import rules
from qa_core.storage.database import Database, default_store_url
from qa_core.storage.schema import cases, perturbed, predictions, runs
from qa_core.table import Location

LOOKED_AT = ""
"""The perturbation of the row that only says that a question was looked at."""


@dataclass(frozen=True)
class PerturbedAnswer:
    """The answer to one question in the words of one perturbation."""

    question_id: str
    perturbation: str
    text: str
    answer: str
    location: Location | None
    strict: bool
    reason: str
    confidence: float
    seconds: float


@dataclass(frozen=True)
class PerturbedCase:
    """A question as the run answered it and as its system answers it in other words."""

    position: int
    table_id: str
    original: str
    before: str
    before_location: Location | None
    before_strict: bool
    before_reason: str
    after: PerturbedAnswer

    @property
    def question_id(self) -> str:
        return self.after.question_id


@dataclass(frozen=True)
class PerturbedVerdict:
    """What became of one question under one perturbation; ``same`` says that the answer's text stayed."""

    perturbation: str
    before: bool
    after: bool
    same: bool


class WordingFilters(TypedDict, total=False):
    """Which wordings are meant, None for any: those of a perturbation, of a change of the verdict (a name in
    ``comparison.CHANGES``), and those whose answer stayed or not."""

    perturbation: str | None
    change: str | None
    same: bool | None


class PerturbedStore:
    """What the systems of runs answer to perturbed questions, under the rules of this version.

    Safe to use from several threads and processes. Every method raises CrossheadError where the database
    cannot be read or written. Answers go with their run.
    """

    def __init__(self, url: str | None = None) -> None:
        self._database = Database(url or default_store_url())

    def close(self) -> None:
        """Give back all connections."""
        self._database.close()

    def forget_other_rules(self, run_id: str) -> None:
        """Delete answers to wordings that other rules made."""
        with self._database.writing() as connection:
            connection.execute(
                delete(perturbed).where(perturbed.c.run_id == run_id, perturbed.c.rules != rules())
            )

    def save(self, run_id: str, question_ids: Sequence[str], answers: Sequence[PerturbedAnswer]) -> None:
        """Keep that questions were looked at, and the answers to all their wordings, all or none. A question
        that was looked at before keeps its answers. Raises CrossheadError also where the run was deleted."""
        while True:
            try:
                self._save(run_id, question_ids, answers)
                return
            except IntegrityError:
                with self._database.reading() as connection:
                    there = connection.scalar(select(runs.c.id).where(runs.c.id == run_id))
                if there is None:
                    raise CrossheadError(
                        f"The run {run_id} was deleted while its questions were asked in other words; choose "
                        "another run."
                    ) from None

    def looked_at(self, run_id: str) -> set[str]:
        """Ids of the questions that were looked at."""
        query = select(perturbed.c.question_id).where(*_of(run_id), perturbed.c.perturbation == LOOKED_AT)
        with self._database.reading() as connection:
            return set(connection.scalars(query))

    def n_looked_at(self, run_id: str) -> int:
        """How many questions were looked at."""
        query = select(func.count()).where(*_of(run_id), perturbed.c.perturbation == LOOKED_AT)
        with self._database.reading() as connection:
            return connection.scalar(query) or 0

    def verdicts(self, run_id: str) -> Counter[PerturbedVerdict]:
        """How often each verdict occurs."""
        same = predictions.c.answer == perturbed.c.answer
        kinds = perturbed.c.perturbation, predictions.c.strict, perturbed.c.strict, same
        counts: Counter[PerturbedVerdict] = Counter()
        with self._database.reading() as connection:
            for *verdict, count in connection.execute(_joined(run_id, *kinds, func.count()).group_by(*kinds)):
                name, before, after, alike = verdict
                counts[PerturbedVerdict(name, before, after, bool(alike))] += count
        return counts

    def kept_by_question(self, run_id: str, names: Collection[str]) -> Counter[tuple[int, int]]:
        """Of the questions that the run answered rightly and that were asked in the words of some
        perturbations: how often each pair of (wordings answered rightly, wordings) occurs."""
        right = func.sum(case((perturbed.c.strict, 1), else_=0))
        query = (
            _joined(run_id, right, func.count())
            .where(predictions.c.strict, perturbed.c.perturbation.in_(list(names)))
            .group_by(perturbed.c.question_id)
        )
        with self._database.reading() as connection:
            return Counter((int(kept), asked) for kept, asked in connection.execute(query))

    def cases(
        self, run_id: str, *, offset: int = 0, limit: int | None = None, **filters: Unpack[WordingFilters]
    ) -> list[PerturbedCase]:
        """Questions in other words in the dataset's order, those that meet every filter given."""
        query = _filtered(_joined(run_id, *_CASE_COLUMNS), filters)
        query = query.order_by(cases.c.position, perturbed.c.perturbation).offset(offset).limit(limit)
        with self._database.reading() as connection:
            return [_case(*row) for row in connection.execute(query)]

    def count(self, run_id: str, **filters: Unpack[WordingFilters]) -> int:
        """How many wordings ``cases`` would give."""
        with self._database.reading() as connection:
            return connection.scalar(_filtered(_joined(run_id, func.count()), filters)) or 0

    def places(self, run_id: str, **filters: Unpack[WordingFilters]) -> list[tuple[str, str]]:
        """Question and perturbation of all that ``cases`` would give, in its order."""
        query = _filtered(_joined(run_id, perturbed.c.question_id, perturbed.c.perturbation), filters)
        with self._database.reading() as connection:
            found = connection.execute(query.order_by(cases.c.position, perturbed.c.perturbation))
            return [(question_id, name) for question_id, name in found]

    def _save(self, run_id: str, question_ids: Sequence[str], answers: Sequence[PerturbedAnswer]) -> None:
        with self._database.writing() as connection:
            known = set(
                connection.scalars(
                    select(perturbed.c.question_id).where(
                        perturbed.c.run_id == run_id,
                        perturbed.c.perturbation == LOOKED_AT,
                        perturbed.c.question_id.in_(list(question_ids)),
                    )
                )
            )
            looked_at = [
                PerturbedAnswer(each, LOOKED_AT, "", "", None, False, "", 0.0, 0.0) for each in question_ids
            ]
            new = [each for each in (*looked_at, *answers) if each.question_id not in known]
            if new:
                connection.execute(perturbed.insert(), [_values(run_id, each) for each in new])


_CASE_COLUMNS = [
    *(cases.c[name] for name in ("position", "table_id", "text")),
    *(predictions.c[name] for name in ("answer", "row", "column", "strict", "reason")),
    *(
        perturbed.c[name]
        for name in (
            "question_id", "perturbation", "text", "answer", "row", "column", "strict", "reason",
            "confidence", "seconds",
        )
    ),
]  # fmt: skip


def _of(run_id: str) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    return perturbed.c.run_id == run_id, perturbed.c.rules == rules()


def _joined(run_id: str, *columns: Any) -> Select[Any]:
    """Columns over the wordings that were asked, the run's own predictions and their cases."""
    same_question = and_(
        predictions.c.run_id == perturbed.c.run_id, predictions.c.question_id == perturbed.c.question_id
    )
    of_run = and_(
        cases.c.question_id == perturbed.c.question_id,
        cases.c.dataset_fingerprint == runs.c.dataset_fingerprint,
    )
    joined = (
        perturbed.join(predictions, same_question)
        .join(runs, runs.c.id == perturbed.c.run_id)
        .join(cases, of_run)
    )
    return select(*columns).select_from(joined).where(*_of(run_id), perturbed.c.perturbation != LOOKED_AT)


def _filtered(query: Select[Any], filters: WordingFilters) -> Select[Any]:
    if (perturbation := filters.get("perturbation")) is not None:
        query = query.where(perturbed.c.perturbation == perturbation)
    if (change := filters.get("change")) is not None:
        before, after = PAIRS[change]
        query = query.where(predictions.c.strict == before, perturbed.c.strict == after)
    if (same := filters.get("same")) is not None:
        query = query.where((predictions.c.answer == perturbed.c.answer) == same)
    return query


def _values(run_id: str, answer: PerturbedAnswer) -> dict[str, Any]:
    return {
        "run_id": run_id,
        "question_id": answer.question_id,
        "perturbation": answer.perturbation,
        "rules": rules(),
        "text": answer.text,
        "answer": answer.answer,
        "row": answer.location.row if answer.location else None,
        "column": answer.location.column if answer.location else None,
        "strict": answer.strict,
        "reason": answer.reason,
        "confidence": answer.confidence,
        "seconds": answer.seconds,
    }


def _case(*values: Any) -> PerturbedCase:
    position, table_id, original, before, row, column, strict, reason, *after = values
    question_id, perturbation, text, answer, row_now, column_now, strict_now, reason_now, sure, took = after
    return PerturbedCase(
        position,
        table_id,
        original,
        before,
        _location(row, column),
        strict,
        reason,
        PerturbedAnswer(
            question_id,
            perturbation,
            text,
            answer,
            _location(row_now, column_now),
            strict_now,
            reason_now,
            sure,
            took,
        ),
    )


def _location(row: int | None, column: int | None) -> Location | None:
    return None if row is None and column is None else Location(row, column)
