"""What pages need that takes long to import, read while a person looks at the first page."""

from __future__ import annotations

import importlib
import threading

import streamlit as st

AFTER_S = 1.0
SLOW = ("scipy.stats", "plotly.graph_objects", "st_aggrid", "components.run_control", "components.charts")


@st.cache_resource(show_spinner=False)
def warm_up() -> None:
    """Begin once in a process, a moment later, so that the first page has the processor to itself."""
    timer = threading.Timer(AFTER_S, _read)
    timer.daemon = True
    timer.start()


def _read() -> None:
    for name in SLOW:
        importlib.import_module(name)
