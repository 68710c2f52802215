"""The run store: every run with all its predictions, readable later without the dataset or the model."""

from __future__ import annotations

import json
import uuid
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Literal, Unpack

from sqlalchemy import ColumnElement, Select, case, delete, func, select, update
from sqlalchemy.exc import IntegrityError

from qa_core.datasets.dataset import Dataset
from qa_core.errors import CrossheadError
from qa_core.evaluation.comparison import PairedCase, PairedVerdict
from qa_core.evaluation.outcome import Outcome, judge
from qa_core.evaluation.run_rows import (
    CASE_COLUMNS,
    OF_ANSWERS,
    OF_QUESTIONS,
    PREDICTION_COLUMNS,
    BothRuns,
    case_row,
    case_values,
    delete_runs,
    filtered,
    identity_of,
    identity_values,
    in_slice,
    is_run,
    joined,
    joined_facets,
    one_if,
    prediction_values,
    run_record,
    split_slices,
    stored_limit,
    utc_now,
    whole_case,
)
from qa_core.evaluation.runs import CaseRow, OutcomeFilters, RunIdentity, RunRecord, Saved, WholeCase
from qa_core.evaluation.summary import ParaphraseSet, Verdict, summarise_counts
from qa_core.prediction import Prediction
from qa_core.storage.database import Database, default_store_url
from qa_core.storage.schema import cases, predictions, runs

_DESCRIBED_AT_ONCE = 500
_ASKED_AT_ONCE = 10_000
"""Values in one query; databases allow some 30,000 at least."""


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
        now = utc_now()
        try:
            with self._database.writing() as connection:
                run_id = connection.scalar(select(runs.c.id).where(*is_run(identity)))
                if run_id is None:
                    run_id = uuid.uuid4().hex[:12]
                    values = {
                        **identity_values(identity),
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
        found = self._records(select(runs).where(*is_run(identity)))
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
                update(runs)
                .where(runs.c.id == run_id)
                .values(status=status, updated=utc_now(), finished=None)
            )

    def finish_run(self, run_id: str) -> None:
        """Mark a run as finished now; a replacement takes its place, the run that was there is deleted."""
        identity = identity_of(self.run(run_id))
        now = utc_now()
        with self._database.writing() as connection:
            delete_runs(connection, *is_run(identity), runs.c.id != run_id)
            connection.execute(
                update(runs)
                .where(runs.c.id == run_id)
                .values(status="finished", updated=now, finished=now, question_limit=stored_limit(identity))
            )

    def delete_run(self, run_id: str) -> None:
        """Delete a run, its replacement and their predictions; the cases, too, after a dataset's last run."""
        identity = identity_of(self.run(run_id))
        fingerprint = identity.dataset_fingerprint
        with self._database.writing() as connection:
            delete_runs(connection, runs.c.id == run_id)
            delete_runs(connection, *is_run(replace(identity, replacement=True)))
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
        of_verdicts = joined(*run, *verdict, func.count()).group_by(*verdict)
        of_sets = (
            joined(*run, func.count(), func.sum(one_if(predictions.c.strict)))
            .where(cases.c.paraphrase_group != "")
            .group_by(cases.c.paraphrase_group)
        )
        verdicts: Counter[Verdict] = Counter()
        with self._database.reading() as connection:
            for strict, normalised, reason, slices, count in connection.execute(of_verdicts):
                verdicts[Verdict(strict, normalised, reason, split_slices(slices))] += count
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
        query = joined(run_id, self._fingerprint(run_id), *CASE_COLUMNS, *PREDICTION_COLUMNS)
        query = filtered(query, filters)
        query = query.order_by(cases.c.position).offset(offset).limit(limit)
        with self._database.reading() as connection:
            return [case_row(row) for row in connection.execute(query)]

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
        query = joined(
            run_id,
            self._fingerprint(run_id),
            *(*CASE_COLUMNS, *PREDICTION_COLUMNS, cases.c.facets, predictions.c.payload),
        ).order_by(cases.c.position)
        last = -1
        while True:
            with self._database.reading() as connection:
                rows = connection.execute(query.where(cases.c.position > last).limit(size)).all()
            if not rows:
                return
            yield [whole_case(row) for row in rows]
            last = rows[-1].position

    def count(self, run_id: str, **filters: Unpack[OutcomeFilters]) -> int:
        """How many questions of a run meet every filter given."""
        query = joined(run_id, self._fingerprint(run_id), func.count())
        query = filtered(query, filters)
        with self._database.reading() as connection:
            return connection.scalar(query) or 0

    def describe(self, dataset: Dataset) -> None:
        """Fill in the facets of cases that an older Crosshead kept without them."""
        lacking = select(cases.c.question_id).where(
            cases.c.dataset_fingerprint == dataset.fingerprint, cases.c.facets == ""
        )
        with self._database.reading() as connection:
            ids = list(connection.scalars(lacking))
        found = [(question_id, joined_facets(_unanswered(dataset, question_id))) for question_id in ids]
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
        query = select(*OF_QUESTIONS.values()).where(cases.c.dataset_fingerprint == fingerprint)
        return self._by_column(list(OF_QUESTIONS), query.order_by(cases.c.position))

    def answer_columns(self, run_id: str) -> dict[str, list[Any]]:
        """What is counted about the answers of a run, in no order, by column: ``id``, ``given`` (whether
        there is an answer), ``strict``, ``normalised``, ``reason``, ``confidence`` and ``seconds``."""
        self._fingerprint(run_id)
        return self._by_column(
            list(OF_ANSWERS), select(*OF_ANSWERS.values()).where(predictions.c.run_id == run_id)
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
        both = BothRuns(first, second, self._fingerprint_of_both(first, second))
        kinds = (*both.verdicts, both.same, cases.c.slices)
        counts: Counter[PairedVerdict] = Counter()
        with self._database.reading() as connection:
            grouped = both.select(*kinds, func.count()).group_by(*kinds)
            for first_right, second_right, reason, other, alike, slices, count in connection.execute(grouped):
                pair = PairedVerdict(
                    first_right, second_right, reason, other, bool(alike), split_slices(slices)
                )
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
        both = BothRuns(first, second, self._fingerprint_of_both(first, second))
        query = both.select(
            *(cases.c[name] for name in ("question_id", "position", "table_id", "text", "answers")),
            *(both.one.c.answer, both.two.c.answer),
            *both.verdicts,
        )
        if change is not None:
            query = query.where(both.is_change(change))
        if slice is not None:
            query = query.where(in_slice(slice))
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
        query = joined(run_id, self._fingerprint(run_id), *CASE_COLUMNS, *PREDICTION_COLUMNS)
        with self._database.reading() as connection:
            rows = connection.execute(query.where(condition).order_by(cases.c.position))
            return [case_row(row) for row in rows]

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
            connection.execute(cases.insert(), [case_values(fingerprint, saved) for saved in new.values()])
            connection.execute(
                predictions.insert(), [prediction_values(run_id, saved) for saved in new.values()]
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
                    updated=utc_now(),
                )
            )

    def _records(self, query: Select[Any]) -> list[RunRecord]:
        with self._database.reading() as connection:
            return [run_record(row) for row in connection.execute(query)]


def _unanswered(dataset: Dataset, question_id: str) -> Outcome:
    question = dataset.question(question_id)
    return judge(question, dataset.table(question.table_id), Prediction(""))


def _unknown(run_id: str) -> CrossheadError:
    return CrossheadError(f"The run store has no run {run_id!r}; choose another run.")
