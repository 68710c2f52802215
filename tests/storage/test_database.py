"""A store file that goes away is noticed, and no sentence shows a secret."""

import re
import sqlite3
from pathlib import Path

import pytest

from qa_core.errors import CrossheadError
from qa_core.evaluation.runner import run_evaluation
from qa_core.evaluation.runs import RunIdentity
from qa_core.evaluation.store import RunStore
from tests.evaluation.evaluation_fakes import FirstColumn, airline_dataset

IDENTITY = RunIdentity("fingerprint", "system", "1", "", "base")


def test_a_deleted_file_is_said_once_and_the_store_goes_on_in_a_new_one(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file = tmp_path / "folder" / "runs.sqlite"
    store = RunStore(f"sqlite:///{file}")
    lost = store.start_run(IDENTITY, "d", 1)
    file.unlink()
    file.parent.rename(tmp_path / "moved")
    with pytest.raises(
        CrossheadError, match=r"was deleted or replaced while .* runs and kept tables .* are lost"
    ):
        store.start_run(IDENTITY, "d", 1)
    assert "was deleted or replaced" in caplog.text
    assert store.runs() == []
    new = store.start_run(IDENTITY, "d", 1)
    assert [run.id for run in RunStore(f"sqlite:///{file}").runs()] == [new.id] != [lost.id]


def test_a_file_that_another_store_replaces_is_said_and_read(tmp_path: Path) -> None:
    store, other = (RunStore(f"sqlite:///{tmp_path / name}") for name in ("runs.sqlite", "other.sqlite"))
    store.start_run(IDENTITY, "d", 1)
    theirs = other.start_run(IDENTITY, "d", 1)
    other.close()
    (tmp_path / "other.sqlite").replace(tmp_path / "runs.sqlite")
    with pytest.raises(CrossheadError, match="was deleted or replaced"):
        store.runs()
    assert [run.id for run in store.runs()] == [theirs.id]


def test_a_file_of_another_program_in_its_place_is_refused_for_as_long_as_it_is_there(tmp_path: Path) -> None:
    file = tmp_path / "runs.sqlite"
    store = RunStore(f"sqlite:///{file}")
    (tmp_path / "text").write_bytes(b"not a database at all, " * 100)
    (tmp_path / "text").replace(file)
    for _ in range(2):
        with pytest.raises(CrossheadError, match="cannot be opened: file is not a database"):
            store.runs()
    assert file.read_bytes() == b"not a database at all, " * 100


def test_a_file_deleted_during_a_run_ends_the_run_in_a_sentence(tmp_path: Path) -> None:
    file = tmp_path / "runs.sqlite"
    store = RunStore(f"sqlite:///{file}")

    def delete(done: int, total: int) -> None:
        if done == 16:
            file.unlink()

    with pytest.raises(CrossheadError, match="was deleted or replaced"):
        run_evaluation(airline_dataset(), FirstColumn(), "base", store, on_progress=delete)
    assert run_evaluation(airline_dataset(), FirstColumn(), "base", store).status == "finished"


@pytest.mark.parametrize(
    "url",
    [
        "nosuchdb://hush:hush@host:12/runs",
        "nosuchdb://hush@host/runs",
        "nosuchdb://host/runs?password=hush&token=hush",
        "nosuchdb://user:p@hush@host/runs",
        "nosuchdb://user:p@a/hush@host/runs",
        "nosuchdb://user:p@a?hush@host/runs",
        "nosuchdb://user:p@1:hush@host/runs",
        "postgresql://user:hush@host:hush/runs",
        "sqlite:///{folder}?timeout=3&check_same_thread=hush",
        "sqlite://hush:hush@hush/{folder}/runs.sqlite",
        "hush",
    ],
)
def test_no_sentence_shows_a_secret(url: str, tmp_path: Path) -> None:
    with pytest.raises(CrossheadError) as fault:
        RunStore(url.format(folder=tmp_path))
    assert "hush" not in re.sub(re.escape(str(tmp_path)), "", str(fault.value))
    assert str(fault.value).endswith(".")


@pytest.mark.filterwarnings("ignore:Query string argument")
def test_the_url_of_a_store_shows_its_file_alone(tmp_path: Path) -> None:
    store = RunStore(f"sqlite:///{tmp_path}/a@b@c.sqlite?timeout=3&password=hush")
    assert store.url == f"sqlite:///{tmp_path}/a%40b%40c.sqlite"
    assert (tmp_path / "a@b@c.sqlite").is_file()


def test_an_at_sign_in_a_password_has_to_be_escaped() -> None:
    with pytest.raises(
        CrossheadError, match=r"more than one @; write one within a name or a password as %40"
    ):
        RunStore("postgresql://user:p@ss@host/runs")
    with pytest.raises(CrossheadError, match="nosuchdb://host/runs needs a database driver"):
        RunStore("nosuchdb://user:p%40ss@host/runs")


def test_a_store_in_memory_keeps_its_runs() -> None:
    store = RunStore("sqlite://")
    assert store.start_run(IDENTITY, "d", 1) == store.runs()[0]


def test_a_store_that_another_program_holds_is_busy_for_a_moment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("qa_core.storage.database._BUSY_TIMEOUT_S", 0.1)
    file = tmp_path / "runs.sqlite"
    store = RunStore(f"sqlite:///{file}")
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(
        CrossheadError, match=r"cannot be written now: another program is writing to it\. Try"
    ):
        store.start_run(IDENTITY, "d", 1)
    with pytest.raises(CrossheadError, match="cannot be opened now: another program is writing to it"):
        RunStore(f"sqlite:///{file}")
    other.execute("ROLLBACK")
    assert store.start_run(IDENTITY, "d", 1).total == 1
