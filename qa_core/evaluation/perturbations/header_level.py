"""Drop a header level: the words that name one level above the gold's leaf are left out of the question.

What is left may no longer tell the gold from its namesakes under other parents; how often a system still
finds it says how much it leans on that level.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from qa_core.evaluation.gold import Gold
from qa_core.evaluation.perturbations.verbs import BASES, PARTICIPLES
from qa_core.evaluation.perturbations.wording import Place, capitalised, replaced, words_of
from qa_core.lexicon import load_lexicon, read, stem, tokens
from qa_core.systems.periods import read_period
from qa_core.table import HeaderPath, Location, Table
from qa_core.text import fold

_PREPOSITION = re.compile(
    r"\s*\b(?:in|for|of|at|on|from|within|across|by|under)\s+(?:(?:the|its|their)\s+)?\Z", re.I
)
_GENERIC_HEAD = re.compile(
    r"\s+(?:segments?|business|division|operations?|regions?|routes?|units?|groups?|categor(?:y|ies)|sections?"
    r"|side|lines?|countr(?:y|ies)|markets?|companies|part)\b"
)
_PHRASE_ENDS = re.compile(
    r"\s*(?:[,;?.]|\Z)|\s+(?:in|for|at|on|from|during|as|between|by|over|per|versus|vs)\b", re.I
)
_POSSESSIVE = re.compile(r"['’]s?(?=\s)")
_AFTER_DETERMINER = re.compile(
    r"(?:\A|\b(?:the|an?|what|which|many|much|its|their)\s+|['’]s?\s+)\Z", re.IGNORECASE
)
_AFTER_OTHERS = re.compile(
    r"\b(?:of|in|for|on|at|to|from|by|give|state|report|name|show|list|total|was|were|is|are)\s+\Z",
    re.IGNORECASE,
)
_AFTER_AUXILIARY = re.compile(
    r"\b(?:did|does|do|has|have|had)\s+(?:(?:the|its|their|an?)\s+)?\Z", re.IGNORECASE
)
_ADVERBS = frozenset(
    ("abroad", "overseas", "worldwide", "together", "overall", "altogether", "alone", "there")
)
_ASKS_FOR_ONE_OF = re.compile(r"\b(?:which|what|who|many|much|one|some|all|none|each)\Z", re.I)
_NEXT_WORD = re.compile(r"\s+([^\W\d_][\w&]*)")
_LEAST_WORDS = 2


def without_header_level(text: str, table: Table, gold: Gold) -> str | None:
    """The question without the words that name the level ``dropped_level`` says.

    A word names a level where it is a word of that level and of no other on the paths to the gold. None where
    there is no such level, the question does not name it, or what is left would be no sentence.
    """
    level = dropped_level(table, gold)
    if level is None:
        return None
    naming = _stems(level) - _stems_of(_others(table, gold.targets[0], level))
    leaf = _features(_leaves(table, gold.targets[0]))
    runs = _runs(text, [word for word in words_of(text) if stem(word.folded) in naming])
    changes = [_without(text, run, leaf) for run in runs]
    if not changes or any(change is None for change in changes):
        return None
    left = replaced(text, [change for change in changes if change is not None])
    left = re.sub(r"\s+([,?.;])", r"\1", " ".join(left.split())).lstrip(" ,;")
    return capitalised(left) if len(words_of(left)) >= _LEAST_WORDS else None


def dropped_level(table: Table, gold: Gold) -> str | None:
    """The level that is left out, a function of the gold alone: of the levels above the leaf of its row the
    deepest that tells it from a row of the same leaf, else the one right above; where the row has one level,
    the one above the leaf of its column. Periods are none. None without such a level, and where it depends on
    which of several golds is meant.
    """
    found = {_level_above(table, target) for target in gold.targets}
    return found.pop() if len(found) == 1 else None


def _level_above(table: Table, target: Location) -> str | None:
    if target.row is not None:
        paths = [_labels(table.row_path(row)) for row in range(table.n_rows)]
        if len(paths[target.row]) > 1:
            return _telling(paths[target.row], paths)
    if target.column is not None:
        above = _labels(table.column_path(target.column))[:-1]
        return next((level for level in reversed(above) if not read_period(level)), None)
    return None


def _telling(path: HeaderPath, paths: Sequence[HeaderPath]) -> str | None:
    namesakes = [other for other in paths if len(other) == len(path) and fold(other[-1]) == fold(path[-1])]
    above = [level for level in range(len(path) - 1) if not read_period(path[level])]
    telling = [
        level for level in above if any(fold(other[level]) != fold(path[level]) for other in namesakes)
    ]
    place = max(telling or above, default=None)
    return None if place is None else path[place]


def _labels(path: HeaderPath) -> HeaderPath:
    return tuple(level for level in path if level.strip())


def _others(table: Table, target: Location, level: str) -> list[str]:
    return [other for other in _path(table, target) if fold(other) != fold(level)]


def _leaves(table: Table, target: Location) -> list[str]:
    paths = [
        table.row_path(target.row) if target.row is not None else (),
        table.column_path(target.column) if target.column is not None else (),
    ]
    return [labels[-1] for labels in map(_labels, paths) if labels]


def _path(table: Table, target: Location) -> HeaderPath:
    row = table.row_path(target.row) if target.row is not None else ()
    column = table.column_path(target.column) if target.column is not None else ()
    return _labels((*row, *column))


def _stems(level: str) -> set[str]:
    lexicon = load_lexicon()
    empty = lexicon.stop_words | lexicon.period_words
    return {stem(token) for token in tokens(level) if token[0].isalpha() and token not in empty}


def _stems_of(levels: Iterable[str]) -> set[str]:
    return set().union(*map(_stems, levels))


def _features(texts: Iterable[str]) -> set[str]:
    """What the words of some texts speak of: their stems, and the concepts of the lexicon."""
    return {feature for text in texts for word in read(text) for feature in word.features}


def _runs(text: str, words: Sequence[Place]) -> list[Place]:
    """Neighbouring words as one."""
    runs: list[Place] = []
    for word in words:
        if runs and not text[runs[-1].stop : word.start].strip(" -&"):
            runs[-1] = Place(text[runs[-1].start : word.stop], runs[-1].start, word.stop)
        else:
            runs.append(word)
    return runs


def _without(text: str, run: Place, leaf: set[str]) -> tuple[int, int, str] | None:
    """How a run of words goes, as ``(start, stop, instead)``; None where a hole would be left."""
    before, after = text[: run.start], text[run.stop :]
    if _is_in_a_name(text, run):
        return None
    preposition = _PREPOSITION.search(before)
    if preposition is not None:
        head = _GENERIC_HEAD.match(after)
        stop = run.stop + (head.end() if head else 0)
        is_head = _ASKS_FOR_ONE_OF.search(text[: preposition.start()]) is not None
        if _PHRASE_ENDS.match(text[stop:]):
            return (preposition.start(), stop, "") if preposition.start() and not is_head else None
    possessive = _POSSESSIVE.match(after)
    if possessive is not None and not re.search(r"\b(?:the|an?|its|their)\s+\Z|['’]s?\s+\Z", before, re.I):
        return run.start, run.stop + possessive.end(), "the"
    following = _NEXT_WORD.match(after)
    if following is None:
        return None
    word = following[1].lower()
    if not _continues_noun(word):
        return None
    is_of_leaf = not _features([word]).isdisjoint(leaf)
    if _AFTER_AUXILIARY.search(before):
        modifies = is_of_leaf and not _is_verb(word)
    elif _AFTER_OTHERS.search(before):
        modifies = is_of_leaf
    else:
        modifies = _AFTER_DETERMINER.search(before) is not None and (is_of_leaf or not _is_verb(word))
    return (run.start, run.stop + 1, "") if modifies else None


def _is_in_a_name(text: str, run: Place) -> bool:
    """Whether a run is part of a longer name ("Group" in "Alaska Air Group")."""
    if not run.text[0].isupper() or run.text.isupper():
        return False
    before = re.search(r"([A-Z][\w&]*)\s\Z", text[: run.start])
    following = re.match(r"\s([A-Z][a-z]\w*)", text[run.stop :])
    opens = before is not None and before.start() == 0
    return (before is not None and not before[1].isupper() and not opens) or (
        following is not None and run.start > 0
    )


def _continues_noun(word: str) -> bool:
    """Whether a word can go on a noun phrase: no adverb, and no word without content."""
    return not (word.endswith("ly") or word in _ADVERBS or word in load_lexicon().stop_words)


def _is_verb(word: str) -> bool:
    return word in PARTICIPLES or word in BASES or word.endswith(("ed", "ing"))
