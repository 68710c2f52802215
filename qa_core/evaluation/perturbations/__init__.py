"""Perturbations: deterministic rules that ask a question in other words.

Each looks at the wording, at the lexicon and at what leads to the gold answer, and gives another wording or
says that it does not fit. The gold stays that of the question; where a rule leaves so little that another
cell may be meant, it says so.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from qa_core.evaluation.gold import Gold
from qa_core.evaluation.perturbations.abbreviations import abbreviate, expand
from qa_core.evaluation.perturbations.header_level import without_header_level
from qa_core.evaluation.perturbations.order import reorder
from qa_core.evaluation.perturbations.voice import active, passive
from qa_core.evaluation.perturbations.wording import LONGEST
from qa_core.lexicon import load_lexicon
from qa_core.table import Table
from qa_core.text import fold, squeeze

__all__ = ["LONGEST", "PERTURBATIONS", "Perturbation", "perturb", "rules"]

_VERSION = "1"


def rules() -> str:
    """What the wordings depend on: another version of the rules or of the lexicon gives others."""
    return f"{_VERSION} {load_lexicon().fingerprint}"


@dataclass(frozen=True)
class Perturbation:
    """A rule by its name; ``example`` is a wording and what becomes of it.

    Without ``keeps_meaning`` another answer may be right afterwards, so what a system then answers says how
    much it leans on what was left out, and not how robust it is.
    """

    name: str
    title: str
    description: str
    example: tuple[str, str]
    reword: Callable[[str, Table, Gold], str | None]
    keeps_meaning: bool = True


PERTURBATIONS: dict[str, Perturbation] = {
    each.name: each
    for each in (
        Perturbation(
            "abbreviate",
            "Abbreviate",
            "Terms give way to the abbreviations that the lexicon knows.",
            ("What were revenue passenger miles in 2018?", "What were RPMs in 2018?"),
            lambda text, table, gold: abbreviate(text),
        ),
        Perturbation(
            "expand",
            "Expand",
            "Abbreviations that the lexicon knows are written out.",
            ("What was diluted EPS in 2018?", "What was diluted earnings per share in 2018?"),
            lambda text, table, gold: expand(text),
        ),
        Perturbation(
            "drop-level",
            "Drop a header level",
            "The words that name one level above the gold's leaf go. Another cell may be meant then, so this "
            "is not counted above.",
            ("What was the mainline load factor in 2018?", "What was the load factor in 2018?"),
            without_header_level,
            keeps_meaning=False,
        ),
        Perturbation(
            "reorder",
            "Reorder",
            "The period moves to the front, without one the place or company at the end.",
            ("What was net income in 2018?", "In 2018, what was net income?"),
            lambda text, table, gold: reorder(text),
        ),
        Perturbation(
            "passive",
            "Passive",
            "What somebody did is asked for in the passive.",
            ("What did Delta report as net income?", "What was reported as net income by Delta?"),
            lambda text, table, gold: passive(text),
        ),
        Perturbation(
            "active",
            "Active",
            "A question in the passive that names who did it is asked in the active.",
            ("What was reported as net income by Delta?", "What did Delta report as net income?"),
            lambda text, table, gold: active(text),
        ),
    )
}


def perturb(name: str, text: str, table: Table, gold: Gold) -> str | None:
    """A question in other words by the perturbation of this name; None where it does not fit.

    Raises KeyError for a name that is not in ``PERTURBATIONS``.
    """
    rule = PERTURBATIONS[name]
    asked = squeeze(text)
    if not asked or len(asked) > LONGEST:
        return None
    reworded = rule.reword(asked, table, gold)
    if reworded is None or len(reworded) > LONGEST or fold(reworded) == fold(asked):
        return None
    return reworded
