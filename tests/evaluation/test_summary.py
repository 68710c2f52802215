"""The figures over eight outcomes, to the last digit."""

import pytest

from qa_core.evaluation.gold import Gold
from qa_core.evaluation.misses import REASONS
from qa_core.evaluation.outcome import Outcome, judge
from qa_core.evaluation.slices import SLICES
from qa_core.evaluation.summary import summarise
from qa_core.prediction import Prediction, abstain
from qa_core.question import KPI_DRIVEN, Question
from qa_core.table import Location, Table


def outcome(strict: bool, normalised: bool, reason: str, slices: tuple[str, ...], group: str = "") -> Outcome:
    question = Question("q", "t", "How much?", ("1",), paraphrase_group=group)
    return Outcome(question, Gold((), "nowhere"), Prediction("1"), strict, normalised, reason, slices, {})


EIGHT = [
    outcome(True, True, "", ("kpi-driven", "paraphrased", "leaf-unique"), "all right"),
    outcome(True, True, "", ("kpi-driven", "paraphrased", "leaf-unique"), "all right"),
    outcome(True, True, "", ("table-driven", "paraphrased", "leaf-repeats"), "some right"),
    outcome(False, True, "right-value-other-cell", ("table-driven", "paraphrased"), "some right"),
    outcome(False, False, "both-wrong", ("paraphrased",), "none right"),
    outcome(False, False, "both-wrong", ("paraphrased",), "none right"),
    outcome(True, True, "", ("paraphrased",), "asked once"),
    outcome(False, False, "no-answer", ("original",)),
]


def test_figures_of_eight_outcomes() -> None:
    summary = summarise(EIGHT)
    assert summary["n"] == 8
    assert summary["accuracy"] == {"strict": 0.5, "normalised": 0.625}
    assert summary["intervals"]["strict"] == pytest.approx([0.2152161, 0.7847839], abs=1e-6)
    assert summary["intervals"]["normalised"] == pytest.approx([0.3057424, 0.8631557], abs=1e-6)
    assert summary["paraphrase_sets"] == {"all": 1, "some": 1, "none": 1}
    assert {reason: n for reason, n in summary["misses"].items() if n} == {
        "no-answer": 1,
        "right-value-other-cell": 1,
        "both-wrong": 2,
    }
    counts = {name: (s["n"], s["strict"], s["normalised"]) for name, s in summary["slices"].items()}
    assert counts == {
        "kpi-driven": (2, 1.0, 1.0),
        "table-driven": (2, 0.5, 1.0),
        "row-hierarchy-needed": (0, None, None),
        "row-hierarchy-not-needed": (0, None, None),
        "original": (1, 0.0, 0.0),
        "paraphrased": (7, 4 / 7, 5 / 7),
        "leaf-repeats": (1, 1.0, 1.0),
        "leaf-unique": (2, 1.0, 1.0),
    }
    assert summary["slices"]["row-hierarchy-needed"]["strict_interval"] == [0.0, 1.0]


def test_misses_add_up_to_the_strict_misses() -> None:
    summary = summarise(EIGHT)
    assert sum(summary["misses"].values()) == 8 - 4


def test_no_outcomes_at_all() -> None:
    summary = summarise([])
    assert summary["n"] == 0
    assert summary["accuracy"] == {"strict": None, "normalised": None}
    assert list(summary["slices"]) == list(SLICES)
    assert list(summary["misses"]) == list(REASONS)


FUEL = Table("fuel", (("2018",), ("2017",)), (("Fuel",),), (("$5,813", "$6,913"),))


@pytest.mark.parametrize(
    ("prediction", "strict", "normalised", "reason"),
    [
        (Prediction("$5,813", (Location(0, 0),)), True, True, ""),
        (Prediction("5813", (Location(0, 0),)), False, True, "right-cell-other-text"),
        (Prediction("$6,913", (Location(0, 1),)), False, False, "neighbouring-period"),
        (abstain("Nothing fits."), False, False, "no-answer"),
    ],
)
def test_judging_one_prediction(prediction: Prediction, strict: bool, normalised: bool, reason: str) -> None:
    question = Question("q-1", "fuel", "How much was spent on fuel in 2018?", ("$5,813",), kind=KPI_DRIVEN)
    judged = judge(question, FUEL, prediction)
    assert (judged.strict, judged.normalised, judged.reason) == (strict, normalised, reason)
    assert judged.gold == Gold((Location(0, 0),), "unique", Location(0, 0))
    assert judged.slices == ("kpi-driven", "original", "leaf-unique")


def test_a_question_without_positives_is_not_a_hit() -> None:
    judged = judge(Question("q-1", "fuel", "How much?", ()), FUEL, Prediction("$5,813", (Location(0, 0),)))
    assert (judged.strict, judged.normalised, judged.reason) == (False, False, "gold-nowhere")
