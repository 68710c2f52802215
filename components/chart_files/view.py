"""The ways to a chart's files as a Streamlit component (components v2)."""

from __future__ import annotations

import json
from pathlib import Path

from components.charts import chart_text
from components.registered import register
from components.runs.titles import file_name, run_file, system_title, transformation_title
from qa_core.evaluation.runs import RunRecord

SAVE_SCRIPT = (Path(__file__).parent / "save.js").read_text(encoding="utf-8")
"""Defines ``saveChart``, for a page that has Plotly."""

_component = register(__file__, "chart-files", before=SAVE_SCRIPT)


def chart_files(run: RunRecord, title: str, *, key: str) -> None:
    """Draw buttons that save the chart above them, which is one of a run, as PNG and as SVG.

    ``title`` stands over the chart in the file.
    """
    _component(key=key, data=json.dumps(chart_file(run, title)).encode())


def chart_file(run: RunRecord, title: str) -> dict[str, str]:
    """What ``saveChart`` is told: the texts over a chart, and the name of its file without the ending."""
    about = " · ".join(
        (system_title(run), transformation_title(run.transformation), run.dataset, f"n = {run.done:,}")
    )
    return {
        "title": chart_text(title),
        "about": chart_text(about),
        "name": file_name(run_file(run), title),
    }
