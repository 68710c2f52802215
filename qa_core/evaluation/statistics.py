"""Intervals for accuracies."""

from math import sqrt

Z_95 = 1.959963984540054
"""The 97.5 % quantile of the standard normal distribution."""


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
