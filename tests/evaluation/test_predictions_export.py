"""Predictions as files: what is in them, and that it comes out of them as it went in."""

import csv
import io
import json
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from qa_core.__main__ import main
from qa_core.datasets import Dataset, load_dataset
from qa_core.errors import CrossheadError
from qa_core.evaluation.judgements import Judged, Judgement
from qa_core.evaluation.predictions_export import COLUMNS, FORMATS, prediction_records, write_predictions
from qa_core.evaluation.runner import run_evaluation
from qa_core.evaluation.runs import RunRecord
from qa_core.evaluation.store import RunStore
from qa_core.export import guarded, unguarded
from qa_core.prediction import Prediction
from qa_core.question import Question
from qa_core.systems.interface import Request
from qa_core.systems.registry import load_system
from qa_core.table import Location, Table

FORMULA = '=HYPERLINK("http://x";"y")'
ODD = Table(
    "odd",
    (("Year, ended", "2018"), ("Year, ended", '"2017" › \n x')),
    (("Assets:", "", "Cash"), ("Assets:", "@Total"), ()),
    (("-12", "(12)"), (FORMULA, "'=1"), ("+1 (555)", "مرحبا")),
)
QUESTIONS = tuple(
    Question(f"q-{row}-{column}", "odd", f"{ODD.cell(row, column)} \x00?", (ODD.cell(row, column),))
    for row in range(3)
    for column in range(2)
)
DATASET = Dataset("odd", {"odd": ODD}, QUESTIONS)


class Reader:
    """Points to the asked cell; to two under an operator for the first question, to none for the last."""

    name, version, weights = "reader", "1", ""

    def predict(self, requests: Iterable[Request]) -> list[Prediction]:
        return [self._answer(request.question) for request in requests]

    def _answer(self, asked: str) -> Prediction:
        question = next(each for each in QUESTIONS if each.text == asked)
        location = Location(*map(int, question.id.split("-")[1:]))
        if question is QUESTIONS[0]:
            return Prediction("-24", (location, Location(0, 1)), operator="SUM", confidence=0.1 + 0.2)
        if question is QUESTIONS[-1]:
            return Prediction("", notes=("=It says nothing.",))
        return Prediction(question.answers[0], (location,), confidence=1 / 3)


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> tuple[RunStore, RunRecord]:
    store = RunStore(f"sqlite:///{tmp_path_factory.mktemp('store')}/runs.sqlite")
    return store, run_evaluation(DATASET, Reader(), "base", store)


def records(stored: tuple[RunStore, RunRecord], **judged: Judged) -> list[dict[str, Any]]:
    return [each for part in prediction_records(*stored, DATASET, judged) for each in part]


def written(file_format: str, rows: list[dict[str, Any]]) -> bytes:
    stream = io.BytesIO()
    write_predictions(stream, file_format, [rows[:4], rows[4:]])
    return stream.getvalue()


def read(file_format: str, content: bytes) -> list[dict[str, Any]]:
    """As somebody else reads it who knows the kinds of the columns."""
    if file_format == "jsonl":
        return [json.loads(line) for line in content.decode().split("\n")[:-1]]
    if file_format == "parquet":
        return list(pq.read_table(io.BytesIO(content)).to_pylist())
    read = {
        "text": unguarded,
        "number": float,
        "count": int,
        "yes or no": {"true": True, "false": False}.__getitem__,
        "texts": json.loads,
        "places": json.loads,
    }
    rows = csv.DictReader(io.StringIO(content.decode("utf-8-sig"), newline=""))
    return [{name: read[COLUMNS[name]](value) for name, value in row.items()} for row in rows]


def test_a_row_says_all_of_a_prediction(stored: tuple[RunStore, RunRecord]) -> None:
    first, last = records(stored)[0], records(stored)[-1]
    assert list(first) == list(COLUMNS)
    assert first == first | {
        "run": stored[1].id,
        "system": "reader",
        "transformation": "base",
        "position": 0,
        "question_id": "q-0-0",
        "question": "-12 \x00?",
        "gold_answers": ["-12"],
        "gold_locations": [[0, 0]],
        "gold_row_path": ["Assets:", "", "Cash"],
        "gold_column_path": ["Year, ended", "2018"],
        "predicted_answer": "-24",
        "operator": "SUM",
        "predicted_locations": [[0, 0], [0, 1]],
        "predicted_row_path": ["Assets:", "", "Cash"],
        "predicted_column_path": ["Year, ended", "2018"],
        "strict": False,
        "reason": "right-cell-among-others",
        "facet_row_depth": "2",
        "confidence": 0.1 + 0.2,
    }
    assert last == last | {
        "predicted_answer": "",
        "predicted_locations": [],
        "predicted_row_path": [],
        "reason": "no-answer",
        "notes": ["=It says nothing."],
        "gold_row_path": [],
        "gold_column_path": ["Year, ended", '"2017" › \n x'],
    }


