"""The cases of a report: questions with their tables, drawn as in the app, and what people said."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from components.answer_card import gold_markup
from components.judgement_form import judged_markup
from components.pickers import table_title
from components.plain import counted, html, shorten
from components.report.document import paragraph, section
from components.table_view.marks import Marks
from components.table_view.still import still_table
from qa_core.evaluation.gold import Gold
from qa_core.evaluation.judgements import Judged
from qa_core.question import Question
from qa_core.table import Table

MOST_CELLS = 1_500
"""Body cells of a table that are drawn."""
_MOST_OF_A_QUESTION = 1_000


@dataclass(frozen=True)
class Case:
    """A question, where its gold stands, what is marked in its table, and what stands beside that: markup of
    the answers, facts about it in words, and what people said."""

    question: Question
    table: Table
    gold: Gold
    marks: Marks
    answers: Sequence[str]
    facts: Sequence[str]
    judged: Judged


def cases_section(cases: Iterable[Case], which: str, room: int) -> str:
    """The cases in order, each on a page of its own in print; ``which`` says how they were chosen.

    Those that do not fit into ``room`` bytes are left out, which is said.
    """
    drawn: list[str] = []
    left_out = 0
    for case in cases:
        markup = case_markup(len(drawn) + 1, case)
        size = len(markup.encode(errors="replace"))
        if size > room:
            left_out += 1
            continue
        room -= size
        drawn.append(markup)
    said = [paragraph(which if drawn or left_out else "There are none.")]
    if left_out:
        said.append(paragraph(f"Left out, to keep this file small: {counted(left_out, 'more case')}."))
    return section("cases", "Cases", *said, f'<div class="cases">{"".join(drawn)}</div>' if drawn else "")


def case_markup(number: int, case: Case) -> str:
    """One case as HTML."""
    facts = " · ".join(html(each) for each in (case.question.id, *case.facts) if each)
    table = still_table(case.table, case.marks, caption=table_title(case.table), most_cells=MOST_CELLS)
    cards = [*case.answers, gold_markup(case.table, case.gold, case.question.answers)]
    said = judged_markup(case.judged)
    if said:
        cards.append(f'<div class="ch-card"><h4>What people say</h4>{said}</div>')
    return (
        f'<article class="case" id="case-{number}">'
        f"<h3>{number}. {html(shorten(case.question.text, _MOST_OF_A_QUESTION))}</h3>"
        f'<p class="about">{facts}</p><div class="drawn">{table}</div>'
        f"{paragraph(case.table.source) if case.table.source else ''}"
        f'<div class="cards">{"".join(cards)}</div></article>'
    )
