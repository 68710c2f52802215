"""Reorder: the period moves to the front ("In 2018, what was …"), else the place or company at the end."""

from __future__ import annotations

import re

from qa_core.evaluation.perturbations.periods import PHRASE
from qa_core.evaluation.perturbations.wording import capitalised, split_end, uncapitalised
from qa_core.lexicon import cues
from qa_core.systems.periods import read_period

_OPENS_SENTENCE = re.compile(
    r"(?:(?:by|in|at|to|of|for|from|on|with)\ )?(?:what|which|who|whom|whose|when|where|why|how)\b"
    r"|(?:is|are|was|were|do|does|did|has|have|had|can|could)\b"
    r"|(?:give|show|tell|find)\b"
    # Without an article these may be nouns: "State taxes in 2018".
    r"|(?:state|report|name|list|count|say)\ (?:the|its|their|an?|all|each|every|how|what|which|\S+['’]s?)\ ",
    re.IGNORECASE | re.VERBOSE,
)
# What needs the phrase behind it: "payments due in 2021", "notes maturing in May 2034", "than in 2017".
_BOUND_TO = re.compile(
    r"\b(?:due|payable|maturing|mature|expiring|expire|ended|ending|dated|beginning|starting|effective|since"
    r"|until|before|after|than|and|or|not|declared|issued|planned|expected|scheduled|change|changes|increase"
    r"|decrease|growth|decline|rise|fall|difference|up|down)\s*\Z",
    re.IGNORECASE,
)
_GOES_ON = re.compile(r"(?:but|and|or|than|versus|vs)\b", re.IGNORECASE)
_NAME = r"[A-Z][\w&.’'-]*"
_PLACE = re.compile(rf"\s(?P<phrase>(?:at|in)\s(?:the\s)?{_NAME}(?:\s(?:of\s|and\s)?{_NAME}){{0,4}})\Z")
_NOT_A_PLACE = re.compile(
    r"\b(?:invest\w*|interests?|stakes?|engage\w*|result\w*|participat\w*|shares?|holdings?)\s*\Z",
    re.IGNORECASE,
)


def reorder(text: str) -> str | None:
    """The question with its period at the front; without any period, with the place or company at its end.

    None for a question that is no sentence, for several periods, for a period that stands in front or belongs
    to the words before it ("due in 2021"), and where there is nothing to move.
    """
    sentence, end = split_end(text)
    if _OPENS_SENTENCE.match(sentence) is None:
        return None
    moved = _period(sentence) if read_period(sentence) or PHRASE.search(sentence) else _place(sentence)
    return moved + end if moved else None


def _period(sentence: str) -> str | None:
    found = list(PHRASE.finditer(sentence))
    if len(found) != 1 or found[0].start() == 0:
        return None
    phrase = found[0]
    before, after = sentence[: phrase.start()].rstrip(" ,"), sentence[phrase.end() :].lstrip(" ,")
    rest = f"{before} {after}".strip()
    bound = _BOUND_TO.search(before) or _GOES_ON.match(after)
    if read_period(rest) or bound or _is_stranded(before):
        return None
    if after and sentence[phrase.end() :].startswith(","):
        rest = f"{before}, {after}"
    return f"{capitalised(phrase[0])}, {uncapitalised(rest)}"


def _place(sentence: str) -> str | None:
    found = _PLACE.search(sentence)
    if found is None or "percent" in cues(found["phrase"]):
        return None
    before = sentence[: found.start()]
    if _NOT_A_PLACE.search(before) or _BOUND_TO.search(before):
        return None
    return f"{capitalised(found['phrase'])}, {uncapitalised(before)}"


def _is_stranded(before: str) -> bool:
    """Whether what stands before the phrase is too short to be a question of its own."""
    return len(before.split()) < 3
