"""The command line as a person types it: exit codes, sentences, JSON."""

import json
from pathlib import Path

import pytest

from qa_core.__main__ import main
from qa_core.evaluation.slices import SLICES
from qa_core.table_format import write_table
from tests.tables import AMAZON, HEADERS_ONLY


@pytest.fixture
def table(tmp_path: Path) -> str:
    write_table(AMAZON, tmp_path / "table.json")
    return str(tmp_path / "table.json")


@pytest.fixture(autouse=True)
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CROSSHEAD_STORE", f"sqlite:///{tmp_path / 'runs.sqlite'}")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["ask", "TABLE", " "], "The question is empty"),
        (["ask", "none.json", "x"], "There is no file none.json"),
        (["ask", ".", "x"], "it is not a file"),
        (["ask", "TABLE", "x", "--table-id", "zz"], "holds no table 'zz'; it holds amazon-segments"),
        (["ask", "TABLE", "x", "--system", "rci", "--encoder", "no-such-folder/x"], "no-such-folder/x"),
        (["evaluate", "--dataset", "aitqa"], "name it with --data-dir"),
        (["evaluate", "--dataset", "aitqa", "--data-dir", "nowhere"], "There is no folder nowhere"),
        (["evaluate", "--store", "nonsense"], "not named by an SQLAlchemy URL"),
    ],
)
def test_bad_input_is_one_sentence_and_exit_code_2(
    arguments: list[str], said: str, table: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([table if argument == "TABLE" else argument for argument in arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert said in captured.err
    assert captured.err.startswith("crosshead: ") and captured.err.count("\n") == 1


@pytest.mark.parametrize(
    "arguments", [["evaluate", "--limit", "0"], ["evaluate", "--system", "gpt"], ["nothing"], []]
)
def test_a_bad_argument_ends_with_2(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    assert capsys.readouterr().err.startswith("crosshead: ")


def test_ask_prints_the_cell_and_its_paths(table: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ask", table, "AWS net sales in 2024?", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["answer"] == "107,556"
    assert answer["cell"] == [2, 1]
    assert answer["row_path"] == ["AWS", "Net sales"]
    assert answer["column_path"] == ["Year Ended December 31,", "2024"]
    assert 0 <= answer["confidence"] <= 1
    assert answer["candidates"][0]["text"] == "107,556"


def test_a_table_without_rows_has_no_answer(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_table(HEADERS_ONLY, tmp_path / "empty.json")
    assert main(["ask", str(tmp_path / "empty.json"), "2018?", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["answer"], answer["cell"]) == ("", None)
    assert answer["notes"]


def test_evaluate_prints_every_figure_and_resumes(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["evaluate", "--dataset", "sample", "--system", "lexical", "--limit", "12", "--json"]
    assert main(command) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["n"] == 12
    assert set(report) >= {"dataset", "system", "transformation", "accuracy", "misses", "seconds"}
    assert set(report["accuracy"]) == {"strict", "normalised"}
    assert list(report["slices"]) == list(SLICES)
    assert set(report["paraphrase_sets"]) == {"all", "some", "none"}
    assert main(command) == 0
    captured = capsys.readouterr()
    assert json.loads(captured.out)["run"] == report["run"]
    assert "12 of 12 questions were answered before" in captured.err
