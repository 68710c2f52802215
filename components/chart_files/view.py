"""The ways to a chart's files as a Streamlit component (components v2)."""

from __future__ import annotations

import json
from pathlib import Path

from components.charts import chart_text
from components.registered import register

SAVE_SCRIPT = (Path(__file__).parent / "save.js").read_text(encoding="utf-8")
"""Defines ``saveChart``, for a page that has Plotly."""

_component = register(__file__, "chart-files", before=SAVE_SCRIPT)


def chart_files(title: str, name: str, *, key: str) -> None:
    """Draw buttons that save the chart above them as PNG and as SVG.

    ``title`` stands over the chart in the file, and ``name`` is the file's, without its ending.
    """
    data = {"title": chart_text(title), "name": name}
    _component(key=key, data=json.dumps(data).encode())
