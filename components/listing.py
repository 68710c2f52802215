"""Long lists of questions: searched and ordered as a whole, drawn a part at a time.

A list is a frame with a row for each question, of which ``id`` and ``position`` in the dataset are read here
(see ``qa_core.evaluation.frame``). Search and order are in the URL and hold for all rows, whichever are
drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

import numpy as np
import pandas as pd
import streamlit as st
from numpy.typing import NDArray

from components.pickers import table_title
from components.plain import counted
from components.runs.figures import stored_questions
from components.state import chosen, stale, write_text
from qa_core.datasets import Dataset
from qa_core.evaluation.frame import dataset_frame
from qa_core.evaluation.store import RunStore
from qa_core.question import Question
from qa_core.text import fold

LISTED_AT_ONCE = 200
OF_LIST = ("case", "cell", "part")
"""URL parameters that only make sense with the list as it is."""
OF_QUESTIONS = ("question", "gold", "table", "id")
"""Columns of the grid that a list can always be ordered by."""
OF_ANSWERS = ("outcome", "reason", "confidence")
"""Those that it can be ordered by where there is a run."""

_Texts = dict[str, Callable[[Question], str]]


def described_questions(store: RunStore, dataset: Dataset) -> pd.DataFrame:
    """All questions of a dataset as columns (see ``questions_frame``), out of the store if it knows them."""
    stored = stored_questions(store, dataset)
    return stored if len(stored) == len(dataset.questions) else _described(dataset.fingerprint, dataset)


@st.cache_resource(max_entries=4, show_spinner="Looking at the questions …")
def _described(fingerprint: str, _dataset: Dataset) -> pd.DataFrame:
    return dataset_frame(_dataset)


def write_search() -> str:
    """Draw the field to search a list by; what stands in it."""
    return write_text(
        "Search", "find", placeholder="question, answer, table or id", max_chars=100, clears=OF_LIST
    )


def searched(dataset: Dataset, listed: pd.DataFrame, query: str) -> pd.DataFrame:
    """The questions of a list that hold every word of ``query`` in question, gold answer, table or id."""
    words = fold(query).split()
    if not words:
        return listed
    found = np.ones(len(dataset.questions), bool)
    for word in words:
        found &= _searchable(dataset.fingerprint, dataset).str.contains(word, regex=False).to_numpy(bool)
    return listed[found[listed["position"]]]


def ordered(
    dataset: Dataset, listed: pd.DataFrame, sorts: Collection[str], answers: pd.DataFrame | None = None
) -> pd.DataFrame:
    """A list in the order that the URL asks for, by a column in ``sorts``; else in the dataset's.

    ``answers`` is the frame of a run, which says the order by ``OF_ANSWERS``; what it lacks comes last.
    """
    by = chosen("sort")
    if not by:
        return listed
    column = by.removeprefix("-")
    if column not in sorts:
        stale("Order", "sort", by, "the dataset's order")
        return listed
    ranks = _ranks(dataset, column, answers)[listed["position"]]
    return listed.iloc[np.argsort(-ranks if by.startswith("-") else ranks, kind="stable")]


def say_how_many(listed: int, of: int) -> None:
    """How many questions a list has, and that they open."""
    st.caption(f"{listed:,} of {counted(of, 'question')}. Select one to open it.")


def _ranks(dataset: Dataset, column: str, answers: pd.DataFrame | None) -> NDArray[np.float64]:
    """Numbers that order all questions of a dataset by a column of the grid; NaN where none is known."""
    if column in OF_QUESTIONS:
        return _text_ranks(dataset.fingerprint, column, dataset)
    ranks = np.full(len(dataset.questions), np.nan)
    if answers is not None:
        ranks[answers["position"]] = _OF_ANSWERS[column](answers)
    return ranks


_OF_ANSWERS: dict[str, Callable[[pd.DataFrame], pd.Series]] = {
    "outcome": lambda answers: -(2 * answers["strict"] + answers["normalised"]),  # right ones first
    "reason": lambda answers: answers["reason"].cat.codes,
    "confidence": lambda answers: answers["certainty"],
}


@st.cache_resource(max_entries=4, show_spinner=False)
def _searchable(fingerprint: str, _dataset: Dataset) -> pd.Series:
    texts = _texts(_dataset).values()
    return pd.Series([fold(" ".join(text(question) for text in texts)) for question in _dataset.questions])


@st.cache_resource(max_entries=16, show_spinner=False)
def _text_ranks(fingerprint: str, column: str, _dataset: Dataset) -> NDArray[np.float64]:
    text = _texts(_dataset)[column]
    folded = np.array([fold(text(question)) for question in _dataset.questions], object)
    return np.unique(folded, return_inverse=True)[1].astype(float)


def _texts(dataset: Dataset) -> _Texts:
    titles = {table.id: table_title(table) for table in dataset.tables.values()}
    return {
        "question": lambda question: question.text,
        "gold": lambda question: " · ".join(question.answers),
        "table": lambda question: titles.get(question.table_id, question.table_id),
        "id": lambda question: question.id,
    }
