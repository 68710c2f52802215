"""The figures of a run and its answers as columns, read once for every state that the run was in."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from qa_core.datasets import Dataset
from qa_core.evaluation.facets import QUESTION_FACETS
from qa_core.evaluation.frame import questions_frame, run_frame
from qa_core.evaluation.runs import RunRecord
from qa_core.evaluation.slice_finder import WeakSlice, weak_slices
from qa_core.evaluation.store import RunStore


def run_summary(store: RunStore, run: RunRecord) -> dict[str, Any]:
    """The summary of a run, computed once for every state that the run was in."""
    return _summary(run.id, run.done, run.updated.timestamp(), store)


@st.cache_data(max_entries=200, show_spinner=False)
def _summary(run_id: str, done: int, updated: float, _store: RunStore) -> dict[str, Any]:
    return _store.summary(run_id)


def frame_of(store: RunStore, run: RunRecord, dataset: Dataset) -> pd.DataFrame:
    """A run as columns (see ``run_frame``), read once for every state that the run was in."""
    return _frame(run.id, run.done, run.updated.timestamp(), store, dataset)


@st.cache_resource(max_entries=40, show_spinner=False)
def _frame(run_id: str, done: int, updated: float, _store: RunStore, _dataset: Dataset) -> pd.DataFrame:
    return run_frame(_store, run_id, stored_questions(_store, _dataset))


def stored_questions(store: RunStore, dataset: Dataset) -> pd.DataFrame:
    """The questions of a dataset that any run answered as columns (see ``questions_frame``), read once."""
    return _stored_questions(dataset.fingerprint, store.n_questions(dataset.fingerprint), store, dataset)


@st.cache_resource(max_entries=8, show_spinner=False)
def _stored_questions(fingerprint: str, n: int, _store: RunStore, _dataset: Dataset) -> pd.DataFrame:
    _store.describe(_dataset)
    return questions_frame(_store, fingerprint)


def weak_slices_of(run: RunRecord, frame: pd.DataFrame) -> list[WeakSlice]:
    """Where a run does worst, found once for every state that the run was in."""
    return _weak_slices(run.id, run.done, run.updated.timestamp(), frame)


@st.cache_resource(max_entries=200, show_spinner=False)
def _weak_slices(run_id: str, done: int, updated: float, _frame: pd.DataFrame) -> list[WeakSlice]:
    return weak_slices(_frame[[*QUESTION_FACETS]], _frame["strict"].to_numpy(bool))
