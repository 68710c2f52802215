"""What a second run gained and lost, as tables of HTML in which every count may be a door."""

from __future__ import annotations

from collections.abc import Callable

from components.figures_table import Figure, Line, figures_table_markup
from components.names import title_of
from qa_core.evaluation.comparison import CHANGES, Change, Comparison
from qa_core.evaluation.misses import REASONS

Link = Callable[..., str]
"""Gives the address of the questions of a ``change``, a ``slice`` and a ``reason``, as far as named."""


def no_link(**questions: str) -> str:
    """The address where there is none to lead to."""
    return ""


def p_text(value: float) -> str:
    """A p value as it is read."""
    return f"{value:.3f}" if value >= 0.001 else f"{value:.1e}"


def changes_markup(found: Comparison, link: Link = no_link) -> str:
    """Accuracies, their difference and the numbers of changed questions, of all questions and by slice."""
    heads = [("", ""), ("First", "strict"), ("Second", "strict"), ("Difference", "95 %"), ("p", "McNemar")]
    heads += [(title_of(name), "") for name in CHANGES]
    lines = [_change_line("All questions", found.whole, link)]
    lines += [_change_line(title_of(name), change, link, slice=name) for name, change in found.slices.items()]
    return figures_table_markup(heads, {"": lines})


def gains_by_reason_markup(found: Comparison, link: Link = no_link) -> str:
    """Gained and lost questions by the structural reason of the run that missed."""
    heads = [("", ""), ("Gained", "the first run missed for it"), ("Lost", "the second run misses for it")]
    lines = [
        Line(
            title_of(name),
            [
                _count(found.reasons[name][0], link, change="gained", reason=name),
                _count(found.reasons[name][1], link, change="lost", reason=name),
            ],
        )
        for name in REASONS
        if name in found.reasons
    ]
    return figures_table_markup(heads, {"": lines})


def _change_line(title: str, change: Change, link: Link, **questions: str) -> Line:
    low, high = change.interval
    counts = {
        "gained": change.gained,
        "lost": change.lost,
        "both-right": change.both_right,
        "both-wrong": change.both_wrong,
    }
    return Line(
        title,
        [
            Figure(f"{100 * change.first:.2f}"),
            Figure(f"{100 * change.second:.2f}"),
            Figure(f"{100 * (change.second - change.first):+.2f}", f"{100 * low:+.1f} to {100 * high:+.1f}"),
            Figure(p_text(change.p_value)),
            *(_count(n, link, change=name, **questions) for name, n in counts.items()),
        ],
        f"n = {change.n}",
    )


def _count(n: int, link: Link, **questions: str) -> Figure:
    return Figure(f"{n:,}", link=link(**questions) if n else "")
