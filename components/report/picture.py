"""A chart in a report, drawn by the Plotly that the report carries, over a table of the same figures."""

from __future__ import annotations

import json
from dataclasses import dataclass
from html import escape

import plotly.graph_objects as go

from components.chart_files import chart_file
from components.plain import html
from qa_core.evaluation.runs import RunRecord

_WIDTH = 600
"""CSS pixels; so wide a chart fits a printed page."""
_GRID = "rgba(128,136,144,.3)"
_CLEAR = "rgba(0,0,0,0)"


@dataclass(frozen=True)
class Picture:
    """A chart of a run with its title, and its figures as a table of HTML."""

    run: RunRecord
    title: str
    chart: go.Figure
    figures: str
    about: str = ""


def picture_markup(picture: Picture) -> str:
    """The chart as HTML; without scripts its figures stand there alone."""
    about = f"<p>{html(picture.about)}</p>" if picture.about else ""
    told = {"file": json.dumps(chart_file(picture.run, picture.title)), "chart": _chart_json(picture.chart)}
    data = "".join(f' data-{name}="{escape(value)}"' for name, value in told.items())
    buttons = "".join(
        f'<button type="button" data-format="{format}" hidden>{format.upper()}</button>'
        for format in ("png", "svg")
    )
    return (
        f'<figure class="picture"><figcaption>{html(picture.title)}</figcaption>{about}'
        f'<div class="plot"{data}></div>'
        f'<div class="files">{buttons}</div>'
        f"<details open><summary>The same figures</summary>{picture.figures}</details></figure>"
    )


def _chart_json(chart: go.Figure) -> str:
    """The chart as JSON, in colours that read on any ground."""
    drawn = go.Figure(chart)
    axis = {"gridcolor": _GRID, "zerolinecolor": _GRID, "linecolor": _GRID, "automargin": True}
    drawn.update_layout(
        template="none",
        width=_WIDTH,
        paper_bgcolor=_CLEAR,
        plot_bgcolor=_CLEAR,
        font={"family": "system-ui, sans-serif", "size": 13, "color": "#1b1f24"},
    )
    drawn.update_xaxes(**axis)
    drawn.update_yaxes(**axis)
    drawn.update_yaxes(showgrid=False, selector={"type": "category"})
    return str(drawn.to_json())
