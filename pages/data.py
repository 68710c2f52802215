"""Data: what is loaded, what is odd about it, and where to bring your own from."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from components.navigation import require_frame
from components.pickers import OF_DATASET, pick_dataset
from components.plain import plain
from components.resources import current_dataset, dataset_folder, stop_with
from components.state import choose, shared_choices
from components.table_list import MOST_TABLES, table_list_markup
from qa_core.datasets import DATASETS, Dataset, Statistics, load_dataset, statistics
from qa_core.errors import CrossheadError

# The whole of AIT-QA as published; its paper counts 116 tables, its files hold 113.
_AITQA = {"Tables": 113, "Questions": 515, "Paraphrase sets": 72, "Questions in paraphrase sets": 148}


def page() -> None:
    """Draw the page."""
    st.markdown("## Data")
    name = pick_dataset()
    _folder_form()
    if DATASETS[name].needs_folder and not dataset_folder():
        return
    dataset = current_dataset()
    st.markdown(f"### {dataset.name}")
    st.caption(plain(DATASETS[name].description))
    _statistics(_counts(dataset.fingerprint, dataset))
    _warnings(dataset)
    _tables(dataset)


@st.cache_resource(max_entries=4, show_spinner=False)
def _counts(fingerprint: str, _dataset: Dataset) -> Statistics:
    return statistics(_dataset)


def _folder_form() -> None:
    """Point the app at an AIT-QA folder; a folder that cannot be read changes nothing."""
    with st.expander(
        "Bring AIT-QA", expanded=not dataset_folder() and st.query_params.get("dataset") == "aitqa"
    ):
        st.markdown(
            "Crosshead does not ship AIT-QA. Get it from its authors, and name the folder on this computer "
            "that holds `aitqa_tables.jsonl` and `aitqa_questions.jsonl`."
        )
        with st.form("folder", border=False):
            folder = st.text_input("Folder", value=dataset_folder(), placeholder="/home/me/AITQA/data")
            if st.form_submit_button("Open the folder", type="primary"):
                _open(folder.strip())


def _open(folder: str) -> None:
    from pathlib import Path

    try:
        if not folder:
            raise CrossheadError("No folder is named; type the path of the folder first.")
        path = str(Path(folder).expanduser())
        load_dataset("aitqa", Path(path))
    except CrossheadError as fault:
        stop_with(fault)
    except RuntimeError:
        stop_with(CrossheadError(f"{folder} names a user who has no home folder; write the whole path."))
    choose(dataset="aitqa", dir=path, **dict.fromkeys(OF_DATASET))
    st.rerun()


def _statistics(counts: Statistics) -> None:
    ours = {
        "Tables": counts.tables,
        "Tables without row headers": counts.tables_without_row_headers,
        "Body cells": counts.cells,
        "Questions": counts.questions,
        "KPI-driven": counts.kpi_driven,
        "Table-driven": counts.table_driven,
        "Row hierarchy needed": counts.row_hierarchy_needed,
        "Row hierarchy not needed": counts.row_hierarchy_not_needed,
        "Paraphrase sets": counts.paraphrase_sets,
        "Questions in paraphrase sets": counts.paraphrased_questions,
    }
    left, right = st.columns([3, 2], gap="large")
    with left:
        frame = pd.DataFrame(
            {
                "This dataset": [f"{n:,}" for n in ours.values()],
                "AIT-QA, whole": [f"{_AITQA[name]:,}" if name in _AITQA else "" for name in ours],
            },
            index=pd.Index(list(ours), name="Count"),
        )
        st.table(frame)
    with right:
        depths = sorted(counts.column_depths.keys() | counts.row_depths.keys())
        frame = pd.DataFrame(
            {
                "Column headers": [counts.column_depths.get(depth, 0) for depth in depths],
                "Row headers": [counts.row_depths.get(depth, 0) for depth in depths],
            },
            index=pd.Index(["none" if depth == 0 else str(depth) for depth in depths], name="Header depth"),
        )
        st.table(frame)
        st.caption("Tables by the depth of their deepest header path.")


def _warnings(dataset: Dataset) -> None:
    odd = [(table, warning) for table in dataset.tables.values() for warning in table.warnings]
    for warning in dataset.warnings:
        st.warning(plain(warning))
    if odd:
        tables = len({table.id for table, _ in odd})
        with st.expander(f"{len(odd)} oddities in {tables} tables; all are kept as they came"):
            st.dataframe(
                pd.DataFrame([(table.id, table.title, warning) for table, warning in odd],
                             columns=["Table", "Title", "What is odd"]),
                hide_index=True,
            )  # fmt: skip


def _tables(dataset: Dataset) -> None:
    st.markdown("### Tables")
    surplus = len(dataset.tables) - MOST_TABLES
    st.caption(
        "Each leads to the page *Ask*."
        + (f" These are the first {MOST_TABLES:,}; {surplus:,} more are found there." if surplus > 0 else "")
    )
    st.html(table_list_markup(dataset, shared_choices(question=None)))


require_frame()
page()
