"""Words and what they mean: stems, synonyms, ordinals of periods and cues of ``lexicon.yaml``.

``read`` turns a question or a header into ``Word``s. A word carries *features*: its stem, and ``=name`` for
each concept of the lexicon whose phrase it is part of. Two words speak of the same thing where they share a
feature.

Every function that reads takes the lexicon to read with, by default the shipped one.
``Lexicon.without_meanings`` is the one that knows no synonyms, abbreviations and ordinals.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from qa_core.errors import CrossheadError
from qa_core.json_lines import read_text
from qa_core.text import fold
from qa_core.yaml_text import load_yaml

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
_SECTIONS = ("stop_words", "period_words", "concepts", "quarters", "years_back", "cues")
MOST_YEARS_BACK = 100
"""Years that an ordinal of the lexicon can look back."""


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
class Span:
    """A phrase of the lexicon in a text: tokens from ``start`` up to ``stop``, and its names."""

    start: int
    stop: int
    names: tuple[str, ...]

    def __len__(self) -> int:
        return self.stop - self.start


@dataclass(frozen=True)
class Phrases:
    """Phrases, as stems, and the names that each stands under."""

    names: Mapping[tuple[str, ...], tuple[str, ...]]

    @cached_property
    def longest(self) -> int:
        return max(map(len, self.names), default=0)

    def find(self, stems: Sequence[str]) -> list[Span]:
        """All phrases in a text, the longest first."""
        return [
            Span(start, start + length, names)
            for length in range(min(self.longest, len(stems)), 0, -1)
            for start in range(len(stems) - length + 1)
            if (names := self.names.get(tuple(stems[start : start + length])))
        ]

    def find_longest(self, stems: Sequence[str]) -> list[Span]:
        """The phrases in a text that are not inside a longer one."""
        found: list[Span] = []
        for span in self.find(stems):
            if not any(a.start <= span.start and span.stop <= a.stop and len(a) > len(span) for a in found):
                found.append(span)
        return found


@dataclass(frozen=True, eq=False)
class Lexicon:
    """The lexicon as looked up; the head of ``lexicon.yaml`` says what its sections are.

    ``written`` are the phrases of each concept as the file has them. ``quarters`` stand under the number of
    the quarter, ``years_back`` under how many years before the latest. ``fingerprint`` tells one state of the
    file from another; it is empty where nothing is looked up.
    """

    stop_words: frozenset[str]
    period_words: frozenset[str]
    concepts: Phrases
    written: Mapping[str, Sequence[str]]
    quarters: Phrases
    years_back: Phrases
    cues: Phrases
    fingerprint: str

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """The stems of all words that concepts are made of."""
        return frozenset(root for phrase in self.concepts.names for root in phrase)

    def without_meanings(self) -> Lexicon:
        """This lexicon without concepts and ordinals: words match by their stems alone.

        Words without content and cues stay; they say how a question is built, not what a word means.
        """
        nothing = Phrases({})
        return replace(
            self, concepts=nothing, written={}, quarters=nothing, years_back=nothing, fingerprint=""
        )


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


@lru_cache(maxsize=20_000)
def stems(text: str) -> tuple[str, ...]:
    """The stem of each token of a text, as the phrases of a lexicon are looked up."""
    return tuple(stem(token) for token in tokens(text))


def read(text: str, lexicon: Lexicon | None = None) -> list[Word]:
    """The content words of a text with their features, stop words and words of time left out.

    A stop word counts where it belongs to a phrase of the lexicon ("how full", "due within a year").
    """
    lexicon = lexicon or load_lexicon()
    concepts: dict[int, list[tuple[str, int]]] = {}
    for span in lexicon.concepts.find_longest(stems(text)):
        for position in range(span.start, span.stop):
            concepts.setdefault(position, []).extend((name, len(span)) for name in span.names)
    depth = 0
    words: list[Word] = []
    for position, token in enumerate(tokens(text)):
        depth = max(0, depth + (token == "(") - (token == ")"))
        names = concepts.get(position, ())
        empty = token in lexicon.stop_words or token in lexicon.period_words
        if token in "()%" or (empty and not names):
            continue
        whole = not empty and all(length == 1 for _, length in names)
        features = {} if empty else {stem(token): 1.0 if whole else PART_STRENGTH}
        for name, _ in names:
            features["=" + name] = CONCEPT_STRENGTH
        words.append(Word(token, position, features, depth > 0))
    return words


@lru_cache(maxsize=20_000)
def cues(text: str, lexicon: Lexicon | None = None) -> frozenset[str]:
    """Names of the lexicon's cues that a text gives."""
    lexicon = lexicon or load_lexicon()
    return frozenset(name for span in lexicon.cues.find(stems(text)) for name in span.names)


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

    Raises CrossheadError where the file cannot be read or has another shape, and says where.
    """
    text = read_text(path)
    try:
        content = load_yaml(text)
        _check_sections(content)
        concepts = _members("concepts", content)
        return Lexicon(
            _words("stop_words", content),
            _words("period_words", content),
            _phrases(concepts),
            concepts,
            _phrases(_by_number("quarters", content, range(1, 5))),
            _phrases(_by_number("years_back", content, range(MOST_YEARS_BACK + 1))),
            _phrases(_members("cues", content)),
            hashlib.sha256(text.encode()).hexdigest()[:8],
        )
    except ValueError as fault:
        raise CrossheadError(f"The lexicon {path} cannot be used: {fault}.") from fault


def _check_sections(content: object) -> None:
    if not isinstance(content, dict):
        raise ValueError(f"the file has to hold {', '.join(_SECTIONS)}, each with a colon after it")
    for name in content:
        if name not in _SECTIONS:
            raise ValueError(f"the file has a section {name!r:.60}, and there are {', '.join(_SECTIONS)}")
    for name in _SECTIONS:
        if name not in content:
            raise ValueError(f"the file has no section {name}")


def _words(section: str, content: Mapping[str, Any]) -> frozenset[str]:
    if not isinstance(content[section], str):
        raise ValueError(f"{section} has to be words with spaces between them")
    return frozenset(content[section].split())


def _members(section: str, content: Mapping[str, Any]) -> dict[str, list[str]]:
    """The phrases of a section by their names."""
    members = _listed(section, content, "names", "rpm: [traffic, rpm]")
    for name, phrases in members.items():
        if not isinstance(name, str):
            raise ValueError(f"a name in {section} is read as {name!r:.40} and not as a word; quote it")
        _check_phrases(f"{section}, {name}", phrases)
    return members


def _by_number(section: str, content: Mapping[str, Any], numbers: range) -> dict[str, list[str]]:
    """The phrases of a section whose names are numbers."""
    members = _listed(section, content, "numbers", "1: [first quarter]")
    for name, phrases in members.items():
        if type(name) is not int or name not in numbers:
            raise ValueError(
                f"{section} holds {name!r:.40}, and has to hold numbers from {numbers[0]} to {numbers[-1]}"
            )
        _check_phrases(f"{section}, {name}", phrases)
    return {str(name): phrases for name, phrases in members.items()}


def _listed(section: str, content: Mapping[str, Any], kind: str, example: str) -> dict[Any, Any]:
    members = content[section]
    if not isinstance(members, dict):
        raise ValueError(f"{section} has to hold {kind}, each with phrases in brackets: {example}")
    return members


def _check_phrases(where: str, phrases: object) -> None:
    if not isinstance(phrases, list):
        raise ValueError(f"{where:.80} has to have its phrases in brackets, with commas between them")
    if not phrases:
        raise ValueError(f"{where:.80} has no phrase")
    for phrase in phrases:
        if not isinstance(phrase, str):
            raise ValueError(
                f"{where:.80} has a phrase that is read as {phrase!r:.40} and not as words; quote it"
            )


def _phrases(members: Mapping[str, Iterable[str]]) -> Phrases:
    """Phrases and the names that they stand under, from names and their phrases."""
    found: dict[tuple[str, ...], tuple[str, ...]] = {}
    for name, phrases in members.items():
        for phrase in phrases:
            key = stems(phrase)
            if name not in found.get(key, ()):
                found[key] = (*found.get(key, ()), name)
    return Phrases(found)
