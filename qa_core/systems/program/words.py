"""Programs in words: "rows where *Nation* is *South Korea*, then the largest *Gold*, then its *Athlete*"."""

from __future__ import annotations

from collections.abc import Sequence

from qa_core.systems.program.language import Argument, Column, Left, Program, Step, Text

_WORDS = {
    "equal": "rows {0}where {1} is {2}",
    "not_equal": "rows {0}where {1} is not {2}",
    "contains": "rows {0}where {1} contains {2}",
    "greater": "rows {0}where {1} is more than {2}",
    "at_least": "rows {0}where {1} is at least {2}",
    "less": "rows {0}where {1} is less than {2}",
    "at_most": "rows {0}where {1} is at most {2}",
    "largest": "the largest {1}{0}",
    "smallest": "the smallest {1}{0}",
    "first": "the first row{0}",
    "last": "the last row{0}",
    "previous": "the row before{0}",
    "next": "the row after{0}",
    "hop": "{0}{1}",
    "count": "how many rows{0}",
    "sum": "the sum of {1}{0}",
    "average": "the average {1}{0}",
    "maximum": "the largest {1} itself{0}",
    "minimum": "the smallest {1} itself{0}",
    "difference": "the difference in {2} between {0} and {1}",
    "most_frequent": "the most frequent {1}{0}",
}
_OF_ALL = " of all rows"


def in_words(program: Program, header: Sequence[str], mark: str = "*") -> str:
    """A program as one sentence; names of columns and texts stand between ``mark``."""
    return ", then ".join(each for each in step_words(program, header, mark))


def step_words(program: Program, header: Sequence[str], mark: str = "*") -> list[str]:
    """Each step of a program in words."""
    return [_step(number, step, header, mark) for number, step in enumerate(program.steps)]


def _step(number: int, step: Step, header: Sequence[str], mark: str) -> str:
    said = [_said(argument, header, mark) for argument in step.arguments]
    first = step.arguments[0]
    assert isinstance(first, Left)
    follows = first.step == number - 1 and first.step >= 0
    words = _WORDS[step.operator]
    if step.operator == "difference":
        return words.format(*said)
    if step.operator == "hop":
        whose = "its " if follows else "every row's " if first.step < 0 else f"{said[0]}'s "
        return words.format(whose, *said[1:])
    if words.startswith("rows {0}"):
        among = "" if first.step < 0 else "of these " if follows else f"of {said[0]} "
        return words.format(among, *said[1:])
    of = _OF_ALL if first.step < 0 else "" if follows else f" of {said[0]}"
    if step.operator in ("previous", "next") and follows:
        of = " that one"
    return words.format(of, *said[1:])


def _said(argument: Argument, header: Sequence[str], mark: str) -> str:
    match argument:
        case Left(step):
            return "all rows" if step < 0 else f"step {step + 1}"
        case Column(index):
            return f"{mark}{header[index] or 'the row header'}{mark}"
        case Text(text):
            return f"{mark}{text}{mark}"
