"""How far the answers of a run hold when its questions are asked in other words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from qa_core.evaluation.comparison import Change
from qa_core.evaluation.perturbations import PERTURBATIONS
from qa_core.evaluation.perturbed_store import PerturbedStore
from qa_core.evaluation.runs import RunRecord
from qa_core.evaluation.statistics import SAMPLES


@dataclass(frozen=True)
class Effect:
    """What one perturbation does: verdicts on the same questions in the original wording (first) and in the
    perturbed one (second), and how many answers stay the same text."""

    change: Change
    same: int

    @property
    def fits(self) -> int:
        """How many questions the perturbation fits."""
        return self.change.n

    @property
    def same_share(self) -> float:
        return self.same / max(self.fits, 1)


@dataclass(frozen=True)
class Robustness:
    """The effects of all perturbations on a run, as far as its questions were looked at.

    ``kept`` of ``asked`` wordings of originally right questions, in the words of the perturbations that keep
    the meaning, are answered rightly as well; ``interval`` is the 95 % interval of that share over questions,
    each with all its wordings.
    """

    looked_at: int
    total: int
    effects: Mapping[str, Effect]
    kept: int
    asked: int
    interval: tuple[float, float]

    @property
    def share(self) -> float | None:
        """The share of originally right answers that stay right; None where none was asked again."""
        return self.kept / self.asked if self.asked else None

    @property
    def is_whole(self) -> bool:
        return self.looked_at == self.total


def robustness(store: PerturbedStore, run: RunRecord) -> Robustness:
    """The figures of a run out of the store; nothing is asked.

    Raises CrossheadError as the store does.
    """
    counts = {name: [0, 0, 0, 0, 0] for name in PERTURBATIONS}
    for verdict, n in store.verdicts(run.id).items():
        of = counts[verdict.perturbation]
        of[2 * verdict.before + verdict.after] += n
        of[4] += n * verdict.same
    effects = {
        name: Effect(Change(gained, lost, both_right, both_wrong), same)
        for name, (both_wrong, gained, lost, both_right, same) in counts.items()
    }
    keeping = [name for name, perturbation in PERTURBATIONS.items() if perturbation.keeps_meaning]
    by_question = store.kept_by_question(run.id, keeping)
    return Robustness(
        store.n_looked_at(run.id),
        run.done,
        effects,
        sum(kept * n for (kept, _), n in by_question.items()),
        sum(asked * n for (_, asked), n in by_question.items()),
        clustered_interval(by_question),
    )


def clustered_interval(clusters: Mapping[tuple[int, int], int], seed: int = 0) -> tuple[float, float]:
    """The 95 % interval of a share over cases that come in clusters, given how many clusters have each pair
    of (hits, cases).

    A percentile bootstrap that draws whole clusters (Davison and Hinkley 1997): the wordings of one question
    stand and fall together, so they are drawn together. (0, 1) without cases.
    """
    kinds = [pair for pair in sorted(clusters) if pair[1]]
    if not kinds:
        return 0.0, 1.0
    n = sum(clusters[pair] for pair in kinds)
    drawn = np.random.default_rng(seed).multinomial(
        n, np.array([clusters[pair] for pair in kinds]) / n, size=SAMPLES
    )
    hits, cases = drawn @ np.array(kinds).T[0], drawn @ np.array(kinds).T[1]
    low, high = np.quantile(hits / cases, [0.025, 0.975])
    return float(low), float(high)


def as_json(found: Robustness, run: RunRecord) -> dict[str, Any]:
    """The figures as JSON values; shares are fractions, None over no questions."""
    return {
        "run": run.id,
        "dataset": run.dataset,
        "system": run.system,
        "model": run.weights,
        "transformation": run.transformation,
        "questions": found.looked_at,
        "of": found.total,
        "perturbations": {name: _effect(effect, found.looked_at) for name, effect in found.effects.items()},
        "stay_right": {
            "n": found.asked,
            "share": found.share,
            "interval": list(found.interval),
        },
    }


def _effect(effect: Effect, looked_at: int) -> dict[str, Any]:
    change, n = effect.change, effect.fits
    return {
        "fits": n,
        "does_not_fit": looked_at - n,
        "before": change.first if n else None,
        "after": change.second if n else None,
        "same": effect.same_share if n else None,
        "gained": change.gained,
        "lost": change.lost,
        "difference_interval": list(change.interval),
        "p_value": change.p_value,
    }
