"""What each header and each word contributed: the question shaded, and what is said without each of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from html import escape

from components.figures_table import Figure, Line, figures_table_markup
from components.plain import counted, html, shorten
from qa_core.attribution import Attribution, Contribution, HeaderPart, WordPart
from qa_core.attribution.parts import ROW
from qa_core.prediction import Prediction
from qa_core.table import Location, Table, join_path

LinkTo = Callable[[HeaderPart | WordPart], str]
"""The address where a part is left out."""

STYLE = """
<style>
.ch-words {font-size: 1.05rem; line-height: 3.1rem; margin: 0}
.ch-words span {white-space: nowrap}
.ch-words a {display: inline-block; position: relative; color: inherit; text-decoration: none;
  line-height: 1.5; padding: .05rem .25rem; border-radius: .25rem; border: 2px solid transparent;
  background: color-mix(in srgb, var(--tint) var(--shade), transparent)}
.ch-words a.changes {border-color: currentColor}
.ch-words a:is(:hover, :focus-visible) {outline: 2px solid color-mix(in srgb, currentColor 45%, transparent)}
.ch-words small {position: absolute; top: calc(100% + 2px); left: 0; right: 0; text-align: center;
  font-size: .68rem; opacity: .75; font-variant-numeric: tabular-nums; line-height: 1.4}
