"""Questions of a run in other words: asked once, counted, resumed, and by two at once."""

import threading
from collections.abc import Sequence
from pathlib import Path

import pytest
from scipy.stats import binomtest

from qa_core.datasets import Dataset
from qa_core.errors import CrossheadError
from qa_core.evaluation import perturbed_store
from qa_core.evaluation.perturbations import PERTURBATIONS
from qa_core.evaluation.perturbed_runner import ask_perturbed
from qa_core.evaluation.perturbed_store import PerturbedStore
from qa_core.evaluation.reasking import can_be_asked, system_of
from qa_core.evaluation.robustness import as_json, clustered_interval, robustness
from qa_core.evaluation.runner import BATCH_SIZE, run_evaluation
from qa_core.evaluation.runs import RunRecord
from qa_core.evaluation.store import RunStore
from qa_core.prediction import Prediction, abstain
from qa_core.question import Question
from qa_core.systems.interface import Request
from qa_core.systems.registry import load_system
from qa_core.table import Location
from tests.tables import AMAZON

ASKED = (
    ("What did AWS report as net sales in 2024?", "107,556"),  # passive, reorder, and AWS cannot go
    ("What were AWS's net sales in 2024?", "107,556"),  # drop-level, reorder
    ("AWS operating income 2023", "24,631"),  # drop-level
    ("What were net sales in North America in 2023?", "$352,828"),  # drop-level, reorder
    ("?", "14,877"),
)
DATASET = Dataset(
    "amazon",
    {AMAZON.id: AMAZON},
    tuple(Question(f"q{n}", AMAZON.id, text, (gold,)) for n, (text, gold) in enumerate(ASKED)),
)


class Literal:
    """Finds AWS only where it is named, a year only at the end; notes what it was asked."""

    name, version, weights = "literal", "1", ""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def predict(self, requests: Sequence[Request]) -> list[Prediction]:
        self.asked += [request.question for request in requests]
        return [self._answer(request.question) for request in requests]

    def _answer(self, text: str) -> Prediction:
        if text == "?":
            return abstain("Nothing is asked.")
        row = 2 * ("AWS" in text) + ("income" in text)
        at = Location(row, int("2024" in text))
        return Prediction(AMAZON.text_at(at), (at,), confidence=0.5)


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/runs.sqlite"


def ran(url: str, system: Literal, dataset: Dataset = DATASET) -> tuple[RunStore, RunRecord]:
    runs = RunStore(url)
    return runs, run_evaluation(dataset, system, "base", runs)


def test_every_wording_is_asked_counted_and_kept(url: str) -> None:
    system = Literal()
    runs, run = ran(url, system)
    store = PerturbedStore(url)
    before = robustness(store, run)
    assert (before.looked_at, before.total, before.share, before.interval) == (0, 5, None, (0.0, 1.0))
    system.asked.clear()
    ask_perturbed(DATASET, run, system, runs, store)
    assert system.asked == [
        "In 2024, what did AWS report as net sales?",
        "What was reported as net sales by AWS in 2024?",
        "What were the net sales in 2024?",
        "In 2024, what were AWS's net sales?",
        "Operating income 2023",
        "What were net sales in 2023?",
        "In 2023, what were net sales in North America?",
    ]
    found = robustness(store, run)
    assert (found.looked_at, found.is_whole) == (5, True)
    assert {name: effect.fits for name, effect in found.effects.items()} == {
        "abbreviate": 0, "expand": 0, "drop-level": 3, "reorder": 3, "passive": 1, "active": 0,
    }  # fmt: skip
    dropped = found.effects["drop-level"]
    assert (dropped.change.lost, dropped.change.both_right, dropped.same) == (2, 1, 1)
    assert (dropped.change.first, dropped.change.second) == (1.0, 1 / 3)
    assert dropped.change.p_value == binomtest(0, 2).pvalue == 0.5
    # Without a header level another cell may be right, so that is no matter of robustness.
    assert (found.kept, found.asked, found.share) == (4, 4, 1.0)
    report = as_json(found, run)
    assert report["perturbations"]["drop-level"]["does_not_fit"] == 2
    assert report["perturbations"]["abbreviate"]["before"] is None
    assert report["stay_right"] == {"n": 4, "share": 1.0, "interval": list(found.interval)}


def test_of_a_run_that_was_deleted_meanwhile_it_is_said(url: str) -> None:
    system = Literal()
    runs, run = ran(url, system)
    with pytest.raises(CrossheadError, match=f"The run {run.id} was deleted while its questions were asked"):
        ask_perturbed(
            DATASET, run, system, runs, PerturbedStore(url), on_progress=lambda *_: runs.delete_run(run.id)
        )


