"""Folders in the AIT-QA format (Katsis et al. 2022; data at IBM/AITQA, CDLA-Sharing-1.0, not shipped)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from qa_core.datasets.dataset import Dataset
from qa_core.errors import CrossheadError, shorten
from qa_core.json_lines import read_json_lines
from qa_core.question import Question
from qa_core.table import Location, Table
from qa_core.table_format import table_from_record, table_to_record
from qa_core.text import as_text

_FIELDS = (
    "id",
    "table_id",
    "question",
    "answers",
    "type",
    "row_hierarchy_needed",
    "paraphrase_group",
    "cell",
)
_N_QUESTIONS = 515
"""Of all of AIT-QA."""
_YES_NO = {"yes": True, "no": False}


def load_folder(folder: Path, name: str) -> Dataset:
    """Tables and questions of a folder.

    The files are ``aitqa_tables.jsonl`` and ``aitqa_questions.jsonl``, as published, or ``tables.jsonl`` and
    ``questions.jsonl``; each may be gzipped under its name and ``.gz``. Raises CrossheadError for a missing
    folder or file, a broken line (with file and line number), an id that stands twice, and a folder without
    tables or questions.
    """
    _check_folder(folder)
    tables: dict[str, Table] = {}
    tables_file, questions_file = (_find(folder, name) for name in ("tables.jsonl", "questions.jsonl"))
    for where, record in read_json_lines(tables_file):
        table = table_from_record(record, where)
        if table.id in tables:
            raise CrossheadError(f"{where}: the table id {table.id!r} stands twice; ids must differ.")
        tables[table.id] = table
    questions: dict[str, Question] = {}
    for where, record in read_json_lines(questions_file):
        question = question_from_record(record, where)
        if question.id in questions:
            raise CrossheadError(f"{where}: the question id {question.id!r} stands twice; ids must differ.")
        questions[question.id] = question
    for file, records in ((tables_file, tables), (questions_file, questions)):
        if not records:
            raise CrossheadError(
                f"{file} holds no line; a dataset needs at least one table and one question."
            )
    lost = sorted({q.table_id for q in questions.values()} - set(tables))
    warning = f"Some questions name tables that are not in the folder: {shorten(', '.join(lost[:5]))}."
    return Dataset(name, tables, tuple(questions.values()), (warning,) if lost else ())


def folder_files(dataset: Dataset) -> dict[str, str]:
    """The files of a dataset's folder, text by name; ``load_folder`` gives the same dataset back."""
    return {
        "aitqa_tables.jsonl": _json_lines(map(table_to_record, dataset.tables.values())),
        "aitqa_questions.jsonl": _json_lines(map(question_to_record, dataset.questions)),
    }


def save_folder(dataset: Dataset, folder: Path) -> None:
    """Write a dataset as a folder, which is made where there is none.

    Raises CrossheadError where it cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in folder_files(dataset).items():
            (folder / name).write_text(text, encoding="utf-8")
    except OSError as fault:
        raise CrossheadError(
            f"{folder} cannot be written: {fault.strerror or fault}; name another folder."
        ) from fault


def _json_lines(records: Iterable[dict[str, Any]]) -> str:
    return "".join(f"{json.dumps(record, ensure_ascii=False)}\n" for record in records)


def looks_like_aitqa(dataset: Dataset) -> bool:
    """Whether a dataset is AIT-QA or a part of it, so that the paper's figures may stand beside its own.

    It has no more questions, and the published files name their tables tab-0, tab-1, … and their questions
    q-0, q-1, …
    """
    if not 0 < len(dataset.questions) <= _N_QUESTIONS:
        return False
    tables_named = all(re.fullmatch(r"tab-\d+", table_id) for table_id in dataset.tables)
    questions_named = all(re.fullmatch(r"q-\d+", question.id) for question in dataset.questions)
    return bool(dataset.tables) and tables_named and questions_named


def question_from_record(record: dict[str, Any], where: str = "question") -> Question:
    """A Question from one AIT-QA record. Raises CrossheadError for a record that is none."""
    for field in ("id", "table_id", "question", "answers"):
        if field not in record:
            raise CrossheadError(f"{where}: the question has no field {field!r}; AIT-QA questions need it.")
    identifier = record["id"]
    if not isinstance(identifier, str | int) or not as_text(identifier).strip():
        raise CrossheadError(f"{where}: the question's id must be a non-empty string.")
    answers = record["answers"]
    if not isinstance(answers, list) or any(isinstance(answer, list | dict) for answer in answers):
        raise CrossheadError(f"{where}: field 'answers' must be a list of strings.")
    return Question(
        id=as_text(identifier),
        table_id=as_text(record["table_id"]),
        text=as_text(record["question"]),
        answers=tuple(map(as_text, answers)),
        kind=as_text(record.get("type")),
        row_hierarchy_needed=_YES_NO.get(as_text(record.get("row_hierarchy_needed")).lower()),
        paraphrase_group=as_text(record.get("paraphrase_group")),
        cell=_location(record.get("cell"), where),
        extra={name: value for name, value in record.items() if name not in _FIELDS},
    )


def question_to_record(question: Question) -> dict[str, Any]:
    """The AIT-QA record of a question; ``question_from_record`` gives the same question back."""
    needed = {True: "Yes", False: "No", None: ""}[question.row_hierarchy_needed]
    record: dict[str, Any] = {
        "id": question.id,
        "table_id": question.table_id,
        "question": question.text,
        "answers": list(question.answers),
        "type": question.kind,
        "row_hierarchy_needed": needed,
        "paraphrase_group": question.paraphrase_group,
    }
    if question.cell:
        record["cell"] = question.cell.as_list()
    return record | dict(question.extra)


def _location(value: object, where: str) -> Location | None:
    if value is None:
        return None
    valid = (
        isinstance(value, list)
        and len(value) == 2
        and all(part is None or (type(part) is int and part >= 0) for part in value)
        and value != [None, None]
    )
    if not valid:
        raise CrossheadError(
            f"{where}: field 'cell' must be [row, column] counted from 0, null for a header."
        )
    return Location(*value)  # type: ignore[misc]


def _check_folder(path: Path) -> None:
    try:
        if path.is_dir():
            next(path.iterdir(), None)  # a folder that may not be listed fails here
            return
        found = f"{path} is a file, not a folder" if path.exists() else f"There is no folder {path}"
    except OSError as fault:
        raise CrossheadError(f"{path} cannot be read: {fault.strerror or fault}.") from None
    raise CrossheadError(f"{found}; give the folder that holds aitqa_tables.jsonl.")


def _find(folder: Path, name: str) -> Path:
    names = (f"aitqa_{name}", name, f"aitqa_{name}.gz", f"{name}.gz")
    found = next((folder / each for each in names if (folder / each).is_file()), None)
    if found is None:
        raise CrossheadError(f"{folder} holds no aitqa_{name}; give a folder in the AIT-QA format.")
    return found
