"""What the rules share: words in place, ends of sentences, capitals and articles."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from qa_core.text import fold

LONGEST = 500
"""Characters of a question that the rules look at; a longer one fits none of them."""

_WORD = re.compile(r"[^\W\d_]+(?:&[^\W\d_]+)*|&")
_END = re.compile(r"[\s?.!…]*\Z")
_GAP = re.compile(r"\s+|[-‐‑]|,\s+")
_GLUE = "-‐‑–/&_'’"
_LETTERS_WITH_VOWEL_SOUND = "aefhilmnorsx"
_SAID_AS_WORD = re.compile(r"[^aeiou][aeiou][^aeiou]")
_SOUNDS_LIKE_A_CONSONANT = re.compile(r"one\b|once\b|uni|eu|use|usu|util")
_SILENT_H = re.compile(r"hour|honest|honou?r|heir")


@dataclass(frozen=True)
class Place:
    """A word of a text and where it stands."""

    text: str
    start: int
    stop: int

    @property
    def folded(self) -> str:
        return fold(self.text)


def words_of(text: str) -> list[Place]:
    """The words of a text, "R&D" as one and "&" between spaces as another; numbers are none."""
    return [Place(found[0], *found.span()) for found in _WORD.finditer(text)]


def follow_on(text: str, before: Place, after: Place) -> bool:
    """Whether nothing but a space, a hyphen or a comma stands between two words."""
    return _GAP.fullmatch(text[before.stop : after.start]) is not None


def is_glued(text: str, start: int, stop: int) -> bool:
    """Whether a stretch of text hangs on a hyphen, a slash or a digit, as "CASM" does in "CASM-ex"."""
    left, right = text[start - 1 : start], text[stop : stop + 1]
    possessive = re.match(r"['’](?:s\b|\W|\Z)", text[stop:]) is not None
    glued_left = bool(left) and (left in _GLUE or left.isalnum())
    glued_right = bool(right) and (right in _GLUE or right.isalnum()) and not possessive
    return glued_left or glued_right


def split_end(text: str) -> tuple[str, str]:
    """A question and what closes it: ``("What was it", "?")``."""
    found = _END.search(text)
    start = found.start() if found else len(text)
    return text[:start], text[start:].strip()


def capitalised(text: str) -> str:
    """With a capital first letter."""
    return text[:1].upper() + text[1:]


def uncapitalised(text: str) -> str:
    """With a small first letter, for a word that has a capital only because it opens the sentence."""
    return text[:1].lower() + text[1:]


def with_article(before: str, after: str) -> str:
    """Two parts of a text joined, an indefinite article at the end of the first put right for the second."""
    found = re.search(r"\b([Aa])n?(\s+)\Z", before)
    if found is None or not after[:1].isalpha():
        return before + after
    article = found[1] + ("n" if _opens_with_vowel(after) else "")
    return before[: found.start()] + article + found[2] + after


def replaced(text: str, changes: Iterator[tuple[int, int, str]] | list[tuple[int, int, str]]) -> str:
    """A text with stretches ``(start, stop, instead)`` replaced; they are in order and do not overlap."""
    built, at = "", 0
    for start, stop, instead in changes:
        between = text[at:start]
        built = (with_article(built, between) if built else between) if between else built
        built = with_article(built, instead) if instead else built
        at = stop
    return built + text[at:]


def _opens_with_vowel(text: str) -> bool:
    word = re.split(r"[^\w&]", text, maxsplit=1)[0]
    lower = word.lower()
    shortened = word.rstrip("s")
    if len(shortened) > 1 and shortened.isupper():
        spelled = _SAID_AS_WORD.search(lower.replace("&", "")) is None
        return lower[0] in (_LETTERS_WITH_VOWEL_SOUND if spelled else "aeiou")
    if _SOUNDS_LIKE_A_CONSONANT.match(lower):
        return False
    return lower[0] in "aeiou" or _SILENT_H.match(lower) is not None
