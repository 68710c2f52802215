"""Temperature scaling."""

import numpy as np
import pytest

from qa_core.errors import CrossheadError
from qa_core.training.temperature import fit_temperature


def test_odds_that_come_true_stay_as_they_are() -> None:
    odds = np.log(np.array([0.7, 0.2, 0.1]))
    choices = [(odds, right) for right, times in enumerate((70, 20, 10)) for _ in range(times)]
    assert fit_temperature(choices) == pytest.approx(1.0, rel=0.05)
    assert fit_temperature([(3 * odds, right) for odds, right in choices]) == pytest.approx(3.0, rel=0.05)


def test_no_questions_is_one_sentence() -> None:
    with pytest.raises(CrossheadError, match="no question to fit a temperature to"):
        fit_temperature([])
