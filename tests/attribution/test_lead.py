import math

import pytest

from qa_core.attribution import Lead, lead_of
from qa_core.prediction import Prediction, abstain
from qa_core.table import Location

SCORED = Prediction("x", (Location(0, 1),), row_scores=(3.0, 1.0, -2.0), column_scores=(0.5, 1.0))


def test_no_cell_and_no_scores_have_no_lead() -> None:
    assert lead_of(SCORED, None) == lead_of(abstain("No."), Location(0, 0)) == Lead(None, None)
    assert Lead().whole is None


def test_a_lead_is_over_the_best_other_line() -> None:
    assert lead_of(SCORED, Location(0, 1)) == Lead(2.0, 0.5)
    assert lead_of(SCORED, Location(2, 0)) == Lead(-5.0, -0.5)
    assert lead_of(SCORED, Location(1, None)) == Lead(-2.0, None)
    assert lead_of(SCORED, Location(None, 1)) == Lead(None, 0.5)


def test_an_only_line_leads_nobody() -> None:
    one_row = Prediction("x", (Location(0, 0),), row_scores=(3.0,), column_scores=(1.0, 4.0))
    assert lead_of(one_row, Location(0, 0)) == Lead(None, -3.0)
    assert lead_of(one_row, Location(0, 0)).whole == -3.0


def test_lines_without_a_finite_score_do_not_count() -> None:
    odd = Prediction("x", (Location(0, 0),), row_scores=(1.0, math.nan, -math.inf, 0.0))
    assert lead_of(odd, Location(0, 0)).row == 1.0
    assert lead_of(odd, Location(1, 0)).row is lead_of(odd, Location(7, 0)).row is None


@pytest.mark.parametrize("row", [-2.0, 0.0, 1.5])
@pytest.mark.parametrize("column", [-1.0, 0.0, 3.0])
def test_the_whole_lead_is_that_over_the_best_other_cell_of_sums(row: float, column: float) -> None:
    rows, columns = (row, 0.0, -4.0), (column, 0.0, -4.0)
    sums = {(i, j): rows[i] + columns[j] for i in range(3) for j in range(3)}
    best_other = max(score for place, score in sums.items() if place != (0, 0))
    assert Lead(row, column).whole == pytest.approx(sums[0, 0] - best_other)
