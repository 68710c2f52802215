"""``calibrate`` as a person types it."""

import json
from pathlib import Path

import pytest

from qa_core.__main__ import main
from qa_core.datasets import load_dataset
from qa_core.datasets.aitqa import question_to_record
from qa_core.question import Question
from qa_core.table_format import table_to_record
from tests.tables import AMAZON


@pytest.fixture(autouse=True)
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CROSSHEAD_STORE", f"sqlite:///{tmp_path / 'runs.sqlite'}")


def test_every_figure_is_printed_and_both_runs_are_kept(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["calibrate", "--dataset", "sample", "--system", "lexical"]
    assert main([*command, "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    n = len(load_dataset("sample").questions)
    assert report["n"] == n == report["n_wrong"] + report["left_out"]
    assert sum(each["n"] for each in report["bins"]) == n
    assert report["kept"] >= 0.9
    assert 0 < report["refused"] <= 1
    assert 0 <= report["expected_calibration_error"] <= 1
    assert {"accuracy", "confidence", "threshold", "run", "run_wrong"} <= set(report)

    assert main(command) == 0
    captured = capsys.readouterr()
    assert captured.err.count("questions were answered before") == 2
    assert f"expected calibration error  {report['expected_calibration_error']:.4f}" in captured.out
    said = f"wrong tables refused         {100 * report['refused']:.2f}  (n = {report['n_wrong']}, left out"
    assert said in captured.out


def test_a_dataset_of_one_table_has_no_wrong_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    question = Question("q", AMAZON.id, "AWS net sales in 2024?", ("107,556",))
    (tmp_path / "tables.jsonl").write_text(json.dumps(table_to_record(AMAZON)))
    (tmp_path / "questions.jsonl").write_text(json.dumps(question_to_record(question)))
    assert main(["calibrate", "--dataset", "aitqa", "--data-dir", str(tmp_path)]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith(
        "crosshead: No question of the dataset aitqa can be asked of a wrong table"
    )
    assert captured.err.count("\n") == 1