.ch-without .ch-tables :is(td, th[scope="row"]) small {white-space: normal; overflow-wrap: break-word}
.ch-without .ch-tables th:first-child {min-width: 7rem}
.ch-without .ch-tables :is(td, th):nth-child(2) {text-align: left}
</style>
"""
_CLOSE = re.compile(r"[^\w\s]+(?=\s|$)")
_LEAST = 0.005
_HELPS, _HINDERS = "#b9572f", "#2f6fb9"


def words_markup(question: str, attribution: Attribution, link_to: LinkTo) -> str:
    """The question, each word shaded by how much the lead falls without it, with the number below it."""
    strongest = _strongest(attribution.words)
    pieces, done = [], 0
    for each in attribution.words:
        assert isinstance(each.part, WordPart)
        pieces.append(escape(question[done : each.part.start]))
        done = each.part.stop
        # What is written close to a word stays with it at the end of a line.
        close = _CLOSE.match(question, done)
        done = close.end() if close else done
        word = _word(each, strongest, link_to(each.part))
        pieces.append(f"<span>{word}{escape(close[0]) if close else ''}</span>")
    pieces.append(escape(question[done:]))
    return f'<p class="ch-words" dir="auto">{"".join(pieces)}</p>'


def _word(each: Contribution, strongest: float, link: str) -> str:
    drop = each.drop or 0.0
    tint = f"--tint: {_HELPS if drop >= 0 else _HINDERS}; --shade: {_shade(drop, strongest):.0f}%"
    hint = f"Without it: {_answer(each.prediction)}, confidence {each.prediction.confidence:.2f}"
    number = "" if each.drop is None else signed(each.drop)
    return (
        f'<a href="{escape(link)}" target="_self" style="{tint}" title="{escape(hint)}"'
        f"{' class=changes' if each.changes else ''}>{html(each.part.text)}<small>{number}</small></a>"
    )


def contributions_markup(table: Table, attribution: Attribution, link_to: LinkTo, *, words: bool) -> str:
    """What is said without each word, or without each header from the root to the leaf, where it differs."""
    prediction = attribution.prediction
    heads = [
        ("Left out", ""),
        ("Answer then", f"now {_answer(prediction)}"),
        ("Confidence", f"now {prediction.confidence:.2f}"),
        ("Lead", f"now {_lead(attribution.lead.whole)}"),
    ]
    groups: dict[str, list[Line]] = {}
    parts = attribution.words if words else attribution.headers
    strongest = _strongest(parts)
    for each in parts:
        if not has_effect(prediction, each):
            continue
        group = ""
        if isinstance(each.part, HeaderPart):
            group = "Headers of the row" if each.part.axis == ROW else "Headers of the column"
        line = _line(table, prediction, each, strongest, link_to(each.part))
        groups.setdefault(group, []).append(line)
    return f'<div class="ch-without">{figures_table_markup(heads, groups)}</div>' if groups else ""


def has_effect(before: Prediction, each: Contribution) -> bool:
    """Whether anything is different without a part, as far as two digits tell."""
    moved = abs(each.prediction.confidence - before.confidence) >= _LEAST or abs(each.drop or 0.0) >= _LEAST
    return each.changes or moved


def _line(table: Table, before: Prediction, each: Contribution, strongest: float, link: str) -> Line:
    after = each.prediction
    place = cell_in_words(table, after.location) if each.changes else "unchanged"
    answer = Figure(_answer(after), place, link, hint="Opens this page without it")
    confidence = Figure(f"{after.confidence:.2f}", signed(after.confidence - before.confidence))
    sides = [
        f"{side} {_lead(value)}"
        for side, value in (("row", each.lead.row), ("column", each.lead.column))
        if value is not None
    ]
    shade = _shade(each.drop, strongest) / 100 if each.drop and each.drop > 0 else 0.0
    lead = Figure(_lead(each.lead.whole), _fall(each.drop), hint=", ".join(sides), shade=shade)
    over = ""
    if isinstance(each.part, HeaderPart):
        over = f"over {counted(each.part.lines, each.part.axis)}" if each.part.lines > 1 else ""
        over = over or ("the row's first text" if each.part.level is None else "")
    return Line(shorten(each.part.text, 80), [answer, confidence, lead], over)


def summary(contributions: Sequence[Contribution], noun: str) -> str:
    """In a sentence of plain text, without which parts the answer changes."""
    if not contributions:
        return ""
    needed = [f"“{shorten(each.part.text, 40)}”" for each in contributions if each.changes]
    if not needed:
        return f"The answer stays the same without any single {noun}."
    if len(needed) == len(contributions):
        return f"The answer changes without any single {noun}."
    last = f" or {needed[-1]}" if len(needed) > 1 else needed[0]
    return f"The answer changes without {', '.join(needed[:-1])}{last}; not without any other single {noun}."


def cell_in_words(table: Table, location: Location | None) -> str:
    """The header paths of a Location in one line; "no cell" where there is none."""
    if location is None or location not in table:
        return "no cell"
    row = column = ""
    if location.row is not None:
        row = join_path(table.row_path(location.row), " › ") or f"row {location.row + 1}"
    if location.column is not None:
        column = join_path(table.column_path(location.column), " › ") or f"column {location.column + 1}"
    return shorten(" | ".join(filter(None, (shorten(row, 60), shorten(column, 60)))), 120)


def signed(value: float) -> str:
    """A difference in two digits with its sign, none where it rounds to nothing."""
    text = f"{value:+.2f}"
    return "0.00" if float(text) == 0 else text.replace("-", "−")


def _fall(drop: float | None) -> str:
    if drop is None:
        return ""
    if abs(drop) < _LEAST:
        return "as before"
    return f"{'falls' if drop > 0 else 'rises'} by\u00a0{abs(drop):.2f}"


def _lead(value: float | None) -> str:
    return "–" if value is None else signed(value)


def _answer(prediction: Prediction) -> str:
    operator = f"{prediction.operator} = " if prediction.operator else ""
    return f"{operator}{shorten(prediction.answer, 40)}" if prediction.answer else "no answer"


def _strongest(contributions: Sequence[Contribution]) -> float:
    return max((abs(each.drop) for each in contributions if each.drop is not None), default=0.0)


def _shade(drop: float, strongest: float) -> float:
    """A tint in percent: at most 60, so that the text stays legible."""
    return 60 * abs(drop) / strongest if strongest >= _LEAST else 0.0
