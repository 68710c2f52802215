"""Where a run does worst, as a table of HTML in which every slice may be a door."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from components.figures_table import Figure, Line, figures_table_markup
from components.names import filter_titles
from qa_core.evaluation.filters import Filters
from qa_core.evaluation.slice_finder import LEAST_SUPPORT, SIGNIFICANT, WeakSlice

NO_WEAK_SLICE = (
    "No combination of up to three facets has more misses than chance would give it (false discovery "
    f"rate {SIGNIFICANT:.0%}, at least {LEAST_SUPPORT} questions)."
)
ABOUT_WEAK_SLICES = (
    "Combinations of up to three facets with more misses than chance would give them, clearest first; "
    "one most of whose misses lie in those above is left out. p is one-sided (hypergeometric); the false "
    "discovery rate corrects it for all combinations that were looked at (Benjamini and Hochberg 1995)."
)


def weak_slices_markup(
    weak: Sequence[WeakSlice],
    n: int,
    hits: int,
    link: Callable[[Mapping[str, str]], str] = lambda values: "",
) -> str:
    """The slices of a run over ``n`` questions with so many ``hits``; ``link`` gives the address of one."""
    heads = [("", ""), ("Right", "strict"), ("Elsewhere", "strict"), ("p", ""), ("False discovery rate", "")]
    lines = [
        Line(
            " · ".join(filter_titles(Filters(each.values))),
            [
                Figure(f"{100 * each.accuracy:.1f}", f"{each.hits} of {each.n}", link(each.values)),
                Figure(f"{100 * (hits - each.hits) / (n - each.n):.1f}" if n > each.n else "–"),
                Figure(f"{each.p_value:.1g}"),
                Figure(f"{each.false_discovery_rate:.1g}"),
            ],
        )
        for each in weak
    ]
    return figures_table_markup(heads, {"": lines})
