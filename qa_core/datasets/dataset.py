"""A dataset is tables and the questions over them."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from dataclasses import dataclass
from functools import cached_property

from qa_core.errors import CrossheadError
from qa_core.header import header_depth
from qa_core.question import KPI_DRIVEN, TABLE_DRIVEN, Question
from qa_core.table import Table
from qa_core.text import fold


@dataclass(frozen=True)
class Dataset:
    """Tables by id and questions in order; ``warnings`` says in sentences what is odd about the files."""

    name: str
    tables: dict[str, Table]
    questions: tuple[Question, ...]
    warnings: tuple[str, ...] = ()

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 (hex) over all tables and questions: two datasets with it are the same."""
        tables = sorted(
            (table.id, table.title, table.company, table.fingerprint) for table in self.tables.values()
        )
        questions = [_key(question) for question in self.questions]
        content: list[object] = [tables, questions]
        return hashlib.sha256(json.dumps(content).encode()).hexdigest()

    def table(self, table_id: str) -> Table:
        """The table with this id. Raises CrossheadError for an unknown one."""
        if table_id not in self.tables:
            raise CrossheadError(f"The dataset {self.name} has no table {table_id!r}; choose another table.")
        return self.tables[table_id]

    def question(self, question_id: str) -> Question:
        """The question with this id. Raises CrossheadError for an unknown one."""
        if question_id not in self._questions_by_id:
            raise CrossheadError(
                f"The dataset {self.name} has no question {question_id!r}; choose another question."
            )
        return self._questions_by_id[question_id]

    @cached_property
    def _questions_by_id(self) -> dict[str, Question]:
        return {question.id: question for question in self.questions}

    def questions_of(self, table_id: str) -> tuple[Question, ...]:
        """The questions over one table, in order."""
        return self._questions_by_table.get(table_id, ())

    @cached_property
    def _questions_by_table(self) -> dict[str, tuple[Question, ...]]:
        grouped: dict[str, list[Question]] = {}
        for question in self.questions:
            grouped.setdefault(question.table_id, []).append(question)
        return {table_id: tuple(questions) for table_id, questions in grouped.items()}

    def search(self, query: str) -> tuple[str, ...]:
        """Ids of the tables that hold every word of ``query`` in title, company, headers or cells."""
        words = fold(query).split()
        if not words:
            return tuple(self.tables)
        return tuple(
            table_id for table_id, text in self._search_text.items() if all(word in text for word in words)
        )

    @cached_property
    def _search_text(self) -> dict[str, str]:
        return {table.id: fold(" ".join((table.id, *table.texts()))) for table in self.tables.values()}


def _key(question: Question) -> list[object]:
    """Everything about a question that a run depends on, as JSON values."""
    cell = question.cell.as_list() if question.cell else None
    return [
        question.id,
        question.table_id,
        question.text,
        question.answers,
        question.kind,
        question.row_hierarchy_needed,
        question.paraphrase_group,
        cell,
    ]


@dataclass(frozen=True)
class Statistics:
    """Counts of a dataset, as in Table 2 of the AIT-QA paper, and what its headers are like."""

    tables: int
    questions: int
    kpi_driven: int
    table_driven: int
    row_hierarchy_needed: int
    row_hierarchy_not_needed: int
    paraphrase_sets: int
    paraphrased_questions: int
    rows: int
    columns: int
    cells: int
    column_depths: dict[int, int]
    row_depths: dict[int, int]
    tables_without_row_headers: int


def statistics(dataset: Dataset) -> Statistics:
    """Count a dataset; depths map a header depth to the number of tables whose deepest path has it."""
    tables, questions = dataset.tables.values(), dataset.questions
    groups = Counter(q.paraphrase_group for q in questions if q.paraphrase_group)
    return Statistics(
        tables=len(tables),
        questions=len(questions),
        kpi_driven=sum(q.kind == KPI_DRIVEN for q in questions),
        table_driven=sum(q.kind == TABLE_DRIVEN for q in questions),
        row_hierarchy_needed=sum(q.row_hierarchy_needed is True for q in questions),
        row_hierarchy_not_needed=sum(q.row_hierarchy_needed is False for q in questions),
        paraphrase_sets=len(groups),
        paraphrased_questions=sum(groups.values()),
        rows=sum(table.n_rows for table in tables),
        columns=sum(table.n_columns for table in tables),
        cells=sum(table.n_rows * table.n_columns for table in tables),
        column_depths=dict(sorted(Counter(header_depth(t.column_paths) for t in tables).items())),
        row_depths=dict(sorted(Counter(header_depth(t.row_paths) for t in tables).items())),
        tables_without_row_headers=sum(not any(t.row_paths) for t in tables),
    )
