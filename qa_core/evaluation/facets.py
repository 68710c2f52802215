"""Facets: what questions are told apart by, each with a few values in a fixed order.

Those of a question come from its annotation, its table and its gold answer, and are the same for every run;
those of an answer, from how a run answered.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass

from qa_core.evaluation.gold import Gold
from qa_core.evaluation.matching import number
from qa_core.evaluation.misses import REASONS
from qa_core.question import KPI_DRIVEN, TABLE_DRIVEN, Question
from qa_core.table import Location, Table, join_path


@dataclass(frozen=True)
class Facet:
    """A facet's title and its values by name, with their titles."""

    title: str
    values: Mapping[str, str]


SETS: dict[str, str] = {
    "all-right": "Every question of the set is a strict hit.",
    "some-right": "Some questions of the set are strict hits, others are not.",
    "none-right": "No question of the set is a strict hit.",
}
"""Paraphrase sets by how many of their questions are right."""
DEEPEST = 4
"""Header depths from here on are one."""
SIZES = (50, 150, 500)
"""Numbers of body cells up to which a table is small, middling and large."""
CONFIDENCE_BINS = 10
"""Bins of equal width that confidence is told apart by; one holds its upper edge, the first also 0."""

_DEPTHS = {
    **{str(depth): f"{depth} level{'s' * (depth != 1)}" for depth in range(DEEPEST)},
    f"{DEEPEST}-up": f"{DEEPEST} levels or more",
    "no-cell": "gold in no body cell",
}
QUESTION_FACETS: dict[str, Facet] = {
    "category": Facet(
        "Category",
        {"kpi-driven": "KPI-driven", "table-driven": "table-driven", "no-category": "not annotated"},
    ),
    "hierarchy": Facet(
        "Row hierarchy", {"needed": "needed", "not-needed": "not needed", "unknown": "not annotated"}
    ),
    "paraphrase": Facet("Paraphrase", {"original": "original", "paraphrased": "paraphrased"}),
    "leaf": Facet(
        "Leaf label of the row",
        {"repeats": "under several parents", "unique": "under one", "undecided": "undecided"},
    ),
    "row-depth": Facet("Row header depth", _DEPTHS),
    "column-depth": Facet("Column header depth", _DEPTHS),
    "size": Facet(
        "Table size",
        {
            "small": f"up to {SIZES[0]} cells",
            "middling": f"{SIZES[0] + 1} to {SIZES[1]} cells",
            "large": f"{SIZES[1] + 1} to {SIZES[2]} cells",
            "vast": f"more than {SIZES[2]} cells",
        },
    ),
    "answer": Facet(
        "Kind of answer",
        {"money": "money", "percent": "percent", "count": "count", "date": "date", "text": "text"},
    ),
}
ANSWER_FACETS: dict[str, Facet] = {
    "reason": Facet(
        "Structural reason", {"right": "right", **{name: name.replace("-", " ") for name in REASONS}}
    ),
    "confidence": Facet(
        "Confidence",
        {
            str(place): f"{place / CONFIDENCE_BINS:.1f} to {(place + 1) / CONFIDENCE_BINS:.1f}"
            for place in range(CONFIDENCE_BINS)
        },
    ),
}
FACETS: dict[str, Facet] = QUESTION_FACETS | ANSWER_FACETS

_MONEY = re.compile(r"[$€£¥]|\bdollars?\b|\b(?:usd|eur|gbp)\b|\bcents?\b|¢", re.IGNORECASE)
_PERCENT = re.compile(r"%|\bpercent(?:age)?\b|\bpts\b|\bpoints\b", re.IGNORECASE)
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)
_DATE = re.compile(
    rf"\b{_MONTH} \d{{1,2}}(?:, \d{{4}})?\b|\b{_MONTH},? \d{{4}}\b|\b\d{{1,2}}[/.-]\d{{1,2}}[/.-]\d{{2,4}}\b"
    r"|\b\d{4}-\d{2}-\d{2}\b|^(?:19|20)\d\d$",
    re.IGNORECASE,
)


def question_facets(question: Question, table: Table, gold: Gold, slices: tuple[str, ...]) -> dict[str, str]:
    """The value of each of ``QUESTION_FACETS``; ``slices`` as from ``slices_of``."""
    rows = [location.row for location in gold.targets if location.row is not None]
    columns = [location.column for location in gold.targets if location.column is not None]
    return {
        "category": {KPI_DRIVEN: "kpi-driven", TABLE_DRIVEN: "table-driven"}.get(
            question.kind, "no-category"
        ),
        "hierarchy": {True: "needed", False: "not-needed", None: "unknown"}[question.row_hierarchy_needed],
        "paraphrase": "paraphrased" if question.paraphrase_group else "original",
        "leaf": next((name for name in ("repeats", "unique") if f"leaf-{name}" in slices), "undecided"),
        "row-depth": _depth([len(_labels(table.row_path(row))) for row in rows]),
        "column-depth": _depth([len(_labels(table.column_path(column))) for column in columns]),
        "size": _size(table.n_rows * table.n_columns),
        "answer": answer_kind(question.answers[0] if question.answers else "", table, gold),
    }


def answer_facets(strict: bool, reason: str, confidence: float) -> dict[str, str]:
    """The value of each of ``ANSWER_FACETS``."""
    return {
        "reason": "right" if strict else reason,
        "confidence": str(bisect_left(confidence_edges(), confidence)),
    }


def confidence_edges(n_bins: int = CONFIDENCE_BINS) -> list[float]:
    """Where one bin of confidence ends and the next one begins."""
    return [edge / n_bins for edge in range(1, n_bins)]


def answer_kind(answer: str, table: Table, gold: Gold) -> str:
    """Money, percent, count, date or text.

    A bare number is what its headers say, or else the table's title; a count where neither says it.
    """
    if _DATE.search(answer):
        return "date"
    if _PERCENT.search(answer):
        return "percent"
    if _MONEY.search(answer):
        return "money"
    if number(answer) is None:
        return "text"
    for said in (_headers(table, gold.targets[0]) if gold.targets else "", table.title):
        # The change in percent of an amount of money stands under both.
        if _PERCENT.search(said):
            return "percent"
        if _MONEY.search(said):
            return "money"
    return "count"


def _headers(table: Table, location: Location) -> str:
    row = () if location.row is None else table.row_path(location.row)
    column = () if location.column is None else table.column_path(location.column)
    return join_path((*row, *column))


def _labels(path: tuple[str, ...]) -> list[str]:
    return [level for level in path if level.strip()]


def _depth(depths: list[int]) -> str:
    """The deepest of some paths; of a header cell, the path of its own axis alone is known."""
    if not depths:
        return "no-cell"
    deepest = max(depths)
    return str(deepest) if deepest < DEEPEST else f"{DEEPEST}-up"


def _size(n_cells: int) -> str:
    return list(QUESTION_FACETS["size"].values)[sum(n_cells > bound for bound in SIZES)]
