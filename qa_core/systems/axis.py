"""One side of a table as the lexical system reads it: what each row or column header says."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from qa_core.lexicon import MAX_TEXT, Lexicon, Word, cues, initials, read
from qa_core.systems.periods import Period, path_period, read_period
from qa_core.table import HeaderPath, join_path

OWN, PARENT = 0, 1
MAX_LEVELS = 16
"""Levels of a header path that are read, the deepest ones."""


@dataclass(frozen=True)
class Posting:
    """A header word: ``line`` counts rows or columns, ``kind`` is ``OWN`` or ``PARENT``."""

    line: int
    kind: int
    word: int


@dataclass(frozen=True)
class Line:
    """One header path as read.

    ``own`` are the words of the deepest level that names a thing: a "2018" or a "Total" below it says
    which of its values stands here, not what the values are. ``parents`` are the words above.
    """

    own: tuple[Word, ...]
    parents: tuple[Word, ...]
    period: Period
    cues: frozenset[str]
    is_change: bool
    is_total: bool


@dataclass(frozen=True)
class Axis:
    """All header paths of one side, with an index from features to the words that carry them."""

    lines: tuple[Line, ...]

    @cached_property
    def postings(self) -> Mapping[str, tuple[tuple[Posting, float], ...]]:
        """For each feature the header words that carry it, with its strength there."""
        found: dict[str, list[tuple[Posting, float]]] = {}
        for number, line in enumerate(self.lines):
            for kind, words in ((OWN, line.own), (PARENT, line.parents)):
                for index, word in enumerate(words):
                    for feature, strength in word.features.items():
                        found.setdefault(feature, []).append((Posting(number, kind, index), strength))
        return {feature: tuple(postings) for feature, postings in found.items()}

    @cached_property
    def stems(self) -> frozenset[str]:
        return frozenset(feature for feature in self.postings if not feature.startswith("="))

    @cached_property
    def vocabulary(self) -> Mapping[str, str]:
        """The words of the headers as written, and the stem of each."""
        return {
            word.text: word.stem
            for line in self.lines
            for word in (*line.own, *line.parents)
            if not word.stem.startswith("=")
        }

    @cached_property
    def years(self) -> tuple[int, ...]:
        """Newest years of the lines, distinct, newest first."""
        return tuple(
            sorted({max(line.period.years) for line in self.lines if line.period.years}, reverse=True)
        )

    def discrimination(self, lines: int) -> float:
        """How much a word says that ``lines`` of the headers share: 1 for one of many, 0 for all."""
        n = len(self.lines)
        if n <= 1 or lines == 0:
            return 0.0
        return math.log((n + 0.5) / (lines + 0.0)) / math.log(n + 0.5)

    @cached_property
    def word_weights(self) -> Mapping[str, float]:
        """Discrimination of each stem on this side."""
        sets: dict[str, set[int]] = {}
        for number, line in enumerate(self.lines):
            for word in (*line.own, *line.parents):
                sets.setdefault(word.stem, set()).add(number)
        return {root: self.discrimination(len(lines)) for root, lines in sets.items()}

    @cached_property
    def abbreviations(self) -> Mapping[str, frozenset[Posting]]:
        """Initials of every two to five neighbouring words of a header, and the words they stand for."""
        found: dict[str, set[Posting]] = {}
        for number, line in enumerate(self.lines):
            for kind, words in ((OWN, line.own), (PARENT, line.parents)):
                named = [(index, word.text) for index, word in enumerate(words) if word.text[0].isalpha()]
                for start in range(len(named)):
                    for stop in range(start + 2, min(start + 5, len(named)) + 1):
                        part = named[start:stop]
                        key = initials([text for _, text in part])
                        found.setdefault(key, set()).update(Posting(number, kind, index) for index, _ in part)
        return {key: frozenset(postings) for key, postings in found.items()}


def read_axis(paths: Iterable[HeaderPath], lexicon: Lexicon, periods: Sequence[Period] | None = None) -> Axis:
    """The header paths of one side; ``periods`` stand in where a path itself names none."""
    lines: list[Line] = []
    for number, path in enumerate(paths):
        line = read_line(path, lexicon)
        if periods and not line.period:
            line = Line(line.own, line.parents, periods[number], line.cues, line.is_change, line.is_total)
        lines.append(line)
    return Axis(tuple(lines))


def read_line(path: HeaderPath, lexicon: Lexicon) -> Line:
    """What one header path says."""
    path = tuple(level[:MAX_TEXT] for level in path if level.strip())[-MAX_LEVELS:]
    levels = list(path)
    words = [read(level, lexicon) for level in levels]
    given = [cues(level, lexicon) for level in levels]
    naming = [i for i in range(len(levels)) if _names_a_thing(words[i], given[i], lexicon)]
    main = naming[-1] if naming else max(len(levels) - 1, 0)
    own = tuple(word for level in words[main:] for word in level)
    parents = tuple(word for level in words[:main] for word in level)
    spoken = cues(join_path(path), lexicon)
    is_change = any(
        "change" in given[i]
        and all(_only_cue(word, {"change", "percent", "points"}, lexicon) for word in words[i])
        for i in range(len(levels))
    )
    leaf_text = levels[-1] if levels else ""
    is_total = "total" in cues(leaf_text, lexicon)
    return Line(own, parents, path_period(path, lexicon), spoken, is_change, is_total)


def is_period_label(text: str, lexicon: Lexicon) -> bool:
    """Whether a text names a period and nothing else ("2018", "Q1 2018", "March 31, 2018")."""
    words = read(text, lexicon)
    return bool(read_period(text, lexicon)) and all(word.is_number or _is_phrase_only(word) for word in words)


def _names_a_thing(words: Sequence[Word], given: frozenset[str], lexicon: Lexicon) -> bool:
    content = [word for word in words if not (word.is_number or word.aside or _is_phrase_only(word))]
    if "total" not in given:
        return bool(content)
    return any(not _only_cue(word, {"total"}, lexicon) for word in content)


def _is_phrase_only(word: Word) -> bool:
    """Whether a word is a stop word or word of time, kept for a phrase ("year end") that it is part of."""
    return word.stem.startswith("=")


def _only_cue(word: Word, names: set[str], lexicon: Lexicon) -> bool:
    """Whether a word says no more than a cue; numbers and units beside it say nothing more either."""
    return word.is_number or word.aside or bool(names & cues(word.text, lexicon))