def test_the_cases_behind_a_figure_hold_both_wordings_and_both_answers(url: str) -> None:
    system = Literal()
    runs, run = ran(url, system)
    store = PerturbedStore(url)
    ask_perturbed(DATASET, run, system, runs, store)
    (first, second) = store.cases(run.id, perturbation="drop-level", change="lost")
    assert (first.question_id, first.original, first.after.text) == (
        "q1", "What were AWS's net sales in 2024?", "What were the net sales in 2024?",
    )  # fmt: skip
    assert (first.before, first.before_location, first.before_strict) == ("107,556", Location(2, 1), True)
    assert (first.after.answer, first.after.location, first.after.strict, first.after.confidence) == (
        "$387,497", Location(0, 1), False, 0.5,
    )  # fmt: skip
    assert first.after.reason == "same-leaf-other-parent"
    assert store.cases(run.id, offset=1, limit=1, perturbation="drop-level", change="lost") == [second]
    assert store.places(run.id, same=False) == [("q1", "drop-level"), ("q2", "drop-level")]
    assert len(store.places(run.id)) == store.count(run.id) == 7
    assert store.cases(run.id, change="gained") == []


def test_what_is_stored_is_not_asked_again_and_a_stop_keeps_it(url: str) -> None:
    system = Literal()
    many = Dataset(
        "many",
        DATASET.tables,
        tuple(Question(f"q{n}", AMAZON.id, ASKED[1][0], ("107,556",)) for n in range(3 * BATCH_SIZE)),
    )
    runs, run = ran(url, system, many)
    store = PerturbedStore(url)
    progress: list[tuple[int, int]] = []
    ask_perturbed(
        many, run, system, runs, store,
        on_progress=lambda *done: progress.append(done), should_stop=lambda: len(progress) > 1,
    )  # fmt: skip
    assert progress == [(0, 24), (8, 24)]
    assert not robustness(store, run).is_whole
    system.asked.clear()
    ask_perturbed(many, run, system, runs, store)
    assert len(system.asked) == 2 * 2 * BATCH_SIZE
    system.asked.clear()
    ask_perturbed(many, run, system, runs, store, on_progress=lambda *done: progress.append(done))
    assert system.asked == []
    assert progress[-1] == (24, 24)


def test_answers_to_wordings_of_other_rules_do_not_count_and_go(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    system = Literal()
    runs, run = ran(url, system)
    store = PerturbedStore(url)
    with monkeypatch.context() as earlier:
        earlier.setattr(perturbed_store, "rules", lambda: "0 other")
        ask_perturbed(DATASET, run, system, runs, store)
    assert robustness(store, run).looked_at == 0
    ask_perturbed(DATASET, run, system, runs, store)
    assert store.count(run.id) == 7


def test_two_who_ask_at_once_keep_each_answer_once(url: str) -> None:
    _, run = ran(url, Literal())
    PerturbedStore(url).close()

    def ask() -> None:
        ask_perturbed(DATASET, run, Literal(), RunStore(url), PerturbedStore(url))

    both = [threading.Thread(target=ask) for _ in range(2)]
    for each in both:
        each.start()
    for each in both:
        each.join()
    assert PerturbedStore(url).count(run.id) == 7


def test_answers_go_with_their_run(url: str) -> None:
    system = Literal()
    runs, run = ran(url, system)
    store = PerturbedStore(url)
    ask_perturbed(DATASET, run, system, runs, store)
    runs.delete_run(run.id)
    assert store.n_looked_at(run.id) == 0


def test_a_run_over_another_dataset_and_one_of_another_version_are_refused(url: str) -> None:
    system = Literal()
    runs, run = ran(url, system)
    other = Dataset("other", DATASET.tables, DATASET.questions[:2])
    with pytest.raises(CrossheadError, match="is over another dataset than this other; name the amazon"):
        ask_perturbed(other, run, system, runs, PerturbedStore(url))
    assert not can_be_asked(run)
    with pytest.raises(CrossheadError, match="which Crosshead does not load by itself"):
        system_of(run)
    lexical = load_system("lexical")
    _, shipped = ran(url, lexical)  # type: ignore[arg-type]
    assert system_of(shipped) is lexical
    old = RunRecord(**{**shipped.__dict__, "system_version": "0"})
    with pytest.raises(CrossheadError, match="was made by another version of lexical"):
        system_of(old)


def test_a_system_that_leaves_questions_out_is_refused(url: str) -> None:
    class Short(Literal):
        def predict(self, requests: Sequence[Request]) -> list[Prediction]:
            return super().predict(requests)[1:]

    runs, run = ran(url, Literal())
    with pytest.raises(CrossheadError, match="gave 6 predictions for 7 questions"):
        ask_perturbed(DATASET, run, Short(), runs, PerturbedStore(url))


def test_clusters_of_one_are_a_plain_bootstrap_and_clusters_widen_the_interval() -> None:
    assert clustered_interval({}) == (0.0, 1.0)
    assert clustered_interval({(1, 1): 10}) == (1.0, 1.0)
    apart = clustered_interval({(1, 1): 80, (0, 1): 20})
    together = clustered_interval({(4, 4): 20, (0, 4): 5})
    assert apart == pytest.approx((0.72, 0.88), abs=0.011)
    assert together[0] < apart[0] < 0.8 < apart[1] < together[1]


def test_the_figures_name_every_perturbation(url: str) -> None:
    _, run = ran(url, Literal())
    assert list(robustness(PerturbedStore(url), run).effects) == list(PERTURBATIONS)
