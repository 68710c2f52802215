"""Reliability bins, expected calibration error, thresholds and refusals, to the last digit."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qa_core.evaluation.calibration import (
    Answer,
    Refusals,
    ReliabilityBin,
    calibration,
    is_refused,
    refusals,
    threshold_keeping,
)

ABSTENTION = Answer(0.0, False, given=False)
FIVE = [Answer(1.0, True), Answer(0.9, True), Answer(0.85, False), Answer(0.3, False), ABSTENTION]

shares = st.floats(0, 1)
answers = st.lists(st.builds(Answer, shares, st.booleans()), min_size=1, max_size=40)


def test_five_answers_in_four_bins() -> None:
    found = calibration(FIVE, n_bins=4)
    assert found.bins == (
        ReliabilityBin(0.0, 0.25, 1, 0.0, 0.0),
        ReliabilityBin(0.25, 0.5, 1, 0.3, 0.0),
        ReliabilityBin(0.75, 1.0, 3, pytest.approx(2.75 / 3), 2 / 3),
    )
    assert (found.n, found.accuracy, found.confidence) == (5, 0.4, pytest.approx(0.61))
    assert found.error == pytest.approx((0.0 + 0.3 + 0.75) / 5)


@pytest.mark.parametrize("confidence", [0.1, 0.3, 0.6, 0.7])
def test_a_confidence_on_an_edge_belongs_to_the_bin_below(confidence: float) -> None:
    assert calibration([Answer(confidence, True)]).bins[0].high == confidence


def test_sure_and_right_is_calibrated_and_sure_and_wrong_is_as_far_from_it_as_can_be() -> None:
    assert calibration([Answer(1.0, True)] * 7).error == 0
    assert calibration([Answer(1.0, False)] * 7).error == 1


def test_three_quarters_right_at_three_quarters_is_calibrated() -> None:
    assert calibration([Answer(0.75, n != 0) for n in range(4)]).error == 0


def test_without_answers_nothing_is_said() -> None:
    with pytest.raises(ValueError, match="no answer"):
        calibration([])


@given(answers)
def test_bins_hold_every_answer_once_and_lie_around_their_confidence(answers: list[Answer]) -> None:
    found = calibration(answers)
    assert sum(each.n for each in found.bins) == len(answers)
    for each in found.bins:
        assert each.low - 1e-9 <= each.confidence <= each.high + 1e-9
        assert 0 <= each.accuracy <= 1


@given(answers)
def test_the_error_lies_between_that_of_the_whole_and_one(answers: list[Answer]) -> None:
    found = calibration(answers)
    assert abs(found.accuracy - found.confidence) - 1e-9 <= found.error <= 1


@pytest.mark.parametrize(
    ("share", "threshold"), [(0.1, 1.0), (0.5, 0.6), (0.7, 0.4), (0.9, 0.2), (0.95, 0.1), (1.0, 0.1)]
)
def test_a_threshold_keeps_as_many_right_answers_as_it_must_and_no_more(
    share: float, threshold: float
) -> None:
    ten = [Answer(n / 10, True) for n in range(1, 11)]
    assert threshold_keeping([*ten, Answer(0.05, False)], share) == threshold


def test_no_right_answer_gives_no_threshold() -> None:
    assert threshold_keeping([Answer(0.9, False)]) is None
    assert refusals([Answer(0.9, False)], [Answer(0.1, False)]) is None


def test_refusals_of_wrong_tables_at_the_threshold_of_the_right_ones() -> None:
    own = [*(Answer(n / 10, True) for n in range(1, 11)), Answer(0.15, False)]
    wrong = [Answer(0.19, False), Answer(0.2, False), Answer(0.5, False), ABSTENTION]
    assert refusals(own, wrong) == Refusals(threshold=0.2, kept=9, right=10, refused=2, asked=4)


def test_equal_confidences_are_kept_together() -> None:
    assert refusals([Answer(0.5, True)] * 10, [Answer(0.5, False)]) == Refusals(0.5, 10, 10, 0, 1)


def test_an_abstention_is_refused_at_every_threshold() -> None:
    assert is_refused(ABSTENTION, 0.0)
    assert not is_refused(Answer(0.0, False), 0.0)


@given(answers, st.floats(0.01, 1))
def test_a_threshold_is_the_highest_that_keeps_the_share(answers: list[Answer], share: float) -> None:
    threshold = threshold_keeping(answers, share)
    right = [answer.confidence for answer in answers if answer.right]
    if threshold is None:
        assert not right
        return
    assert sum(each >= threshold for each in right) / len(right) >= share
    assert sum(each > threshold for each in right) / len(right) < share
