"""lexical: a question matched against row and column header paths, without a model.

The score of a cell is the score of its row, plus that of its column, plus how well the cell's own text fits
what is asked ("who" wants a name, "what percentage" a percentage; a label that matched the question is not
its answer). Each is a weighted sum of the features of ``features.py``. ``python -m qa_core.training.lexical``
fits the weights by maximum likelihood, as a log-linear choice among the cells of a table, on questions over
tables that none of the shown data sets contains; so scores are log-odds, and their softmax is a probability.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from qa_core.lexicon import MAX_TEXT, load_lexicon
from qa_core.prediction import Prediction, abstain
from qa_core.systems.features import (
    LINE_FEATURES,
    Ask,
    Match,
    Scores,
    body_matches,
    cell_features,
    line_features,
    match,
    read_question,
)
from qa_core.systems.fired import fired_entries
from qa_core.systems.interface import Request
from qa_core.systems.selection import BEST_IS_EMPTY, BoundedCache, refusal, select, top_probability
from qa_core.systems.view import TableView, plain_value, read_table
from qa_core.table import Location, leaf

VERSION = "3"
NO_LEXICON = "no lexicon"
MAX_TABLES = 64
"""Tables whose reading is kept; the least recently used one goes first."""

NOTHING_MATCHES = "Nothing in the question matches a header or a label of this table."

QUESTION_CUT = f"Only the first {MAX_TEXT:,} characters of the question were read."

ROW_WEIGHTS: dict[str, float] = {
    "own_mass": -1.08, "own_only": 2.98, "own_share": 1.27, "own_coverage": 2.99, "own_full": -0.29,
    "own_extra": -1.17, "parent_mass": 2.64, "parent_share": 0.42, "parent_coverage": 2.16, "pairs": 0.95,
    "total_asked": 2.00, "total_named": -1.13, "total_whole": 1.22, "total_unasked": -0.27,
    "total_silent": 0.11, "change_asked": 0.59, "change_unasked": -0.02, "percent_asked": 0.23,
    "percent_unasked": -0.55, "year_match": 2.87, "year_miss": -1.87, "year_newest": 0.87,
    "year_first": 0.82, "year_back": 0.26, "quarter": 2.09, "month": 2.40, "duration": 1.23,
    "duration_year": 0.12, "duration_short": -1.15, "whole_parent": 0.36, "body_mass": 2.69,
    "body_share": 0.74, "first_silent": 0.04, "no_label": -0.12,
}  # fmt: skip
COLUMN_WEIGHTS: dict[str, float] = {
    "own_mass": 1.30, "own_only": 1.09, "own_share": 0.81, "own_coverage": 0.30, "own_full": 0.11,
    "own_extra": -0.92, "parent_mass": 1.43, "parent_share": 0.85, "parent_coverage": 1.11, "pairs": 1.09,
    "total_asked": 1.99, "total_named": -1.65, "total_whole": 0.42, "total_unasked": -0.03,
    "total_silent": 0.52, "change_asked": 4.77, "change_unasked": -0.73, "percent_asked": 1.72,
    "percent_unasked": -0.68, "year_match": 3.63, "year_miss": -2.81, "year_newest": 1.97,
    "year_first": 0.27, "year_back": 3.65, "quarter": 2.17, "month": 1.05, "duration": 1.51,
    "duration_short": -2.60, "whole_parent": 0.23, "first_silent": 0.06, "no_label": 0.54,
}  # fmt: skip
CELL_WEIGHTS: dict[str, float] = {
    "self_mass": -0.87, "self_full": -0.80, "value_asked": -1.46, "blank": -3.20, "dash": -3.09,
    "percent_wanted": 1.05, "percent_missed": -0.43, "percent_unwanted": -0.16, "text_wanted": 1.59,
    "text_missed": -0.93, "text_unwanted": -1.56, "text_silent": 0.52, "date_wanted": 2.76,
    "date_missed": -1.09, "date_unwanted": -0.79,
}  # fmt: skip

_LOW = 0.25
"""Confidence beyond which nothing goes that asks for a name the table does not have."""
_UNCHECKED = 0.7
"""Factor of the confidence where a name cannot be checked, as the table does not say whom it is about."""
_CORPORATE = re.compile(
    r"\b(?:inc|corp(?:oration)?|co|company|ltd|limited|plc|llc|n\.?v|s\.?a|ag|group|holdings|airlines?)\b",
    re.I,
)
_ASKS_FOR_LABEL = re.compile(
    r"^\W*(?:which|who|(?:what|name the)\s+(?!is\b|was\b|are\b|were\b|did\b|does\b|do\b|has\b|had\b))", re.I
)
_OWN_COVERAGE = LINE_FEATURES.index("own_coverage")
_COVERED = 0.6
"""Coverage by the question from which on a header counts as named."""
_LISTED, _LONGEST_NAME = 5, 40
"""Names that a note lists, and characters of one that it shows."""
_AHEAD = 1.0
"""Log-odds by which the name of a person leads the cells of its row, where a person is asked for."""
_FEW = 3
"""Cells that a value may stand in and still single out a row."""


@dataclass(frozen=True)
class Reading:
    """One question scored over one table; all scores are log-odds of the original table's rows × columns."""

    ask: Ask
    view: TableView
    rows: Scores
    columns: Scores
    cells: Scores
    headers: dict[Location, float]
    explained: Scores
    """Words × rows: the strength with which a word is found in the row, its headers, or any column header."""
    row_evidence: bool
    column_evidence: bool
    notes: tuple[str, ...]
    """What of the table or the question was not read."""


