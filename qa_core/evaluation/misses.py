"""The structural reason of a miss: where the predicted cell stands, seen from the gold.

A prediction is compared with every target of the gold (the intended Location, else all candidates) and gets
the most specific reason that any of them gives: the first in the order of ``REASONS``. The first three are
about the answer rather than its place. The specific ones (another period, a total, another parent) need the
other axis to be right; a cell that is wrong on both axes is ``both-wrong`` however close its headers are.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cached_property

from qa_core.evaluation.gold import Gold
from qa_core.evaluation.matching import is_blank, normalised_match
from qa_core.prediction import Prediction
from qa_core.table import HeaderPath, Location, Table
from qa_core.text import fold

REASONS: dict[str, str] = {
    "no-answer": "The system gave no answer, or an answer that rests on no cell.",
    "gold-nowhere": "The gold answer stands in no cell and no header of the table.",
    "right-cell-among-others": "The right cell, and others beside it.",
    "right-cell-other-text": "The right cell, but the answer is not written as the gold is.",
    "right-value-other-cell": "The gold's value, read from another cell.",
    "header-against-body": "A header where the gold is a body cell, or the other way round.",
    "neighbouring-period": "The same row and column but for the period: another year, quarter or month.",
    "total-against-component": "A total where one of its components was asked for, or the other way round.",
    "same-leaf-other-parent": "The same leaf label, under another parent.",
    "right-row-wrong-column": "The right row, another column.",
    "right-column-wrong-row": "The right column, another row.",
    "both-wrong": "Another row and another column.",
}

_PRIORITY = {reason: rank for rank, reason in enumerate(REASONS)}

_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
_PERIOD = re.compile(
    rf"""
      \b{_MONTH}(?:\ \d{{1,2}}\b(?!,\d))?,?     # December 31,
    | \b(?:fy\ ?)?(?:19|20)\d\d\b               # 2018, FY2018
    | \bfy\ ?\d\d\b
    | \bq[1-4]\b | \b[1-4]q\b
    | \b(?:first|second|third|fourth|1st|2nd|3rd|4th)\ (?:fiscal\ )?(?:quarter|half)\b
    | \b(?:three|six|nine|twelve|[369]|12)\ (?:months|weeks)\b
    """,
    re.VERBOSE,
)
_PERIOD_MARK = "\0"
_PERIOD_MARKS = re.compile(rf"{_PERIOD_MARK}(?:[ ,]*{_PERIOD_MARK})*")
_FOOTNOTE = re.compile(r" ?\((?:[a-z]|\d{1,2})\)")

_TOTAL = re.compile(
    r"^(?:grand )?(?:sub-?total|total|consolidated|combined|overall|system|system-?wide|net)s?\b"
    r"|\b(?:sub-?total|total|consolidated)s?$"
)
_RATE = re.compile(r"\bper\b|%|\bpercent|\baverage\b")


def miss_reason(prediction: Prediction, gold: Gold, table: Table) -> str:
    """The structural reason why a prediction misses the gold, a name in ``REASONS``.

    A prediction is judged by its first location, but for one that has the right cell among several.
    """
    location = prediction.location
    if location is None or is_blank(prediction.answer):
        return "no-answer"
    if not gold.locations:
        return "gold-nowhere"
    if len(prediction.locations) > 1 and not set(gold.targets).isdisjoint(prediction.locations):
        return "right-cell-among-others"
    if location in gold.targets:
        return "right-cell-other-text"
    if any(normalised_match(prediction.answer, text) for text in set(map(table.text_at, gold.locations))):
        return "right-value-other-cell"
    axes = _Axes(table)
    return min((_between(location, target, axes) for target in gold.targets), key=_PRIORITY.__getitem__)


class _Axis:
    """The header paths of one axis, prepared once for every pair of its positions."""

    def __init__(self, raw_paths: Iterable[HeaderPath]) -> None:
        self.paths = _without_common_leaf([_labels(path) for path in raw_paths])
        self._totals_before: list[int] = []
        totals: Counter[HeaderPath] = Counter()
        for path in self.paths:
            self._totals_before.append(totals[path[:-1]])
            totals[path[:-1]] += bool(path) and _is_total(path[-1])

    def has_total_between(self, start: int, stop: int) -> bool:
        """Whether a total stands strictly between two siblings."""
        from_start = self._totals_before[stop] - self._totals_before[start]
        return from_start > _is_total(self.paths[start][-1])


class _Axes:
    """Both axes of a table, each prepared when it is first needed."""

    def __init__(self, table: Table) -> None:
        self._table = table

    @cached_property
    def rows(self) -> _Axis:
        return _Axis(map(self._table.row_path, range(self._table.n_rows)))

    @cached_property
    def columns(self) -> _Axis:
        return _Axis(map(self._table.column_path, range(self._table.n_columns)))


def _between(predicted: Location, gold: Location, axes: _Axes) -> str:
    """How two different Locations differ. The stub counts as a column, the header as a row."""
    if predicted.is_cell != gold.is_cell:
        return "header-against-body"
    if predicted.row == gold.row:
        return _along_axis(axes.columns, predicted.column, gold.column) or "right-row-wrong-column"
    if predicted.column == gold.column:
        return _along_axis(axes.rows, predicted.row, gold.row) or "right-column-wrong-row"
    return "both-wrong"


def _along_axis(axis: _Axis, predicted: int | None, gold: int | None) -> str:
    """What two header paths of one axis have in common; empty where nothing specific."""
    if predicted is None or gold is None:
        return ""
    paths = axis.paths
    if not (0 <= predicted < len(paths) and paths[predicted] and paths[gold]):
        return ""
    if _differ_in_period(paths[predicted], paths[gold]):
        return "neighbouring-period"
    if _is_total_of(axis, predicted, gold) or _is_total_of(axis, gold, predicted):
        return "total-against-component"
    if paths[predicted][-1] == paths[gold][-1] and paths[predicted] != paths[gold]:
        return "same-leaf-other-parent"
    return ""


def _labels(path: HeaderPath) -> HeaderPath:
    """The labels of a path, folded, without blank levels, footnote marks and closing colons."""
    return tuple(filter(None, (_FOOTNOTE.sub("", fold(label)).strip(" :") for label in path)))


def _without_common_leaf(paths: list[HeaderPath]) -> list[HeaderPath]:
    """Paths without a last label that all share, such as "(in millions)": it tells nothing apart."""
    while all(len(path) > 1 for path in paths) and len({path[-1] for path in paths}) == 1:
        paths = [path[:-1] for path in paths]
    return paths


def _differ_in_period(a: HeaderPath, b: HeaderPath) -> bool:
    """Whether two paths are the same but for the periods that both name."""
    first, second = " ".join(a), " ".join(b)
    return (
        first != second
        and _PERIOD.search(first) is not None
        and _without_periods(first) == _without_periods(second)
    )


def _without_periods(text: str) -> str:
    return _PERIOD_MARKS.sub(_PERIOD_MARK, _PERIOD.sub(_PERIOD_MARK, text))


def _is_total_of(axis: _Axis, total: int, component: int) -> bool:
    """Whether the path ``total`` sums up the path ``component``.

    Three layouts: the paths differ in one label, a total in the one and none in the other, above a shared
    leaf; the total is a sibling, with no other total in between; or the total stands further up and what it
    totals is named by a group over the component ("Total assets" over "Current assets", "Cash").
    """
    above, below = axis.paths[total], axis.paths[component]
    if above[-1] == below[-1]:
        differing = [(a, b) for a, b in zip(above, below, strict=False) if a != b]
        return len(above) == len(below) and len(differing) == 1 and _totals(differing[0][0], differing[0][1])
    if above[:-1] == below[:-1]:
        start, stop = sorted((total, component))
        return _totals(above[-1], below[-1]) and not axis.has_total_between(start, stop)
    depth = len(above) - 1
    if above[:-1] != below[:depth] or not _is_total(above[-1]):
        return False
    totalled = set(_words(_TOTAL.sub("", above[-1])))
    return any(totalled <= set(_words(group)) for group in below[depth:-1])


def _totals(total: str, component: str) -> bool:
    """Whether one label names a sum and the other something that adds up: a rate does neither."""
    return _is_total(total) and not _is_total(component) and _RATE.search(component) is None


def _is_total(label: str) -> bool:
    return _TOTAL.search(label) is not None and _RATE.search(label) is None


def _words(label: str) -> Iterator[str]:
    """Words of a label, singular and plural alike."""
    return (word.removesuffix("s") for word in re.findall(r"\w+", label))
