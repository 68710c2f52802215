"""Intervals for accuracies, and whether two runs differ."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

import numpy as np
from numpy.typing import NDArray

Z_95 = 1.959963984540054
"""The 97.5 % quantile of the standard normal distribution."""
SAMPLES = 10_000
"""Samples that a bootstrap draws."""


def wilson_interval(hits: int, n: int) -> tuple[float, float]:
    """Wilson's 95 % score interval for ``hits`` out of ``n``, as fractions (Wilson 1927).

    Nothing is known without cases: ``n == 0`` gives (0, 1). Raises ValueError unless 0 <= hits <= n.
    """
    if not 0 <= hits <= n:
        raise ValueError(f"{hits} hits out of {n} cases is impossible")
    if n == 0:
        return 0.0, 1.0
    share, weight = hits / n, Z_95**2 / n
    centre = (share + weight / 2) / (1 + weight)
    margin = Z_95 / (1 + weight) * sqrt(share * (1 - share) / n + weight / (4 * n))
    low = 0.0 if hits == 0 else centre - margin
    high = 1.0 if hits == n else centre + margin
    return low, high


def mcnemar(gained: int, lost: int) -> float:
    """Two-sided p value of McNemar's exact test (McNemar 1947): how likely gains and losses that far apart
    are, were each as likely to be the one as the other. 1 where nothing differs."""
    from scipy.special import bdtr  # a tenth of the time that it takes to load scipy.stats

    return min(1.0, 2 * float(bdtr(min(gained, lost), gained + lost, 0.5))) if gained + lost else 1.0


def difference_interval(gained: int, lost: int, n: int, seed: int = 0) -> tuple[float, float]:
    """The 95 % interval of the difference of two accuracies over the same ``n`` cases, as fractions.

    A paired percentile bootstrap (Efron 1979): cases are drawn with both their verdicts, so all that counts
    is how many drawn ones were gained and lost. (-1, 1) without cases. Raises ValueError for more gained and
    lost than there are.
    """
    if min(gained, lost) < 0 or gained + lost > n:
        raise ValueError(f"{gained} gained and {lost} lost out of {n} cases is impossible")
    if n == 0:
        return -1.0, 1.0
    shares = np.array([gained, lost, n - gained - lost]) / n
    drawn = np.random.default_rng(seed).multinomial(n, shares, size=SAMPLES)
    low, high = np.quantile((drawn[:, 0] - drawn[:, 1]) / n, [0.025, 0.975])
    return float(low), float(high)


def kappa(pairs: Sequence[tuple[object, object]]) -> float | None:
    """Cohen's kappa of two judges over the same cases (Cohen 1960): their agreement beyond chance, 1 at most.

    None without cases and where both gave one and the same judgement to all, when there is no chance to
    agree by.
    """
    if not pairs:
        return None
    first, second = (np.array([str(each) for each in side]) for side in zip(*pairs, strict=True))
    labels = np.unique(np.concatenate([first, second]))
    chance = sum(float(np.mean(first == label) * np.mean(second == label)) for label in labels)
    agreed = float(np.mean(first == second))
    return None if chance == 1.0 else (agreed - chance) / (1 - chance)


def false_discovery_rates(p_values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The p values of many tests, each raised to the share of false findings that one accepts with it and all
    below (Benjamini and Hochberg 1995)."""
    from scipy.stats import false_discovery_control

    adjusted: NDArray[np.float64] = false_discovery_control(p_values) if len(p_values) else p_values
    return adjusted
