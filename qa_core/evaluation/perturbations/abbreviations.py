"""Abbreviate and expand: terms and their abbreviations, as far as the lexicon knows both.

The lexicon lists under one concept whatever means the same. Of these an abbreviation is a short word made of
the initials of a longer phrase ("rpm" of "revenue passenger mile", little words left out or not) or of two
beginnings ("capex" of "capital expenditure").
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from qa_core.evaluation.perturbations.wording import (
    Place,
    capitalised,
    follow_on,
    is_glued,
    replaced,
    words_of,
)
from qa_core.lexicon import Lexicon, load_lexicon

_LITTLE = frozenset(("of", "and", "&", "per", "on", "in", "the", "for", "to", "a", "an"))
_SHORT = re.compile(r"[a-z]+(?:&[a-z]+)*")
_LONGEST_SHORT = 7
_SHORTEST_IN_SMALL_LETTERS = 4
"""A shorter word in small letters is more likely the word: "I ask" means no seat kilometres."""


@dataclass(frozen=True)
class Abbreviations:
    """``shorts`` by the words of their long forms, and of each short one the first long form as written."""

    shorts: Mapping[tuple[str, ...], str]
    longs: Mapping[str, str]


def abbreviate(text: str, lexicon: Lexicon | None = None) -> str | None:
    """The question with every term that has an abbreviation abbreviated; None where there is none.

    A term whose abbreviation stands in the question already stays.
    """
    known = abbreviations(lexicon or load_lexicon())
    words = words_of(text)
    present = {word.folded for word in words} | {word.folded.removesuffix("s") for word in words}
    changes: list[tuple[int, int, str]] = []
    at = 0
    while at < len(words):
        length = _length_of_long(text, words, at, known)
        if not length:
            at += 1
            continue
        first, last = words[at], words[at + length - 1]
        phrase = _phrase(words[at : at + length], known)
        short = known.shorts[phrase]
        if short not in present and not is_glued(text, first.start, last.stop):
            is_plural = last.folded != phrase[-1]
            written = _as_written(short, phrase) + ("s" if is_plural and not _is_blend(short, phrase) else "")
            changes.append((first.start, last.stop, capitalised(written) if first.start == 0 else written))
        at += length
    return replaced(text, changes) if changes else None


def expand(text: str, lexicon: Lexicon | None = None) -> str | None:
    """The question with every abbreviation written out; None where it has none that the lexicon knows.

    An abbreviation that hangs on something ("CASM-ex") and one that the question itself writes out stay.
    """
    known = abbreviations(lexicon or load_lexicon())
    words = words_of(text)
    changes: list[tuple[int, int, str]] = []
    for word in words:
        short, is_plural = _short_in(word, known)
        if not short or is_glued(text, word.start, word.stop):
            continue
        long = known.longs[short]
        if _holds(text, words, _words(long)):
            continue
        if is_plural:
            rest, space, last = long.rpartition(" ")
            long = rest + space + _plural(last)
        changes.append((word.start, word.stop, capitalised(long) if word.start == 0 else long))
    return replaced(text, changes) if changes else None


@lru_cache(maxsize=8)
def abbreviations(lexicon: Lexicon) -> Abbreviations:
    """All pairs of the lexicon, in the order of its file."""
    pairs = [
        (short, phrase)
        for phrases in lexicon.written.values()
        for phrase in phrases
        for short in phrases
        if short not in lexicon.stop_words and _is_short(short) and _is_short_for(short, _words(phrase))
    ]
    every_short = {short for short, _ in pairs}
    shorts_of: dict[tuple[str, ...], str] = {}
    longs_of: dict[str, str] = {}
    for short, phrase in pairs:
        words = _words(phrase)
        if every_short.isdisjoint(words) and not _is_predicate(words):
            shorts_of.setdefault(words, short)
            longs_of.setdefault(short, phrase)
    return Abbreviations(shorts_of, longs_of)


def _words(phrase: str) -> tuple[str, ...]:
    return tuple(re.split(r"[\s-]+", phrase))


def _is_short(phrase: str) -> bool:
    return _SHORT.fullmatch(phrase) is not None and 2 <= len(phrase) <= _LONGEST_SHORT


def _is_predicate(words: Sequence[str]) -> bool:
    """Whether a phrase is what a verb says ("earned per share") and no noun."""
    return words[0].endswith("ed") and words[1] in _LITTLE


def _is_short_for(short: str, words: Sequence[str]) -> bool:
    return len(words) > 1 and (_is_initials(short.replace("&", ""), words) or _is_blend(short, words))


def _is_initials(letters: str, words: Sequence[str]) -> bool:
    if not words:
        return not letters
    left_out = words[0] in _LITTLE and _is_initials(letters, words[1:])
    return left_out or (bool(letters) and letters[0] == words[0][:1] and _is_initials(letters[1:], words[1:]))


def _is_blend(short: str, words: Sequence[str]) -> bool:
    return len(words) == 2 and any(
        _is_beginning(short[:cut], words[0]) and _is_beginning(short[cut:], words[1])
        for cut in range(2, len(short) - 1)
    )


def _is_beginning(part: str, word: str) -> bool:
    return word.startswith(part) and part != word


def _as_written(short: str, phrase: Sequence[str]) -> str:
    return short if _is_blend(short, phrase) else short.upper()


def _length_of_long(text: str, words: Sequence[Place], at: int, known: Abbreviations) -> int:
    """How many words the longest long form that begins here has; 0 where none does."""
    longest = 0
    for phrase in known.shorts:
        if len(phrase) > longest and _stands_at(text, words, at, phrase):
            longest = len(phrase)
    return longest


def _phrase(words: Sequence[Place], known: Abbreviations) -> tuple[str, ...]:
    return next(
        phrase
        for phrase in known.shorts
        if len(phrase) == len(words) and all(map(_is_form_of, words, phrase))
    )


def _stands_at(text: str, words: Sequence[Place], at: int, phrase: Sequence[str]) -> bool:
    here = words[at : at + len(phrase)]
    return (
        len(here) == len(phrase)
        and all(map(_is_form_of, here, phrase))
        and all(follow_on(text, a, b) for a, b in pairwise(here))
    )


def _holds(text: str, words: Sequence[Place], phrase: Sequence[str]) -> bool:
    return any(_stands_at(text, words, at, phrase) for at in range(len(words)))


def _is_form_of(word: Place, of: str) -> bool:
    """Whether a word is another, or its plural."""
    return word.folded in (of, _plural(of), of + "s")


def _plural(word: str) -> str:
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return word[:-1] + "ies"
    return word + ("es" if word.endswith(("s", "x", "ch", "sh")) else "s")


def _short_in(word: Place, known: Abbreviations) -> tuple[str, bool]:
    """The abbreviation that a word is, and whether it is a plural of it; empty where it is none."""
    folded = word.folded
    if folded in known.longs:
        said = word.text.isupper() or (len(folded) >= _SHORTEST_IN_SMALL_LETTERS or "&" in folded)
        return (folded, False) if said else ("", False)
    if word.text.endswith("s") and word.text[:-1].isupper() and folded[:-1] in known.longs:
        return folded[:-1], True
    return "", False
