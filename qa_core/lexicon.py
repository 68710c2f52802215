"""Words and what they mean: stems, synonyms and cues of ``lexicon.yaml``.

``read`` turns a question or a header into ``Word``s. A word carries *features*: its stem, and ``=name`` for
each concept of the lexicon whose phrase it is part of. Two words speak of the same thing where they share a
feature.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from qa_core.errors import CrossheadError
from qa_core.text import fold

LEXICON_PATH = Path(__file__).with_name("lexicon.yaml")
MAX_TEXT = 2000
"""Characters of one text that are read; what lies beyond does not change which header is meant."""

CONCEPT_STRENGTH = 0.8
"""What a shared concept counts beside 1 for the same stem."""
PART_STRENGTH = 0.6
"""What a stem counts that is only part of a phrase ("passenger" in "revenue passenger miles")."""

_TOKEN = re.compile(r"[a-z]+(?:&[a-z]+)+|[^\W\d_]+(?:\.[^\W\d_](?![^\W_]))*|\d[\d,]*(?:\.\d+)?|[%(]|\)")
_POSSESSIVE = re.compile(r"'s?\b")
_FOOTNOTE = re.compile(r"\s*\((?:[a-z0-9]|[ivx]{1,4}|\d\d)\)")
_SUFFIXES = (
    "izations", "isations", "ization", "isation", "ations", "ating", "ation", "ments", "ment", "ately",
    "ional", "ions", "ated", "ates", "ings", "ing", "ion", "ate", "ity", "ies", "ers", "ors", "ed", "er",
    "or", "es", "ly", "al", "y", "s", "e",
)  # fmt: skip
_SHORTEST_STEM = 3


@dataclass(frozen=True)
class Word:
    """One content word of a text.

    ``features`` maps each feature to its strength in (0, 1]; ``position`` counts all tokens of the text, so
    neighbours differ by 1; ``aside`` marks words in parentheses.
    """

    text: str
    position: int
    features: Mapping[str, float]
    aside: bool = False

    @property
    def stem(self) -> str:
        return next(iter(self.features))

    @property
    def is_number(self) -> bool:
        return self.text[0].isdigit()


@dataclass(frozen=True)
class Lexicon:
    """The lexicon as looked up: stems of words without content, phrases (as stems) and their names."""

    stop_words: frozenset[str]
    period_words: frozenset[str]
    phrases: Mapping[tuple[str, ...], tuple[str, ...]]
    cues: Mapping[tuple[str, ...], tuple[str, ...]]
    longest: int
    longest_cue: int
    vocabulary: frozenset[str]


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """A word without its inflection and common derivations; good enough to match, not a dictionary form."""
    word = word.replace(".", "")
    if len(word) > 4 and word.endswith("ies"):
        word = word[:-3] + "y"
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= _SHORTEST_STEM:
            if suffix == "s" and word.endswith("ss"):
                continue
            word = word[: -len(suffix)]
            break
    if word.endswith("e") and len(word) > _SHORTEST_STEM:
        word = word[:-1]
    if len(word) > _SHORTEST_STEM and word[-1] == word[-2] and word[-1] not in "aeiouls":
        word = word[:-1]
    return word


def tokens(text: str) -> list[str]:
    """Lower-case words, numbers (without thousands separators), ``%`` and parentheses of a text."""
    folded = _FOOTNOTE.sub(" ", _POSSESSIVE.sub(" ", fold(text[:MAX_TEXT])))
    return [
        token.rstrip(",").replace(",", "") if token[0].isdigit() else token
        for token in _TOKEN.findall(folded)
    ]


def read(text: str) -> list[Word]:
    """The content words of a text with their features, stop words and words of time left out.

    A stop word counts where it belongs to a phrase of the lexicon ("how full", "due within a year").
    """
    lexicon = load_lexicon()
    found = tokens(text)
    depth = 0
    aside: list[bool] = []
    for token in found:
        depth = max(0, depth + (token == "(") - (token == ")"))
        aside.append(depth > 0)
    stems = ["" if token in "()" else stem(token) for token in found]
    concepts = _concepts(stems, lexicon)
    words: list[Word] = []
    for position, (token, root) in enumerate(zip(found, stems, strict=True)):
        names = concepts.get(position, ())
        empty = token in lexicon.stop_words or token in lexicon.period_words
        if not root or token == "%" or (empty and not names):
            continue
        whole = not empty and all(length == 1 for _, length in names)
        features = {root: 1.0 if whole else PART_STRENGTH}
        if empty:
            features = {}
        for name, _ in names:
            features["=" + name] = CONCEPT_STRENGTH
        words.append(Word(token, position, features, aside[position]))
    return words


@lru_cache(maxsize=20_000)
def cues(text: str) -> frozenset[str]:
    """Names of the lexicon's cues that a text gives."""
    lexicon = load_lexicon()
    stems = [token if token == "%" else stem(token) for token in tokens(text)]
    return frozenset(
        name
        for start in range(len(stems))
        for stop in range(start + 1, min(start + lexicon.longest_cue, len(stems)) + 1)
        for name in lexicon.cues.get(tuple(stems[start:stop]), ())
    )


