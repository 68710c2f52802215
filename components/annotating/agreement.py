"""How far people agree, and who wrote and reviewed how much: every figure leads to its questions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import streamlit as st

from components.annotating.kept import annotation_link
from components.figures_table import Figure, Line, figures_table_markup
from qa_core.annotation.agreement import ASPECTS, Agreement, agreements
from qa_core.annotation.review import STATES, Held
from qa_core.text import fold

_KAPPA = (
    "Cohen's kappa: agreement beyond what chance gives, 1 at most. Not defined where both gave one and the "
    "same value to all."
)


def show_agreement(subjects: Mapping[str, Held]) -> None:
    """Draw agreement, reviewers and authors."""
    found = agreements(subjects.values())
    st.markdown("### Agreement of author and reviewer")
    st.caption(
        "Of what reviewers said before they saw the annotation: a reviewer's first reading of each question, "
        "where neither left it open."
    )
    heads = [("Aspect", ""), ("Readings", ""), ("The same", ""), ("Kappa", "Cohen"), ("Differ", "questions")]
    lines = [_agreement(name, each) for name, each in found.items()]
    st.html(figures_table_markup(heads, {"": lines}))
    st.markdown("### Reviewers")
    verdicts = {"accept": "Accepted", "mend": "Mended", "reject": "Rejected"}
    reviewers = people(review.reviewer for each in subjects.values() for review in each.reviews)
    heads = [("Reviewer", ""), ("Questions", ""), *((title, "") for title in verdicts.values())]
    lines = [_reviewer(name, subjects.values(), verdicts) for name in reviewers.values()]
    st.html(figures_table_markup(heads, {"": lines})) if lines else st.caption("Nobody has reviewed yet.")
    st.markdown("### Authors")
    authors = people(each.annotation.author for each in subjects.values())
    heads = [("Author", ""), ("Questions", ""), *((state.capitalize(), "") for state in STATES)]
    lines = [_author(name, subjects.values()) for name in authors.values()]
    st.html(figures_table_markup(heads, {"": lines})) if lines else st.caption("Nobody has written yet.")


def people(names: Iterable[str]) -> dict[str, str]:
    """Names as they were first written, by their folded form."""
    found: dict[str, str] = {}
    for name in names:
        found.setdefault(fold(name), name)
    return found


def _agreement(aspect: str, found: Agreement) -> Line:
    share = Figure("none", measured=False) if found.share is None else Figure(f"{found.share:.0%}")
    kappa = Figure("not defined", hint=_KAPPA, measured=False)
    if found.kappa is not None:
        kappa = Figure(f"{found.kappa:.2f}", hint=_KAPPA)
    return Line(
        ASPECTS[aspect],
        [Figure(f"{found.n:,}"), share, kappa, _count(len(found.differing), view="list", differs=aspect)],
    )


def _reviewer(name: str, subjects: Iterable[Held], verdicts: Mapping[str, str]) -> Line:
    given: dict[str, set[str]] = {verdict: set() for verdict in verdicts}
    for subject in subjects:
        for review in subject.reviews:
            if fold(review.reviewer) == fold(name) and review.verdict in given:
                given[review.verdict].add(subject.id)
    reviewed = set().union(*given.values())
    return Line(
        name,
        [
            _count(len(reviewed), view="list", reviewer=name),
            *(_count(len(ids), view="list", reviewer=name, verdict=each) for each, ids in given.items()),
        ],
    )


def _author(name: str, subjects: Iterable[Held]) -> Line:
    states = [subject.state for subject in subjects if fold(subject.annotation.author) == fold(name)]
    return Line(
        name,
        [
            _count(len(states), view="list", author=name),
            *(_count(states.count(state), view="list", author=name, state=state) for state in STATES),
        ],
    )


def _count(n: int, **parameters: str) -> Figure:
    return Figure(f"{n:,}", link=annotation_link(**parameters) if n else "")
