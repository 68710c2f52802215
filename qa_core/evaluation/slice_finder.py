"""Where a run does worst: combinations of facet values with more misses than chance would give them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from qa_core.evaluation.statistics import false_discovery_rates

MOST_FACETS = 3
LEAST_SUPPORT = 5
SIGNIFICANT = 0.05
OVERLAP = 0.5
"""Share of a slice's misses that may lie in slices with better evidence."""


@dataclass(frozen=True)
class WeakSlice:
    """A combination of facet values, the questions in it, and how many of them are right.

    ``p_value`` is how likely so few right ones are among as many questions drawn from all by chance
    (hypergeometric, one-sided); ``false_discovery_rate`` corrects it for all combinations that were looked
    at.
    """

    values: Mapping[str, str]
    n: int
    hits: int
    p_value: float
    false_discovery_rate: float

    @property
    def accuracy(self) -> float:
        return self.hits / self.n


def weak_slices(
    facets: pd.DataFrame,
    right: NDArray[np.bool_],
    *,
    most_facets: int = MOST_FACETS,
    least_support: int = LEAST_SUPPORT,
    significant: float = SIGNIFICANT,
) -> list[WeakSlice]:
    """The combinations in which a run does significantly worse than elsewhere, worst evidence first.

    ``facets`` has a categorical column a facet and a row a question, ``right`` a verdict for each row. A
    combination is left out where most of its misses lie in those that are named before it. Facets that speak
    of the answer, as structural reasons do, should not be among them.
    """
    found = list(_counted(facets, right, most_facets, least_support))
    if not found:
        return []
    n, hits = (np.array([each[place] for each in found]) for place in (1, 2))
    p_values = _p_values(n, hits, len(right), int(right.sum()))
    rates = false_discovery_rates(p_values)
    order = sorted(np.flatnonzero(rates <= significant), key=lambda i: (p_values[i], len(found[i][0])))
    explained = np.zeros(len(right), bool)
    named: list[WeakSlice] = []
    for i in order:
        values = found[i][0]
        misses = ~right & np.logical_and.reduce([facets[name] == value for name, value in values.items()])
        if (misses & explained).sum() <= OVERLAP * misses.sum():
            explained |= misses
            named.append(WeakSlice(values, int(n[i]), int(hits[i]), float(p_values[i]), float(rates[i])))
    return named


def _counted(
    facets: pd.DataFrame, right: NDArray[np.bool_], most_facets: int, least_support: int
) -> Iterator[tuple[dict[str, str], int, int]]:
    """Each combination of values of up to so many facets with its questions and right answers."""
    codes = {name: facets[name].cat.codes.to_numpy(np.int64) for name in facets}
    values: dict[str, Sequence[str]] = {name: list(facets[name].cat.categories) for name in facets}
    for size in range(1, most_facets + 1):
        for names in combinations(codes, size):
            shape = tuple(len(values[name]) for name in names)
            known = np.logical_and.reduce([codes[name] >= 0 for name in names])
            index = np.ravel_multi_index(tuple(codes[name][known] for name in names), shape)
            n = np.bincount(index)
            hits = np.bincount(index, weights=right[known]).astype(int)
            for place in np.flatnonzero(n >= least_support):
                places = np.unravel_index(place, shape)
                at = {name: values[name][int(i)] for name, i in zip(names, places, strict=True)}
                yield at, int(n[place]), int(hits[place])


def _p_values(
    n: NDArray[np.int64], hits: NDArray[np.int64], total: int, total_hits: int
) -> NDArray[np.float64]:
    from scipy.stats import hypergeom

    # Where as many are right as elsewhere, or more, no p value could matter, and to find it takes long.
    p_values = np.ones(len(n))
    worse = hits * total < total_hits * n
    p_values[worse] = hypergeom.cdf(hits[worse], total, total_hits, n[worse])
    return p_values