def initials(words: Sequence[str]) -> str:
    """First letters in one string, as an abbreviation has them."""
    return "".join(word[0] for word in words if word)


@lru_cache(maxsize=1)
def load_lexicon() -> Lexicon:
    """The shipped lexicon, read once.

    Raises CrossheadError where ``lexicon.yaml`` is missing or is not what it should be.
    """
    return parse_lexicon(LEXICON_PATH)


def parse_lexicon(path: Path) -> Lexicon:
    """A lexicon from a YAML file of the shape that the head of ``lexicon.yaml`` describes.

    Raises CrossheadError where the file cannot be read or has another shape.
    """
    import yaml

    # The C form of the safe loader, ten times as fast, where the package has it.
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        content: dict[str, Any] = yaml.load(path.read_text(encoding="utf-8"), Loader=loader)
        phrases = _by_phrase(content["concepts"])
        cue_phrases = _by_phrase(content["cues"])
        stop_words = frozenset(content["stop_words"].split())
        period_words = frozenset(content["period_words"].split())
    except (OSError, yaml.YAMLError, KeyError, AttributeError, TypeError) as error:
        raise CrossheadError(
            f"The lexicon {path} cannot be read ({type(error).__name__}: {error}); restore the shipped file."
        ) from error
    return Lexicon(
        stop_words,
        period_words,
        phrases,
        cue_phrases,
        max(map(len, phrases), default=0),
        max(map(len, cue_phrases), default=0),
        frozenset(root for phrase in phrases for root in phrase),
    )


def _by_phrase(members: Mapping[str, Sequence[str]]) -> dict[tuple[str, ...], tuple[str, ...]]:
    """Phrases (as stems) and the names that they stand under, from names and their phrases."""
    found: dict[tuple[str, ...], tuple[str, ...]] = {}
    for name, phrases in members.items():
        for phrase in phrases:
            key = _stems(phrase)
            if name not in found.get(key, ()):
                found[key] = (*found.get(key, ()), name)
    return found


def _stems(phrase: str) -> tuple[str, ...]:
    return tuple(token if token == "%" else stem(token) for token in tokens(phrase))


def _concepts(stems: Sequence[str], lexicon: Lexicon) -> dict[int, list[tuple[str, int]]]:
    """Names and lengths of the concepts at each position; a phrase inside a longer one does not count."""
    spans: list[tuple[int, int, tuple[str, ...]]] = []
    for length in range(min(lexicon.longest, len(stems)), 0, -1):
        for start in range(len(stems) - length + 1):
            names = lexicon.phrases.get(tuple(stems[start : start + length]))
            if names and not _inside(start, start + length, spans):
                spans.append((start, start + length, names))
    found: dict[int, list[tuple[str, int]]] = {}
    for start, stop, names in spans:
        for position in range(start, stop):
            found.setdefault(position, []).extend((name, stop - start) for name in names)
    return found


def _inside(start: int, stop: int, spans: Iterable[tuple[int, int, tuple[str, ...]]]) -> bool:
    return any(a <= start and stop <= b and (b - a) > (stop - start) for a, b, _ in spans)
