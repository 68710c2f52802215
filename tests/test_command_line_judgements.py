"""``judgements`` as a person types it."""

import json
from pathlib import Path

import pytest

from qa_core.__main__ import main
from qa_core.datasets import load_dataset
from qa_core.evaluation.store import RunStore

QUESTIONS = load_dataset("sample").questions
FIRST, SECOND = QUESTIONS[0], QUESTIONS[1]


@pytest.fixture(autouse=True)
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CROSSHEAD_STORE", f"sqlite:///{tmp_path / 'runs.sqlite'}")


def written(tmp_path: Path, *records: object) -> str:
    file = tmp_path / "said.jsonl"
    file.write_text("".join(f"{json.dumps(record)}\n" for record in records), encoding="utf-8")
    return str(file)


def test_what_is_imported_is_printed_again_and_a_second_import_adds_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    audit = {"id": FIRST.id, "verdict": "wrong", "better": [0, 0], "why": "The other row."}
    note = {"id": SECOND.id, "note": "=1+1 <b>", "author": "Ada", "made": "2026-01-02T03:04:05+01:00"}
    file = written(tmp_path, audit, note)
    assert main(["judgements", "--import", file, "--author", "second reading"]) == 0
    assert capsys.readouterr().err == "2 of 2 judgements are new and were kept.\n"
    assert main(["judgements", "--import", file, "--author", "second reading"]) == 0
    assert capsys.readouterr().err == "0 of 2 judgements are new and were kept.\n"

    assert main(["judgements"]) == 0
    second, first = map(json.loads, capsys.readouterr().out.splitlines())  # in the order of their times
    right = load_dataset("sample").table(FIRST.table_id).cell(0, 0)
    assert first | {"made": ""} == audit | {"answer": right, "author": "second reading", "made": ""}
    assert second == note | {"made": "2026-01-02T02:04:05+00:00"}


def test_one_broken_line_keeps_all_of_a_file_out_and_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good = {"id": FIRST.id, "note": "Read."}
    broken = {"id": FIRST.id, "note": "Read.", "tag": "both"}
    assert main(["judgements", "--import", written(tmp_path, good, broken)]) == 2
    captured = capsys.readouterr()
    assert captured.err.startswith("crosshead: ")
    assert "said.jsonl" in captured.err
    assert "2" in captured.err
    assert captured.err.count("\n") == 1
    assert main(["judgements"]) == 0
    assert capsys.readouterr().out == ""


def test_a_judgement_of_a_question_of_another_dataset_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["judgements", "--import", written(tmp_path, {"id": "q-nowhere", "note": "Read."})]) == 2
    assert "has no question 'q-nowhere'" in capsys.readouterr().err


def test_evaluate_prints_the_three_accuracies_once_a_gold_is_disputed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    evaluate = ["evaluate", "--system", "lexical", "--json", "--limit", "20"]
    assert main(evaluate) == 0
    before = json.loads(capsys.readouterr().out)
    file = written(tmp_path, {"id": FIRST.id, "verdict": "unanswerable"})
    assert main(["judgements", "--import", file]) == 0
    capsys.readouterr()
    assert main(evaluate) == 0
    after = json.loads(capsys.readouterr().out)
    assert "disputed" not in before
    hits = round(20 * before["accuracy"]["strict"])
    (first,) = RunStore().cases_of(before["run"], [FIRST.id])
    right = int(first.strict)
    left = pytest.approx((hits - right) / 19), pytest.approx((hits - right) / 20)
    assert after == before | {
        "disputed": 1,
        "undisputed": {"n": 19, "strict": left[0]},
        "corrected": {"n": 20, "strict": left[1]},
    }
