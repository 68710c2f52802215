import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from components.runs import evaluations, quick
from components.runs.evaluations import Evaluation, EvaluationKey, Evaluations
from components.runs.quick import RunFigures, quick_figures
from qa_core.datasets import Dataset
from qa_core.errors import CrossheadError
from qa_core.evaluation.results import is_as_shipped
from qa_core.evaluation.runner import BATCH_SIZE, run_evaluation
from qa_core.evaluation.store import RunStore
from qa_core.prediction import Prediction
from qa_core.question import Question
from qa_core.systems.interface import Request
from qa_core.table import Location
from qa_core.transform import TRANSFORMATIONS
from tests.tables import AMAZON

N = 3 * BATCH_SIZE
DATASET = Dataset(
    "sample",
    {AMAZON.id: AMAZON},
    tuple(Question(f"q{n}", AMAZON.id, "AWS net sales in 2024?", ("107,556",)) for n in range(N)),
)


class Oracle:
    """Answers right, one batch for each time that it is let."""

    name, version, weights = "lexical", "1", ""

    def __init__(self) -> None:
        self.asked = 0
        self.let = threading.Semaphore(0)

    def predict(self, requests: Sequence[Request]) -> list[Prediction]:
        self.let.acquire(timeout=10)
        self.asked += len(requests)
        return [Prediction("107,556", (Location(2, 1),))] * len(requests)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[RunStore]:
    store = RunStore(f"sqlite:///{tmp_path / 'runs.sqlite'}")
    yield store
    store.close()


@pytest.fixture
def oracle(monkeypatch: pytest.MonkeyPatch, store: RunStore) -> Oracle:
    oracle = Oracle()
    for module in (evaluations, quick):
        monkeypatch.setattr(module, "load_system", lambda name: oracle)
    monkeypatch.setattr(quick, "run_store", lambda: store)
    registry = Evaluations()
    monkeypatch.setattr(quick, "evaluations", lambda: registry)
    return oracle


def key(limit: int | None = None) -> EvaluationKey:
    return EvaluationKey(DATASET.fingerprint, "lexical", "base", limit)


def wait_for(evaluation: Evaluation, done: int) -> None:
    deadline = threading.Event()
    for _ in range(500):
        if evaluation.done >= done:
            return
        deadline.wait(0.01)
    pytest.fail(f"{evaluation.done} of {done} questions were done")


def test_an_evaluation_runs_in_the_background_and_names_its_run(oracle: Oracle, store: RunStore) -> None:
    registry = Evaluations()
    evaluation = registry.start(key(), DATASET, store)
    assert registry.of(DATASET.fingerprint) == [evaluation]
    assert registry.of("another dataset") == []
    assert evaluation.rate is None
    oracle.let.release(3)
    evaluation.wait()
    assert (evaluation.done, evaluation.total, evaluation.fault) == (N, N, "")
    assert evaluation.rate > 0
    assert store.run(evaluation.run_id).status == "finished"
    assert registry.of(DATASET.fingerprint) == []


def test_a_second_start_joins_the_evaluation_under_way(oracle: Oracle, store: RunStore) -> None:
    registry = Evaluations()
    first = registry.start(key(), DATASET, store)
    assert registry.start(key(), DATASET, store) is first
    assert registry.start(key(5), DATASET, store) is not first
    oracle.let.release(4)
    first.wait()
    assert registry.start(key(), DATASET, store) is not first


def test_stop_keeps_what_is_finished_and_a_new_start_asks_only_the_rest(
    oracle: Oracle, store: RunStore
) -> None:
    registry = Evaluations()
    evaluation = registry.start(key(), DATASET, store)
    oracle.let.release()
    wait_for(evaluation, BATCH_SIZE)
    evaluation.stop()
    oracle.let.release()
    evaluation.wait()
    stopped = store.run(evaluation.run_id)
    assert (stopped.status, stopped.total) == ("stopped", N)
    assert stopped.done == oracle.asked < N
    oracle.let.release(3)
    again = registry.start(key(), DATASET, store)
    again.wait()
    assert (again.run_id, store.run(again.run_id).done, oracle.asked) == (stopped.id, N, N)


