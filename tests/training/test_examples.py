"""What a model learns from: examples, and the lines worth telling apart."""

import random

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from qa_core.datasets.dataset import Dataset
from qa_core.question import Question
from qa_core.table import Location, Table
from qa_core.training.examples import Example, batches, hard_lines, read_examples

OFFICERS = Table(
    "officers",
    (("Age",), ("Title",)),
    (("A. Vance",), ("B. Ode",)),
    (("51", "CEO"), ("47", "Counsel")),
    company="Vance",
)


def question(number: int, cell: Location | None) -> Question:
    return Question(str(number), "officers", "Who?", ("",), cell=cell)


def test_a_row_header_is_the_answer_in_the_stub_column() -> None:
    asked = (question(0, Location(1, 0)), question(1, Location(1, None)))
    examples, axes = read_examples(Dataset("d", {"officers": OFFICERS}, asked))
    assert [(e.row, e.column, e.family) for e in examples] == [(1, 0, "Vance"), (1, 2, "Vance")]
    assert axes["officers"].texts.choices[1][2] == "column; name; A. Vance, B. Ode"
    assert [len(side) for side in axes["officers"].evidence("Who?")] == [2, 3]


def test_questions_without_a_row_are_no_examples() -> None:
    asked = (question(0, None), question(1, Location(None, 0)))
    assert read_examples(Dataset("d", {"officers": OFFICERS}, asked))[0] == []


LINES = [
    f"row; {group} > {leaf}"
    for group in ("Mainline", "Regional", "Total")
    for leaf in ("ASM", "RPM", "Yield", "Fuel")
]


def test_neighbours_and_the_same_leaf_come_before_what_the_words_speak_for() -> None:
    evidence = np.array([0, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8.0])
    kept = hard_lines(LINES, evidence, right=4, most=8, chance=random.Random(0))
    assert {3, 4, 5} <= set(kept)
    assert {0, 8} <= set(kept)
    assert {1, 11} <= set(kept)
    assert len(kept) == 8


def test_of_the_same_leaf_come_those_that_the_words_speak_for() -> None:
    lines = [f"row; {group} > Yield" for group in "ABCDEFGH"] + ["row; Fuel"] * 8
    evidence = np.array([1.0, 0, 6, 0, 0, 5, 0, 0] + [9.0] * 8)
    kept = hard_lines(lines, evidence, right=0, most=6, chance=random.Random(1))
    assert {0, 1, 2, 5} <= set(kept)


@given(st.integers(1, 40), st.integers(4, 12), st.data())
def test_the_right_line_is_always_kept_once_and_in_order(n: int, most: int, data: st.DataObject) -> None:
    right = data.draw(st.none() | st.integers(0, n - 1))
    evidence = np.array(data.draw(st.lists(st.floats(-9, 9), min_size=n, max_size=n)))
    texts = [f"row; {data.draw(st.sampled_from('abc'))}" for _ in range(n)]
    kept = hard_lines(texts, evidence, right, most, random.Random(0))
    assert kept == sorted(set(kept))
    assert len(kept) == min(n, most)
    assert right is None or right in kept


def test_a_pass_has_every_example_once_and_two_of_a_table_stand_together() -> None:
    examples = [Example("?", f"t{n % 7}", 0, 0, "") for n in range(50)]
    made = list(batches(examples, 8, random.Random(0)))
    assert sorted(e.table for batch in made for e in batch) == sorted(e.table for e in examples)
    assert all(8 <= len(batch) <= 9 for batch in made[:-1])
    first = made[0]
    assert first[0].table == first[1].table
