"""The run store: every run with all its predictions, readable later without the dataset or the model."""

from __future__ import annotations

import json
import uuid
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Literal, TypedDict, Unpack

from sqlalchemy import ColumnElement, Connection, Row, Select, case, delete, func, select, update
from sqlalchemy.exc import IntegrityError

from qa_core.datasets.dataset import Dataset
from qa_core.errors import CrossheadError
from qa_core.evaluation.comparison import PAIRS, PairedCase, PairedVerdict
from qa_core.evaluation.facets import QUESTION_FACETS
from qa_core.evaluation.gold import Gold
from qa_core.evaluation.outcome import Outcome, judge
from qa_core.evaluation.summary import ParaphraseSet, Verdict, summarise_counts
from qa_core.prediction import Prediction
from qa_core.storage.database import Database, default_store_url
from qa_core.storage.schema import cases, predictions, runs
from qa_core.table import Location

__all__ = ["CaseRow", "RunIdentity", "RunRecord", "RunStore", "Saved", "default_store_url"]

RunStatus = Literal["running", "finished", "stopped"]

_DESCRIBED_AT_ONCE = 500
_ASKED_AT_ONCE = 10_000
"""Values in one query; databases allow some 30,000 at least."""


@dataclass(frozen=True)
class RunIdentity:
    """What makes two evaluations the same run; ``limit`` is None for all questions.

    ``replacement`` marks a run that takes the place of the run of the same identity once it is finished;
    until then it is not listed.
    """

    dataset_fingerprint: str
    system: str
    system_version: str
    weights: str
    transformation: str
    limit: int | None = None
    replacement: bool = False


@dataclass(frozen=True)
class RunRecord:
    """A run as listed: what was run, how far it is, and its accuracies over what is done (None for none).

    Times are in UTC; ``seconds`` is the time spent predicting.
    """

    id: str
    dataset: str
    dataset_fingerprint: str
    system: str
    system_version: str
    weights: str
    transformation: str
    limit: int | None
    total: int
    status: RunStatus
    created: datetime
    updated: datetime
    finished: datetime | None
    seconds: float
    done: int
    strict: float | None
    normalised: float | None


@dataclass(frozen=True)
class Saved:
    """An outcome to save: ``position`` of its question in the dataset, ``seconds`` that it took."""

    outcome: Outcome
    position: int
    seconds: float


@dataclass(frozen=True)
class CaseRow:
    """One question of a run with its verdict, without the candidates and scores of the prediction."""

    question_id: str
    position: int
    table_id: str
    text: str
    answers: tuple[str, ...]
    kind: str
    row_hierarchy_needed: bool | None
    paraphrase_group: str
    slices: tuple[str, ...]
    gold: Gold
    answer: str
    location: Location | None
    strict: bool
    normalised: bool
    reason: str
    confidence: float
    seconds: float


@dataclass(frozen=True)
class WholeCase:
    """One question of a run with its facets by name, and the whole prediction."""

    case: CaseRow
    facets: Mapping[str, str]
    prediction: Prediction


class OutcomeFilters(TypedDict, total=False):
    """What the questions of a run can be filtered by; None for any. ``correct`` is by the strict rule."""

    slice: str | None
    reason: str | None
    kind: str | None
    correct: bool | None


