"""Programs in code, a line a step: ``v1 = equal(all, [Nation], "South Korea")``."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from qa_core.errors import CrossheadError
from qa_core.systems.program.language import ALL_ROWS, Argument, Column, Left, Program, Step, Text

MOST_CHARACTERS = 20_000
_LINE = re.compile(
    r"\s*(?:(?P<name>[A-Za-z_]\w*)\s*=\s*)?(?P<operator>[A-Za-z_]\w*)\s*\((?P<arguments>.*)\)\s*"
)
_ARGUMENT = re.compile(
    r'\s*(?:\[(?P<column>(?:[^\]\\]|\\.)*)\](?:#(?P<nth>\d{1,4}))?|"(?P<text>(?:[^"\\]|\\.)*)"|(?P<left>[A-Za-z_]\w*))'
    r"\s*(?P<end>,|\Z)"
)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
ALL = "all"


def to_code(program: Program, header: Sequence[str]) -> str:
    """A program in code; a column is named by its header, of several alike the second ``[header]#2``."""
    last = len(program.steps) - 1
    lines = (
        f"{'' if number == last else f'v{number + 1} = '}{step.operator}"
        f"({', '.join(_argument(argument, header) for argument in step.arguments)})"
        for number, step in enumerate(program.steps)
    )
    return "\n".join(lines)


def column_name(index: int, header: Sequence[str]) -> str:
    """A column as code names it."""
    nth = Counter(header[: index + 1])[header[index]]
    name = re.sub(r"([\]\\])", r"\\\1", header[index]).replace("\n", " ")
    return f"[{name}]" if nth == 1 else f"[{name}]#{nth}"


def from_code(code: str, header: Sequence[str]) -> Program:
    """Read a program as a person writes it; blank lines are passed over.

    Raises CrossheadError, naming the line, for what is no step and for a column or a name that is not there.
    Whether it suits the table, ``language.check`` says.
    """
    if len(code) > MOST_CHARACTERS:
        raise CrossheadError(
            f"The program has {len(code):,} characters, and at most {MOST_CHARACTERS:,} are read; write a "
            "shorter one."
        )
    columns = {column_name(index, header): index for index in range(len(header))}
    names: dict[str, int] = {}
    steps: list[Step] = []
    for number, line in enumerate(code.splitlines(), start=1):
        if not line.strip():
            continue
        found = _LINE.fullmatch(line)
        if found is None:
            raise CrossheadError(
                f"Line {number} is no step: {line.strip()!r:.60}; write one as "
                'v1 = equal(all, [Nation], "South Korea").'
            )
        arguments = tuple(_arguments(found["arguments"], number, columns, names))
        steps.append(Step(found["operator"], arguments))
        names[found["name"] or f"v{len(steps)}"] = len(steps) - 1
    return Program(tuple(steps))


def _arguments(written: str, number: int, columns: dict[str, int], names: dict[str, int]) -> list[Argument]:
    found: list[Argument] = []
    written, at = written.strip(), 0
    while at < len(written):
        match = _ARGUMENT.match(written, at)
        if match is None:
            raise CrossheadError(
                f"Line {number}: {written[at:].strip()!r:.60} is no argument; write all, the name of a step, "
                'a [column] or a "text".'
            )
        found.append(_read(match, number, columns, names))
        at = match.end()
    if written.endswith(","):
        raise CrossheadError(f"Line {number} ends with a comma; write what follows, or leave it out.")
    return found


def _read(match: re.Match[str], number: int, columns: dict[str, int], names: dict[str, int]) -> Argument:
    if match["text"] is not None:
        return Text(_ESCAPED.sub(r"\1", match["text"]))
    if match["left"] is not None:
        if match["left"] == ALL:
            return ALL_ROWS
        if match["left"] not in names:
            raise CrossheadError(
                f"Line {number}: no step before it is called {match['left']:.60}; write all, or the name "
                "of one."
            )
        return Left(names[match["left"]])
    nth = f"#{match['nth']}" if match["nth"] and int(match["nth"]) > 1 else ""
    name = f"[{match['column'].strip()}]{nth}"
    if name not in columns:
        known = ", ".join(columns)
        raise CrossheadError(f"Line {number}: the table has no column {name:.60}; it has {known:.300}.")
    return Column(columns[name])


def _argument(argument: Argument, header: Sequence[str]) -> str:
    match argument:
        case Left(step):
            return ALL if step < 0 else f"v{step + 1}"
        case Column(index):
            return column_name(index, header)
        case Text(text):
            return '"' + re.sub(r'(["\\])', r"\\\1", text).replace("\n", " ") + '"'
