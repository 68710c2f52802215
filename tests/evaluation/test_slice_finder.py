"""Combinations of facet values in which a run does worse than chance would have it."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import fisher_exact

from qa_core.evaluation.slice_finder import weak_slices

N = 240
SIZE = np.array(["small", "large"])[np.arange(N) % 2]
DEPTH = np.array(["1", "2", "3"])[np.arange(N) // 2 % 3]
KIND = np.array(["kpi", "table"])[np.arange(N) // 6 % 2]


def facets(**columns: np.ndarray) -> pd.DataFrame:
    return pd.DataFrame({name: pd.Categorical(values) for name, values in columns.items()})


ALL = facets(size=SIZE, depth=DEPTH, kind=KIND)


def test_a_combination_that_fails_is_named_and_not_its_parts() -> None:
    right = ~((SIZE == "large") & (DEPTH == "3"))
    [weak] = weak_slices(ALL, right)
    assert weak.values == {"size": "large", "depth": "3"}
    assert (weak.n, weak.hits, weak.accuracy) == (40, 0, 0.0)


def test_its_p_value_is_that_of_fishers_exact_test() -> None:
    right = ~((SIZE == "large") & (DEPTH == "3"))
    [weak] = weak_slices(ALL, right)
    theirs = fisher_exact([[0, 40], [200, 0]], alternative="less").pvalue
    assert weak.p_value == pytest.approx(theirs)
    assert weak.p_value < weak.false_discovery_rate < 1e-30


def test_two_unlike_weaknesses_are_both_named_the_clearer_one_first() -> None:
    right = ~((DEPTH == "3") | ((SIZE == "large") & (KIND == "kpi")))
    first, second = weak_slices(ALL, right)
    assert first.values == {"depth": "3"}
    assert second.values == {"size": "large", "kind": "kpi"}


def test_misses_by_chance_have_no_slice() -> None:
    right = np.random.default_rng(1).random(N) < 0.7
    assert weak_slices(ALL, right) == []


@pytest.mark.parametrize("right", [np.ones(N, bool), np.zeros(N, bool)])
def test_where_all_or_nothing_is_right_no_slice_is_worse(right: np.ndarray) -> None:
    assert weak_slices(ALL, right) == []


def test_few_questions_are_no_slice() -> None:
    rare = np.where(np.arange(N) < 4, "rare", "usual")
    assert weak_slices(facets(kind=rare), rare != "rare") == []
    [weak] = weak_slices(facets(kind=rare), rare != "rare", least_support=4)
    assert weak.n == 4


def test_without_questions_there_is_none() -> None:
    assert weak_slices(facets(size=np.array([], object)), np.array([], bool)) == []


def test_a_value_that_is_not_known_is_in_no_combination() -> None:
    codes = np.where(np.arange(N) % 2, 0, -1)
    frame = pd.DataFrame({"size": pd.Categorical.from_codes(codes, ["large"])})
    assert weak_slices(frame, codes == -1)[0].values == {"size": "large"}
    assert weak_slices(frame, codes == 0) == []
