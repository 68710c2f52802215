"""What a chart shows, in a sentence: exact counts, and no difference that may be chance said to be one."""

import pytest

from components.presenting.findings import (
    accuracy_finding,
    change_finding,
    confidence_finding,
    reasons_finding,
    runs_finding,
    sets_finding,
)
from qa_core.evaluation.calibration import Answer, calibration
from qa_core.evaluation.comparison import Change
from qa_core.evaluation.misses import REASONS
from qa_core.evaluation.summary import Verdict, summarise_counts


def summary(**counts: tuple[int, int]) -> dict[str, object]:
    """By slice, how many are right and wrong."""
    verdicts: dict[Verdict, int] = {}
    for name, (right, wrong) in counts.items():
        verdicts[Verdict(True, True, "", (name.replace("_", "-"),))] = right
        verdicts[Verdict(False, False, "both-wrong", (name.replace("_", "-"),))] = wrong
    return summarise_counts(verdicts, [])


def test_the_widest_clear_contrast_is_said() -> None:
    found = summary(kpi_driven=(50, 50), table_driven=(80, 20), leaf_repeats=(20, 80), leaf_unique=(90, 10))
    assert accuracy_finding("RCI", found) == (
        "RCI is right on 60% of 400 questions: on 20% of those whose row label stands under several parents, "
        "and on 90% of those whose row label is unique."
    )


@pytest.mark.parametrize("counts", [{"kpi_driven": (5, 5), "table_driven": (8, 2)}, {"kpi_driven": (9, 1)}])
def test_what_may_be_chance_or_has_no_counterpart_does_not_stand_out(
    counts: dict[str, tuple[int, int]],
) -> None:
    assert accuracy_finding("RCI", summary(**counts)).endswith("; no kind of question stands out.")


def test_one_question_is_one() -> None:
    assert accuracy_finding("RCI", summary(original=(1, 0))).startswith("RCI is right on 100% of 1 question;")


def test_the_most_frequent_reason_is_named_by_what_it_is() -> None:
    misses = dict.fromkeys(REASONS, 0) | {"right-row-wrong-column": 30, "both-wrong": 10}
    assert reasons_finding(misses) == "30 of 40 misses (75%): the right row, another column."


def test_sets_are_counted() -> None:
    assert sets_finding({"all": 20, "some": 15, "none": 1}) == (
        "Of 36 paraphrase sets, 20 are right in every wording, 15 in some and 1 in none."
    )


def test_a_lead_is_one_where_the_paired_test_says_so_though_intervals_overlap() -> None:
    two, asked = ["RCI (base)", "Lexical (base)"], []

    def clear(first: int, second: int) -> Change:
        asked.append((first, second))
        return Change(gained=32, lost=7, both_right=223, both_wrong=69)

    assert runs_finding(two, [255 / 331, 230 / 331], [331, 331], clear) == (
        "RCI (base) is right on 77% of 331 questions, ahead of Lexical (base) with 69% (McNemar's exact "
        "test, p = 7.0e-05)."
    )
    assert asked == [(1, 0)]
    assert runs_finding(two, [0.78, 0.8], [50, 50], lambda *_: Change(4, 3, 36, 7)) == (
        "Lexical (base) is right on 80% of 50 questions, no clear lead over RCI (base) with 78% (McNemar's "
        "exact test, p = 1.000)."
    )
    assert runs_finding(two[:1], [0.8], [300], clear) == "RCI (base) is right on 80% of 300 questions."


def test_confidence_is_too_high_too_low_or_right() -> None:
    def said(confidence: float, right: int) -> str:
        return confidence_finding("RCI", calibration([Answer(confidence, n < right) for n in range(100)]))

    assert said(0.9, 50) == (
        "RCI is too sure of itself. It is 90% sure on average and 50% of its answers are right "
        "(expected calibration error 0.400)."
    )
    assert said(0.5, 90).startswith("RCI is too careful. ")
    assert said(0.9, 88).startswith("The confidence of RCI can be trusted. ")


def test_gains_and_losses_are_said_with_what_chance_has_to_do_with_it() -> None:
    assert change_finding("Lexical", "RCI", Change(32, 7, 223, 69)) == (
        "RCI gains 32 questions over Lexical and loses 7, more than chance would give (McNemar's exact test, "
        "p = 7.0e-05)."
    )
    assert change_finding("Lexical", "RCI", Change(1, 0, 1, 1)) == (
        "RCI gains 1 question over Lexical and loses 0, which may be chance (McNemar's exact test, "
        "p = 1.000)."
    )
