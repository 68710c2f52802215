"""``reproduce`` as a person types it."""

from pathlib import Path

import pytest

from qa_core.__main__ import main
from qa_core.evaluation.store import RunStore

REPRODUCE = ["reproduce", "--dataset", "sample", "--system", "lexical"]


@pytest.fixture(autouse=True)
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> RunStore:
    url = f"sqlite:///{tmp_path / 'runs.sqlite'}"
    monkeypatch.setenv("CROSSHEAD_STORE", url)
    return RunStore(url)


def test_what_is_missing_is_run_once_and_the_tables_are_printed_and_written(
    store: RunStore, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "new" / "folder"
    assert main([*REPRODUCE, "--out", str(folder)]) == 0
    captured = capsys.readouterr()
    assert "1 of 1: lexical, base" in captured.err
    (run,) = store.runs()
    figure = f"{100 * (run.strict or 0):.2f}"
    assert f"| Lexical | {figure} (" in captured.out
    assert f"run {run.id})" in captured.out
    assert "published" not in captured.out.replace("Published figures are", ""), "those are of AIT-QA"
    assert (folder / "reproduction.md").read_text(encoding="utf-8") == captured.out
    assert f"<td>{figure}<small>" in (folder / "reproduction.html").read_text(encoding="utf-8")

    assert main(REPRODUCE) == 0
    again = capsys.readouterr()
    assert (again.out, again.err) == (captured.out, "")
    assert store.runs() == [run]


def test_a_folder_that_cannot_be_made_is_said_before_anything_is_run(
    store: RunStore, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    assert main([*REPRODUCE, "--out", str(tmp_path / "file" / "folder")]) == 2
    captured = capsys.readouterr()
    assert captured.err.startswith(f"crosshead: The folder {tmp_path / 'file' / 'folder'} cannot be made: ")
    assert captured.err.count("\n") == 1
    assert store.runs() == []
