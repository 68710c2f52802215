"""Whether a system's confidence can be trusted, and what it refuses at a threshold of it.

Confidence is calibrated where, of the answers given with confidence p, the share p is right.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from qa_core.evaluation.facets import CONFIDENCE_BINS, confidence_edges

KEPT = 0.9
"""Share of the right answers that a threshold of confidence has to keep."""


@dataclass(frozen=True)
class Answer:
    """One answer: its confidence in [0, 1] and whether it is right (strict).

    ``given`` is False for an abstention, which is never right and is refused at every threshold.
    """

    confidence: float
    right: bool
    given: bool = True


@dataclass(frozen=True)
class ReliabilityBin:
    """The ``n`` answers with a confidence in (low, high], their mean confidence and the share that is right.

    The first bin holds confidence 0 as well.
    """

    low: float
    high: float
    n: int
    confidence: float
    accuracy: float


@dataclass(frozen=True)
class Calibration:
    """The reliability diagram of ``n`` answers in numbers; ``error`` is the expected calibration error."""

    n: int
    accuracy: float
    confidence: float
    error: float
    bins: tuple[ReliabilityBin, ...]


@dataclass(frozen=True)
class Refusals:
    """What a threshold of confidence does: an answer is refused where its confidence is below it.

    ``kept`` of the ``right`` answers to questions of their own table stay; ``refused`` of ``asked``
    questions that do not belong to the table get no answer.
    """

    threshold: float
    kept: int
    right: int
    refused: int
    asked: int


def answers_of(columns: Mapping[str, Sequence[Any]]) -> list[Answer]:
    """The answers of a stored run (``RunStore.answer_columns``), right by the strict rule."""
    return list(map(Answer, columns["confidence"], columns["strict"], columns["given"]))


def calibration(answers: Sequence[Answer], n_bins: int = CONFIDENCE_BINS) -> Calibration:
    """Bins of equal width, and the expected calibration error over them; empty bins are left out.

    The error is the mean of |accuracy - mean confidence| over the bins, each weighted by its share of the
    answers (Naeini et al. 2015; Guo et al. 2017). Raises ValueError where there is no answer.
    """
    if not answers:
        raise ValueError("there is no answer whose confidence could be judged")
    edges = confidence_edges(n_bins)
    members: list[list[Answer]] = [[] for _ in range(n_bins)]
    for answer in answers:
        members[bisect_left(edges, answer.confidence)].append(answer)
    bins = tuple(
        ReliabilityBin(place / n_bins, (place + 1) / n_bins, len(held), _confidence(held), _accuracy(held))
        for place, held in enumerate(members)
        if held
    )
    n = len(answers)
    error = sum(each.n / n * abs(each.accuracy - each.confidence) for each in bins)
    return Calibration(n, _accuracy(answers), _confidence(answers), error, bins)


def threshold_keeping(answers: Iterable[Answer], share: float = KEPT) -> float | None:
    """The highest threshold of confidence that keeps ``share`` (above 0) of the right answers.

    None where no answer is right.
    """
    right = sorted((answer.confidence for answer in answers if answer.right), reverse=True)
    n = len(right)
    return next((confidence for rank, confidence in enumerate(right, 1) if rank / n >= share), None)


def refusals(own: Sequence[Answer], wrong: Sequence[Answer], share: float = KEPT) -> Refusals | None:
    """What is refused of wrong tables at the threshold that keeps ``share`` of the right answers.

    ``own`` are answers over the questions' own tables, ``wrong`` over tables that cannot answer them. None
    where no answer is right.
    """
    threshold = threshold_keeping(own, share)
    if threshold is None:
        return None
    right = [answer for answer in own if answer.right]
    kept = sum(not is_refused(answer, threshold) for answer in right)
    refused = sum(is_refused(answer, threshold) for answer in wrong)
    return Refusals(threshold, kept, len(right), refused, len(wrong))


def is_refused(answer: Answer, threshold: float) -> bool:
    """Whether a threshold leaves nothing of an answer."""
    return not answer.given or answer.confidence < threshold


def _confidence(answers: Sequence[Answer]) -> float:
    return sum(answer.confidence for answer in answers) / len(answers)


def _accuracy(answers: Sequence[Answer]) -> float:
    return sum(answer.right for answer in answers) / len(answers)
