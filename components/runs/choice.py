"""Choosing the run that a page is about."""

from __future__ import annotations

import streamlit as st

from components.plain import plain
from components.runs.control import start_here
from components.runs.evaluations import is_under_way
from components.runs.titles import run_title
from components.state import chosen, pick
from qa_core.datasets import Dataset
from qa_core.evaluation.results import is_as_shipped, system_name
from qa_core.evaluation.runs import RunRecord
from qa_core.evaluation.store import RunStore
from qa_core.systems.registry import SYSTEMS


def pick_run(dataset: Dataset, store: RunStore, runs: list[RunRecord]) -> RunRecord:
    """One of some runs over a dataset, by default the first of the system that the link names, else the
    first; beside it a way to go on with one that was stopped."""
    by_id = {run.id: run for run in runs}
    asked = chosen("system")
    of_asked = next((run.id for run in runs if system_name(run) == asked), None)
    picking, continuing = st.columns([6, 1], vertical_alignment="bottom")
    with picking:
        run = by_id[
            pick(
                "Run",
                "run",
                list(by_id),
                default=of_asked,
                title=lambda run_id: run_title(by_id[run_id]) if run_id in by_id else run_id,
            )
        ]
    if asked in SYSTEMS and of_asked is None and not chosen("run"):
        st.caption(f"There is no run of {plain(SYSTEMS[asked].title)} yet; this is the newest of another.")
    if run.status != "finished" and is_as_shipped(run) and not is_under_way(run):
        continuing.button(
            "Continue",
            icon=":material/resume:",
            width="stretch",
            on_click=start_here,
            args=(dataset, store, run.system, run.transformation, run.limit),
            help="Answers the questions that are left; finished ones are not asked again.",
        )
    return run
