"""TAT-QA (Zhu et al. 2021; MIT licence, not shipped) as tables with header paths and questions with cells."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from qa_core.datasets.dataset import Dataset
from qa_core.errors import CrossheadError
from qa_core.json_lines import read_json_lines
from qa_core.question import Question
from qa_core.table import HeaderPath, Table
from qa_core.text import as_text

_YEAR = re.compile(r"(?:19|20)\d\d")
_MARKS = re.compile(r"[\s$%,()]")


def load_tatqa(path: Path) -> Dataset:
    """The span questions of a JSON Lines file whose answer stands in exactly one body cell.

    A line is one table: ``{"id", "grid": [[cell, ...], ...], "questions": [{"id", "question", "answer",
    "answer_type"}, ...]}``. A grid without header rows or without body is left out. Raises CrossheadError
    for a line of another form and for a table id that stands twice.
    """
    tables: dict[str, Table] = {}
    questions: list[Question] = []
    for where, record in read_json_lines(path):
        table = table_from_grid(as_text(record.get("id")), _grid(record, where))
        if table is None:
            continue
        if table.id in tables:
            raise CrossheadError(f"{where}: the table id {table.id!r} stands twice; ids must differ.")
        tables[table.id] = table
        questions.extend(_span_questions(record, table, where))
    return Dataset("tatqa", tables, tuple(questions))


def table_from_grid(table_id: str, grid: Sequence[Sequence[str]]) -> Table | None:
    """A grid whose first column is the stub as a Table, or None where it has no header rows or no body.

    The header is the first row and those below it with an empty stub, up to the first number that is no
    year. A blank in an upper header row belongs to the nearest spanner, the left one of two. A row that has
    a label alone opens a group if the label ends in a colon, and closes the one before it.
    """
    width = max(map(len, grid), default=1) or 1
    rows = [[cell.strip() for cell in row] + [""] * (width - len(row)) for row in grid]
    depth = 0
    while depth < len(rows) - 1 and not (depth and rows[depth][0]) and not _has_number(rows[depth][1:]):
        depth += 1
    row_paths: list[HeaderPath] = []
    cells: list[tuple[str, ...]] = []
    group: HeaderPath = ()
    for label, *values in rows[depth:]:
        if any(values):
            row_paths.append((*group, label))
            cells.append(tuple(values))
        else:
            group = (label,) if label.endswith(":") else ()
    if not depth or not cells:
        return None
    return Table(table_id, _column_paths([row[1:] for row in rows[:depth]]), tuple(row_paths), tuple(cells))


def _column_paths(header: Sequence[Sequence[str]]) -> tuple[HeaderPath, ...]:
    levels = [*map(_spread, header[:-1]), header[-1]]
    return tuple(tuple(filter(None, path)) for path in zip(*levels, strict=True))


def _spread(labels: Sequence[str]) -> list[str]:
    filled = [column for column, label in enumerate(labels) if label]
    if not filled:
        return list(labels)
    return [labels[min(filled, key=lambda at: (abs(at - column), at))] for column in range(len(labels))]


def _has_number(cells: Sequence[str]) -> bool:
    return any(re.search(r"\d", cell) and not _YEAR.search(cell) for cell in cells)


def _span_questions(record: dict[str, Any], table: Table, where: str) -> Iterator[Question]:
    asked = record.get("questions")
    if not isinstance(asked, list) or not all(isinstance(entry, dict) for entry in asked):
        raise CrossheadError(f"{where}: field 'questions' must be a list of objects.")
    for entry in asked:
        answer = entry.get("answer")
        answers = answer if isinstance(answer, list) else [answer]
        if entry.get("answer_type") != "span" or len(answers) != 1:
            continue
        found = _plain(as_text(answers[0]))
        places = [at for at in table.locations() if found and _plain(table.text_at(at)) == found]
        if len(places) == 1:
            text = table.text_at(places[0])
            asked_text = as_text(entry.get("question"))
            yield Question(as_text(entry.get("id")), table.id, asked_text, (text,), cell=places[0])


def _plain(text: str) -> str:
    return _MARKS.sub("", text)


def _grid(record: dict[str, Any], where: str) -> list[list[str]]:
    grid = record.get("grid")
    if not isinstance(grid, list) or not all(
        isinstance(row, list) and all(isinstance(cell, str) for cell in row) for row in grid
    ):
        raise CrossheadError(f"{where}: field 'grid' must be a list of rows of strings.")
    return grid
