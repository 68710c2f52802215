"""The figures of a run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from qa_core.evaluation.misses import REASONS
from qa_core.evaluation.outcome import Outcome
from qa_core.evaluation.slices import SLICES
from qa_core.evaluation.statistics import wilson_interval


@dataclass(frozen=True)
class Verdict:
    """What the figures need to know of one outcome; a run has few different ones."""

    strict: bool
    normalised: bool
    reason: str
    slices: tuple[str, ...]


@dataclass
class ParaphraseSet:
    """How many questions of one paraphrase set were asked, and how many were strict hits."""

    asked: int = 0
    hits: int = 0


def summarise(outcomes: Iterable[Outcome]) -> dict[str, Any]:
    """The figures over outcomes, as JSON values (see ``summarise_counts``)."""
    verdicts: Counter[Verdict] = Counter()
    sets: dict[str, ParaphraseSet] = {}
    for outcome in outcomes:
        verdicts[Verdict(outcome.strict, outcome.normalised, outcome.reason, outcome.slices)] += 1
        if group := outcome.question.paraphrase_group:
            asked = sets.setdefault(group, ParaphraseSet())
            asked.asked += 1
            asked.hits += outcome.strict
    return summarise_counts(verdicts, sets.values())


def summarise_counts(
    verdicts: Mapping[Verdict, int], paraphrase_sets: Iterable[ParaphraseSet]
) -> dict[str, Any]:
    """The figures over verdicts and how often each occurs.

    ``n``; ``accuracy`` and ``intervals`` by rule; ``slices`` (every name, each with ``n``, ``strict``,
    ``normalised`` and the two intervals); ``paraphrase_sets`` with all, some or none of their questions a
    strict hit, counting sets of which at least two questions were asked; ``misses`` (every reason → number
    of strict misses). Accuracies are fractions, None over no cases; intervals are 95 %, [low, high].
    """
    whole = _rates(verdicts)
    sets = Counter(
        "all" if asked.hits == asked.asked else "some" if asked.hits else "none"
        for asked in paraphrase_sets
        if asked.asked > 1
    )
    misses: Counter[str] = Counter()
    for verdict, count in verdicts.items():
        misses[verdict.reason] += count
    return {
        "n": whole["n"],
        "accuracy": {"strict": whole["strict"], "normalised": whole["normalised"]},
        "intervals": {"strict": whole["strict_interval"], "normalised": whole["normalised_interval"]},
        "slices": {name: _rates({v: n for v, n in verdicts.items() if name in v.slices}) for name in SLICES},
        "paraphrase_sets": {how_many: sets[how_many] for how_many in ("all", "some", "none")},
        "misses": {reason: misses[reason] for reason in REASONS},
    }


def _rates(verdicts: Mapping[Verdict, int]) -> dict[str, Any]:
    n = sum(verdicts.values())
    strict = sum(count for verdict, count in verdicts.items() if verdict.strict)
    normalised = sum(count for verdict, count in verdicts.items() if verdict.normalised)
    return {
        "n": n,
        "strict": strict / n if n else None,
        "normalised": normalised / n if n else None,
        "strict_interval": list(wilson_interval(strict, n)),
        "normalised_interval": list(wilson_interval(normalised, n)),
    }
