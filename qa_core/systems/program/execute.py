"""Running a program: each step over the rows that it is given, within bounds."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from qa_core.errors import CrossheadError
from qa_core.systems.program.compare import Key, against, contains, is_equal, order
from qa_core.systems.program.language import Argument, Column, Left, Program, Step, Text, check
from qa_core.systems.program.typed_table import TypedTable
from qa_core.systems.program.values import CellValue, read_cell
from qa_core.systems.program.written import written
from qa_core.table import Location
from qa_core.text import fold

MOST_SECONDS = 3.0
_LOOKED_AT_ONCE = 1_000
"""Cells between two looks at the clock."""

Rows = tuple[int, ...]


@dataclass(frozen=True)
class Value:
    """A text that a step leaves, the number that it is, where it is one, and the cells that it rests on.

    ``is_computed`` tells a figure from the text of a cell.
    """

    text: str
    number: Decimal | None = None
    locations: tuple[Location, ...] = ()
    is_computed: bool = False


@dataclass(frozen=True)
class Outcome:
    """What a step left: flat rows, or values, of which there may be none."""

    rows: Rows = ()
    values: tuple[Value, ...] = ()


@dataclass(frozen=True)
class Execution:
    """What each step of a program left, the last one's being the answer."""

    outcomes: tuple[Outcome, ...]

    @property
    def values(self) -> tuple[Value, ...]:
        return self.outcomes[-1].values


def execute(program: Program, table: TypedTable, seconds: float = MOST_SECONDS) -> Execution:
    """Run a program on a table.

    Cells that write nothing, or no number where numbers are asked for, are passed over; ties stay together.
    Raises CrossheadError for a program that does not suit the table (see ``language.check``), a constant that
    its column cannot be compared with, figures of units that disagree, and after ``seconds``.
    """
    check(program, table.flat.header, table.types)
    run = _Run(table, time.monotonic() + seconds, seconds)
    for step in program.steps:
        run.outcomes.append(run.take(step))
    return Execution(tuple(run.outcomes))


