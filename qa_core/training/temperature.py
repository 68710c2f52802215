"""Temperature scaling (Guo et al. 2017): log-odds divided by one number, so that their softmax comes true."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from qa_core.errors import CrossheadError

_RANGE = (0.25, 8.0)
_STEPS = 60


def fit_temperature(choices: Sequence[tuple[NDArray[np.float64], int]]) -> float:
    """The temperature of highest likelihood for log-odds of choices and the place of the right one in each.

    Raises CrossheadError where there are none.
    """
    if not choices:
        raise CrossheadError(
            "There is no question to fit a temperature to; name data whose questions have cells."
        )
    candidates = np.geomspace(*_RANGE, _STEPS)
    losses = [sum(_loss(odds / t, right) for odds, right in choices) for t in candidates]
    return float(candidates[int(np.argmin(losses))])


def _loss(odds: NDArray[np.float64], right: int) -> float:
    return float(np.logaddexp.reduce(odds) - odds[right])
