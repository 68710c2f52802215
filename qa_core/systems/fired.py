"""Which entries of the lexicon joined a question to the headers of its answer."""

from __future__ import annotations

import re
from collections.abc import Iterator

from qa_core.lexicon import MAX_TEXT, Lexicon, Phrases, Span, stems, tokens
from qa_core.prediction import LexiconMatch
from qa_core.systems.axis import MAX_LEVELS, Axis
from qa_core.systems.features import Ask
from qa_core.systems.periods import read_period
from qa_core.systems.view import Kind, TableView
from qa_core.table import Location
from qa_core.text import shorten

MAX_MATCHES = 8
_LONGEST = 60
"""Characters of what was asked and found that are kept."""


def fired_entries(ask: Ask, view: TableView, location: Location | None) -> tuple[LexiconMatch, ...]:
    """The entries whose words stand in the question and, worded otherwise, in the answer's headers.

    Where one wording has all words of the other, no entry is needed to join them.
    The headers are those of the location's row and column, and the text cells of the row, which name it as
    headers do; at most ``MAX_MATCHES``, each pair of wordings once. None for an abstention.
    """
    if location is None:
        return ()
    found: dict[tuple[str, str], LexiconMatch] = {}
    for match in _matches(ask, view, location):
        found.setdefault((match.asked.casefold(), match.found.casefold()), match)
    return tuple(found.values())[:MAX_MATCHES]


def _matches(ask: Ask, view: TableView, location: Location) -> Iterator[LexiconMatch]:
    for header in _headers(view, location):
        yield from _concepts(ask.text, header, view.lexicon.concepts)
        yield from _quarters(ask, header, view.lexicon)
    if location.row is not None:
        yield from _years_back(ask, view.rows, location.row, view.lexicon.years_back)
    if location.column is not None:
        yield from _years_back(ask, view.columns, location.column, view.lexicon.years_back)


def _headers(view: TableView, location: Location) -> Iterator[str]:
    table = view.table
    if location.row is not None:
        yield from table.row_path(location.row)[-MAX_LEVELS:]
        for column, kind in enumerate(view.kinds[location.row]):
            if kind == Kind.TEXT and column != location.column:
                yield table.body[location.row][column]
    if location.column is not None:
        yield from table.column_path(location.column)[-MAX_LEVELS:]


def _concepts(question: str, header: str, phrases: Phrases) -> Iterator[LexiconMatch]:
    asked, given = _by_name(question, phrases), _by_name(header, phrases)
    for name in asked:
        if name not in given:
            continue
        ours, theirs = _stems(question, asked[name]), _stems(header, given[name])
        if not (ours <= theirs or theirs <= ours):
            yield LexiconMatch(name, _written(question, asked[name]), _written(header, given[name]))


def _quarters(ask: Ask, header: str, lexicon: Lexicon) -> Iterator[LexiconMatch]:
    """Quarters that one side gives by an ordinal and the other in figures ("second quarter", "Q2")."""
    asked, given = _by_name(ask.text, lexicon.quarters), _by_name(header, lexicon.quarters)
    for quarter in sorted(ask.period.quarters & read_period(header, lexicon).quarters):
        name, figures = f"quarter {quarter}", f"Q{quarter}"
        in_question, in_header = asked.get(str(quarter)), given.get(str(quarter))
        if in_question and not in_header:
            yield LexiconMatch(name, _written(ask.text, in_question), shorten(header, _LONGEST))
        if in_header and not in_question:
            yield LexiconMatch(name, figures, _written(header, in_header))


def _years_back(ask: Ask, axis: Axis, line: int, phrases: Phrases) -> Iterator[LexiconMatch]:
    """An ordinal of a year, where a line stands for just that year ("prior year", 2017)."""
    span = _by_name(ask.text, phrases).get(str(ask.years_back))
    newest = max(axis.lines[line].period.years, default=None)
    if span and newest and not ask.period.years and newest in axis.years[ask.years_back :][:1]:
        yield LexiconMatch(f"years back {ask.years_back}", _written(ask.text, span), str(newest))


def _by_name(text: str, phrases: Phrases) -> dict[str, Span]:
    """The first of the longest phrases in a text under each name."""
    found: dict[str, Span] = {}
    for span in phrases.find_longest(stems(text)):
        for name in span.names:
            found.setdefault(name, span)
    return found


def _stems(text: str, span: Span) -> frozenset[str]:
    return frozenset(stems(text)[span.start : span.stop])


def _written(text: str, span: Span) -> str:
    """A phrase as it stands in a text; folded where footnotes or separators stand between its words."""
    words = tokens(text)[span.start : span.stop]
    written = re.search(r"(?<!\w)" + r"\W*".join(map(re.escape, words)), text[:MAX_TEXT], re.IGNORECASE)
    return shorten(written[0] if written else " ".join(words), _LONGEST)