class LexicalSystem:
    """Matches words, synonyms, abbreviations and periods; see the head of this file.

    It reads the header paths of the original table, so its answers do not depend on the transformation.
    """

    weights = ""

    def __init__(self, use_lexicon: bool = True) -> None:
        """Without the lexicon, words match by their stems alone; ``Lexicon.without_meanings`` says more.

        ``suffix`` is what the name of a system ends with that reads by this one: empty with the lexicon.
        Raises CrossheadError where the lexicon cannot be read.
        """
        shipped = load_lexicon()
        self._lexicon = shipped if use_lexicon else shipped.without_meanings()
        self.suffix = "" if use_lexicon else f" ({NO_LEXICON})"
        self.name = f"lexical{self.suffix}"
        self.version = f"{VERSION}, {f'lexicon {shipped.fingerprint}' if use_lexicon else NO_LEXICON}"
        self._views: BoundedCache[str, TableView] = BoundedCache(MAX_TABLES)

    def predict(self, requests: Sequence[Request]) -> list[Prediction]:
        """One prediction per request, in order."""
        return [self._predict(request) for request in requests]

    def read(self, request: Request) -> Reading:
        """Score one question over its table, which must have body cells."""
        table = request.flat.table
        # Title and company are no part of the fingerprint, yet decide which names are known.
        key = f"{table.fingerprint}\n{table.title}\n{table.company}"
        return score(request.question, self._views.get_or_make(key, lambda: read_table(table, self._lexicon)))

    def _predict(self, request: Request) -> Prediction:
        refused = refusal(request)
        if refused:
            return refused
        reading = self.read(request)
        if not (reading.row_evidence or reading.column_evidence):
            return abstain(NOTHING_MATCHES)
        prediction = select(request.flat.table, reading.cells, reading.rows, reading.columns, reading.headers)
        judged = judge_confidence(prediction, reading, top_probability(reading.cells))
        return replace(judged, lexicon=fired_entries(reading.ask, reading.view, judged.location))


def score(question: str, view: TableView) -> Reading:
    """Score every row, column and cell of a table for a question."""
    ask = read_question(question, view)
    in_body, mass = body_matches(ask, view)
    in_rows, in_columns = match(ask, view.rows), match(ask, view.columns)
    row_features = line_features(ask, view.rows, in_rows, in_columns, in_body)
    column_features = line_features(ask, view.columns, in_columns, in_rows)
    rows = row_features @ _vector(ROW_WEIGHTS, LINE_FEATURES)
    columns = column_features @ _vector(COLUMN_WEIGHTS, LINE_FEATURES)
    cells = rows[:, None] + columns[None, :]
    for name, values in cell_features(ask, view, mass).items():
        cells += CELL_WEIGHTS.get(name, 0.0) * values
    any_column = np.maximum(in_columns.own, in_columns.parents).max(axis=1, initial=0.0)
    explained = np.maximum(np.maximum(np.maximum(in_rows.own, in_rows.parents), in_body), any_column[:, None])
    return Reading(
        ask,
        view,
        rows,
        columns,
        cells,
        _header_answers(
            question,
            ask,
            view,
            row_features[:, _OWN_COVERAGE],
            column_features[:, _OWN_COVERAGE],
            np.maximum(in_rows.own.max(axis=1, initial=0.0), in_columns.own.max(axis=1, initial=0.0)),
            float(cells.max()),
        )
        | _who(ask, view, in_body, row_features[:, _OWN_COVERAGE], float(cells.max())),
        explained,
        _evidence(row_features, in_rows) or bool(in_body.any()),
        _evidence(column_features, in_columns),
        (*view.notes, *([QUESTION_CUT] if len(question) > MAX_TEXT else [])),
    )