class _Run:
    def __init__(self, table: TypedTable, until: float, seconds: float) -> None:
        self.table, self._until, self._seconds = table, until, seconds
        self.outcomes: list[Outcome] = []

    @property
    def _step(self) -> str:
        return f"Step {len(self.outcomes) + 1}"

    def _title(self, column: int) -> str:
        return f"[{self.table.flat.header[column]:.60}]"

    def take(self, step: Step) -> Outcome:
        name, arguments = step.operator, step.arguments
        rows = self._rows(arguments[0])
        if name in _COMPARISONS or name in _MATCHES:
            return Outcome(tuple(self._compared(name, rows, _column(arguments[1]), _text(arguments[2]))))
        if name in ("largest", "smallest"):
            return Outcome(self._extreme(name, rows, _column(arguments[1]))[0])
        if name in _POSITIONS:
            return Outcome(_POSITIONS[name](rows, self.table.flat.n_rows))
        return Outcome(values=tuple(self._values(name, rows, arguments)))

    def _values(self, name: str, rows: Rows, arguments: Sequence[Argument]) -> Iterable[Value]:
        if name == "count":
            return [Value(str(len(rows)), Decimal(len(rows)), self._where(rows), is_computed=True)]
        if name == "difference":
            return self._difference(rows, self._rows(arguments[1]), _column(arguments[2]))
        column = _column(arguments[1])
        if name == "hop":
            return self._hop(rows, column)
        if name == "most_frequent":
            return self._most_frequent(rows, column)
        if name in ("maximum", "minimum"):
            extreme, key = self._extreme("largest" if name == "maximum" else "smallest", rows, column)
            return [self._value(extreme, column)] if key is not None else []
        return self._computed(name, rows, column)

    def _rows(self, argument: Argument) -> Rows:
        assert isinstance(argument, Left)
        return (
            self.outcomes[argument.step].rows if argument.step >= 0 else tuple(range(self.table.flat.n_rows))
        )

    def _cells(self, rows: Rows, column: int) -> Iterator[tuple[int, CellValue]]:
        for place, row in enumerate(rows):
            if place % _LOOKED_AT_ONCE == 0 and time.monotonic() > self._until:
                raise CrossheadError(
                    f"{self._step} was stopped, as the program ran for {self._seconds:g} seconds on a table "
                    f"of {self.table.flat.n_rows:,} rows; take fewer steps or a smaller table."
                )
            yield row, self.table.cell(row, column)

    def _where(self, rows: Iterable[int], column: int | None = None) -> tuple[Location, ...]:
        """The cells of some rows in a column; without one, their first cells."""
        return tuple(self.table.flat.origin(row, column or 0) for row in rows)

    def _compared(self, name: str, rows: Rows, column: int, text: str) -> Iterator[int]:
        constant, type_ = read_cell(text), self.table.types[column]
        if name in _COMPARISONS and order(constant, type_) is None:
            raise CrossheadError(
                f"{self._step}: {text!r:.60} is no {type_} that {self._title(column)} could be compared "
                f"with; write a {type_}."
            )
        for row, cell in self._cells(rows, column):
            if name in _MATCHES:
                kept = not cell.is_missing and _MATCHES[name](cell, constant)
            else:
                sign = against(cell, constant, type_)
                kept = sign is not None and sign in _COMPARISONS[name]
            if kept:
                yield row

    def _extreme(self, name: str, rows: Rows, column: int) -> tuple[Rows, Key | None]:
        """The rows with the largest or the smallest value, all of them, and that value."""
        keys: list[tuple[int, Key]] = []
        for row, cell in self._cells(rows, column):
            key = order(cell, self.table.types[column])
            if key is not None:
                keys.append((row, key))
        if not keys:
            return (), None
        best = (max if name == "largest" else min)(key for _, key in keys)
        return tuple(row for row, key in keys if key == best), best

    def _value(self, rows: Rows, column: int) -> Value:
        """The text of the first of some cells that say the same, resting on them all."""
        cell = self.table.cell(rows[0], column)
        return Value(cell.text, cell.number, self._where(rows, column))

    def _hop(self, rows: Rows, column: int) -> Iterator[Value]:
        """The different texts of some cells, as they come."""
        return (self._value(same, column) for same in self._alike(rows, column).values())

    def _most_frequent(self, rows: Rows, column: int) -> Iterator[Value]:
        alike = self._alike(rows, column).values()
        most = max(map(len, alike), default=0)
        return (self._value(same, column) for same in alike if len(same) == most)

    def _alike(self, rows: Rows, column: int) -> dict[str, Rows]:
        found: dict[str, list[int]] = {}
        for row, cell in self._cells(rows, column):
            if not cell.is_missing:
                found.setdefault(fold(cell.text), []).append(row)
        return {text: tuple(same) for text, same in found.items()}

    def _numbers(self, rows: Rows, column: int) -> tuple[Rows, list[Decimal], list[CellValue]]:
        cells = [(row, cell) for row, cell in self._cells(rows, column) if cell.number is not None]
        units = sorted({cell.unit for _, cell in cells if cell.unit})
        if len(units) > 1:
            raise CrossheadError(
                f"{self._step}: {self._title(column)} holds figures in {' and in '.join(units)} here, which "
                "make no figure together; take rows of one unit."
            )
        numbers = [cell.number for _, cell in cells if cell.number is not None]
        return tuple(row for row, _ in cells), numbers, [cell for _, cell in cells]

    def _computed(self, name: str, rows: Rows, column: int) -> list[Value]:
        kept, numbers, cells = self._numbers(rows, column)
        if not numbers:
            return []
        number = sum(numbers, Decimal()) / (len(numbers) if name == "average" else 1)
        return [Value(written(number, cells), number, self._where(kept, column), is_computed=True)]

    def _difference(self, first: Rows, second: Rows, column: int) -> list[Value]:
        if len(first) > 1 or len(second) > 1:
            raise CrossheadError(
                f"{self._step}: a difference is that of two rows, and here it is between {len(first):,} and "
                f"{len(second):,}; leave one of each."
            )
        kept, numbers, cells = self._numbers((*first, *second), column)
        if len(numbers) != 2:
            return []
        number = numbers[0] - numbers[1]
        return [Value(written(number, cells), number, self._where(kept, column), is_computed=True)]


_MATCHES: dict[str, Callable[[CellValue, CellValue], bool]] = {
    "equal": is_equal,
    "not_equal": lambda cell, constant: not is_equal(cell, constant),
    "contains": contains,
}
_COMPARISONS = {"greater": (1,), "at_least": (0, 1), "less": (-1,), "at_most": (-1, 0)}
_POSITIONS: dict[str, Callable[[Rows, int], Rows]] = {
    "first": lambda rows, n: rows[:1],
    "last": lambda rows, n: rows[-1:],
    "previous": lambda rows, n: tuple(row - 1 for row in rows if row > 0),
    "next": lambda rows, n: tuple(row + 1 for row in rows if row + 1 < n),
}


def _column(argument: Argument) -> int:
    assert isinstance(argument, Column)
    return argument.index


def _text(argument: Argument) -> str:
    assert isinstance(argument, Text)
    return argument.text