class RunStore:
    """Runs in a database: a SQLite file by default, any that SQLAlchemy knows by URL.

    Safe to use from several threads and processes. Every method raises CrossheadError where the database
    cannot be read or written, and once where its file was deleted or replaced since the last use.
    """

    def __init__(self, url: str | None = None) -> None:
        """Open or make a store. Raises CrossheadError for one that cannot be used; it is left as it is."""
        self._database = Database(url or default_store_url())

    @property
    def url(self) -> str:
        """Where the store is, without user name, password and settings."""
        return self._database.shown

    def close(self) -> None:
        """Give back all connections; the store opens new ones when it is used again."""
        self._database.close()

    def start_run(self, identity: RunIdentity, dataset: str, total: int) -> RunRecord:
        """The run of this identity, made where it is new; ``total`` is its number of questions."""
        now = _now()
        try:
            with self._database.writing() as connection:
                run_id = connection.scalar(select(runs.c.id).where(*_is(identity)))
                if run_id is None:
                    run_id = uuid.uuid4().hex[:12]
                    values = {
                        **_columns(identity),
                        "id": run_id,
                        "dataset": dataset,
                        "total": total,
                        "done": 0,
                        "strict_hits": 0,
                        "normalised_hits": 0,
                        "status": "running",
                        "created": now,
                        "updated": now,
                        "seconds": 0.0,
                    }
                    connection.execute(runs.insert().values(values))
        except IntegrityError:  # another process made it in between
            return self.start_run(identity, dataset, total)
        return self.run(run_id)

    def find_run(self, identity: RunIdentity) -> RunRecord | None:
        """The run of this identity, None where there is none."""
        found = self._records(select(runs).where(*_is(identity)))
        return found[0] if found else None

    def runs(self) -> list[RunRecord]:
        """All runs but unfinished replacements, newest first."""
        listed = select(runs).where(runs.c.question_limit >= 0)
        return self._records(listed.order_by(runs.c.created.desc(), runs.c.id))

    def run(self, run_id: str) -> RunRecord:
        """One run. Raises CrossheadError for an unknown id."""
        found = self._records(select(runs).where(runs.c.id == run_id))
        if not found:
            raise _unknown(run_id)
        return found[0]

    def set_status(self, run_id: str, status: Literal["running", "stopped"]) -> None:
        """Mark a run as running or stopped now."""
        with self._database.writing() as connection:
            connection.execute(
                update(runs).where(runs.c.id == run_id).values(status=status, updated=_now(), finished=None)
            )

    def finish_run(self, run_id: str) -> None:
        """Mark a run as finished now; a replacement takes its place, the run that was there is deleted."""
        identity = _identity(self.run(run_id))
        now = _now()
        with self._database.writing() as connection:
            _delete(connection, *_is(identity), runs.c.id != run_id)
            connection.execute(
                update(runs)
                .where(runs.c.id == run_id)
                .values(status="finished", updated=now, finished=now, question_limit=_stored_limit(identity))
            )

    def delete_run(self, run_id: str) -> None:
        """Delete a run, its replacement and their predictions; the cases, too, after a dataset's last run."""
        identity = _identity(self.run(run_id))
        fingerprint = identity.dataset_fingerprint
        with self._database.writing() as connection:
            _delete(connection, runs.c.id == run_id)
            _delete(connection, *_is(replace(identity, replacement=True)))
            others = select(runs.c.id).where(runs.c.dataset_fingerprint == fingerprint)
            connection.execute(
                delete(cases).where(cases.c.dataset_fingerprint == fingerprint, ~others.exists())
            )

    def save(self, run_id: str, batch: Sequence[Saved]) -> None:
        """Save outcomes at once, all or none. A question that the run already holds keeps its prediction."""
        try:
            self._save(run_id, self._fingerprint(run_id), batch)
        except IntegrityError:  # another process saved one of them, or deleted the run, in between
            self._save(run_id, self._fingerprint(run_id), batch)

    def answered(self, run_id: str) -> set[str]:
        """Ids of the questions that a run holds predictions for."""
        with self._database.reading() as connection:
            return set(
                connection.scalars(select(predictions.c.question_id).where(predictions.c.run_id == run_id))
            )

    def summary(self, run_id: str) -> dict[str, Any]:
        """The figures of a run over what is done, as ``summarise`` gives them."""
        run = run_id, self._fingerprint(run_id)
        verdict = (predictions.c.strict, predictions.c.normalised, predictions.c.reason, cases.c.slices)
        of_verdicts = _joined(*run, *verdict, func.count()).group_by(*verdict)
        of_sets = (
            _joined(*run, func.count(), func.sum(_one_if(predictions.c.strict)))
            .where(cases.c.paraphrase_group != "")
            .group_by(cases.c.paraphrase_group)
        )
        verdicts: Counter[Verdict] = Counter()
        with self._database.reading() as connection:
            for strict, normalised, reason, slices, count in connection.execute(of_verdicts):
                verdicts[Verdict(strict, normalised, reason, _split(slices))] += count
            sets = [ParaphraseSet(asked, int(hits)) for asked, hits in connection.execute(of_sets)]
        return summarise_counts(verdicts, sets)

    def outcomes(
        self,
        run_id: str,
        *,
        offset: int = 0,
        limit: int | None = None,
        **filters: Unpack[OutcomeFilters],
    ) -> list[CaseRow]:
        """Questions of a run in the dataset's order, those that meet every filter given."""
        query = _joined(run_id, self._fingerprint(run_id), *_CASE_COLUMNS, *_PREDICTION_COLUMNS)
        query = _filtered(query, filters)
        query = query.order_by(cases.c.position).offset(offset).limit(limit)
        with self._database.reading() as connection:
            return [_case_row(row) for row in connection.execute(query)]

    def cases_at(self, run_id: str, positions: Sequence[int]) -> list[CaseRow]:
        """The questions of a run at some positions in the dataset, in the dataset's order."""
        return self._cases(run_id, cases.c.position.in_(list(positions)))

    def cases_of(self, run_id: str, question_ids: Sequence[str]) -> list[CaseRow]:
        """Some questions of a run, as far as it answered them, in the dataset's order."""
        found: list[CaseRow] = []
        for start in range(0, len(question_ids), _ASKED_AT_ONCE):
            some = list(question_ids[start : start + _ASKED_AT_ONCE])
            found += self._cases(run_id, cases.c.question_id.in_(some))
        return sorted(found, key=lambda case: case.position)

    def whole_cases(self, run_id: str, size: int = 1000) -> Iterator[list[WholeCase]]:
        """All that a run holds, in the dataset's order, read in parts of ``size`` questions."""
        query = _joined(
            run_id,
            self._fingerprint(run_id),
            *(*_CASE_COLUMNS, *_PREDICTION_COLUMNS, cases.c.facets, predictions.c.payload),
        ).order_by(cases.c.position)
        last = -1
        while True:
            with self._database.reading() as connection:
                rows = connection.execute(query.where(cases.c.position > last).limit(size)).all()
            if not rows:
                return
            yield [_whole_case(row) for row in rows]
            last = rows[-1].position

    def count(self, run_id: str, **filters: Unpack[OutcomeFilters]) -> int:
        """How many questions of a run meet every filter given."""
        query = _joined(run_id, self._fingerprint(run_id), func.count())
        query = _filtered(query, filters)
        with self._database.reading() as connection:
            return connection.scalar(query) or 0

    def describe(self, dataset: Dataset) -> None:
        """Fill in the facets of cases that an older Crosshead kept without them."""
        lacking = select(cases.c.question_id).where(
            cases.c.dataset_fingerprint == dataset.fingerprint, cases.c.facets == ""
        )
        with self._database.reading() as connection:
            ids = list(connection.scalars(lacking))
        found = [(question_id, _facets(_unanswered(dataset, question_id))) for question_id in ids]
        for start in range(0, len(found), _DESCRIBED_AT_ONCE):  # others may write in between
            with self._database.writing() as connection:
                for question_id, facets in found[start : start + _DESCRIBED_AT_ONCE]:
                    one = (
                        cases.c.dataset_fingerprint == dataset.fingerprint,
                        cases.c.question_id == question_id,
                    )
                    connection.execute(update(cases).where(*one).values(facets=facets))

    def n_questions(self, fingerprint: str) -> int:
        """How many questions of a dataset any run answered."""
        query = select(func.count()).select_from(cases).where(cases.c.dataset_fingerprint == fingerprint)
        with self._database.reading() as connection:
            return connection.scalar(query) or 0

    def question_columns(self, fingerprint: str) -> dict[str, list[Any]]:
        """What is counted about the questions of a dataset that any run answered, in the dataset's order, by
        column: ``position``, ``id``, ``table``, ``set``, ``slices`` and ``facets``."""
        query = select(*_OF_QUESTIONS.values()).where(cases.c.dataset_fingerprint == fingerprint)
        return self._by_column(list(_OF_QUESTIONS), query.order_by(cases.c.position))

    def answer_columns(self, run_id: str) -> dict[str, list[Any]]:
        """What is counted about the answers of a run, in no order, by column: ``id``, ``given`` (whether
        there is an answer), ``strict``, ``normalised``, ``reason``, ``confidence`` and ``seconds``."""
        self._fingerprint(run_id)
        return self._by_column(
            list(_OF_ANSWERS), select(*_OF_ANSWERS.values()).where(predictions.c.run_id == run_id)
        )

    def dataset_of(self, run_id: str) -> str:
        """The fingerprint of the dataset of a run. Raises CrossheadError for an unknown id."""
        return self._fingerprint(run_id)

    def _by_column(self, names: Sequence[str], query: Select[Any]) -> dict[str, list[Any]]:
        with self._database.reading() as connection:
            rows = connection.execute(query).all()
        values = zip(*rows, strict=True) if rows else ([] for _ in names)
        return {name: list(each) for name, each in zip(names, values, strict=True)}

    def paired(self, first: str, second: str) -> Counter[PairedVerdict]:
        """How often each pair of verdicts occurs over the questions that two runs both answered.

        Raises CrossheadError where they are not over one dataset.
        """
        both = _Both(first, second, self._fingerprint_of_both(first, second))
        kinds = (*both.verdicts, both.same, cases.c.slices)
        counts: Counter[PairedVerdict] = Counter()
        with self._database.reading() as connection:
            grouped = both.select(*kinds, func.count()).group_by(*kinds)
            for first_right, second_right, reason, other, alike, slices, count in connection.execute(grouped):
                pair = PairedVerdict(first_right, second_right, reason, other, bool(alike), _split(slices))
                counts[pair] += count
        return counts

    def paired_cases(
        self,
        first: str,
        second: str,
        *,
        change: str | None = None,
        slice: str | None = None,
        reason: str | None = None,
        positions: Sequence[int] | None = None,
        offset: int = 0,
        limit: int | None = None,
    ) -> list[PairedCase]:
        """The questions that two runs both answered, in the dataset's order: those of a change (a name in
        ``CHANGES``), a slice, a structural reason of the run that missed, and at some positions in the
        dataset, each None for any. A question that both missed has a reason where the first run has it.

        Raises CrossheadError as ``paired`` does.
        """
        both = _Both(first, second, self._fingerprint_of_both(first, second))
        query = both.select(
            *(cases.c[name] for name in ("question_id", "position", "table_id", "text", "answers")),
            *(both.one.c.answer, both.two.c.answer),
            *both.verdicts,
        )
        if change is not None:
            query = query.where(both.is_change(change))
        if slice is not None:
            query = query.where(_in_slice(slice))
        if reason is not None:
            missed = case((both.one.c.strict, both.two.c.reason), else_=both.one.c.reason)
            query = query.where(missed == reason)
        if positions is not None:
            query = query.where(cases.c.position.in_(list(positions)))
        query = query.order_by(cases.c.position).offset(offset).limit(limit)
        with self._database.reading() as connection:
            return [
                PairedCase(question_id, position, table_id, text, tuple(json.loads(answers)), *rest)
                for question_id, position, table_id, text, answers, *rest in connection.execute(query)
            ]

    def prediction(self, run_id: str, question_id: str) -> Prediction:
        """The whole prediction for one question. Raises CrossheadError where the run holds none."""
        query = select(predictions.c.payload).where(
            predictions.c.run_id == run_id, predictions.c.question_id == question_id
        )
        with self._database.reading() as connection:
            payload = connection.scalar(query)
        if payload is None:
            self._fingerprint(run_id)
            raise CrossheadError(
                f"The run {run_id} holds no prediction for question {question_id!r}; choose another question."
            )
        return Prediction.from_json(json.loads(payload))

    def _cases(self, run_id: str, condition: ColumnElement[bool]) -> list[CaseRow]:
        query = _joined(run_id, self._fingerprint(run_id), *_CASE_COLUMNS, *_PREDICTION_COLUMNS)
        with self._database.reading() as connection:
            rows = connection.execute(query.where(condition).order_by(cases.c.position))
            return [_case_row(row) for row in rows]

    def _fingerprint(self, run_id: str) -> str:
        """The dataset fingerprint of a run. Raises CrossheadError for an unknown id."""
        with self._database.reading() as connection:
            found = connection.scalar(select(runs.c.dataset_fingerprint).where(runs.c.id == run_id))
        if found is None:
            raise _unknown(run_id)
        return str(found)

    def _fingerprint_of_both(self, first: str, second: str) -> str:
        fingerprint = self._fingerprint(first)
        if self._fingerprint(second) != fingerprint:
            raise CrossheadError(
                f"The runs {first} and {second} are over different datasets; compare runs over one."
            )
        return fingerprint

    def _save(self, run_id: str, fingerprint: str, batch: Sequence[Saved]) -> None:
        new = {saved.outcome.question.id: saved for saved in reversed(batch)}
        with self._database.writing() as connection:
            held = select(predictions.c.question_id).where(
                predictions.c.run_id == run_id, predictions.c.question_id.in_(list(new))
            )
            for question_id in connection.scalars(held):
                del new[question_id]
            if not new:
                return
            connection.execute(
                delete(cases).where(
                    cases.c.dataset_fingerprint == fingerprint, cases.c.question_id.in_(list(new))
                )
            )
            connection.execute(cases.insert(), [_case_values(fingerprint, saved) for saved in new.values()])
            connection.execute(
                predictions.insert(), [_prediction_values(run_id, saved) for saved in new.values()]
            )
            outcomes = [saved.outcome for saved in new.values()]
            connection.execute(
                update(runs)
                .where(runs.c.id == run_id)
                .values(
                    done=runs.c.done + len(new),
                    strict_hits=runs.c.strict_hits + sum(outcome.strict for outcome in outcomes),
                    normalised_hits=runs.c.normalised_hits + sum(outcome.normalised for outcome in outcomes),
                    seconds=runs.c.seconds + sum(saved.seconds for saved in new.values()),
                    updated=_now(),
                )
            )

    def _records(self, query: Select[Any]) -> list[RunRecord]:
        with self._database.reading() as connection:
            return [_record(row) for row in connection.execute(query)]


