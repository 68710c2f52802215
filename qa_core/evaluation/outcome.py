"""The verdict on one prediction."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from qa_core.evaluation.facets import question_facets
from qa_core.evaluation.gold import Gold, find_gold
from qa_core.evaluation.matching import matches_any, normalised_match, strict_match
from qa_core.evaluation.misses import miss_reason
from qa_core.evaluation.slices import slices_of
from qa_core.prediction import Prediction
from qa_core.question import Question
from qa_core.table import Table


@dataclass(frozen=True)
class Outcome:
    """A question, its gold, a prediction, and whether it matches under either rule.

    ``reason`` is a name in ``misses.REASONS``, empty for a strict hit; ``facets`` has a value for each of
    ``QUESTION_FACETS``.
    """

    question: Question
    gold: Gold
    prediction: Prediction
    strict: bool
    normalised: bool
    reason: str
    slices: tuple[str, ...]
    facets: Mapping[str, str]


def judge(question: Question, table: Table, prediction: Prediction) -> Outcome:
    """Match a prediction against the accepted answers of a question, and say why it misses."""
    gold = find_gold(question, table)
    slices = slices_of(question, table, gold)
    strict = matches_any(strict_match, prediction.answer, question.answers)
    return Outcome(
        question=question,
        gold=gold,
        prediction=prediction,
        strict=strict,
        normalised=matches_any(normalised_match, prediction.answer, question.answers),
        reason="" if strict else miss_reason(prediction, gold, table),
        slices=slices,
        facets=question_facets(question, table, gold, slices),
    )
