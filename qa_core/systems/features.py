"""What the lexical system looks at: features of lines (rows and columns) and of cells for one question."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher

import numpy as np
from numpy.typing import NDArray

from qa_core.lexicon import MAX_TEXT, Word, cues, initials, read, stem
from qa_core.systems.axis import OWN, PARENT, Axis
from qa_core.systems.periods import Period, agreement, read_period, years_back
from qa_core.systems.view import Kind, TableView, plain_value

Scores = NDArray[np.float64]

LINE_FEATURES = (
    "own_mass", "own_only", "own_share", "own_coverage", "own_full", "own_extra", "parent_mass",
    "parent_share", "parent_coverage", "pairs", "total_asked", "total_named", "total_whole",
    "total_unasked", "total_silent", "change_asked", "change_unasked", "percent_asked", "percent_unasked",
    "year_match", "year_miss", "year_newest", "year_first", "year_back", "quarter", "month", "duration",
    "duration_year", "duration_short", "whole_parent", "body_mass", "body_share", "first_silent",
    "no_label",
)  # fmt: skip
CELL_FEATURES = (
    "self_mass", "self_full", "value_asked", "blank", "dash", "percent_wanted", "percent_missed",
    "percent_unwanted", "text_wanted", "text_missed", "text_unwanted", "text_silent", "date_wanted",
    "date_missed", "date_unwanted",
)  # fmt: skip

_NAME_STRENGTH = 0.5
"""What a word counts that the title or the company has too: it says which table, seldom which line."""
_SHORTEST_MENDED = 4
_TYPO_RATIO = 0.84
_DERIVED_PREFIX = 5
_FUZZY_STRENGTH = 0.7
_ABBREVIATION = re.compile(r"[a-z](?:&?[a-z]){1,4}")
_CAPITAL = re.compile(r"(?<![.!?]\s)(?<!^)\b([^\W\d_a-z][\w&.-]*\w)")
_OWNER = re.compile(r"\b([^\W\d_][\w&.-]*\w)['’]s\b", re.I)
_NAMED_FIRST = re.compile(r"^\W*([A-Z][\w&.-]*\w)(?:['’]s\b|\s+(?=[A-Z][a-z]))")


@dataclass(frozen=True)
class Ask:
    """A question (``text``) as read against one table."""

    text: str
    words: tuple[Word, ...]
    period: Period
    cues: frozenset[str]
    years_back: int
    unknown_names: tuple[str, ...]


@dataclass(frozen=True)
class Match:
    """Where the words of a question stand on one axis.

    ``own`` and ``parents`` are words × lines, the strength with which a question word is found there;
    ``found`` maps (line, kind, header word) to the strength with which the question covers it.
    """

    own: Scores
    parents: Scores
    found: Mapping[tuple[int, int, int], float]
    pairs: Scores


def read_question(question: str, view: TableView) -> Ask:
    """The content words, period and cues of a question, misspelt words mended by those of the table."""
    question = question[:MAX_TEXT]
    words = []
    seen: set[str] = set()
    period = read_period(question, view.lexicon)
    unknown = _names(question)
    unexplained: list[str] = []
    for word in read(question, view.lexicon):
        if word.is_number and word.text.isdecimal() and int(word.text) in period.years:
            continue
        if word.stem in seen and not word.stem.startswith("="):
            continue
        seen.add(word.stem)
        mended = _mend(word, view)
        if word.stem in view.own_names:
            weaker = {feature: _NAME_STRENGTH * strength for feature, strength in mended.features.items()}
            mended = replace(mended, features=weaker)
        words.append(mended)
    words = _expand_abbreviations(words, view)
    for name in unknown:
        key = stem(name.lower().replace(".", ""))
        if not _known(name, key, words, view):
            unexplained.append(name)
    said = cues(question, view.lexicon)
    back = years_back(question, view.lexicon) or 0
    return Ask(question, tuple(words), period, said, back, tuple(dict.fromkeys(unexplained)))


def match(ask: Ask, axis: Axis) -> Match:
    """Find the question's words in the headers of one axis."""
    shape = (len(ask.words), len(axis.lines))
    own, parents = np.zeros(shape), np.zeros(shape)
    found: dict[tuple[int, int, int], float] = {}
    reached: list[dict[tuple[int, int], int]] = []
    for number, word in enumerate(ask.words):
        at: dict[tuple[int, int], int] = {}
        for feature, asked in word.features.items():
            for posting, given in axis.postings.get(feature, ()):
                strength = min(asked, given)
                side = own if posting.kind == OWN else parents
                side[number, posting.line] = max(side[number, posting.line], strength)
                place = (posting.line, posting.kind, posting.word)
                found[place] = max(found.get(place, 0.0), strength)
                if not feature.startswith("="):
                    at[posting.line, posting.kind] = posting.word
        reached.append(at)
    pairs = np.zeros(shape[1])
    for left, right, a, b in zip(ask.words, ask.words[1:], reached, reached[1:], strict=False):
        if right.position - left.position <= 2:
            for (line, kind), index in a.items():
                if b.get((line, kind)) == index + 1:
                    pairs[line] += 1.0 if kind == OWN else 0.5
    return Match(own, parents, found, pairs)


