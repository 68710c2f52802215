"""Runs and the questions that they hold, as the run store gives and takes them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypedDict

from qa_core.evaluation.gold import Gold
from qa_core.evaluation.outcome import Outcome
from qa_core.prediction import Prediction
from qa_core.table import Location

RunStatus = Literal["running", "finished", "stopped"]


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
