"""A chart whose bars lead to what they count."""

from __future__ import annotations

import plotly.graph_objects as go
import streamlit as st

from components.charts import CONFIG
from components.state import choose, chosen


def door(figure: go.Figure, name: str, alt: str) -> None:
    """Draw a chart whose bars set the URL parameter ``name``; the bar that is set already clears it.

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
            choose(
                **{name: None if value == chosen(name) else value, "case": None, "cell": None, "part": None}
            )

    st.plotly_chart(figure, key=key, on_select=clicked, selection_mode="points", config=CONFIG, alt=alt)
