"""A chart whose bars lead to what they count."""

from __future__ import annotations

import plotly.graph_objects as go
import streamlit as st

from components.chart_files import chart_files
from components.charts import CONFIG
from components.listing import OF_LIST
from components.state import choose, chosen
from qa_core.evaluation.runs import RunRecord


def door(run: RunRecord, figure: go.Figure, name: str, alt: str) -> None:
    """Draw a chart of a run whose bars set the URL parameter ``name``; the bar that is set already clears it.

    The chart is redrawn as a new one when its own parameter changes, so that no selection of the browser
    outlives the link.
    """
    key = f"chart-{name}-{chosen(name)}"

    def clicked() -> None:
        points = st.session_state[key].selection.points
        value = points[0].get("customdata") if points else None
        if isinstance(value, list):
            value = value[0]
        if not isinstance(value, str):
            return
        if name == "run":
            choose(run=value)
        else:
            choose(**{name: None if value == chosen(name) else value} | dict.fromkeys(OF_LIST))

    st.plotly_chart(figure, key=key, on_select=clicked, selection_mode="points", config=CONFIG, alt=alt)
    chart_files(run, alt, key=f"files-{name}")
