"""What each header and each word contributed, drawn."""

from __future__ import annotations

import time
from collections.abc import Callable

import streamlit as st

from components.plain import counted, plain, shorten
from components.remembered import Remembered
from components.why.contributions_markup import (
    cell_in_words,
    contributions_markup,
    has_effect,
    summary,
    words_markup,
)
from components.why.edited_case import Case, Original, without
from qa_core.attribution import Attribution, HeaderPart, WordPart, attribute
from qa_core.attribution.occlusion import MAX_HEADERS, MAX_WORDS
from qa_core.table import Location

SHOWN_AFTER_S = 0.2


def contributions(original: Original, case: Case, location: Location | None, *, key: str = "") -> None:
    """Draw what the words of the question and the headers that lead to a cell contributed."""
    found = _attributed(case, location)

    def link_to(part: HeaderPart | WordPart) -> str:
        return without(original, case, part)

    beside = st.container(horizontal=not original.is_edited, gap="medium")
    words, headers = beside.container(key=f"half-words-{key}"), beside.container(key=f"half-headers-{key}")
    with words:
        st.markdown("**Words of the question**")
        if found.words:
            st.html(words_markup(case.question, found, link_to))
            st.markdown(plain(summary(found.words, "word")))
            _table_of(case, found, link_to, words=True)
        else:
            st.caption("The question has no words to leave out.")
        if found.unasked[1]:
            st.caption(
                f"The first {MAX_WORDS} words; {counted(found.unasked[1], 'further word')} not left out."
            )
    with headers:
        st.markdown("**Headers that lead to the cell**")
        n_cells = len(found.prediction.locations)
        first = f". The answer rests on {n_cells} cells; this is the first" if n_cells > 1 else ""
        if found.location:
            st.caption(plain(cell_in_words(case.table, found.location)) + first)
        if found.headers:
            st.markdown(plain(summary(found.headers, "header")))
            _table_of(case, found, link_to, words=False)
        elif found.location is None:
            st.caption("No cell was predicted, so no header leads there.")
        else:
            st.caption("No header leads to this cell.")
        if found.unasked[0]:
            st.caption(
                f"The {MAX_HEADERS} nearest; {counted(found.unasked[0], 'header')} above them not left out."
            )


def _table_of(
    case: Case, found: Attribution, link_to: Callable[[HeaderPart | WordPart], str], *, words: bool
) -> None:
    """What differs without each part, and which parts make no difference."""
    if markup := contributions_markup(case.table, found, link_to, words=words):
        st.html(markup)
    parts = found.words if words else found.headers
    idle = [shorten(each.part.text, 40) for each in parts if not has_effect(found.prediction, each)]
    if idle:
        st.caption(f"No difference without: {plain(' · '.join(idle))}")


def _attributed(case: Case, location: Location | None) -> Attribution:
    """The contributions, with progress where they take a while; answers are kept if it is broken off."""
    place = st.empty()
    began = time.monotonic()

    def progress(done: int, total: int) -> None:
        if time.monotonic() - began > SHOWN_AFTER_S:
            place.progress(done / total, text=f"Asked without {done} of {total} headers and words …")

    found = attribute(
        Remembered(case.system, case.use_lexicon).predict,
        case.table,
        case.question,
        case.transformation,
        location=location,
        on_progress=progress,
    )
    place.empty()
    return found
