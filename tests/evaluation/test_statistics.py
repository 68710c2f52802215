"""Wilson's interval; the figures are those of statsmodels' ``proportion_confint(method="wilson")``."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qa_core.evaluation.statistics import wilson_interval


@pytest.mark.parametrize(
    ("hits", "n", "low", "high"),
    [
        (0, 10, 0.0, 0.2775328),
        (5, 10, 0.2365931, 0.7634069),
        (8, 10, 0.4901625, 0.9433178),
        (10, 10, 0.7224672, 1.0),
        (10, 100, 0.0552291, 0.1743657),
    ],
)
def test_known_figures(hits: int, n: int, low: float, high: float) -> None:
    assert wilson_interval(hits, n) == pytest.approx((low, high), abs=1e-7)


def test_without_cases_nothing_is_known() -> None:
    assert wilson_interval(0, 0) == (0.0, 1.0)


def test_impossible_counts_are_refused() -> None:
    with pytest.raises(ValueError, match="11 hits out of 10"):
        wilson_interval(11, 10)


@given(st.integers(0, 500), st.integers(0, 500))
def test_the_interval_holds_the_share_and_stays_within_bounds(hits: int, misses: int) -> None:
    n = hits + misses
    low, high = wilson_interval(hits, n)
    assert 0 <= low <= high <= 1
    if n:
        assert low <= hits / n <= high
