"""The ways to take a run or a comparison out of the app: its report, and all of its predictions."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping

import streamlit as st

from components.plain import counted
from components.report.comparison_report import comparison_report
from components.report.run_report import FEW_CASES, run_report
from components.report.sources import Sources
from components.resources import judgement_store
from components.runs.titles import run_file
from components.state import choose, chosen, is_echo, show_choice
from qa_core.datasets import Dataset
from qa_core.evaluation.filters import Filters
from qa_core.evaluation.predictions_export import FORMATS, prediction_records, write_predictions
from qa_core.evaluation.runs import RunRecord
from qa_core.evaluation.store import RunStore

MOST_CASES = 500
_TITLES = {"csv": "CSV", "jsonl": "JSON Lines", "parquet": "Parquet"}
_TYPES = {
    "csv": "text/csv",
    "jsonl": "application/jsonl",
    "parquet": "application/vnd.apache.parquet",
}
_ABOUT = (
    "One HTML file with the figures, the charts and these cases with their tables. It opens without this app "
    "and without a network, and prints."
)


def run_files(dataset: Dataset, store: RunStore, run: RunRecord, filters: Filters) -> None:
    """Draw the ways to the report and to the predictions of a run; ``filters`` list the report's cases."""
    sources = Sources(dataset, store, judgement_store())
    with st.container(horizontal=True, vertical_alignment="center"):
        most = _most_cases()
        _report_button(lambda: run_report(sources, run.id, filters, most_cases=most), run_file(run))
        _pick_most_cases(most)
        with st.popover("Predictions", icon=":material/table_view:"):
            st.caption(f"All {counted(run.done, 'prediction')} of this run with full header paths.")
            for name in FORMATS:
                _predictions_button(sources, run, name)


def comparison_files(
    dataset: Dataset, store: RunStore, first: RunRecord, second: RunRecord, listed: Mapping[str, str]
) -> None:
    """Draw the way to the report of a comparison; ``listed`` lists its cases, see ``comparison_report``."""
    sources = Sources(dataset, store, judgement_store())
    with st.container(horizontal=True, vertical_alignment="center"):
        most = _most_cases()
        _report_button(
            lambda: comparison_report(sources, first.id, second.id, listed, most_cases=most),
            f"{run_file(first)}-and-{second.id}",
        )
        _pick_most_cases(most)


def _report_button(make: Callable[[], str], name: str) -> None:
    st.download_button(
        "Report",
        make,
        file_name=f"{name}.html",
        mime="text/html",
        icon=":material/description:",
        on_click="ignore",  # nothing on the page changes
        help=_ABOUT,
    )


def _predictions_button(sources: Sources, run: RunRecord, file_format: str) -> None:
    def make() -> bytes:
        stream = io.BytesIO()
        records = prediction_records(sources.store, run, sources.dataset, sources.judged)
        write_predictions(stream, file_format, records)
        return stream.getvalue()

    st.download_button(
        _TITLES[file_format],
        make,
        file_name=f"{run_file(run)}.{file_format}",
        mime=_TYPES[file_format],
        on_click="ignore",
        width="stretch",
    )


def _most_cases() -> int:
    """How many cases of the list a report gets, from the URL."""
    asked = chosen("cases")
    known = asked.isdecimal() and len(asked) < 7 and 1 <= int(asked) <= MOST_CASES
    return int(asked) if known else FEW_CASES


def _pick_most_cases(most: int) -> None:
    key = "pick-cases"
    with st.popover(f"with {counted(most, 'case')}"):
        show_choice(key, most)

        def changed() -> None:
            if not is_echo(key):
                picked = st.session_state[key]
                choose(cases=None if picked == FEW_CASES else str(picked))

        st.number_input(
            "Cases in the report",
            min_value=1,
            max_value=MOST_CASES,
            key=key,
            on_change=changed,
            help="The first ones of the questions that are listed, misses where there are some. Those that "
            "people said something about come along.",
        )
