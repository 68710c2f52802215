"""An evaluation keeps what it has finished, however it ends."""

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from qa_core.datasets import Dataset
from qa_core.errors import CrossheadError
from qa_core.evaluation.runner import BATCH_SIZE, run_evaluation
from qa_core.evaluation.runs import RunIdentity
from qa_core.evaluation.store import RunStore
from qa_core.prediction import Prediction
from qa_core.question import Question
from qa_core.systems.interface import Request
from tests.evaluation.evaluation_fakes import N_QUESTIONS, FirstColumn, airline_dataset

ROOT = Path(__file__).parents[2]
FAKES = Path(__file__).with_name("evaluation_fakes.py")


def evaluate_in_a_process(url: str, log: Path, seconds: float) -> "subprocess.Popen[bytes]":
    command = [sys.executable, str(FAKES), url, str(log), str(seconds)]
    return subprocess.Popen(command, env={**os.environ, "PYTHONPATH": str(ROOT)})


def lines(log: Path) -> list[str]:
    return log.read_text().splitlines() if log.exists() else []


def test_a_killed_evaluation_goes_on_and_repeats_no_finished_question(tmp_path: Path) -> None:
    url, log = f"sqlite:///{tmp_path}/runs.sqlite", tmp_path / "asked"
    killed = evaluate_in_a_process(url, log, 0.5)
    deadline = time.monotonic() + 60
    while len(lines(log)) < 3 * BATCH_SIZE and time.monotonic() < deadline:
        time.sleep(0.02)
    killed.kill()
    killed.wait()

    store, system = RunStore(url), FirstColumn()
    (left,) = store.runs()
    assert left.status == "running"
    assert 2 * BATCH_SIZE <= left.done < N_QUESTIONS
    finished = store.answered(left.id)

    run = run_evaluation(airline_dataset(), system, "base", store)
    assert (run.id, run.status, run.done) == (left.id, "finished", N_QUESTIONS)
    asked_again = {question.split()[1] for question in system.asked}
    assert asked_again.isdisjoint(question_id.removeprefix("q-") for question_id in finished)
    assert len(system.asked) == N_QUESTIONS - len(finished)


