"""What people said about a case, and the ways to say more."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import streamlit as st

from components.author import ANONYMOUS, author, author_field
from components.double_click import is_second_click, remember_click
from components.plain import html, plain, shorten
from components.resources import judgement_store, say_fault
from qa_core.datasets import Dataset
from qa_core.errors import CrossheadError
from qa_core.evaluation.judgements import MOST_CHARACTERS, MOST_OF_A_NAME, VERDICTS, Judged, Judgement, Kind
from qa_core.question import Question
from qa_core.table import Location, Table

_SAID = "judgement-said"
_TITLES = {"wrong": "wrong", "alternative": "one of two right ones", "unanswerable": "not in this table"}


def judgement_form(
    dataset: Dataset, question: Question, table: Table, judged: Judged, selected: Location | None
) -> None:
    """Draw notes, tags and the dispute of a question's gold, and take new ones.

    ``selected`` is the cell that a verdict on the gold takes for the right one. Each entry is kept when it is
    made, with the name that stands in the form.
    """
    said = judged_markup(judged)
    if said:
        st.html(said)
    else:
        st.caption("Nobody has said anything about this case yet.")
    fault = st.session_state.pop(_SAID, None)
    if fault is not None:
        say_fault(fault)
    form = _Form(dataset, question, selected)
    author_field()
    note, tag, gold = st.tabs(["Note", "Tag", "The gold is wrong"])
    with note:
        st.text_area("Note", key=form.key("note"), max_chars=MOST_CHARACTERS, label_visibility="collapsed")
        st.button("Keep the note", key=form.key("keep-note"), on_click=form.write, args=("note",))
    with tag:
        st.text_input("Tag", key=form.key("tag"), max_chars=MOST_OF_A_NAME, label_visibility="collapsed")
        with st.container(horizontal=True):
            st.button("Add the tag", key=form.key("keep-tag"), on_click=form.write, args=("tag",))
            for each in judged.tags:
                st.button(
                    plain(shorten(each, 40)), key=form.key(f"untag-{each}"), icon=":material/close:",
                    help="Takes this tag off.", on_click=form.untag, args=(each,),
                )  # fmt: skip
    with gold:
        _gold(form, table, judged, selected)


def _gold(form: _Form, table: Table, judged: Judged, selected: Location | None) -> None:
    verdict = st.radio(
        "The gold answer is",
        list(_TITLES),
        format_func=_TITLES.__getitem__,
        captions=[VERDICTS[name] for name in _TITLES],
        key=form.key("verdict"),
    )
    if verdict != "unanswerable":
        if selected:
            st.markdown(f"Right is the selected cell: **{plain(shorten(table.text_at(selected), 80))}**")
        else:
            st.text_input(
                "The right answer", key=form.key("answer"), max_chars=200,
                help="Or select its cell in the table.",
            )  # fmt: skip
    st.text_input("Why", key=form.key("why"), max_chars=MOST_CHARACTERS)
    with st.container(horizontal=True):
        st.button("Dispute the gold", key=form.key("keep-gold"), type="primary", on_click=form.dispute)
        if judged.gold:
            st.button("The gold stands after all", key=form.key("stands"), on_click=form.let_stand)


def judged_markup(judged: Judged) -> str:
    """What people said about a case, as HTML; empty where nobody said anything."""
    items = []
    if judged.gold:
        right = f": right is {html(shorten(judged.gold.answer, 80))}" if judged.gold.answer else ""
        items.append(
            f"<li><b>gold disputed</b><i>{_who(judged.gold)}</i>"
            f"<div>{_TITLES[judged.gold.verdict]}{right}. {html(judged.gold.text)}</div></li>"
        )
    items += [f"<li><b>note</b><i>{_who(note)}</i><div>{html(note.text)}</div></li>" for note in judged.notes]
    if judged.tags:
        items.append(f"<li><b>tags</b><i></i><div>{' · '.join(map(html, judged.tags))}</div></li>")
    return f'<ol class="ch-list">{"".join(items)}</ol>' if items else ""


def _who(entry: Judgement) -> str:
    return f"{html(entry.author or ANONYMOUS)}, {entry.made:%Y-%m-%d %H:%M} UTC"


class _Form:
    """The fields of one question's form, and what its buttons do before the page is drawn again."""

    def __init__(self, dataset: Dataset, question: Question, selected: Location | None) -> None:
        self._dataset, self._question, self._selected = dataset, question, selected

    def key(self, name: str) -> str:
        """The key of a field; another question has other fields."""
        return f"judge-{name}-{self._question.id}"

    def write(self, kind: Kind) -> None:
        """Keep the note or tag that stands in its field, and empty it."""
        if self._keep(kind, self._text(kind)):
            st.session_state[self.key(kind)] = ""

    def untag(self, tag: str) -> None:
        """Take a tag off."""
        self._keep("untag", tag)

    def dispute(self) -> None:
        """Keep the verdict on the gold."""
        verdict = st.session_state[self.key("verdict")]
        asks = verdict != "unanswerable"
        better = self._selected if asks else None
        answer = self._text("answer") if asks and better is None else ""
        self._keep("gold", self._text("why"), verdict, better, answer)

    def let_stand(self) -> None:
        """Take back all disputes of the gold."""
        self._keep("gold", self._text("why"), "stands")

    def _text(self, name: str) -> str:
        return str(st.session_state.get(self.key(name), ""))

    def _keep(
        self, kind: Kind, text: str, verdict: str = "", better: Location | None = None, answer: str = ""
    ) -> bool:
        entry = Judgement(
            self._question.id,
            kind,
            text,
            author() or ANONYMOUS,
            datetime.now(UTC),
            verdict,
            better,
            answer,
        )
        said = replace(entry, made=datetime.min)
        if is_second_click("judgement", said):
            return True
        try:
            judgement_store().add(self._dataset, [entry])
        except CrossheadError as fault:
            st.session_state[_SAID] = fault
            return False
        remember_click("judgement", said)
        return True
