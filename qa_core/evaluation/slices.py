"""Named subsets of questions: those that AIT-QA annotates, and one that the table itself gives."""

from __future__ import annotations

from collections.abc import Iterator

from qa_core.evaluation.gold import Gold
from qa_core.question import KPI_DRIVEN, TABLE_DRIVEN, Question
from qa_core.table import Table
from qa_core.text import fold

SLICES: dict[str, str] = {
    "kpi-driven": "Asks for a key performance indicator, in words that need not be the table's.",
    "table-driven": "Written by reading the table.",
    "row-hierarchy-needed": "Annotated as needing the hierarchy of the row headers.",
    "row-hierarchy-not-needed": "Annotated as answerable without the hierarchy of the row headers.",
    "original": "Not part of a paraphrase set.",
    "paraphrased": "Asks for the same answer as another question, in other words.",
    "leaf-repeats": "The leaf label of the gold's row also stands under another parent.",
    "leaf-unique": "The leaf label of the gold's row stands under no other parent, or the row has no label.",
}


def slices_of(question: Question, table: Table, gold: Gold) -> tuple[str, ...]:
    """The slices of a question, in the order of ``SLICES``.

    ``leaf-repeats`` and ``leaf-unique`` are judged on the row of the intended gold. Where the intended one is
    unknown, all candidates have to agree. A question belongs to neither where they do not, where the gold
    stands nowhere, and where it stands in a column header.
    """
    return tuple(_slices(question, table, gold))


def _slices(question: Question, table: Table, gold: Gold) -> Iterator[str]:
    if question.kind == KPI_DRIVEN:
        yield "kpi-driven"
    if question.kind == TABLE_DRIVEN:
        yield "table-driven"
    if question.row_hierarchy_needed is not None:
        yield "row-hierarchy-needed" if question.row_hierarchy_needed else "row-hierarchy-not-needed"
    yield "paraphrased" if question.paraphrase_group else "original"
    rows = {location.row for location in gold.targets if location.row is not None}
    repeats = _leaf_repeats(table, rows)
    if len(repeats) == 1:
        yield "leaf-repeats" if repeats.pop() else "leaf-unique"


def _leaf_repeats(table: Table, rows: set[int]) -> set[bool]:
    """For some rows, whether the leaf label also stands under another parent: the answers that occur."""
    paths = [tuple(filter(None, map(fold, table.row_path(row)))) for row in range(table.n_rows)]
    parents: dict[str, set[tuple[str, ...]]] = {}
    for path in filter(None, paths):
        parents.setdefault(path[-1], set()).add(path[:-1])
    return {bool(paths[row]) and len(parents[paths[row][-1]]) > 1 for row in rows}