def judge_confidence(prediction: Prediction, reading: Reading, probability: float) -> Prediction:
    """Confidence and notes of a prediction.

    The confidence rises with the probability of the best cell and with the share of the question's words
    that the answer's row and the columns explain; the square root of their product came close to the share
    of right answers on development questions. It stays low where a name of the question is nowhere.
    """
    if prediction.location is None:
        return prediction
    row = prediction.location.row or 0
    confidence = math.sqrt(probability * (0.3 + 0.7 * _coverage(reading, row)))
    notes = list(prediction.notes)
    if BEST_IS_EMPTY in notes:
        confidence *= _LOW
    names = reading.ask.unknown_names
    if names:
        table = reading.view.table
        listed = _listed(names)
        verb = "is" if len(names) == 1 else "are"
        says_whom = bool(table.company.strip() or _CORPORATE.search(table.title))
        if says_whom or not (reading.row_evidence and reading.column_evidence):
            confidence *= _LOW
            notes.append(f"{listed} {verb} not in this table.")
        else:
            confidence *= _UNCHECKED
            notes.append(f"{listed} {verb} not in this table, which does not say whom it is about.")
    absent = _absent_periods(reading)
    if absent:
        confidence *= _LOW if reading.view.years else _UNCHECKED
        undated = "" if reading.view.years else ", which names no year"
        notes.append(f"{_listed(absent)} {'is' if len(absent) == 1 else 'are'} not in this table{undated}.")
    notes += reading.notes
    return replace(prediction, confidence=round(min(max(confidence, 0.0), 1.0), 4), notes=tuple(notes))


def _absent_periods(reading: Reading) -> tuple[str, ...]:
    """Years and quarters of the question that the table does not speak of."""
    ask, view = reading.ask, reading.view
    if any("=thereafter" in word.features for word in ask.words):
        return ()
    years = [str(year) for year in sorted(ask.period.years - view.years)]
    return (*years, *(f"Q{quarter}" for quarter in sorted(ask.period.quarters - view.quarters)))


def _listed(names: Sequence[str]) -> str:
    """Names in quotes, the first of many and how many more there are."""
    shown = [f"'{name if len(name) <= _LONGEST_NAME else name[:_LONGEST_NAME] + '…'}'" for name in names]
    if len(shown) > _LISTED:
        shown = [*shown[:_LISTED], f"{len(shown) - _LISTED} more"]
    return " and ".join([", ".join(shown[:-1]), shown[-1]]) if len(shown) > 1 else shown[0]


def _vector(weights: dict[str, float], names: Sequence[str]) -> Scores:
    return np.array([weights.get(name, 0.0) for name in names])


def _evidence(features: Scores, matched: Match) -> bool:
    """Whether the question says anything about this side: a word or a period that some header has."""
    periods = [LINE_FEATURES.index(name) for name in ("year_match", "quarter", "month", "duration")]
    return bool(matched.own.any() or matched.parents.any() or (features[:, periods] > 0).any())


def _coverage(reading: Reading, row: int) -> float:
    """Share of the question's words, names of the table's owner aside, that the answer's headers explain."""
    words = reading.ask.words
    counted = [i for i, word in enumerate(words) if word.stem not in reading.view.own_names]
    if not counted:
        return 1.0 if reading.row_evidence or reading.column_evidence else 0.0
    return float(reading.explained[counted, row].clip(max=1.0).mean())


def _who(ask: Ask, view: TableView, in_body: Scores, named: Scores, lead: float) -> dict[Location, float]:
    """The row header that answers "who is …", where the row's text says the most of what is asked.

    A person is a name, never a number. Only where one row is ahead of all others and no row is named by its
    label.
    """
    if "person" not in ask.cues or view.label_column is not None or named.max(initial=0.0) >= _COVERED:
        return {}
    said = in_body[[not word.is_number for word in ask.words]].sum(axis=0)
    best = np.flatnonzero(said == said.max(initial=0.0))
    if len(best) != 1 or said.max() == 0 or not leaf(view.table.row_path(int(best[0]))).strip():
        return {}
    return {Location(int(best[0]), None): lead + _AHEAD}


def _header_answers(
    question: str, ask: Ask, view: TableView, named: Scores, asked: Scores, headed: Scores, lead: float
) -> dict[Location, float]:
    """Row headers that answer "which … has 37 …": the row is named by its body, not by its label.

    Only where the question opens by asking for a label, names no row by its label (``named``, the coverage
    of each) and covers no column header (``asked``) but the one that the found value stands under.
    ``headed`` tells for each word whether some header explains it.
    """
    if not _ASKS_FOR_LABEL.match(question) or view.label_column is not None or named.max() >= _COVERED:
        return {}
    found: dict[Location, float] = {}
    for number, word in enumerate(ask.words):
        if headed[number]:
            continue
        places = set(view.values.get(plain_value(word.text), ())) if word.is_number else set()
        places |= {(at.row, at.column) for at in view.body.get(word.stem, ()) if not word.is_number}
        for row, column in places if len(places) <= _FEW else ():
            others = np.delete(asked, column)
            if leaf(view.table.row_path(row)).strip() and others.max(initial=0.0) < _COVERED:
                location = Location(row, None)
                found[location] = max(found.get(location, -math.inf), lead + float(asked[column]))
    return found
