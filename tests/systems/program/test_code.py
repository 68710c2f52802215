"""Programs in code, as people write and read them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qa_core.errors import CrossheadError
from qa_core.systems.program.code import MOST_CHARACTERS, from_code, to_code
from qa_core.systems.program.language import (
    ALL_ROWS,
    OPERATORS,
    Argument,
    Column,
    Kind,
    Left,
    Program,
    Step,
    Text,
)
from qa_core.systems.program.words import in_words, step_words

HEADER = ("Nation", "Gold", "", "Gold", r"a]b\c", "Name {0}")
SOUTH_KOREA = Program(
    (
        Step("equal", (ALL_ROWS, Column(0), Text('South "K" \\ Korea'))),
        Step("largest", (Left(0), Column(3))),
        Step("hop", (Left(1), Column(4))),
    )
)


def test_a_program_reads_as_lines_of_steps() -> None:
    code = to_code(SOUTH_KOREA, HEADER)
    assert code.splitlines() == [
        r'v1 = equal(all, [Nation], "South \"K\" \\ Korea")',
        "v2 = largest(v1, [Gold]#2)",
        r"hop(v2, [a\]b\\c])",
    ]
    assert from_code(code, HEADER) == SOUTH_KOREA


def test_names_are_anybodys_and_blank_lines_are_passed_over() -> None:
    code = '\n  rows=equal( all ,[Nation],"x" )\n\nbest = largest(rows, [Gold]#1)\n hop(best,[])\n'
    assert from_code(code, HEADER) == Program(
        (
            Step("equal", (ALL_ROWS, Column(0), Text("x"))),
            Step("largest", (Left(0), Column(1))),
            Step("hop", (Left(1), Column(2))),
        )
    )


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        ("count(all", "Line 1 is no step: 'count"),
        ("count(all)\nimport os", "Line 2 is no step: 'import os'"),
        ("count(all,)", "Line 1 ends with a comma"),
        (
            "hop(all, [Silver])",
            r"Line 1: the table has no column \[Silver\]; it has \[Nation\], ",
        ),
        ("hop(all, [Gold]#3)", r"no column \[Gold\]#3"),
        ("hop(v1, [Gold])", "Line 1: no step before it is called v1"),
        ("count(other)", "Line 1: no step before it is called other"),
        ("hop(all, Gold)", "no step before it is called Gold"),
        ("hop(all, 3)", "Line 1: '3' is no argument"),
        ('hop(all, "x)', "is no argument"),
        ("x" * (MOST_CHARACTERS + 1), "and at most 20,000 are read"),
    ],
)
def test_what_is_no_program_is_said_with_its_line(code: str, sentence: str) -> None:
    with pytest.raises(CrossheadError, match=sentence):
        from_code(code, HEADER)


def test_a_program_reads_as_a_sentence() -> None:
    assert in_words(SOUTH_KOREA, ("Nation", "", "", "Gold", "Athlete")) == (
        'rows where *Nation* is *South "K" \\ Korea*, then the largest *Gold*, then its *Athlete*'
    )
    two = from_code("a = first(all)\nb = last(all)\ndifference(a, b, [Gold])", HEADER)
    assert step_words(two, HEADER, mark="") == [
        "the first row of all rows",
        "the last row of all rows",
        "the difference in Gold between step 1 and step 2",
    ]


TEXTS = st.text(st.characters(blacklist_categories=["Cs", "Cc", "Zl", "Zp"]), max_size=20)


@st.composite
def programs(draw: st.DrawFn) -> Program:
    """Steps whose arguments are of the right kinds, whatever their columns hold."""
    steps: list[Step] = []
    for _ in range(draw(st.integers(1, 6))):
        operator = draw(st.sampled_from(sorted(OPERATORS.values(), key=lambda each: each.name)))
        steps.append(Step(operator.name, tuple(draw(_argument(kind, len(steps))) for kind in operator.takes)))
    return Program(tuple(steps))


def _argument(kind: Kind, n_steps: int) -> st.SearchStrategy[Argument]:
    if kind == "rows":
        return st.integers(-1, n_steps - 1).map(Left)
    return TEXTS.map(Text) if kind == "text" else st.integers(0, len(HEADER) - 1).map(Column)


@given(programs())
def test_every_program_is_what_its_code_says(program: Program) -> None:
    assert from_code(to_code(program, HEADER), HEADER) == program
    assert len(step_words(program, HEADER)) == len(program.steps)


@given(st.text(max_size=200))
def test_no_text_is_more_than_a_program_or_a_sentence(code: str) -> None:
    try:
        from_code(code, HEADER)
    except CrossheadError as fault:
        assert str(fault).startswith("Line")