def test_two_processes_on_one_run_keep_each_question_once(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/runs.sqlite"
    pair = [evaluate_in_a_process(url, tmp_path / f"asked-{i}", 0.01) for i in range(2)]
    assert [process.wait(timeout=60) for process in pair] == [0, 0]
    (run,) = RunStore(url).runs()
    assert (run.status, run.done) == ("finished", N_QUESTIONS)


def test_a_finished_run_is_returned_without_asking_again(tmp_path: Path) -> None:
    store, dataset, again = RunStore(f"sqlite:///{tmp_path}/runs.sqlite"), airline_dataset(), FirstColumn()
    first = run_evaluation(dataset, FirstColumn(), "base", store)
    assert run_evaluation(dataset, again, "base", store) == first
    assert again.asked == []


def test_fresh_asks_everything_anew(tmp_path: Path) -> None:
    store, dataset, again = RunStore(f"sqlite:///{tmp_path}/runs.sqlite"), airline_dataset(), FirstColumn()
    first = run_evaluation(dataset, FirstColumn(), "base", store)
    second = run_evaluation(dataset, again, "base", store, fresh=True)
    assert len(again.asked) == N_QUESTIONS
    assert [run.id for run in store.runs()] == [second.id] != [first.id]


def test_an_interrupted_fresh_run_leaves_the_old_one_and_goes_on_with_fresh(tmp_path: Path) -> None:
    store, dataset, system = RunStore(f"sqlite:///{tmp_path}/runs.sqlite"), airline_dataset(), FirstColumn()
    old = run_evaluation(dataset, FirstColumn(), "base", store)
    calls = iter(range(100))
    stopped = run_evaluation(dataset, system, "base", store, fresh=True, should_stop=lambda: next(calls) == 2)
    assert (stopped.status, stopped.done, stopped.limit) == ("stopped", 2 * BATCH_SIZE, None)
    assert store.runs() == [old] == [run_evaluation(dataset, system, "base", store)]
    assert store.count(old.id) == N_QUESTIONS

    new = run_evaluation(dataset, system, "base", store, fresh=True)
    assert (new.id, new.status, new.done) == (stopped.id, "finished", N_QUESTIONS)
    assert sorted(system.asked) == sorted(question.text for question in dataset.questions)
    assert store.runs() == [new]
    assert store.count(new.id) == N_QUESTIONS
    third = run_evaluation(dataset, system, "base", store, fresh=True)
    assert store.runs() == [third] != [new]


def test_a_fresh_run_that_fails_at_once_loses_nothing(tmp_path: Path) -> None:
    class Broken(FirstColumn):
        def predict(self, requests: Sequence[Request]) -> list[Prediction]:
            raise CrossheadError("The model is gone.")

    store, dataset = RunStore(f"sqlite:///{tmp_path}/runs.sqlite"), airline_dataset()
    old = run_evaluation(dataset, FirstColumn(), "base", store, limit=5)
    with pytest.raises(CrossheadError, match="The model is gone"):
        run_evaluation(dataset, Broken(), "base", store, limit=5, fresh=True)
    assert store.runs() == [old]
    store.delete_run(old.id)
    assert store.find_run(RunIdentity(dataset.fingerprint, "first-column", "1", "", "base", 5, True)) is None
    assert run_evaluation(dataset, FirstColumn(), "base", store, limit=5, fresh=True).limit == 5


def test_a_stop_keeps_what_is_done_and_resumes(tmp_path: Path) -> None:
    store, dataset, system = RunStore(f"sqlite:///{tmp_path}/runs.sqlite"), airline_dataset(), FirstColumn()
    progress: list[tuple[int, int]] = []
    stopped = run_evaluation(
        dataset,
        system,
        "base",
        store,
        on_progress=lambda done, total: progress.append((done, total)),
        should_stop=lambda: len(progress) == 3,
    )
    assert (stopped.status, stopped.done, stopped.finished) == ("stopped", 2 * BATCH_SIZE, None)
    assert progress == [(batch * BATCH_SIZE, 100) for batch in range(3)]
    resumed = run_evaluation(
        dataset, system, "base", store, on_progress=lambda *state: progress.append(state)
    )
    assert progress[3:] == [*((done, 100) for done in range(2 * BATCH_SIZE, 100, BATCH_SIZE)), (100, 100)]
    assert (resumed.id, resumed.status, resumed.done) == (stopped.id, "finished", 100)
    assert sorted(system.asked) == sorted(question.text for question in dataset.questions)
    assert resumed.finished is not None


def test_an_interrupted_run_is_stopped_and_keeps_what_is_done(tmp_path: Path) -> None:
    class Interrupted(FirstColumn):
        def predict(self, requests: Sequence[Request]) -> list[Prediction]:
            if len(self.asked) == 32:
                raise KeyboardInterrupt
            return super().predict(requests)

    store = RunStore(f"sqlite:///{tmp_path}/runs.sqlite")
    with pytest.raises(KeyboardInterrupt):
        run_evaluation(airline_dataset(), Interrupted(), "base", store)
    (run,) = store.runs()
    assert (run.status, run.done) == ("stopped", 32)


def test_questions_over_one_table_are_asked_together(tmp_path: Path) -> None:
    system = FirstColumn()
    run_evaluation(airline_dataset(9), system, "base", RunStore(f"sqlite:///{tmp_path}/runs.sqlite"))
    assert system.asked == [f"Item {i} in 2018?" for i in (0, 3, 6, 1, 4, 7, 2, 5, 8)]


def test_a_limit_takes_the_first_questions_and_is_a_run_of_its_own(tmp_path: Path) -> None:
    store, dataset = RunStore(f"sqlite:///{tmp_path}/runs.sqlite"), airline_dataset(9)
    four = run_evaluation(dataset, FirstColumn(), "base", store, limit=4)
    whole = run_evaluation(dataset, FirstColumn(), "base", store)
    assert (four.limit, four.total, whole.limit, whole.total) == (4, 4, None, 9)
    assert [row.question_id for row in store.outcomes(four.id)] == ["q-0", "q-1", "q-2", "q-3"]
    assert run_evaluation(dataset, FirstColumn(), "base", store, limit=99).id == whole.id


def test_a_question_without_its_table_is_a_miss_that_says_so(tmp_path: Path) -> None:
    whole = airline_dataset(3)
    lost = Question("q-lost", "tab-9", "Item 1 in 2018?", ("1",))
    store, system = RunStore(f"sqlite:///{tmp_path}/runs.sqlite"), FirstColumn()
    dataset = Dataset(whole.name, whole.tables, (*whole.questions, lost))
    run = run_evaluation(dataset, system, "base", store)
    assert len(system.asked) == 3
    assert store.summary(run.id)["misses"]["no-answer"] == 1
    assert store.prediction(run.id, "q-lost").notes == ("The dataset has no table 'tab-9'.",)


def test_an_empty_dataset_makes_an_empty_run(tmp_path: Path) -> None:
    store = RunStore(f"sqlite:///{tmp_path}/runs.sqlite")
    run = run_evaluation(Dataset("empty", {}, ()), FirstColumn(), "base", store)
    assert (run.status, run.total, run.strict) == ("finished", 0, None)
    assert store.summary(run.id)["n"] == 0


def test_an_unknown_transformation_leaves_no_run_behind(tmp_path: Path) -> None:
    store = RunStore(f"sqlite:///{tmp_path}/runs.sqlite")
    with pytest.raises(CrossheadError, match="There is no transformation 'sideways'"):
        run_evaluation(airline_dataset(3), FirstColumn(), "sideways", store)
    assert store.runs() == []


def test_a_system_that_loses_questions_is_refused(tmp_path: Path) -> None:
    class Lossy(FirstColumn):
        def predict(self, requests: Sequence[Request]) -> list[Prediction]:
            return super().predict(requests)[1:]

    store = RunStore(f"sqlite:///{tmp_path}/runs.sqlite")
    with pytest.raises(CrossheadError, match="gave 2 predictions for 3 questions"):
        run_evaluation(airline_dataset(3), Lossy(), "base", store)
    assert store.runs()[0].status == "stopped"


def test_a_run_that_is_deleted_while_it_runs_ends_in_a_sentence(tmp_path: Path) -> None:
    store = RunStore(f"sqlite:///{tmp_path}/runs.sqlite")

    def delete(done: int, total: int) -> None:
        if done:
            store.delete_run(store.runs()[0].id)

    with pytest.raises(CrossheadError, match="has no run"):
        run_evaluation(airline_dataset(), FirstColumn(), "base", store, on_progress=delete)
    assert store.runs() == []


def test_two_questions_of_one_text_over_one_table_keep_their_own_golds(tmp_path: Path) -> None:
    whole = airline_dataset(3)
    same = [
        Question(f"same-{i}", "tab-0", "Item 1 in 2018?", (whole.tables["tab-0"].cell(i, 0),)) for i in (1, 2)
    ]
    store = RunStore(f"sqlite:///{tmp_path}/runs.sqlite")
    run = run_evaluation(Dataset("same", whole.tables, tuple(same)), FirstColumn(), "base", store)
    assert [(row.question_id, row.gold.locations[0].row, row.strict) for row in store.outcomes(run.id)] == [
        ("same-1", 1, True),
        ("same-2", 2, False),
    ]