_CASE_COLUMNS = [column for column in cases.c if column.name not in ("dataset_fingerprint", "facets")]
_OF_QUESTIONS = {
    "position": cases.c.position,
    "id": cases.c.question_id,
    "table": cases.c.table_id,
    "set": cases.c.paraphrase_group,
    "slices": cases.c.slices,
    "facets": cases.c.facets,
}
_OF_ANSWERS: dict[str, ColumnElement[Any]] = {
    "id": predictions.c.question_id,
    "given": predictions.c.answer != "",
    "strict": predictions.c.strict,
    "normalised": predictions.c.normalised,
    "reason": predictions.c.reason,
    "confidence": predictions.c.confidence,
    "seconds": predictions.c.seconds,
}
_PREDICTION_COLUMNS = [
    predictions.c[name]
    for name in ("answer", "row", "column", "strict", "normalised", "reason", "confidence", "seconds")
]


def _unanswered(dataset: Dataset, question_id: str) -> Outcome:
    question = dataset.question(question_id)
    return judge(question, dataset.table(question.table_id), Prediction(""))


def _unknown(run_id: str) -> CrossheadError:
    return CrossheadError(f"The run store has no run {run_id!r}; choose another run.")


def _joined(run_id: str, fingerprint: str, *columns: Any) -> Select[Any]:
    """Columns over the predictions of a run and their cases."""
    return (
        select(*columns)
        .select_from(cases.join(predictions, cases.c.question_id == predictions.c.question_id))
        .where(cases.c.dataset_fingerprint == fingerprint, predictions.c.run_id == run_id)
    )


