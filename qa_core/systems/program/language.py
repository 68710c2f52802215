"""The language: operators with the kinds of what they take and leave, and programs as lists of steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from qa_core.errors import CrossheadError
from qa_core.systems.program.typed_table import ColumnType

Kind = Literal["rows", "column", "ordered", "number", "text", "values"]
"""What an argument is: rows, any column, one of numbers or dates, one of numbers, a text; ``values`` are only
left."""
MOST_STEPS = 50


@dataclass(frozen=True)
class Operator:
    """A step that a program may take: its name in code, what it takes, and what it leaves."""

    name: str
    takes: tuple[Kind, ...]
    leaves: Literal["rows", "values"]


OPERATORS: dict[str, Operator] = {
    each.name: each
    for each in (
        Operator("equal", ("rows", "column", "text"), "rows"),
        Operator("not_equal", ("rows", "column", "text"), "rows"),
        Operator("contains", ("rows", "column", "text"), "rows"),
        Operator("greater", ("rows", "ordered", "text"), "rows"),
        Operator("at_least", ("rows", "ordered", "text"), "rows"),
        Operator("less", ("rows", "ordered", "text"), "rows"),
        Operator("at_most", ("rows", "ordered", "text"), "rows"),
        Operator("largest", ("rows", "ordered"), "rows"),
        Operator("smallest", ("rows", "ordered"), "rows"),
        Operator("first", ("rows",), "rows"),
        Operator("last", ("rows",), "rows"),
        Operator("previous", ("rows",), "rows"),
        Operator("next", ("rows",), "rows"),
        Operator("hop", ("rows", "column"), "values"),
        Operator("count", ("rows",), "values"),
        Operator("sum", ("rows", "number"), "values"),
        Operator("average", ("rows", "number"), "values"),
        Operator("maximum", ("rows", "ordered"), "values"),
        Operator("minimum", ("rows", "ordered"), "values"),
        Operator("difference", ("rows", "rows", "number"), "values"),
        Operator("most_frequent", ("rows", "column"), "values"),
    )
}
_SUITS: dict[Kind, tuple[ColumnType, ...]] = {
    "column": ("text", "number", "date"),
    "ordered": ("number", "date"),
    "number": ("number",),
}
_SAID: dict[Kind, str] = {
    "rows": "rows",
    "column": "a column",
    "ordered": "a column of numbers or dates",
    "number": "a column of numbers",
    "text": "a text",
}


@dataclass(frozen=True)
class Left:
    """What an earlier step left, by its place from 0; ``ALL_ROWS`` for the rows of the table."""

    step: int


ALL_ROWS = Left(-1)


@dataclass(frozen=True)
class Column:
    """A column of the flat table, by its place from 0."""

    index: int


@dataclass(frozen=True)
class Text:
    """What cells are compared with."""

    text: str


Argument = Left | Column | Text


@dataclass(frozen=True)
class Step:
    """An operator by its name, and what it is given."""

    operator: str
    arguments: tuple[Argument, ...]


@dataclass(frozen=True)
class Program:
    """Steps in the order in which they are taken; the last one leaves the answer."""

    steps: tuple[Step, ...]


def check(program: Program, header: Sequence[str], types: Sequence[ColumnType]) -> None:
    """Raise CrossheadError, naming the step, for a program that no table with these columns can run."""
    if not program.steps:
        raise CrossheadError("The program has no step; write one, such as count(all).")
    if len(program.steps) > MOST_STEPS:
        raise CrossheadError(
            f"The program has {len(program.steps):,} steps, and at most {MOST_STEPS} are run."
        )
    for number, step in enumerate(program.steps):
        _check_step(program, number, step, header, types)
    if OPERATORS[program.steps[-1].operator].leaves == "rows":
        raise CrossheadError(
            f"Step {len(program.steps)}: the last step leaves rows; end with hop to a column, a count or a "
            "figure."
        )


def _check_step(
    program: Program, number: int, step: Step, header: Sequence[str], types: Sequence[ColumnType]
) -> None:
    operator = OPERATORS.get(step.operator)
    where = f"Step {number + 1}"
    if operator is None:
        raise CrossheadError(
            f"{where}: there is no operator {step.operator!r:.60}; choose one of {', '.join(OPERATORS)}."
        )
    if len(step.arguments) != len(operator.takes):
        takes = ", ".join(_SAID[kind] for kind in operator.takes)
        raise CrossheadError(f"{where}: {operator.name} takes {takes}; {len(step.arguments)} were given.")
    for argument, kind in zip(step.arguments, operator.takes, strict=True):
        match argument:
            case Left(place) if kind == "rows" and -1 <= place < number:
                if place >= 0 and OPERATORS[program.steps[place].operator].leaves != "rows":
                    raise CrossheadError(
                        f"{where}: step {place + 1} leaves no rows that {operator.name} could take."
                    )
            case Column(index) if kind in _SUITS and 0 <= index < len(types):
                if types[index] not in _SUITS[kind]:
                    raise CrossheadError(
                        f"{where}: {operator.name} takes {_SAID[kind]}, and [{header[index]:.60}] holds "
                        f"{types[index]}s; choose another."
                    )
            case Text(_) if kind == "text":
                pass
            case _:
                raise CrossheadError(
                    f"{where}: {operator.name} takes {_SAID[kind]} here; {_said(argument)} was given."
                )


def _said(argument: Argument) -> str:
    match argument:
        case Left(place):
            return f"what step {place + 1} leaves"
        case Column(index):
            return f"column {index + 1}"
        case Text(text):
            return f"the text {text!r:.60}"