def line_features(ask: Ask, axis: Axis, matched: Match, other: Match, body: Scores | None = None) -> Scores:
    """``LINE_FEATURES`` of every line of an axis, lines × features.

    ``body`` is words × lines: the strength with which a word is found in the text cells of a row.
    """
    n = len(axis.lines)
    features = {name: np.zeros(n) for name in LINE_FEATURES}
    if n == 0:
        return np.zeros((0, len(LINE_FEATURES)))
    anywhere = np.maximum(matched.own, matched.parents)
    weight = _discriminations(anywhere, axis)
    features["own_mass"] = weight @ matched.own
    features["own_share"] = _share(features["own_mass"])
    elsewhere = np.maximum(other.own, other.parents).max(axis=1, initial=0.0)
    features["own_only"] = (weight * (elsewhere == 0)) @ matched.own
    silent = not anywhere.any()
    features["parent_mass"] = weight @ np.maximum(matched.parents - matched.own, 0.0)
    features["parent_share"] = _share(weight @ matched.parents)
    features["pairs"] = matched.pairs
    if body is not None and body.size:
        body_weight = _discriminations(body, axis)
        features["body_mass"] = body_weight @ np.maximum(body - anywhere, 0.0)
        features["body_share"] = _share(features["body_mass"])
    total, change = "total" in ask.cues, "change" in ask.cues
    percent = bool({"percent", "points"} & ask.cues)
    years = _asked_years(ask, axis)
    for number, line in enumerate(axis.lines):
        put = {}
        for kind, words, name in ((OWN, line.own, "own"), (PARENT, line.parents, "parent")):
            mass = covered = extra = 0.0
            for index, word in enumerate(words):
                strength = matched.found.get((number, kind, index), 0.0)
                share = (0.3 + axis.word_weights.get(word.stem, 0.0)) * (0.15 if word.aside else 1.0)
                mass += share
                covered += share * strength
                extra += share * (strength == 0.0)
            put[name + "_coverage"] = covered / mass if mass else 0.0
            if kind == OWN:
                put["own_full"] = float(bool(mass) and extra < 0.15 * mass)
                put["own_extra"] = math.log1p(extra)
                put["no_label"] = float(not mass)
        put["total_asked"] = float(total and line.is_total)
        put["total_named"] = put["total_asked"] * put["own_coverage"]
        put["total_whole"] = put["total_asked"] * float(not line.parents)
        put["total_unasked"] = float(not total and line.is_total)
        put["total_silent"] = put["total_unasked"] * float(silent)
        put["change_asked"] = float(change and line.is_change)
        put["change_unasked"] = float(not change and line.is_change)
        put["percent_asked"] = float(percent and "percent" in line.cues)
        put["percent_unasked"] = float(not percent and "percent" in line.cues)
        put["whole_parent"] = float(
            any("=consolidated" in word.features for word in line.parents) and put["parent_coverage"] == 0.0
        )
        own_years = line.period.years
        if years:
            agreed = agreement(years, own_years)
            put["year_match"] = max(agreed, 0.0)
            put["year_miss"] = float(agreed < 0 and not line.is_change)
        elif own_years and len(axis.years) > 1:
            newest = max(own_years)
            put["year_newest"] = float(newest == axis.years[0] and not ask.years_back)
            put["year_back"] = float(
                0 < ask.years_back < len(axis.years) and newest == axis.years[ask.years_back]
            )
        put["quarter"] = agreement(ask.period.quarters, line.period.quarters)
        put["month"] = agreement(ask.period.months, line.period.months)
        put["duration"] = agreement(ask.period.durations, line.period.durations)
        if not ask.period.durations and not ask.period.quarters:
            put["duration_year"] = float(12 in line.period.durations)
            put["duration_short"] = float(bool(line.period.quarters) or 3 in line.period.durations)
        for name, value in put.items():
            features[name][number] = value
    if not years:
        dated = [number for number, line in enumerate(axis.lines) if line.period.years]
        if dated:
            features["year_first"][dated[0]] = float(not ask.years_back)
    features["first_silent"][0] = float(silent)
    return np.stack([features[name] for name in LINE_FEATURES], axis=1)


