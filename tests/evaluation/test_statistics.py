"""Intervals and tests, held against statsmodels and scipy on the same counts."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import bootstrap
from statsmodels.stats.contingency_tables import mcnemar as their_mcnemar
from statsmodels.stats.inter_rater import cohens_kappa
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint

from qa_core.evaluation.statistics import (
    difference_interval,
    false_discovery_rates,
    kappa,
    mcnemar,
    wilson_interval,
)

counts = st.integers(0, 300)


@given(counts, counts)
def test_an_interval_is_that_of_wilson(hits: int, more: int) -> None:
    n = hits + more
    theirs = proportion_confint(hits, n, method="wilson") if n else (0.0, 1.0)
    assert wilson_interval(hits, n) == pytest.approx(theirs, abs=1e-12)


def test_without_cases_nothing_is_known() -> None:
    assert wilson_interval(0, 0) == (0.0, 1.0)
    assert difference_interval(0, 0, 0) == (-1.0, 1.0)
    assert mcnemar(0, 0) == 1.0
    assert kappa([]) is None
    assert len(false_discovery_rates(np.array([]))) == 0


def test_impossible_counts_are_refused() -> None:
    with pytest.raises(ValueError, match="11 hits out of 10"):
        wilson_interval(11, 10)
    with pytest.raises(ValueError, match="6 gained and 5 lost out of 10"):
        difference_interval(6, 5, 10)
    with pytest.raises(ValueError, match="-1 gained"):
        difference_interval(-1, 5, 10)


@given(counts, counts)
def test_gains_and_losses_are_tested_as_mcnemar_does_exactly(gained: int, lost: int) -> None:
    theirs = their_mcnemar([[7, gained], [lost, 7]], exact=True).pvalue if gained + lost else 1.0
    assert mcnemar(gained, lost) == pytest.approx(min(theirs, 1.0), abs=1e-12)
    assert mcnemar(gained, lost) == mcnemar(lost, gained)


@pytest.mark.parametrize(("gained", "lost", "n"), [(30, 10, 254), (5, 24, 254), (0, 3, 40), (1, 0, 20)])
def test_the_interval_of_a_difference_is_that_of_a_paired_bootstrap(gained: int, lost: int, n: int) -> None:
    differences = np.repeat([1.0, -1.0, 0.0], [gained, lost, n - gained - lost])
    theirs = bootstrap(
        (differences,), np.mean, method="percentile", n_resamples=9_999, rng=np.random.default_rng(1)
    ).confidence_interval
    assert difference_interval(gained, lost, n) == pytest.approx(tuple(theirs), abs=1.01 / n)


def test_the_same_counts_give_the_same_interval() -> None:
    assert difference_interval(30, 10, 254) == difference_interval(30, 10, 254)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # theirs divides by zero where chance is all
@given(st.lists(st.tuples(st.sampled_from("amr"), st.sampled_from("amr")), min_size=1, max_size=60))
def test_two_judges_agree_as_cohen_counts_it(pairs: list[tuple[str, str]]) -> None:
    table = [[pairs.count((one, two)) for two in "amr"] for one in "amr"]
    theirs = cohens_kappa(table).kappa
    if np.isnan(theirs):
        assert kappa(pairs) is None
    else:
        assert kappa(pairs) == pytest.approx(theirs, abs=1e-12)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=50))
def test_many_tests_are_corrected_as_benjamini_and_hochberg_do(p_values: list[float]) -> None:
    theirs = multipletests(p_values, method="fdr_bh")[1]
    assert false_discovery_rates(np.array(p_values)) == pytest.approx(theirs, abs=1e-12)
