"""What a chart shows, as a sentence that can be said aloud."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from components.plain import counted
from qa_core.evaluation.calibration import Calibration
from qa_core.evaluation.comparison import Change
from qa_core.evaluation.misses import REASONS

CONTRASTS: dict[tuple[str, str], tuple[str, str]] = {
    ("row-hierarchy-needed", "row-hierarchy-not-needed"): (
        "those that need the row hierarchy",
        "those that do not",
    ),
    ("leaf-repeats", "leaf-unique"): (
        "those whose row label stands under several parents",
        "those whose row label is unique",
    ),
    ("kpi-driven", "table-driven"): ("KPI-driven ones", "table-driven ones"),
    ("paraphrased", "original"): ("paraphrased ones", "original ones"),
}
"""Slices that exclude each other, and what they are called in a sentence about questions."""
SIGNIFICANT = 0.05
WELL_CALIBRATED = 0.05
"""The expected calibration error up to which confidence is said to be one that can be trusted."""


def accuracy_finding(name: str, summary: Mapping[str, Any]) -> str:
    """How accurate a run is, and between which slices it differs most, as far as that is clear.

    Two accuracies differ clearly where their 95 % intervals do not overlap.
    """
    said = f"{name} is right on {summary['accuracy']['strict']:.0%} of {counted(summary['n'], 'question')}"
    slices = summary["slices"]
    pairs = [pair for pair in CONTRASTS if all(slices[each]["n"] for each in pair)]
    clear = [pair for pair in pairs if _apart(*(slices[each]["strict_interval"] for each in pair))]
    if not clear:
        return f"{said}; no kind of question stands out."
    widest = max(clear, key=lambda pair: abs(slices[pair[0]]["strict"] - slices[pair[1]]["strict"]))
    first, second = (f"{slices[each]['strict']:.0%} of {words}" for each, words in _said(widest))
    return f"{said}: on {first}, and on {second}."


def reasons_finding(misses: Mapping[str, int]) -> str:
    """The most frequent structural reason."""
    total = sum(misses.values())
    most = max(REASONS, key=lambda name: misses[name])
    what = REASONS[most].rstrip(".")
    return f"{misses[most]:,} of {total:,} misses ({misses[most] / total:.0%}): {what[:1].lower()}{what[1:]}."


def sets_finding(sets: Mapping[str, int]) -> str:
    """How many paraphrase sets stand or fall as one."""
    total = sum(sets.values())
    return (
        f"Of {counted(total, 'paraphrase set')}, {sets['all']:,} are right in every wording, "
        f"{sets['some']:,} in some and {sets['none']:,} in none."
    )


def runs_finding(
    titles: Sequence[str], shares: Sequence[float], n: Sequence[int], change: Callable[[int, int], Change]
) -> str:
    """The most accurate of some runs, and whether the next one is clearly worse.

    ``change(first, second)`` is what the second of two of them changes, given their places. They answer the
    same questions, so the paired test says more than their intervals do.
    """
    ranked = sorted(range(len(titles)), key=lambda place: -shares[place])
    best = ranked[0]
    said = f"{titles[best]} is right on {shares[best]:.0%} of {counted(n[best], 'question')}"
    if len(ranked) == 1:
        return f"{said}."
    second = ranked[1]
    p_value = change(second, best).p_value
    how = "ahead of" if p_value < SIGNIFICANT else "no clear lead over"
    test = f"(McNemar's exact test, p = {p_text(p_value)})"
    return f"{said}, {how} {titles[second]} with {shares[second]:.0%} {test}."


def confidence_finding(name: str, found: Calibration) -> str:
    """Whether confidence can be taken for the share of right answers."""
    said = f"It is {found.confidence:.0%} sure on average and {found.accuracy:.0%} of its answers are right"
    error = f"(expected calibration error {found.error:.3f})"
    if found.error <= WELL_CALIBRATED:
        return f"The confidence of {name} can be trusted. {said} {error}."
    how = "too sure of itself" if found.confidence > found.accuracy else "too careful"
    return f"{name} is {how}. {said} {error}."


def change_finding(first: str, second: str, change: Change) -> str:
    """What the second of two runs gained and lost, and whether that may be chance."""
    said = f"{second} gains {counted(change.gained, 'question')} over {first} and loses {change.lost:,}"
    if change.p_value < SIGNIFICANT:
        return f"{said}, more than chance would give (McNemar's exact test, p = {p_text(change.p_value)})."
    return f"{said}, which may be chance (McNemar's exact test, p = {p_text(change.p_value)})."


def p_text(value: float) -> str:
    """A p value as it is printed."""
    return f"{value:.3f}" if value >= 0.001 else f"{value:.1e}"


def _said(pair: tuple[str, str]) -> list[tuple[str, str]]:
    return list(zip(pair, CONTRASTS[pair], strict=True))


def _apart(first: Sequence[float], second: Sequence[float]) -> bool:
    return first[1] < second[0] or second[1] < first[0]