@pytest.mark.parametrize(
    ("raised", "sentence"),
    [
        (
            CrossheadError("The encoder x cannot be loaded; name another."),
            "The encoder x cannot be loaded; name",
        ),
        (ZeroDivisionError("boom"), "broke off after 0 questions with a ZeroDivisionError"),
    ],
)
def test_a_failure_is_a_sentence_until_it_is_forgotten(
    monkeypatch: pytest.MonkeyPatch, store: RunStore, raised: Exception, sentence: str
) -> None:
    def fail(name: str) -> None:
        raise raised

    monkeypatch.setattr(evaluations, "load_system", fail)
    registry = Evaluations()
    evaluation = registry.start(key(), DATASET, store)
    evaluation.wait()
    assert sentence in evaluation.fault
    assert registry.of(DATASET.fingerprint) == [evaluation]
    registry.forget(key())
    assert registry.of(DATASET.fingerprint) == []


def test_quick_figures_start_a_system_without_a_model_and_do_not_wait(
    oracle: Oracle, store: RunStore
) -> None:
    evaluation = quick_figures(DATASET, "lexical", "base")
    assert isinstance(evaluation, Evaluation)
    assert not evaluation.ended
    assert quick_figures(DATASET, "lexical", "base") is evaluation
    oracle.let.release(3)
    evaluation.wait()
    figures = quick_figures(DATASET, "lexical", "base")
    assert isinstance(figures, RunFigures)
    assert (figures.run.done, figures.summary["accuracy"]["strict"]) == (N, 1.0)
    assert quick_figures(DATASET, "lexical", "base") == figures
    assert oracle.asked == N


@pytest.mark.parametrize("transformation", TRANSFORMATIONS)
def test_quick_figures_of_a_system_that_does_not_read_the_flat_table_hold_for_every_transformation(
    oracle: Oracle, store: RunStore, transformation: str
) -> None:
    oracle.let.release(3)
    run = run_evaluation(DATASET, oracle, transformation, store)
    figures = [quick_figures(DATASET, "lexical", each) for each in TRANSFORMATIONS]
    assert [each.run for each in figures if isinstance(each, RunFigures)] == [run] * 3
    assert oracle.asked == N


def test_quick_figures_of_a_stopped_run_are_those_of_its_part(oracle: Oracle, store: RunStore) -> None:
    evaluation = quick_figures(DATASET, "lexical", "base")
    assert isinstance(evaluation, Evaluation)
    evaluation.stop()
    oracle.let.release(1)
    evaluation.wait()
    figures = quick_figures(DATASET, "lexical", "base")
    assert figures is None or (isinstance(figures, RunFigures) and figures.run.done == BATCH_SIZE)
    assert len(store.runs()) == 1


def test_a_failure_of_quick_figures_is_not_tried_again_until_it_is_forgotten(
    oracle: Oracle, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(oracle, "predict", lambda requests: [])
    evaluation = quick_figures(DATASET, "lexical", "base")
    assert isinstance(evaluation, Evaluation)
    evaluation.wait()
    assert "gave 0 predictions for 8 questions" in evaluation.fault
    assert quick_figures(DATASET, "lexical", "base") is evaluation


def test_quick_figures_load_no_model(oracle: Oracle, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (evaluations, quick):
        monkeypatch.setattr(module, "load_system", lambda name: pytest.fail("a model was loaded"))
    assert quick_figures(DATASET, "rci", "base") is None


@pytest.mark.parametrize(
    ("system", "weights", "shown"),
    [
        ("rci", "crosshead-rci@0123abcd", True),
        ("rci", "rows@0123abcd, columns@4567cdef", False),
        ("rci-representation", "all-MiniLM-L6-v2@0123abcd", True),
        ("rci-representation", "other@0123abcd", False),
    ],
)
def test_quick_figures_are_those_of_a_system_with_its_default_model(
    oracle: Oracle,
    store: RunStore,
    monkeypatch: pytest.MonkeyPatch,
    system: str,
    weights: str,
    shown: bool,
) -> None:
    monkeypatch.setattr(oracle, "name", system)
    monkeypatch.setattr(oracle, "weights", weights)
    oracle.let.release(3)
    run = run_evaluation(DATASET, oracle, "base", store)
    assert is_as_shipped(run) == shown
    figures = quick_figures(DATASET, system, "base")
    assert isinstance(figures, RunFigures) == shown


def test_quick_figures_leave_a_large_dataset_to_its_page(
    oracle: Oracle, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(quick, "QUICK_QUESTIONS", N - 1)
    assert quick_figures(DATASET, "lexical", "base") is None
    assert oracle.asked == 0