class _Both:
    """The predictions of two runs for the questions that both answered."""

    def __init__(self, first: str, second: str, fingerprint: str) -> None:
        self.one, self.two = one, two = predictions.alias("first_run"), predictions.alias("second_run")
        self._joined = cases.join(one, cases.c.question_id == one.c.question_id).join(
            two, one.c.question_id == two.c.question_id
        )
        self._where = (
            cases.c.dataset_fingerprint == fingerprint,
            one.c.run_id == first,
            two.c.run_id == second,
        )
        self.verdicts = one.c.strict, two.c.strict, one.c.reason, two.c.reason

    @property
    def same(self) -> ColumnElement[bool]:
        """Whether both rest on one Location first."""
        return _is_same(self.one.c.row, self.two.c.row) & _is_same(self.one.c.column, self.two.c.column)

    def select(self, *columns: Any) -> Select[Any]:
        return select(*columns).select_from(self._joined).where(*self._where)

    def is_change(self, change: str) -> ColumnElement[bool]:
        """Whether a question is of a change, a name in ``CHANGES``."""
        first, second = PAIRS[change]
        return (self.one.c.strict == first) & (self.two.c.strict == second)


def _in_slice(name: str) -> ColumnElement[bool]:
    return cases.c.slices.contains(f"|{name}|", autoescape=True)


