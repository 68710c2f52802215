"""Reviewing annotations, one after the other: answering unseen, comparing, and a verdict."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

import streamlit as st

from components.annotating.draft_fields import (
    OF_DRAFT,
    answer_field,
    as_parameters,
    draft_fields,
    draft_in_link,
    reading_fields,
    reading_in_link,
    say_findings,
)
from components.annotating.kept import annotation_markup
from components.annotating.reading import comparison_markup, reading_from_text, reading_to_text
from components.author import author, author_field
from components.case_steps import case_steps
from components.layout import wide_and_narrow
from components.pickers import table_title
from components.plain import plain, shorten
from components.resources import annotation_store, say_fault
from components.selected_cell import select_cell, selected_cell
from components.state import catch_up, choose, chosen, empty_text, stale, switch, typed_text
from components.table_view import Marks, table_view
from qa_core.annotation.annotation import MOST_OF_A_REASON, Draft
from qa_core.annotation.checks import findings
from qa_core.annotation.questions import questions_of_table
from qa_core.annotation.review import Held, Reading, Review, Verdict, is_same_person
from qa_core.datasets import Dataset
from qa_core.errors import CrossheadError
from qa_core.question import Question
from qa_core.table import Table

OF_REVIEW = (*OF_DRAFT, "kind", "seen", "mend")
"""The URL parameters of a review that go when the next one is begun, beside its text ``q``."""

_SAID = "review-said"


def review_annotations(dataset: Dataset) -> None:
    """Draw the annotation that the link names, else the first that waits for this person."""
    subjects = annotation_store().held(dataset)
    top = st.container(horizontal=True, vertical_alignment="bottom", gap="large")
    with top.container(width=260):
        author_field()
    steps = top.container(width="content")
    with top.container(width="content"):
        again = switch(
            "Also those that others reviewed",
            "again",
            help="Several reviewers of one question tell more of how far people agree.",
        )
    waiting = [subject.id for subject in subjects.values() if _waits(subject, author(), again)]
    fault, said = st.session_state.pop(_SAID, (None, ""))
    if fault is not None:
        say_fault(fault)
    elif said:
        st.success(plain(said), icon=":material/check:")
    asked = chosen("case")
    if asked and asked not in subjects:
        stale("Annotation", "case", asked, "the first that waits for you")
    shown = subjects.get(asked) or next((subjects[name] for name in waiting), None)
    if shown is None:
        st.info("No question waits for your review. Those that you wrote yourself wait for somebody else.")
        return
    with steps:
        case_steps(waiting, shown.id, clears=(*OF_REVIEW, "q"))
    table = dataset.table(shown.table_id)
    others = [
        question for question in questions_of_table(dataset, table.id, subjects) if question.id != shown.id
    ]
    _Reviewing(dataset, table, shown, others, waiting).draw()


def _waits(subject: Held, name: str, again: bool) -> bool:
    """Whether a person may review an annotation; ``again`` also after others did."""
    if is_same_person(subject.drafted_by, name):
        return False
    if not again:
        return subject.state == "unreviewed"
    said = any(is_same_person(review.reviewer, name) for review in subject.reviews)
    return subject.is_open and not said


class _Reviewing:
    """One annotation under review, and what its buttons do before the page is drawn again."""

    def __init__(
        self,
        dataset: Dataset,
        table: Table,
        subject: Held,
        others: Sequence[Question],
        waiting: Sequence[str],
    ) -> None:
        self._dataset, self._table, self._subject = dataset, table, subject
        self._others, self._waiting = others, waiting
        self._is_own = is_same_person(subject.drafted_by, author())
        self._reading = reading_from_text(chosen("seen"), table)

    def draw(self) -> None:
        """Draw the table beside what is to be done now."""
        is_seen = bool(chosen("seen")) or self._is_own
        is_mending = is_seen and chosen("mend") == "1" and not self._is_own
        st.markdown(f"### {plain(self._subject.draft.text)}")
        st.caption(plain(table_title(self._table)))
        drawing, reading = wide_and_narrow("review")
        with reading:
            if is_mending:
                self._mend()
            elif is_seen:
                self._judge()
            else:
                self._answer_unseen()
        with drawing:
            marks = self._marks() if is_seen and not is_mending else Marks()
            table_view(
                self._table,
                marks,
                key="reviewed-table",
                selected=selected_cell(self._table) if is_mending or not is_seen else None,
                on_click=select_cell if is_mending or not is_seen else None,
            )

    def _marks(self) -> Marks:
        theirs, mine = self._subject.draft.cell, self._reading.cell
        return Marks(
            predicted=[mine] if mine else [],
            other=[theirs] if theirs else [],
            predicted_name="you",
            other_name=shorten(self._subject.drafted_by, 20),
        )

    def _answer_unseen(self) -> None:
        st.markdown(
            f"Answer it first, before you see what {plain(self._subject.drafted_by)} says: click the cell. "
            "So it can be measured how far two people agree."
        )
        answer_field(self._table)
        reading_fields()
        said = reading_in_link(self._table)
        st.button(
            "See it without answering" if said == Reading() else "Compare",
            type="secondary" if said == Reading() else "primary",
            icon=":material/visibility:",
            shortcut="S",
            on_click=self._see,
        )

    def _see(self) -> None:
        """Keep what was said unseen in the link, and show what the annotator says."""
        catch_up()
        choose(
            seen=reading_to_text(reading_in_link(self._table)), case=self._subject.id, cell=None, wrote=None
        )

    def _judge(self) -> None:
        st.html(annotation_markup(self._subject, self._others))
        if self._reading != Reading():
            st.html(comparison_markup(self._table, self._subject, self._reading))
        if self._is_own:
            self._own()
        else:
            self._verdict()
        say_findings(findings(self._subject.draft, self._table, self._others))

    def _verdict(self) -> None:
        key = self._key("reason")
        st.text_input("Reason", key=key, max_chars=MOST_OF_A_REASON, help="A rejection needs one.")
        nameless = not author()
        with st.container(horizontal=True):
            st.button(
                "Accept", icon=":material/check:", type="primary", shortcut="A", disabled=nameless,
                key=self._key("accept"), on_click=self._keep, args=("accept",),
            )  # fmt: skip
            st.button(
                "Mend", icon=":material/edit:", shortcut="M", disabled=nameless, key=self._key("mend"),
                on_click=choose, kwargs={**as_parameters(self._subject.draft), "mend": "1"},
            )  # fmt: skip
            st.button(
                "Reject", icon=":material/close:", shortcut="X", disabled=nameless, key=self._key("reject"),
                on_click=self._keep, args=("reject",),
            )  # fmt: skip
        if nameless:
            st.caption("Write your name above: a review says whose it is.")

    def _own(self) -> None:
        st.caption("You wrote this version yourself; a second person reviews it.")
        if self._subject.is_open and is_same_person(self._subject.annotation.author, author()):
            st.button(
                "Withdraw it", icon=":material/undo:", key=self._key("withdraw"), on_click=self._keep,
                args=("withdraw",), help="It stays in the list as withdrawn, and is not exported.",
            )  # fmt: skip

    def _mend(self) -> None:
        draft = draft_fields(self._table, self._others)
        found = findings(draft, self._table, self._others)
        st.text_input("Reason", key=self._key("reason"), max_chars=MOST_OF_A_REASON)
        with st.container(horizontal=True):
            st.button(
                "Keep the mended version", type="primary", icon=":material/check:", key=self._key("keep"),
                disabled=any(finding.severity == "refusal" for finding in found),
                on_click=self._keep, args=("mend",), shortcut="Ctrl+Enter",
            )  # fmt: skip
            st.button("Leave it as it is", key=self._key("leave"), on_click=choose,
                      kwargs=dict.fromkeys((*OF_DRAFT, "q", "kind", "mend")))  # fmt: skip
        say_findings(found)

    def _keep(self, verdict: Verdict) -> None:
        """Keep the verdict and go on to the next that waits."""
        mended: Draft | None = None
        if verdict == "mend":
            mended = self._mended()
        review = Review(
            self._subject.id,
            self._subject.draft.key,
            verdict,
            str(st.session_state.get(self._key("reason"), "")),
            author(),
            datetime.now(UTC),
            mended,
            None if self._reading == Reading() else self._reading,
        )
        try:
            after = annotation_store().review(self._dataset, review)
        except CrossheadError as fault:
            st.session_state[_SAID] = fault, ""
            return
        st.session_state[_SAID] = None, _told(self._subject, after, verdict)
        empty_text("q", case=self._next(), **dict.fromkeys(OF_REVIEW))

    def _mended(self) -> Draft:
        """What stands in the fields, with all accepted answers where the answer was left as it was."""
        catch_up()
        before = self._subject.draft
        draft = replace(draft_in_link(self._table), text=typed_text("q"))
        same = draft.cell == before.cell and draft.answers[:1] in ((), before.answers[:1])
        return replace(draft, answers=before.answers) if same else draft

    def _next(self) -> str | None:
        """The annotation after this one that waits, else the first."""
        here = self._waiting.index(self._subject.id) if self._subject.id in self._waiting else -1
        rest = [*self._waiting[here + 1 :], *self._waiting[: max(here, 0)]]
        return rest[0] if rest else None

    def _key(self, name: str) -> str:
        """The key of a field or button; another version has others, so a second click meets none of them."""
        return f"review-{name}-{self._subject.id}-{self._subject.draft.key}-{len(self._subject.reviews)}"


def _told(before: Held, after: Held, verdict: Verdict) -> str:
    question = shorten(before.draft.text, 90)
    stands = before.draft.key == after.draft.key or verdict == "mend"
    if stands and after.reviews[-1].version == before.draft.key:
        return f"{after.state.capitalize()}: “{question}”"
    return f"Kept, but somebody mended “{question}” meanwhile; your verdict is of the version before."