def cell_features(ask: Ask, view: TableView, own_text: Scores) -> dict[str, Scores]:
    """``CELL_FEATURES`` by name, rows × columns; ``own_text`` is the question mass in each cell's text."""
    kinds = view.kinds
    percent = bool({"percent"} & ask.cues)
    points = "points" in ask.cues
    wants_text = bool({"person", "place"} & ask.cues)
    wants_date = "moment" in ask.cues
    wants_number = "quantity" in ask.cues or percent
    is_text, is_percent, is_date = kinds == Kind.TEXT, kinds == Kind.PERCENT, kinds == Kind.DATE
    is_number = (kinds == Kind.NUMBER) | is_percent
    asked_value = np.zeros(kinds.shape)
    for word in ask.words:
        if word.is_number:
            for row, column in view.values.get(plain_value(word.text), ()):
                asked_value[row, column] = 1.0
    nothing = np.zeros(kinds.shape)
    silent = not (wants_text or wants_date or wants_number)
    return {
        "self_mass": own_text,
        "self_full": (own_text > 0).astype(float),
        "value_asked": asked_value,
        "blank": (kinds == Kind.BLANK).astype(float),
        "dash": (kinds == Kind.DASH).astype(float),
        "percent_wanted": is_percent.astype(float) if percent else nothing,
        "percent_missed": (kinds == Kind.NUMBER).astype(float) if percent else nothing,
        "percent_unwanted": is_percent.astype(float) if not percent and not points else nothing,
        "text_wanted": is_text.astype(float) if wants_text else nothing,
        "text_missed": (is_number | is_date).astype(float) if wants_text else nothing,
        "text_unwanted": (is_text | is_date).astype(float) if wants_number else nothing,
        "text_silent": is_text.astype(float) if silent else nothing,
        "date_wanted": is_date.astype(float) if wants_date else nothing,
        "date_missed": is_number.astype(float) if wants_date else nothing,
        "date_unwanted": is_date.astype(float) if not wants_date else nothing,
    }


def body_matches(ask: Ask, view: TableView) -> tuple[Scores, Scores]:
    """Question words in body text: words × rows (best cell of the row), and the mass in each cell.

    A number of the question that is a value of the body marks its row like a word does.
    """
    shape = view.kinds.shape
    per_row = np.zeros((len(ask.words), shape[0]))
    cells: dict[tuple[int, int, int], float] = {}
    for number, word in enumerate(ask.words):
        for feature, asked in word.features.items():
            for posting in view.body.get(feature, ()):
                if posting.column == view.label_column:
                    key = (number, posting.row, posting.column)
                    cells[key] = max(cells.get(key, 0.0), min(asked, posting.strength))
                    continue
                strength = min(asked, posting.strength)
                per_row[number, posting.row] = max(per_row[number, posting.row], strength)
                key = (number, posting.row, posting.column)
                cells[key] = max(cells.get(key, 0.0), strength)
        if word.is_number:
            for row, _ in view.values.get(plain_value(word.text), ()):
                per_row[number, row] = 1.0
    mass = np.zeros(shape)
    for (_, row, column), strength in cells.items():
        mass[row, column] += strength
    return per_row, mass


