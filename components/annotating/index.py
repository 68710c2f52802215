"""All annotations of a dataset: what to show of them, the list, the export."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from components.annotating.agreement import people
from components.annotating.kept import VERDICTS, annotation_list_markup
from components.parts import part_of
from components.plain import counted, plain
from components.state import pick, switch
from qa_core.annotation.agreement import ASPECTS, agreements
from qa_core.annotation.export import as_dataset, to_zip
from qa_core.annotation.review import STATES, Held
from qa_core.datasets import Dataset
from qa_core.errors import CrossheadError
from qa_core.text import fold

LISTED_AT_ONCE = 50


def list_annotations(dataset: Dataset, subjects: Mapping[str, Held]) -> None:
    """Draw the export, the filters and the list."""
    if not subjects:
        st.info("Nobody has written a question for these tables yet. Choose *Write* above, and click a cell.")
        return
    with st.expander("Export in the AIT-QA format", icon=":material/download:"):
        _export(dataset, subjects)
    listed = _filtered(subjects)
    st.caption(f"{len(listed):,} of {counted(len(subjects), 'question')}, those written last first.")
    if listed:
        part = part_of(len(listed), LISTED_AT_ONCE, None)
        st.html(annotation_list_markup(listed[part]))


def _filtered(subjects: Mapping[str, Held]) -> list[Held]:
    authors = people(each.annotation.author for each in subjects.values())
    reviewers = people(review.reviewer for each in subjects.values() for review in each.reviews)
    fields = st.columns(5)
    with fields[0]:
        state = _filter("State", "state", {state: state for state in STATES})
    with fields[1]:
        author = _filter("Written by", "author", {name: name for name in authors.values()})
    with fields[2]:
        reviewer = _filter("Reviewed by", "reviewer", {name: name for name in reviewers.values()})
    with fields[3]:
        verdict = _filter("Verdict", "verdict", VERDICTS)
    with fields[4]:
        differs = _filter("Read otherwise", "differs", ASPECTS)
    differing = set(agreements(subjects.values())[differs].differing) if differs else set()
    return [
        each
        for each in reversed(list(subjects.values()))
        if (not state or each.state == state)
        and (not author or fold(each.annotation.author) == fold(author))
        and (not (reviewer or verdict) or _is_reviewed(each, reviewer, verdict))
        and (not differs or each.id in differing)
    ]


def _is_reviewed(subject: Held, reviewer: str, verdict: str) -> bool:
    return any(
        (not reviewer or fold(review.reviewer) == fold(reviewer))
        and (not verdict or review.verdict == verdict)
        for review in subject.reviews
    )


def _filter(label: str, name: str, titles: Mapping[str, str]) -> str:
    return pick(
        label, name, ["", *titles], default="", clears=("part",), title=lambda value: titles.get(value, "all")
    )


def _export(dataset: Dataset, subjects: Mapping[str, Held]) -> None:
    unreviewed = switch("Also those without a review", "unreviewed")
    with_own = switch("Also the dataset's own questions, and all of its tables", "own")
    try:
        exported = as_dataset(dataset, subjects, unreviewed=unreviewed, with_own=with_own)
    except CrossheadError as fault:
        st.caption(plain(str(fault)))
        return
    st.caption(
        f"{counted(len(exported.questions), 'question')} on {counted(len(exported.tables), 'table')}: "
        "aitqa_tables.jsonl and aitqa_questions.jsonl, which Crosshead reads back as a dataset."
    )
    st.download_button(
        "Download", to_zip(exported), f"{dataset.name}-annotations.zip", "application/zip",
        on_click="ignore", icon=":material/download:", type="primary",
    )  # fmt: skip