def _filtered(query: Select[Any], filters: OutcomeFilters) -> Select[Any]:
    if (name := filters.get("slice")) is not None:
        query = query.where(_in_slice(name))
    compared = {"reason": predictions.c.reason, "kind": cases.c.kind, "correct": predictions.c.strict}
    for name, column in compared.items():
        if (value := filters.get(name)) is not None:
            query = query.where(column == value)
    return query


def _columns(identity: RunIdentity) -> dict[str, Any]:
    """The columns that hold an identity, and their values."""
    return {
        "dataset_fingerprint": identity.dataset_fingerprint,
        "system": identity.system,
        "system_version": identity.system_version,
        "weights": identity.weights,
        "transformation": identity.transformation,
        "question_limit": _stored_limit(identity),
    }


def _stored_limit(identity: RunIdentity) -> int:
    limit = identity.limit or 0
    return -1 - limit if identity.replacement else limit


def _identity(run: RunRecord) -> RunIdentity:
    """The identity of a run, or of the run that it is to replace."""
    return RunIdentity(
        run.dataset_fingerprint, run.system, run.system_version, run.weights, run.transformation, run.limit
    )


def _delete(connection: Connection, *condition: ColumnElement[bool]) -> None:
    """Delete the runs that meet a condition, and their predictions."""
    found = select(runs.c.id).where(*condition)
    connection.execute(delete(predictions).where(predictions.c.run_id.in_(found)))
    connection.execute(delete(runs).where(*condition))


