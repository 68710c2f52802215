"""What pages need that takes long to import, read while a person looks at the first page."""

from __future__ import annotations

import importlib
import threading

import streamlit as st

AFTER_S = 1.0
# Nothing of Streamlit's: what declares a component must be imported by a script, or its files are not served.
SLOW = (
    "scipy.stats",
    "plotly.graph_objects",
    "qa_core.evaluation.store",
    "qa_core.evaluation.perturbed_store",
    "qa_core.evaluation.slice_finder",
)


@st.cache_resource(show_spinner=False)
def warm_up() -> None:
    """Begin once in a process, a moment later, so that the first page has the processor to itself."""
    timer = threading.Timer(AFTER_S, _read)
    timer.daemon = True
    timer.start()


def _read() -> None:
    for name in SLOW:
        importlib.import_module(name)
