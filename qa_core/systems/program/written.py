"""A computed figure as its table would write it."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import ROUND_HALF_EVEN, Decimal

from qa_core.systems.program.values import CellValue

_PLACES = Decimal("0.01")
_BEFORE = ("$", "€", "£", "¥", "₹")
_CLOSE = ("%", "¢")


def written(number: Decimal, cells: Sequence[CellValue]) -> str:
    """A figure with the unit of the cells that it rests on, with thousands separated where one of them does.

    What has more places than any of them, and more than two, is rounded to two, half to even.
    """
    grouped = any("," in cell.text for cell in cells)
    places = -min((_exponent(cell) for cell in cells), default=0)
    shown = number if exponent_of(number) >= -max(places, 2) else number.quantize(_PLACES, ROUND_HALF_EVEN)
    digits = f"{abs(shown):,f}" if grouped else f"{abs(shown):f}"
    unit = next((cell.unit for cell in cells if cell.unit), "")
    signed = "-" if shown < 0 else ""
    if unit in _BEFORE:
        return f"{signed}{unit}{digits}"
    return f"{signed}{digits}{unit}" if unit in _CLOSE else f"{signed}{digits} {unit}".rstrip()


def _exponent(cell: CellValue) -> int:
    """The exponent of a cell's last digit; 0 without a number."""
    return exponent_of(cell.number) if cell.number is not None else 0


def exponent_of(number: Decimal) -> int:
    found = number.as_tuple().exponent
    return found if isinstance(found, int) else 0
