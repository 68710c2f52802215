"""Answers out of several selected cells: the cells themselves, their sum, their average or their number.

The operators are those of TAPAS (Herzig et al. 2020, "TaPas: Weakly Supervised Table Parsing via
Pre-training"): NONE, SUM, AVERAGE and COUNT.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal, localcontext

from qa_core.evaluation.matching import number
from qa_core.text import shorten

NONE, SUM, AVERAGE, COUNT = "NONE", "SUM", "AVERAGE", "COUNT"
OPERATORS = (NONE, SUM, AVERAGE, COUNT)

_MAX_DIGITS = 60
"""Characters of a number; a longer text is not taken for one."""
_PRECISION = 200
"""Digits of the arithmetic: more than the sum of a table's numbers can have, so that sums are exact."""
_EXTRA_PLACES = 2
"""Decimal places of an average beyond those of its cells."""
_SHOWN_CELLS = 10
_MAX_SHOWN = 40


@dataclass(frozen=True)
class Aggregate:
    """An answer, the operator that made it (empty where the cells are the answer), and sentences."""

    answer: str
    operator: str = ""
    notes: tuple[str, ...] = ()


def aggregate(operator: str, cells: Sequence[str]) -> Aggregate:
    """Apply an operator to the texts of one or more cells.

    SUM and AVERAGE leave out cells that are no numbers and say so; of a single number they are that cell as
    it stands. Where no cell is a number, or the operator is not one of ``OPERATORS``, the answer is the
    cells themselves.
    """
    if operator == COUNT:
        return Aggregate(str(len(cells)), COUNT, (_shown(COUNT, cells),))
    if operator in _COMPUTE:
        return _computed(operator, cells)
    notes = (
        () if operator == NONE else (f"{operator:.40} is not computed; the answer is the cells themselves.",)
    )
    return Aggregate(", ".join(cells), notes=notes)


def _computed(operator: str, cells: Sequence[str]) -> Aggregate:
    numbers = [(cell, value) for cell in cells if (value := _number(cell)) is not None]
    others = [cell for cell in cells if _number(cell) is None]
    if not numbers:
        note = (
            f"{operator} was asked for, but no selected cell is a number; the answer is the cells themselves."
        )
        return Aggregate(", ".join(cells), notes=(note,))
    texts = [cell for cell, _ in numbers]
    notes = [_shown(operator, texts)]
    if others:
        cells_are = "cell is no number and was" if len(others) == 1 else "cells are no numbers and were"
        notes.append(f"{len(others)} selected {cells_are} left out of the {operator}: {_listed(others)}.")
    if len(numbers) == 1:
        return Aggregate(texts[0], operator, tuple(notes))
    with localcontext(prec=_PRECISION):
        answer = _COMPUTE[operator]([value for _, value in numbers])
    return Aggregate(answer, operator, tuple(notes))


def _sum(values: Sequence[Decimal]) -> str:
    return f"{sum(values, Decimal()):,f}"


def _average(values: Sequence[Decimal]) -> str:
    """The mean, with the decimal places of the values and, where they are not zero, two more."""
    places = max(max(_places(value) for value in values), 0)
    mean = sum(values, Decimal()) / len(values)
    text = f"{mean:,.{places + _EXTRA_PLACES}f}"
    for _ in range(_EXTRA_PLACES):
        text = text.removesuffix("0")
    return text.removesuffix(".")


_COMPUTE: dict[str, Callable[[Sequence[Decimal]], str]] = {SUM: _sum, AVERAGE: _average}


def _places(value: Decimal) -> int:
    exponent = value.as_tuple().exponent
    return -exponent if isinstance(exponent, int) else 0


def _number(cell: str) -> Decimal | None:
    return number(cell) if len(cell) <= _MAX_DIGITS else None


def _shown(operator: str, cells: Sequence[str]) -> str:
    plural = "" if len(cells) == 1 else "s"
    return f"{operator} of {len(cells)} cell{plural}: {_listed(cells)}."


def _listed(cells: Sequence[str]) -> str:
    more = [f"and {len(cells) - _SHOWN_CELLS} more"] if len(cells) > _SHOWN_CELLS else []
    return "; ".join([*(shorten(cell, _MAX_SHOWN) for cell in cells[:_SHOWN_CELLS]), *more])
