"""Judging takes time in proportion to the table, however often the gold stands in it."""

import time

import pytest

from qa_core.evaluation.outcome import judge
from qa_core.prediction import Prediction
from qa_core.question import Question
from qa_core.table import Location, Table

ROWS = 5000
COMPONENTS = tuple(("Assets", f"Item {row}") for row in range(ROWS - 1))


@pytest.mark.parametrize(
    ("answer", "row", "reason"),
    [
        ("1,", 0, "right-cell-other-text"),
        ("one", ROWS - 1, "total-against-component"),  # judged against every component above it
        ("1.0", ROWS - 1, "right-value-other-cell"),
        ("", 0, "no-answer"),
    ],
)
def test_a_table_whose_every_cell_is_the_gold_is_judged_at_once(answer: str, row: int, reason: str) -> None:
    last = ("one",) * 4 if row else ("1",) * 4
    table = Table(
        "t",
        tuple((f"Column {column}",) for column in range(4)),
        (*COMPONENTS, ("Assets", "Total")),
        (*((("1",) * 4,) * (ROWS - 1)), last),
    )
    question = Question("q", "t", "Which?", ("1",) * ROWS)
    start = time.perf_counter()
    outcome = judge(question, table, Prediction(answer, (Location(row, 1),)))
    assert time.perf_counter() - start < 1.5
    assert (outcome.gold.status, outcome.reason) == ("ambiguous", reason)
    assert len(outcome.gold.locations) == 4 * (ROWS - 1 if row else ROWS)
