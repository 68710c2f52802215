"""The run store: what goes in comes out, and a file that is no store stays as it was."""

import sqlite3
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from qa_core.errors import CrossheadError
from qa_core.evaluation.gold import find_gold
from qa_core.evaluation.outcome import judge
from qa_core.evaluation.runner import run_evaluation
from qa_core.evaluation.runs import RunIdentity, Saved
from qa_core.evaluation.store import RunStore
from qa_core.evaluation.summary import summarise
from qa_core.prediction import Prediction
from qa_core.storage.database import default_store_url
from qa_core.systems.interface import Request
from qa_core.table import Location
from qa_core.transform import base
from tests.evaluation.evaluation_fakes import FirstColumn, airline_dataset

DATASET = airline_dataset(12)
IDENTITY = RunIdentity(DATASET.fingerprint, "first-column", "1", "", "base")


@pytest.fixture
def store(store_url: str) -> Iterator[RunStore]:
    store = RunStore(store_url)
    yield store
    store.close()


def saved(position: int, answer: str | None = None) -> Saved:
    question = DATASET.questions[position]
    table = DATASET.tables[question.table_id]
    (prediction,) = FirstColumn().predict([Request(question.text, base(table))])
    if answer is not None:
        prediction = Prediction(answer)
    return Saved(judge(question, table, prediction), position, 0.5)


def test_a_run_is_listed_with_its_state_and_accuracy(store: RunStore) -> None:
    before = datetime.now(UTC)
    run = store.start_run(IDENTITY, "airline", 12)
    assert (run.status, run.done, run.total, run.strict, run.normalised) == ("running", 0, 12, None, None)
    store.save(run.id, [saved(position) for position in (0, 1, 2, 7)])
    run = store.run(run.id)
    assert (run.dataset, run.system, run.system_version, run.weights) == ("airline", "first-column", "1", "")
    assert (run.done, run.strict, run.normalised, run.seconds) == (4, 0.5, 0.5, 2.0)
    assert before <= run.created <= run.updated <= datetime.now(UTC)
    assert run.finished is None


def test_the_same_evaluation_is_the_same_run(store: RunStore) -> None:
    run = store.start_run(IDENTITY, "airline", 12)
    assert store.start_run(IDENTITY, "airline", 12).id == run.id
    assert store.find_run(IDENTITY) == run
    others = [
        RunIdentity(DATASET.fingerprint, "first-column", "2", "", "base"),
        RunIdentity(DATASET.fingerprint, "first-column", "1", "tiny", "base"),
        RunIdentity(DATASET.fingerprint, "first-column", "1", "", "transpose-all"),
        RunIdentity(DATASET.fingerprint, "first-column", "1", "", "base", limit=3),
        RunIdentity("another dataset", "first-column", "1", "", "base"),
    ]
    assert [store.find_run(other) for other in others] == [None] * 5
    assert len({store.start_run(other, "airline", 12).id for other in others} | {run.id}) == 6


def test_runs_come_newest_first(store: RunStore) -> None:
    ids = []
    for version in "123":
        ids.append(store.start_run(RunIdentity("d", "s", version, "", "base"), "d", 1).id)
        time.sleep(0.002)
    assert [run.id for run in store.runs()] == ids[::-1]


def test_saving_a_question_twice_keeps_the_first(store: RunStore) -> None:
    run = store.start_run(IDENTITY, "airline", 12)
    store.save(run.id, [saved(1), saved(1, "other")])
    store.save(run.id, [saved(1, "other"), saved(2)])
    store.save(run.id, [])
    assert store.prediction(run.id, "q-1").answer == "$11,001"
    assert store.answered(run.id) == {"q-1", "q-2"}
    assert store.run(run.id).seconds == 1.0


def test_a_prediction_comes_back_whole(store: RunStore) -> None:
    run = store.start_run(IDENTITY, "airline", 12)
    store.save(run.id, [saved(1), saved(7)])
    assert store.prediction(run.id, "q-1") == saved(1).outcome.prediction
    assert store.prediction(run.id, "q-7") == saved(7).outcome.prediction


def test_the_summary_is_that_of_the_outcomes(store: RunStore) -> None:
    batch = [saved(position) for position in range(12)]
    run = store.start_run(IDENTITY, "airline", 12)
    store.save(run.id, batch)
    summary = store.summary(run.id)
    assert summary == summarise(item.outcome for item in batch)
    assert summary["n"] == 12
    assert summary["paraphrase_sets"] == {"all": 3, "some": 2, "none": 0}


def test_a_case_is_readable_without_the_dataset(store: RunStore) -> None:
    run = store.start_run(IDENTITY, "airline", 12)
    store.save(run.id, [saved(10)])
    (row,) = store.outcomes(run.id)
    question = DATASET.questions[10]
    assert (row.question_id, row.position, row.table_id) == ("q-10", 10, "tab-1")
    assert (row.text, row.answers, row.kind) == ("Item 10 in 2018?", ("$11,010",), "Table-driven")
    assert (row.row_hierarchy_needed, row.paraphrase_group) == (True, "")
    assert row.slices == ("table-driven", "row-hierarchy-needed", "original", "leaf-unique")
    assert row.gold == find_gold(question, DATASET.tables["tab-1"])
    assert (row.answer, row.location) == ("10", Location(10, 1))
    assert (row.strict, row.normalised, row.reason) == (False, False, "neighbouring-period")
    assert (row.confidence, row.seconds) == (0.9, 0.5)


