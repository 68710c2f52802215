"""``robustness`` and ``rewordings`` as a person types them."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from qa_core.__main__ import main
from qa_core.datasets import load_dataset
from qa_core.evaluation.perturbations import PERTURBATIONS
from qa_core.evaluation.rewording_store import RewordingStore
from qa_core.evaluation.rewordings import Rewording
from qa_core.evaluation.store import RunStore

Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def url(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    url = f"sqlite:///{tmp_path / 'runs.sqlite'}"
    monkeypatch.setenv("CROSSHEAD_STORE", url)
    return url


@pytest.fixture
def run(url: str, capsys: Capture) -> str:
    assert main(["evaluate", "--limit", "40"]) == 0
    capsys.readouterr()
    return RunStore(url).runs()[0].id


def test_the_report_says_each_rule_in_json_and_in_words(run: str, capsys: Capture) -> None:
    assert main(["robustness", "--run", run, "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["run"], report["system"], report["questions"], report["of"]) == (run, "lexical", 40, 40)
    assert list(report["perturbations"]) == list(PERTURBATIONS)
    for row in report["perturbations"].values():
        assert row["fits"] + row["does_not_fit"] == 40
        assert (row["before"] is None) == (row["fits"] == 0)
    right = report["stay_right"]
    assert right["n"] and right["interval"][0] <= right["share"] <= right["interval"][1]

    assert main(["robustness", "--run", run]) == 0
    captured = capsys.readouterr()
    assert captured.err == "40 of 40 questions were answered before; they are not asked again.\n"
    reorder = report["perturbations"]["reorder"]
    assert f"reorder       {reorder['fits']:>6}" in captured.out
    assert f"right answers that stay right: {100 * right['share']:.2f} of {right['n']}" in captured.out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["robustness", "--run", "gone"], "The run store has no run 'gone'; choose another run."),
        (["robustness"], "the following arguments are required: --run"),
        (["robustness", "--run", "RUN", "--leaves-only"], "is over another dataset than this sample"),
        (["rewordings", "--import", "none.jsonl"], "There is no file none.jsonl"),
    ],
)
def test_bad_input_is_one_sentence(run: str, arguments: list[str], said: str, capsys: Capture) -> None:
    try:
        code = main([run if each == "RUN" else each for each in arguments])
    except SystemExit as ended:
        code = int(str(ended.code))
    captured = capsys.readouterr()
    assert code == 2
    assert said in captured.err
    assert captured.err.count("\n") == 1
    assert captured.out == ""


def test_wordings_go_out_and_come_in_once(url: str, tmp_path: Path, capsys: Capture) -> None:
    dataset, store = load_dataset("sample"), RewordingStore(url)
    made = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    kept = Rewording("s-air-op-2-q3", "ALK unit cost without fuel, 2017?", "Ada", made)
    store.add(dataset, [kept])
    assert main(["rewordings"]) == 0
    out = capsys.readouterr().out
    record = json.loads(out)
    assert (record["question"], record["answers"]) == (kept.text, ["7.50¢"])
    assert (record["paraphrase_group"], record["rewording_of"]) == ("s-air-op-2-q3", "s-air-op-2-q3")

    store.add(dataset, [Rewording(kept.question_id, kept.text, "Ben", made, kept=False)])
    assert main(["rewordings"]) == 0
    assert capsys.readouterr().out == ""
    file = tmp_path / "own.jsonl"
    file.write_text(out, encoding="utf-8")
    for new in (1, 0):
        assert main(["rewordings", "--import", str(file)]) == 0
        assert capsys.readouterr().err == f"{new} of 1 wordings are new and were kept.\n"
    assert store.standing(dataset) == [kept]
