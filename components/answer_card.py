"""What a system answered: the answer, the paths that lead to it, the verdict, what else it considered."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

import streamlit as st

from components.plain import html, shorten
from components.resources import Timed
from qa_core.evaluation.gold import Gold
from qa_core.evaluation.misses import REASONS
from qa_core.evaluation.outcome import Outcome
from qa_core.prediction import Candidate, LexiconMatch, Prediction
from qa_core.table import HeaderPath, Location, Table

SHOWN_CANDIDATES = 5
SHOWN_CELLS = 8

_CONFIDENCE = (
    "How sure the system is, between 0 and 1. From 0.7 it is called high, below 0.35 low. How far it can be "
    "taken for the share of right answers differs between systems; the page Results shows it."
)


def answer_card(title: str, table: Table, timed: Timed, outcome: Outcome | None) -> None:
    """Draw one answer; with an ``outcome`` also how it compares with the gold."""
    st.html(answer_markup(title, table, timed.prediction, timed.seconds, outcome))


def answer_markup(
    title: str, table: Table, prediction: Prediction, seconds: float, outcome: Outcome | None
) -> str:
    """One answer as HTML."""
    parts = [f"<h4>{html(title)}</h4>"]
    if prediction.answer:
        operator = f"{html(prediction.operator)} = " if prediction.operator else ""
        parts.append(f'<div class="ch-answer">{operator}{html(shorten(prediction.answer, 200))}</div>')
    else:
        parts.append('<div class="ch-none">no answer</div>')
    if len(prediction.locations) > 1:
        parts.append(_cells(table, prediction.locations))
    elif prediction.location:
        parts.append(_paths(table, prediction.location))
    if prediction.lexicon:
        parts.append(_fired(prediction.lexicon))
    if outcome:
        parts.append(_verdict(outcome))
    parts.append(_confidence(prediction.confidence, seconds))
    if prediction.notes:
        notes = "".join(f"<li>{html(note)}</li>" for note in prediction.notes)
        parts.append(f'<ul class="ch-notes">{notes}</ul>')
    return f'<div class="ch-card">{"".join(parts)}</div>'


def gold_card(table: Table, gold: Gold, answers: Iterable[str]) -> None:
    """Draw the gold answer and where it stands."""
    st.html(gold_markup(table, gold, answers))


def gold_markup(table: Table, gold: Gold, answers: Iterable[str]) -> str:
    """The gold answer and where it stands, as HTML."""
    places = (gold.intended,) if gold.intended else gold.locations
    parts = ["<h4>Gold answer</h4>", f'<div class="ch-answer">{html(" · ".join(answers))}</div>']
    parts += [_paths(table, place) for place in places[:2]]
    said = {
        "ambiguous": f"This text stands in {len(gold.locations)} places of the table.",
        "header": "The gold stands in a header, not in a body cell.",
        "nowhere": "The gold stands in no cell and no header of this table.",
    }.get(gold.status)
    notes = [note for note in (said, gold.warning) if note]
    if notes:
        parts.append(f'<ul class="ch-notes">{"".join(f"<li>{html(note)}</li>" for note in notes)}</ul>')
    return f'<div class="ch-card">{"".join(parts)}</div>'


def cell_card(table: Table, location: Location) -> None:
    """Draw what a person selected: its text and the paths that lead to it."""
    text = shorten(table.text_at(location), 200)
    shown = (
        f'<div class="ch-answer">{html(text)}</div>' if text else '<div class="ch-none">an empty cell</div>'
    )
    st.html(f'<div class="ch-card"><h4>Selected</h4>{shown}{_paths(table, location)}</div>')


def candidate_list(table: Table, candidates: Iterable[Candidate]) -> None:
    """Draw the ranked candidates with their header paths and scores."""
    items = "".join(
        f"<li><b>{html(shorten(candidate.text, 60)) or 'empty'}</b><i>score {candidate.score:.2f}</i>"
        f"<div>{both_paths(table, candidate.location, candidate.row_label)}</div></li>"
        for candidate in list(candidates)[:SHOWN_CANDIDATES]
    )
    st.html(f'<ol class="ch-list">{items}</ol>')


def _cells(table: Table, locations: Sequence[Location]) -> str:
    """The cells that an answer was computed from, with their header paths."""
    cells = [
        f"<dt>cell</dt><dd><b>{html(shorten(table.text_at(each), 40))}</b> {both_paths(table, each)}</dd>"
        for each in locations[:SHOWN_CELLS]
    ]
    if len(locations) > SHOWN_CELLS:
        cells.append(f"<dt></dt><dd>and {len(locations) - SHOWN_CELLS:,} more, marked in the table</dd>")
    return f'<dl class="ch-path">{"".join(cells)}</dl>'


def both_paths(table: Table, location: Location, row_label: str = "") -> str:
    """The header paths to a Location, as HTML; ``row_label`` stands in for a row without a header."""
    row = _row(table, location) or (row_label,)
    paths = [_path(row), _path(_column(table, location))]
    return " | ".join(path for path in paths if path) or "no headers"


def _paths(table: Table, location: Location) -> str:
    row, column = _row(table, location), _column(table, location)
    lines = []
    if location.row is not None:
        lines.append(f"<dt>row</dt><dd>{_path(row) or f'row {location.row + 1}, no header'}</dd>")
    if location.column is not None:
        lines.append(f"<dt>column</dt><dd>{_path(column) or f'column {location.column + 1}, no header'}</dd>")
    if not location.is_cell:
        lines.append(f"<dt></dt><dd>the {'row' if location.is_row_header else 'column'} header itself</dd>")
    return f'<dl class="ch-path">{"".join(lines)}</dl>'


def _row(table: Table, location: Location) -> HeaderPath:
    return table.row_path(location.row) if location.row is not None else ()


def _column(table: Table, location: Location) -> HeaderPath:
    return table.column_path(location.column) if location.column is not None else ()


def _path(path: HeaderPath) -> str:
    levels = [html(level) for level in path if level.strip()]
    if not levels:
        return ""
    return " › ".join([*levels[:-1], f'<span class="leaf">{levels[-1]}</span>'])


def _fired(matches: Iterable[LexiconMatch]) -> str:
    """The entries of the lexicon that joined question and headers, each named where the pointer rests."""

    def pair(match: LexiconMatch) -> str:
        worded = f"<em>{html(match.asked)}</em> = <em>{html(match.found)}</em>"
        return f'<span title="{escape(match.entry)}">{worded}</span>'

    return f'<div class="ch-lexicon">Lexicon: {"; ".join(map(pair, matches))}</div>'


def _verdict(outcome: Outcome) -> str:
    def badge(rule: str, right: bool) -> str:
        return f'<span class="{"yes" if right else "no"}">{"✓" if right else "✗"} {rule}</span>'

    reason = f"<div>{html(REASONS[outcome.reason])}</div>" if outcome.reason else ""
    badges = badge("strict match", outcome.strict) + badge("normalised match", outcome.normalised)
    return f'<div class="ch-verdict">{badges}{reason}</div>'


def _confidence(confidence: float, seconds: float) -> str:
    word = "high" if confidence >= 0.7 else "middling" if confidence >= 0.35 else "low"
    return (
        f'<div class="ch-meter" title="{_CONFIDENCE}"><span>confidence {confidence:.2f}, {word}</span>'
        f'<i><b style="width:{100 * confidence:.0f}%"></b></i><span>{_duration(seconds)}</span></div>'
    )


def _duration(seconds: float) -> str:
    return (
        f"{seconds:.1f} s" if seconds >= 1 else f"{1000 * seconds:.0f} ms" if seconds >= 0.001 else "< 1 ms"
    )