def test_what_people_said_stands_beside_it(stored: tuple[RunStore, RunRecord]) -> None:
    note = Judgement("q-0-0", "note", "Sums.", "Ada", datetime.now(UTC))
    said = {"q-0-0": Judged((note,), ("unit",), replace(note, kind="gold", verdict="unanswerable"))}
    first, second, *_ = records(stored, **said)
    assert (first["gold_disputed"], first["tags"], first["said"]) == (True, ["unit"], ["Sums."])
    assert (second["gold_disputed"], second["tags"], second["said"]) == (False, [], [])


@pytest.mark.parametrize("file_format", FORMATS)
def test_what_is_written_is_read_exactly(stored: tuple[RunStore, RunRecord], file_format: str) -> None:
    rows = records(stored)
    assert read(file_format, written(file_format, rows)) == rows


def test_no_field_of_a_csv_is_a_formula_and_negative_numbers_stay(
    stored: tuple[RunStore, RunRecord],
) -> None:
    text = written("csv", records(stored)).decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    answers = [row["predicted_answer"] for row in rows]
    assert answers == ["-24", "(12)", f"'{FORMULA}", "''=1", "'+1 (555)", ""]
    for row in rows:
        for value in row.values():
            assert not value.startswith(("=", "+", "@")) and (value[:1] != "-" or float(value))


def test_the_csv_says_that_it_is_utf_8(stored: tuple[RunStore, RunRecord]) -> None:
    assert written("csv", records(stored)).startswith(b"\xef\xbb\xbfrun,system,")


def test_a_run_is_read_in_parts_in_the_datasets_order(stored: tuple[RunStore, RunRecord]) -> None:
    store, run = stored
    parts = list(store.whole_cases(run.id, size=4))
    assert [len(part) for part in parts] == [4, 2]
    assert [each.case.question_id for part in parts for each in part] == [each.id for each in QUESTIONS]
    assert parts[0][0].prediction == store.prediction(run.id, "q-0-0")


def test_a_run_over_another_dataset_is_refused(stored: tuple[RunStore, RunRecord]) -> None:
    other = Dataset("odd", {"odd": ODD}, QUESTIONS[:1])
    with pytest.raises(CrossheadError, match="is over another dataset, odd, or another state of it"):
        next(prediction_records(*stored, other, {}))


@pytest.mark.parametrize("text", ["=1", "'=1", "''=1", "-12", "+5%", "-", "@x", "plain", "", "\t=1", "'"])
def test_a_guard_comes_off(text: str) -> None:
    assert unguarded(guarded(text)) == text


@pytest.mark.parametrize("ending", FORMATS)
def test_the_command_writes_a_file(tmp_path: Path, ending: str) -> None:
    url = f"sqlite:///{tmp_path / 'runs.sqlite'}"
    run = run_evaluation(load_dataset("sample"), load_system("lexical"), "base", RunStore(url), limit=9)
    file = tmp_path / f"predictions.{ending}"
    assert main(["export-predictions", "--run", run.id, "--out", str(file), "--store", url]) == 0
    rows = read(ending, file.read_bytes())
    assert [row["position"] for row in rows] == list(range(9))
    assert sum(row["strict"] for row in rows) == round((run.strict or 0) * 9)
    assert [path.name for path in tmp_path.glob("predictions*")] == [file.name]


@pytest.mark.parametrize(
    ("run", "out", "said"),
    [
        ("RUN", "x.xls", "The ending of x.xls names no format"),
        ("RUN", "nowhere/x.csv", "nowhere/x.csv cannot be written"),
        ("0123", "x.csv", "has no run '0123'"),
    ],
)
def test_what_cannot_be_written_is_said(
    run: str, out: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    url = f"sqlite:///{tmp_path / 'runs.sqlite'}"
    made = run_evaluation(load_dataset("sample"), load_system("lexical"), "base", RunStore(url), limit=1)
    name = made.id if run == "RUN" else run
    assert main(["export-predictions", "--run", name, "--out", out, "--store", url]) == 2
    assert said in capsys.readouterr().err
    assert not list(tmp_path.glob("x*"))