def _is(identity: RunIdentity) -> list[ColumnElement[bool]]:
    return [runs.c[name] == value for name, value in _columns(identity).items()]


def _is_same(one: ColumnElement[Any], two: ColumnElement[Any]) -> ColumnElement[bool]:
    """Whether two columns are equal or both NULL, as 1 or 0."""
    return case((one == two, 1), ((one.is_(None)) & (two.is_(None)), 1), else_=0) == 1


def _one_if(column: ColumnElement[bool]) -> ColumnElement[int]:
    return case((column, 1), else_=0)


def _case_values(fingerprint: str, saved: Saved) -> dict[str, Any]:
    question = saved.outcome.question
    return {
        "dataset_fingerprint": fingerprint,
        "question_id": question.id,
        "position": saved.position,
        "table_id": question.table_id,
        "text": question.text,
        "answers": _dumps(question.answers),
        "kind": question.kind,
        "row_hierarchy_needed": question.row_hierarchy_needed,
        "paraphrase_group": question.paraphrase_group,
        "gold": _dumps(saved.outcome.gold.to_json()),
        "slices": f"|{'|'.join(saved.outcome.slices)}|",
        "facets": _facets(saved.outcome),
    }


def _facets(outcome: Outcome) -> str:
    return "|".join(outcome.facets.values())


def _prediction_values(run_id: str, saved: Saved) -> dict[str, Any]:
    outcome, prediction = saved.outcome, saved.outcome.prediction
    location = prediction.location
    return {
        "run_id": run_id,
        "question_id": outcome.question.id,
        "answer": prediction.answer,
        "row": location.row if location else None,
        "column": location.column if location else None,
        "strict": outcome.strict,
        "normalised": outcome.normalised,
        "reason": outcome.reason,
        "confidence": prediction.confidence,
        "seconds": saved.seconds,
        "payload": _dumps(prediction.to_json()),
    }


def _whole_case(row: Row[Any]) -> WholeCase:
    values = row._asdict()
    facets = dict(zip(QUESTION_FACETS, values.pop("facets").split("|"), strict=False))
    prediction = Prediction.from_json(json.loads(values.pop("payload")))
    return WholeCase(_case(values), facets, prediction)


def _case_row(row: Row[Any]) -> CaseRow:
    return _case(row._asdict())


def _case(values: dict[str, Any]) -> CaseRow:
    location = values.pop("row"), values.pop("column")
    return CaseRow(
        **values
        | {
            "answers": tuple(json.loads(values["answers"])),
            "gold": Gold.from_json(json.loads(values["gold"])),
            "slices": _split(values["slices"]),
        },
        location=None if location == (None, None) else Location(*location),
    )


def _record(row: Row[Any]) -> RunRecord:
    values = row._asdict()
    limit, strict, normalised = (
        values.pop(name) for name in ("question_limit", "strict_hits", "normalised_hits")
    )
    for name in ("created", "updated", "finished"):
        values[name] = _utc(values[name])
    return RunRecord(
        **values,
        limit=(limit if limit >= 0 else -1 - limit) or None,
        strict=strict / row.done if row.done else None,
        normalised=normalised / row.done if row.done else None,
    )


def _split(slices: str) -> tuple[str, ...]:
    return tuple(filter(None, slices.split("|")))


def _dumps(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _now() -> datetime:
    """The time in UTC, without a zone, as not every database keeps one."""
    return datetime.now(UTC).replace(tzinfo=None)


def _utc(moment: datetime | None) -> datetime | None:
    return moment.replace(tzinfo=UTC) if moment else None