def _discriminations(found: Scores, axis: Axis) -> Scores:
    return np.array([axis.discrimination(int(count)) for count in (found > 0).sum(axis=1)])


def _share(mass: Scores) -> Scores:
    best = mass.max(initial=0.0)
    return mass / best if best > 0 else mass


def _asked_years(ask: Ask, axis: Axis) -> frozenset[int]:
    """Years to look for on an axis: none where "after 2023" means the line for the rest, and there is one."""
    years = ask.period.years
    if "=thereafter" in axis.postings and any("=thereafter" in word.features for word in ask.words):
        return frozenset()
    return years


def _mend(word: Word, view: TableView) -> Word:
    """A word that the table does not have, with the stems of those header words that are spelt nearly so."""
    known = (view.rows.postings, view.columns.postings, view.body, view.own_names)
    if word.is_number or len(word.text) < _SHORTEST_MENDED:
        return word
    if any(feature in side for feature in word.features for side in known):
        return word
    features = dict(word.features)
    for side in (view.rows, view.columns):
        for text, root in side.vocabulary.items():
            if text[0] == word.text[0] and _alike(word.text, text):
                features[root] = _FUZZY_STRENGTH
    return replace(word, features=features)


def _alike(a: str, b: str) -> bool:
    """Whether two words are one misspelt or two forms of one."""
    shared = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    if shared >= _DERIVED_PREFIX and shared >= 0.7 * max(len(a), len(b)):
        return True
    if abs(len(a) - len(b)) > 2 or min(len(a), len(b)) < _SHORTEST_MENDED:
        return False
    matcher = SequenceMatcher(None, a, b, autojunk=False)
    return matcher.quick_ratio() >= _TYPO_RATIO and matcher.ratio() >= _TYPO_RATIO


def _expand_abbreviations(words: list[Word], view: TableView) -> list[Word]:
    """Abbreviations that only the table explains: GPW for "Gross premiums written", and the reverse."""
    expanded = list(words)
    for index, word in enumerate(words):
        letters = word.text.replace("&", "")
        if len(word.features) > 1 or not _ABBREVIATION.fullmatch(word.text):
            continue
        for axis in (view.rows, view.columns):
            if word.stem in axis.postings:
                break
            postings = axis.abbreviations.get(letters)
            if postings:
                meant = {
                    (line.own if p.kind == OWN else line.parents)[p.word].stem
                    for p in postings
                    for line in (axis.lines[p.line],)
                }
                # Sorted, as the order of a set differs from process to process and the last feature decides.
                features = {**word.features, **dict.fromkeys(sorted(meant), 1.0)}
                expanded[index] = replace(word, features=features)
                break
    known = view.rows.stems | view.columns.stems
    for start in range(len(words)):
        for stop in range(start + 2, min(start + 5, len(words)) + 1):
            part = words[start:stop]
            key = stem(initials([word.text for word in part]))
            if len(key) > 2 and key in known:
                for index in range(start, stop):
                    features = {**expanded[index].features, key: 1.0}
                    expanded[index] = replace(expanded[index], features=features)
    return expanded


def _names(question: str) -> list[str]:
    """Words written as names: capitalised inside the question, or opening it as an owner or a double name."""
    owners = _OWNER.findall(question)
    # Where all is in capitals they mark no name.
    if question.isupper():
        return owners
    first = _NAMED_FIRST.match(question)
    return (
        ([first[1]] if first else [])
        + [name for name in _CAPITAL.findall(question) if name[0].isupper()]
        + [name for name in owners if name[0].islower()]
    )


def _known(name: str, key: str, words: Sequence[Word], view: TableView) -> bool:
    lexicon = view.lexicon
    low = name.lower()
    if (
        low in lexicon.stop_words
        or low in lexicon.period_words
        or key in lexicon.vocabulary
        or read_period(name, lexicon)
    ):
        return True
    if key in view.own_names or low in view.owner or low.replace("&", "") in view.owner:
        return True
    features = next((word.features for word in words if word.stem == key), {key: 1.0})
    return any(
        feature in side
        for feature in features
        for side in (view.rows.postings, view.columns.postings, view.body)
    )
