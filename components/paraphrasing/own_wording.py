"""Asking a stored question in one's own words, and keeping the wording as a case."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime

import streamlit as st

from components.answer_card import answer_card
from components.author import ANONYMOUS, author, author_field
from components.exchange import Records, exchange
from components.plain import plain, shorten
from components.resources import Timed, answer, rewording_store, say_fault
from components.state import choose, chosen, write_text
from qa_core.datasets import Dataset
from qa_core.errors import CrossheadError
from qa_core.evaluation.outcome import Outcome, judge
from qa_core.evaluation.reasking import can_be_asked, system_of
from qa_core.evaluation.results import left_out_lexicon, system_name
from qa_core.evaluation.rewordings import MOST_CHARACTERS, Rewording, export, from_record
from qa_core.evaluation.runs import RunRecord
from qa_core.question import Question
from qa_core.table import Table

_SAID = "rewording-said"


@dataclass(frozen=True)
class Asked:
    """An own wording with its answer and the verdict on it."""

    text: str
    timed: Timed
    outcome: Outcome


def ask_own(run: RunRecord, question: Question, table: Table) -> Asked | None:
    """Draw the field for a wording of one's own; the answer to it of the run's system, None without one."""
    if not can_be_asked(run):
        st.info(
            "The system of this run had another model than its default one, which the app does not load, so "
            "a wording of your own cannot be asked here. Choose another run."
        )
        return None
    text = write_text(
        "Ask it in your own words", "wording", placeholder=question.text, max_chars=MOST_CHARACTERS
    ).strip()
    if not text:
        return None
    try:
        system_of(run)
        timed = answer(
            table, text, system_name(run), run.transformation, use_lexicon=not left_out_lexicon(run)
        )
    except CrossheadError as fault:
        say_fault(fault)
        return None
    return Asked(text, timed, judge(replace(question, text=text), table, timed.prediction))


def keep_own(dataset: Dataset, question: Question, table: Table, asked: Asked) -> None:
    """Draw the answer to an own wording and the way to keep it."""
    answer_card("Your wording", table, asked.timed, asked.outcome)
    author_field()
    st.button(
        "Keep it as a case",
        key="keep-wording",
        type="primary",
        icon=":material/bookmark_add:",
        on_click=_keep,
        args=(dataset, question.id, asked.text),
    )


def own_list(dataset: Dataset, own: Iterable[Rewording]) -> None:
    """Draw a way to remove each kept wording of a set."""
    for entry in own:
        st.button(
            f"Remove “{plain(shorten(entry.text, 60))}”",
            key=f"remove-{entry.key}",
            icon=":material/close:",
            on_click=_remove,
            args=(dataset, entry),
            help="The wording goes from the set; that it was kept, and by whom, stays on record.",
        )


def say_wordings() -> None:
    """Show why the last wording could not be kept, once."""
    fault = st.session_state.pop(_SAID, None)
    if fault is not None:
        say_fault(fault)


def exchange_wordings(dataset: Dataset, own: list[Rewording]) -> None:
    """Draw the ways to take the kept wordings out as AIT-QA questions, and to bring some in."""

    def keep(records: Records) -> tuple[int, int]:
        now = datetime.now(UTC)
        entries = [from_record(record, dataset, where, "imported", now) for where, record in records]
        return rewording_store().add(dataset, entries), len(entries)

    exchange(
        "wordings",
        list(export(own, dataset)),
        keep,
        title="Take wordings out or in",
        download=f"Download the {len(own):,} kept as AIT-QA questions",
        upload="Keep the wordings of a file of AIT-QA questions (JSON Lines)",
        file_name="own-wordings.jsonl",
        help="Each asks for the question that it names in the field rewording_of, else for the first one of "
        "its table in its paraphrase_group.",
    )


def _keep(dataset: Dataset, question_id: str, text: str) -> None:
    name = author() or ANONYMOUS
    if _write(dataset, Rewording(question_id, text, name, datetime.now(UTC))):
        choose(wording=None, set=chosen("set") or question_id)


def _remove(dataset: Dataset, entry: Rewording) -> None:
    name = author() or ANONYMOUS
    _write(dataset, replace(entry, author=name, kept=False))


def _write(dataset: Dataset, entry: Rewording) -> bool:
    try:
        rewording_store().add(dataset, [replace(entry, made=datetime.now(UTC))])
    except CrossheadError as fault:
        st.session_state[_SAID] = fault
        return False
    return True
