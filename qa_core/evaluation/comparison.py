"""Two runs over the same questions: what the second gained and lost, and whether that is more than chance."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from qa_core.evaluation.statistics import difference_interval, mcnemar

CHANGES: dict[str, str] = {
    "gained": "Wrong in the first run, right in the second.",
    "lost": "Right in the first run, wrong in the second.",
    "both-right": "Right in both runs.",
    "both-wrong": "Wrong in both runs.",
}


PAIRS = {
    "gained": (False, True),
    "lost": (True, False),
    "both-right": (True, True),
    "both-wrong": (False, False),
}
"""Of each change, whether the first and the second run are right."""
_CHANGE_OF = {pair: name for name, pair in PAIRS.items()}


@dataclass(frozen=True)
class PairedCase:
    """One question as two runs answered it, without candidates and scores."""

    question_id: str
    position: int
    table_id: str
    text: str
    answers: tuple[str, ...]
    first_answer: str
    second_answer: str
    first: bool
    second: bool
    first_reason: str
    second_reason: str

    @property
    def change(self) -> str:
        """A name in ``CHANGES``."""
        return _CHANGE_OF[self.first, self.second]


@dataclass(frozen=True)
class PairedVerdict:
    """What two runs made of one question; a comparison has few different ones.

    ``same`` says that both point to the same first Location, none included.
    """

    first: bool
    second: bool
    first_reason: str
    second_reason: str
    same: bool
    slices: tuple[str, ...]

    @property
    def change(self) -> str:
        """A name in ``CHANGES``."""
        return _CHANGE_OF[self.first, self.second]


@dataclass(frozen=True)
class Change:
    """How many questions there are of each of ``CHANGES``, and what follows from that."""

    gained: int
    lost: int
    both_right: int
    both_wrong: int

    @property
    def n(self) -> int:
        return self.gained + self.lost + self.both_right + self.both_wrong

    @property
    def first(self) -> float:
        """Accuracy of the first run; 0 without questions."""
        return (self.lost + self.both_right) / max(self.n, 1)

    @property
    def second(self) -> float:
        """Accuracy of the second run."""
        return (self.gained + self.both_right) / max(self.n, 1)

    @property
    def oracle(self) -> float:
        """Accuracy of who takes the right one of the two answers where there is one."""
        return (self.n - self.both_wrong) / max(self.n, 1)

    @property
    def p_value(self) -> float:
        """Of McNemar's exact test."""
        return mcnemar(self.gained, self.lost)

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the second accuracy less the first."""
        return difference_interval(self.gained, self.lost, self.n)


@dataclass(frozen=True)
class Comparison:
    """All questions that both runs answered, and some of them by name.

    ``slices`` has the change of each named slice that has questions; ``reasons`` counts, for each structural
    reason, the questions that the second run gained where the first missed for it, and lost by missing for it
    itself; ``agreement`` is the share with the same first Location.
    """

    whole: Change
    slices: Mapping[str, Change]
    reasons: Mapping[str, tuple[int, int]]
    agreement: float


def compare(verdicts: Mapping[PairedVerdict, int], slices: Iterable[str]) -> Comparison:
    """Compare two runs, given how often each pair of verdicts occurs."""
    gained: dict[str, int] = {}
    lost: dict[str, int] = {}
    for pair, count in verdicts.items():
        if pair.change == "gained":
            gained[pair.first_reason] = gained.get(pair.first_reason, 0) + count
        elif pair.change == "lost":
            lost[pair.second_reason] = lost.get(pair.second_reason, 0) + count
    whole = _change(verdicts)
    of_slices = {
        name: _change({pair: count for pair, count in verdicts.items() if name in pair.slices})
        for name in slices
    }
    same = sum(count for pair, count in verdicts.items() if pair.same)
    return Comparison(
        whole,
        {name: change for name, change in of_slices.items() if change.n},
        {name: (gained.get(name, 0), lost.get(name, 0)) for name in sorted({*gained, *lost})},
        same / max(whole.n, 1),
    )


def _change(verdicts: Mapping[PairedVerdict, int]) -> Change:
    counts = dict.fromkeys(CHANGES, 0)
    for pair, count in verdicts.items():
        counts[pair.change] += count
    return Change(counts["gained"], counts["lost"], counts["both-right"], counts["both-wrong"])
