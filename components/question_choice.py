"""Choosing what is asked of a table: one of the dataset's questions, or a question of one's own.

The URL keeps a dataset's question by its id (``question``) and an own one by its text (``q``). The first
belongs to its table and goes with it; the second may be asked of any table.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import streamlit as st

from components.plain import shorten
from components.state import choose, chosen, is_echo, show_choice, show_text, stale
from qa_core.datasets import Dataset
from qa_core.question import Question

OWN = ""
BLANK = " "
"""An own question without words, which the URL has to tell from no choice."""
_MOST_CHARACTERS = 500


def asked_question(questions: Sequence[Question], question_id: str, text: str) -> tuple[str, Question | None]:
    """What a link asks of a table with these questions: the text, and the dataset's question that it is.

    The id comes first. A text that a question has is that question, of several the first. A link that asks
    for nothing gets the table's first question.
    """
    for question in questions:
        if question.id == question_id:
            return question.text, question
    if text:
        return text, _with_text(questions, text)
    first = next(iter(questions), None)
    return (first.text, first) if first else ("", None)


def pick_question(questions: Sequence[Question]) -> tuple[str, Question | None]:
    """Draw both ways to ask; the text asked, and the dataset's question that it is, if it is one."""
    text, known = asked_question(questions, chosen("question"), chosen("q")[:_MOST_CHARACTERS])
    if chosen("question") and (known is None or known.id != chosen("question")):
        stale("Question", "question", chosen("question"), text or "no question")
    if not questions:
        _own_field(questions, text)
        return text, known
    asking, taking = st.columns([4, 3])
    with asking:
        _own_field(questions, text)
    with taking:
        _list_of(questions, known)
    return text, known


def goes_with_table(questions: Sequence[Question]) -> tuple[str, ...]:
    """The URL parameters that go when another table is chosen: an own question is asked of that one too."""
    _, known = asked_question(questions, chosen("question"), chosen("q"))
    return ("question", "q") if known or not chosen("q").strip() else ("question",)


def is_of_lost_table(dataset: Dataset, table_id: str, text: str) -> bool:
    """Whether a link asks an own question of a table that its dataset does not hold."""
    return bool(text.strip() and table_id) and table_id not in dataset.tables


def _own_field(questions: Sequence[Question], text: str) -> None:
    key = "own-question"

    def typed() -> None:
        new = st.session_state[key]
        known = _with_text(questions, new)
        choose(question=known.id if known else None, q=None if known else new or BLANK, wording=None)

    show_text(key, text[:_MOST_CHARACTERS])
    st.text_input(
        "Your question",
        key=key,
        on_change=typed,
        placeholder="Ask about this table",
        max_chars=_MOST_CHARACTERS,
    )


def _list_of(questions: Sequence[Question], known: Question | None) -> None:
    titles = {OWN: "(my own question)"} | option_titles(questions)
    key = "known-question"
    show_choice(key, known.id if known else OWN)

    def taken() -> None:
        question_id = st.session_state[key]
        if question_id in titles and not is_echo(key):
            choose(question=question_id, q=None if question_id else BLANK, cell=None, wording=None)

    st.selectbox(
        f"Or one of the dataset's {len(questions)} questions on it",
        list(titles),
        key=key,
        on_change=taken,
        format_func=lambda question_id: titles.get(question_id, question_id),
    )


def option_titles(questions: Sequence[Question]) -> dict[str, str]:
    """Questions by id, each in words that no other has: the browser knows an option by its words only."""
    counts = Counter(question.text.strip() for question in questions)
    return {
        question.id: f"{question.text} ({shorten(question.id, 40)})"
        if counts[question.text.strip()] > 1 or not question.text.strip()
        else question.text
        for question in questions
    }


def _with_text(questions: Sequence[Question], text: str) -> Question | None:
    return next((question for question in questions if question.text.strip() == text.strip()), None)