def test_filters_and_pages(store: RunStore) -> None:
    run = store.start_run(IDENTITY, "airline", 12)
    store.save(run.id, [saved(position) for position in reversed(range(12))])

    def ids(**filters: object) -> list[str]:
        rows = store.outcomes(run.id, **filters)  # type: ignore[arg-type]
        if not {"offset", "limit"} & set(filters):
            assert store.count(run.id, **filters) == len(rows)  # type: ignore[arg-type]
        return [row.question_id for row in rows]

    assert ids() == [f"q-{i}" for i in range(12)]
    assert ids(offset=4, limit=3) == ["q-4", "q-5", "q-6"]
    assert ids(offset=11) == ["q-11"]
    assert ids(correct=False) == ["q-0", "q-7", "q-10"]
    assert ids(reason="no-answer") == ["q-7"]
    assert ids(slice="original") == ["q-10", "q-11"]
    assert ids(slice="row-hierarchy-needed", correct=True) == ["q-5"]
    assert ids(kind="KPI-driven", slice="original") == ["q-11"]
    assert ids(slice="%") == []


def test_deleting_a_run_leaves_the_others(store: RunStore) -> None:
    other = RunIdentity(DATASET.fingerprint, "first-column", "1", "", "transpose-all")
    first, second = (store.start_run(identity, "airline", 12) for identity in (IDENTITY, other))
    for run in (first, second):
        store.save(run.id, [saved(1), saved(2)])
    store.delete_run(first.id)
    assert [run.id for run in store.runs()] == [second.id]
    assert store.count(second.id) == 2
    store.delete_run(second.id)
    assert store.runs() == []


def test_an_unknown_run_or_question_is_said(store: RunStore) -> None:
    for ask in (store.run, store.summary, store.outcomes, store.count, store.delete_run):
        with pytest.raises(CrossheadError, match="has no run 'gone'; choose another run"):
            ask("gone")
    with pytest.raises(CrossheadError, match="has no run 'gone'"):
        store.prediction("gone", "q-1")
    run = store.start_run(IDENTITY, "airline", 12)
    with pytest.raises(CrossheadError, match="holds no prediction for question 'q-1'"):
        store.prediction(run.id, "q-1")


@pytest.mark.parametrize("content", [b"not a database at all, " * 100, b"PK\x03\x04" + bytes(4096)])
def test_a_file_that_is_no_database_is_left_as_it_is(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "runs.sqlite"
    file.write_bytes(content)
    with pytest.raises(
        CrossheadError, match=r"cannot be opened: file is not a database\. It was left as it is"
    ):
        RunStore(f"sqlite:///{file}")
    assert file.read_bytes() == content
    assert [path.name for path in tmp_path.iterdir()] == ["runs.sqlite"]


def test_a_damaged_store_says_so_and_is_left(tmp_path: Path) -> None:
    store = RunStore(f"sqlite:///{tmp_path}/runs.sqlite")
    run = run_evaluation(airline_dataset(100), FirstColumn(), "base", store)
    store.close()
    file = tmp_path / "runs.sqlite"
    damaged = bytearray(file.read_bytes())
    damaged[8192:] = b"\xff" * (len(damaged) - 8192)
    file.write_bytes(damaged)
    with pytest.raises(CrossheadError, match="cannot be"):
        reopened = RunStore(f"sqlite:///{file}")
        reopened.summary(run.id)
    assert file.read_bytes() == bytes(damaged)


def test_the_database_of_another_program_is_refused(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "history.sqlite") as connection:
        connection.execute("CREATE TABLE visits (url TEXT)")
    with pytest.raises(CrossheadError, match="is a database of another program"):
        RunStore(f"sqlite:///{tmp_path}/history.sqlite")
    with sqlite3.connect(tmp_path / "history.sqlite") as connection:
        assert connection.execute("SELECT name FROM sqlite_master").fetchall() == [("visits",)]


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("runs.sqlite", "not named by an SQLAlchemy URL; write sqlite:///runs.sqlite"),
        ("nosuchdb://host/runs", "needs a database driver that is not installed"),
        ("sqlite:////dev/null/runs.sqlite", "The folder of the store"),
    ],
)
def test_a_url_that_cannot_be_used(url: str, says: str) -> None:
    with pytest.raises(CrossheadError, match=says):
        RunStore(url)


def test_a_folder_in_place_of_a_file(tmp_path: Path) -> None:
    with pytest.raises(CrossheadError, match="unable to open database file"):
        RunStore(f"sqlite:///{tmp_path}")


def test_a_password_is_not_shown(tmp_path: Path) -> None:
    with pytest.raises(CrossheadError) as fault:
        RunStore("nosuchdb://user:secret@host/runs")
    assert "secret" not in str(fault.value)


def test_the_store_is_named_by_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("CROSSHEAD_STORE", raising=False)
    monkeypatch.chdir(tmp_path)
    assert default_store_url() == "sqlite:///.crosshead/runs.sqlite"
    RunStore()
    assert (tmp_path / ".crosshead" / "runs.sqlite").is_file()
    monkeypatch.setenv("CROSSHEAD_STORE", "postgresql://host/runs")
    assert default_store_url() == "postgresql://host/runs"


def test_times_are_in_utc(store: RunStore) -> None:
    run = store.start_run(IDENTITY, "airline", 12)
    assert run.created.utcoffset() == timedelta(0)


@pytest.mark.parametrize("url", ["postgresql://u:pw@localhost:abc/db", "sqlite:///x.sqlite?timeout=abc"])
def test_a_malformed_url_is_a_sentence_without_the_password(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(CrossheadError, match="not named by an SQLAlchemy URL") as fault:
        RunStore(url)
    assert "pw" not in str(fault.value)


def test_the_file_of_another_program_keeps_its_bytes(tmp_path: Path) -> None:
    path = tmp_path / "other.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE theirs (a)")
    connection.close()
    before = path.read_bytes()
    with pytest.raises(CrossheadError, match="database of another program"):
        RunStore(f"sqlite:///{path}")
    assert path.read_bytes() == before
