"""How runs, questions and predictions stand in the database: columns, conditions, rows read and written."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Select, case, delete, select

from qa_core.evaluation.comparison import PAIRS
from qa_core.evaluation.facets import QUESTION_FACETS
from qa_core.evaluation.gold import Gold
from qa_core.evaluation.outcome import Outcome
from qa_core.evaluation.runs import CaseRow, OutcomeFilters, RunIdentity, RunRecord, Saved, WholeCase
from qa_core.prediction import Prediction
from qa_core.storage.schema import cases, predictions, runs
from qa_core.table import Location

CASE_COLUMNS = [column for column in cases.c if column.name not in ("dataset_fingerprint", "facets")]
OF_QUESTIONS = {
    "position": cases.c.position,
    "id": cases.c.question_id,
    "table": cases.c.table_id,
    "set": cases.c.paraphrase_group,
    "slices": cases.c.slices,
    "facets": cases.c.facets,
}
OF_ANSWERS: dict[str, ColumnElement[Any]] = {
    "id": predictions.c.question_id,
    "given": predictions.c.answer != "",
    "strict": predictions.c.strict,
    "normalised": predictions.c.normalised,
    "reason": predictions.c.reason,
    "confidence": predictions.c.confidence,
    "seconds": predictions.c.seconds,
}
PREDICTION_COLUMNS = [
    predictions.c[name]
    for name in ("answer", "row", "column", "strict", "normalised", "reason", "confidence", "seconds")
]


def joined(run_id: str, fingerprint: str, *columns: Any) -> Select[Any]:
    """Columns over the predictions of a run and their cases."""
    return (
        select(*columns)
        .select_from(cases.join(predictions, cases.c.question_id == predictions.c.question_id))
        .where(cases.c.dataset_fingerprint == fingerprint, predictions.c.run_id == run_id)
    )


class BothRuns:
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


def in_slice(name: str) -> ColumnElement[bool]:
    return cases.c.slices.contains(f"|{name}|", autoescape=True)


def filtered(query: Select[Any], filters: OutcomeFilters) -> Select[Any]:
    if (name := filters.get("slice")) is not None:
        query = query.where(in_slice(name))
    compared = {"reason": predictions.c.reason, "kind": cases.c.kind, "correct": predictions.c.strict}
    for name, column in compared.items():
        if (value := filters.get(name)) is not None:
            query = query.where(column == value)
    return query


def identity_values(identity: RunIdentity) -> dict[str, Any]:
    """The columns that hold an identity, and their values."""
    return {
        "dataset_fingerprint": identity.dataset_fingerprint,
        "system": identity.system,
        "system_version": identity.system_version,
        "weights": identity.weights,
        "transformation": identity.transformation,
        "question_limit": stored_limit(identity),
    }


def stored_limit(identity: RunIdentity) -> int:
    limit = identity.limit or 0
    return -1 - limit if identity.replacement else limit


def identity_of(run: RunRecord) -> RunIdentity:
    """The identity of a run, or of the run that it is to replace."""
    return RunIdentity(
        run.dataset_fingerprint, run.system, run.system_version, run.weights, run.transformation, run.limit
    )


def delete_runs(connection: Connection, *condition: ColumnElement[bool]) -> None:
    """Delete the runs that meet a condition, and their predictions."""
    found = select(runs.c.id).where(*condition)
    connection.execute(delete(predictions).where(predictions.c.run_id.in_(found)))
    connection.execute(delete(runs).where(*condition))


def is_run(identity: RunIdentity) -> list[ColumnElement[bool]]:
    return [runs.c[name] == value for name, value in identity_values(identity).items()]


def _is_same(one: ColumnElement[Any], two: ColumnElement[Any]) -> ColumnElement[bool]:
    """Whether two columns are equal or both NULL, as 1 or 0."""
    return case((one == two, 1), ((one.is_(None)) & (two.is_(None)), 1), else_=0) == 1


def one_if(column: ColumnElement[bool]) -> ColumnElement[int]:
    return case((column, 1), else_=0)


def case_values(fingerprint: str, saved: Saved) -> dict[str, Any]:
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
        "facets": joined_facets(saved.outcome),
    }


def joined_facets(outcome: Outcome) -> str:
    return "|".join(outcome.facets.values())


def prediction_values(run_id: str, saved: Saved) -> dict[str, Any]:
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


def whole_case(row: Row[Any]) -> WholeCase:
    values = row._asdict()
    facets = dict(zip(QUESTION_FACETS, values.pop("facets").split("|"), strict=False))
    prediction = Prediction.from_json(json.loads(values.pop("payload")))
    return WholeCase(_case(values), facets, prediction)


def case_row(row: Row[Any]) -> CaseRow:
    return _case(row._asdict())


def _case(values: dict[str, Any]) -> CaseRow:
    location = values.pop("row"), values.pop("column")
    return CaseRow(
        **values
        | {
            "answers": tuple(json.loads(values["answers"])),
            "gold": Gold.from_json(json.loads(values["gold"])),
            "slices": split_slices(values["slices"]),
        },
        location=None if location == (None, None) else Location(*location),
    )


def run_record(row: Row[Any]) -> RunRecord:
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


def split_slices(slices: str) -> tuple[str, ...]:
    return tuple(filter(None, slices.split("|")))


def _dumps(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def utc_now() -> datetime:
    """The time in UTC, without a zone, as not every database keeps one."""
    return datetime.now(UTC).replace(tzinfo=None)


def _utc(moment: datetime | None) -> datetime | None:
    return moment.replace(tzinfo=UTC) if moment else None
