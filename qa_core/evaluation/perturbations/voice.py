"""Passive and active: "What did X report as …" and "What was reported as … by X"."""

from __future__ import annotations

import re

from qa_core.evaluation.perturbations.periods import PHRASE
from qa_core.evaluation.perturbations.verbs import BASES, PARTICIPLES
from qa_core.evaluation.perturbations.wording import split_end

_PREPOSITIONS = [
    "in", "on", "at", "as", "for", "from", "to", "of", "with", "within", "during", "over", "per", "between",
    "by", "before", "after", "through", "under", "against", "across", "into", "about", "since", "until",
    "outside", "inside",
]  # fmt: skip
_ADVERBS = "altogether", "overall", "together", "annually", "quarterly", "daily", "yearly", "each", "directly"
_ASKED = r"(?P<asked>(?i:what|which|how\ much|how\ many)(?:\s[^\s,;:?]+){0,7}?)"
_VERBS = "|".join(sorted(map(re.escape, PARTICIPLES), key=len, reverse=True))
_PAST = "|".join(sorted(map(re.escape, BASES), key=len, reverse=True))
_ACTIVE = re.compile(
    rf"{_ASKED}\s(?P<aux>did|does|do)\s(?P<agent>\S+(?:\s\S+){{0,5}}?)\s(?P<verb>{_VERBS})(?P<tail>(?:\s.*)?)",
    re.IGNORECASE | re.DOTALL,
)
_PASSIVE = re.compile(
    rf"{_ASKED}\s(?P<aux>was|were|is|are)\s(?P<verb>{_PAST})(?P<tail>(?:\s(?!by\s).*?)?)\sby"
    r"\s(?P<agent>(?:the\s\w+(?=\s(?:in|on|at|as|for|from|during)\b|\s*\Z)|[A-Z][^\s,;:]*(?:\s(?:of\s|and\s|&\s)?[A-Z][^\s,;:]*){0,4}))"
    r"(?P<rest>(?:\s.*)?)",
    re.DOTALL,
)
_NEEDS_A_NOUN = re.compile(
    r"(?:\b(?:the|an?|its|their|his|her|this|that|total|net|and|or|not|have|has|had|be|"
    + "|".join(_PREPOSITIONS)
    + r")|['’]s?)\Z",
    re.IGNORECASE,
)
_NO_AGENT = re.compile(r"[,;:()]|\b(?:that|which|who|whose|and\s+how|it|they|he|she|we|you|i)\b", re.I)
_MASS_ENDINGS = ("ss", "us", "is")


def passive(text: str) -> str | None:
    """A question about what somebody did, in the passive: "What was reported as revenue by X in 2018?".

    None unless the question word asks for the object of a verb that ``verbs`` knows: what follows the verb
    has to begin with a preposition or end the sentence.
    """
    sentence, end = split_end(text)
    found = _ACTIVE.fullmatch(sentence)
    if found is None or not _is_agent(found["agent"]) or not _leaves_object_open(found["tail"]):
        return None
    be = _be(found["asked"], is_past=found["aux"].lower() == "did")
    complement, rest = _complement(found["tail"])
    participle = PARTICIPLES[found["verb"].lower()]
    return f"{found['asked']} {be} {participle}{complement} by {found['agent']}{rest}{end}"


def active(text: str) -> str | None:
    """A question in the passive that names who did it, in the active: "What did X report as revenue?"."""
    sentence, end = split_end(text)
    found = _PASSIVE.fullmatch(sentence)
    if found is None:
        return None
    tail, rest = found["tail"], found["rest"]
    if not (_leaves_object_open(tail) and _leaves_object_open(rest)) or _NO_AGENT.search(found["agent"]):
        return None
    do = "did" if found["aux"] in ("was", "were") else "does"
    return f"{found['asked']} {do} {found['agent']} {BASES[found['verb']]}{tail}{rest}{end}"


def _is_agent(agent: str) -> bool:
    """Whether some words can stand behind "by": no clause, and not the first part of a longer noun."""
    return _NO_AGENT.search(agent) is None and _NEEDS_A_NOUN.search(agent) is None


def _leaves_object_open(tail: str) -> bool:
    """Whether a verb has no object behind it: only adverbs and phrases with a preposition and a noun."""
    words = re.findall(r"[^\s]+", tail.lower())
    if not words:
        return True
    first, following = words[0].strip(","), words[1].strip(",") if len(words) > 1 else ""
    if first in _ADVERBS:
        return not following or following in _PREPOSITIONS
    return first in _PREPOSITIONS and bool(following) and following not in _PREPOSITIONS


def _be(asked: str, *, is_past: bool) -> str:
    """The form of "to be" that goes with what is asked for."""
    words = asked.split()
    last = words[-1]
    counted = asked.lower().startswith("how many")
    named = len(words) > 1 and asked.lower().split()[0] in ("what", "which")
    is_plural = counted or (
        named and last.endswith("s") and not last.isupper() and not last.lower().endswith(_MASS_ENDINGS)
    )
    return ("were" if is_plural else "was") if is_past else ("are" if is_plural else "is")


def _complement(tail: str) -> tuple[str, str]:
    """What follows a verb in two: what stays with it ("as net income"), and what may follow the agent."""
    if not tail.lower().startswith(" as ") or PHRASE.match(tail, 1):
        return "", tail
    ends = [found.start() - 1 for found in (PHRASE.search(tail), re.search(" ?,", tail)) if found]
    end = min(ends, default=len(tail))
    return tail[:end], tail[end:]
