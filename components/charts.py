"""The charts of an evaluation, as Plotly figures.

Every bar and point carries in ``customdata`` the name that a click asks for: a slice, a reason, a run, a kind
of paraphrase set, a bin of confidence. Categories are told apart by words and lightness, never by hue alone,
and every colour that is set here reads on a light and on a dark page; the rest follows Streamlit's theme.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import plotly.graph_objects as go

from components.names import title_of
from qa_core.evaluation.calibration import Calibration
from qa_core.evaluation.comparison import CHANGES, Change
from qa_core.evaluation.facets import CONFIDENCE_BINS, SETS
from qa_core.evaluation.misses import REASONS
from qa_core.evaluation.published import AIT_QA, N_QUESTIONS, PAPER
from qa_core.evaluation.runs import RunRecord
from qa_core.evaluation.slices import SLICES
from qa_core.evaluation.statistics import wilson_interval

CONFIG = {"displayModeBar": False, "responsive": True}
"""What ``st.plotly_chart`` is told beside the figure."""

_STRONG, _LIGHT, _MISS, _WHISKER = "#2f6fb5", "#a9c8e8", "#b9572f", "#808890"
_ON_STRONG, _ON_LIGHT, _ON_DARK = "#ffffff", "#10141a", "#f4f6f8"
_SYSTEM_FILLS = (
    (_STRONG, _ON_STRONG),
    (_LIGHT, _ON_LIGHT),
    ("#7a5ea8", _ON_STRONG),
    ("#d8c3ee", _ON_LIGHT),
    ("#3b7f5f", _ON_STRONG),
    ("#b4dcc8", _ON_LIGHT),
)
_PAPER_MARKS = "diamond-open", "square-open", "circle-open"
_FADED = 0.35
_SHORTEST_WITH_TEXT = 0.15
_ROW_HEIGHT = 21
_RULE_TITLES = {"strict": "Strict", "normalised": "Normalised"}
_SPECIAL = re.compile(r"[&<>$%{}]")


def chart_text(text: str) -> str:
    """Untrusted text for a chart: Plotly reads ``$…$`` as LaTeX, tags as HTML and ``%{…}`` as a variable."""
    return _SPECIAL.sub(lambda found: f"&#{ord(found[0])};", " ".join(text.split()))


def accuracy_chart(summary: Mapping[str, Any], selected: str = "", *, dark: bool = False) -> go.Figure:
    """Accuracy by question category under both rules, with 95 % intervals and n; a bar asks for its slice.

    ``dark`` is said where the chart stands on a dark page.
    """
    slices = {name: summary["slices"][name] for name in SLICES if summary["slices"][name]["n"]}
    figure = go.Figure()
    for rule, fill, ink in (("strict", _STRONG, _ON_STRONG), ("normalised", _LIGHT, _ON_LIGHT)):
        figure.add_bar(
            name=_RULE_TITLES[rule],
            orientation="h",
            y=[_label(title_of(name), f"n = {figures['n']}") for name, figures in slices.items()],
            x=[figures[rule] for figures in slices.values()],
            customdata=list(slices),
            **_shares_inside([figures[rule] for figures in slices.values()]),
            hovertext=[
                _hover(
                    title_of(name),
                    SLICES[name],
                    f"{_RULE_TITLES[rule]}: {_of(figures[rule], figures['n'])}, "
                    f"95 % interval {_interval(figures[f'{rule}_interval'])}",
                )
                for name, figures in slices.items()
            ],
            error_x=_whiskers(
                [figures[rule] for figures in slices.values()],
                [figures[f"{rule}_interval"] for figures in slices.values()],
            ),
            **_bar_style(fill, list(slices), selected, ink, dark),
        )
    figure.update_xaxes(**_share_axis())
    return _finish(figure, rows=1.9 * len(slices), legend=True)


def reasons_chart(misses: Mapping[str, int], selected: str = "") -> go.Figure:
    """Numbers of strict misses by structural reason, most frequent first; a bar asks for its reason."""
    ranked = sorted((name for name in REASONS if misses[name]), key=lambda name: -misses[name])
    return _counts(
        {name: misses[name] for name in ranked},
        {name: title_of(name) for name in ranked},
        REASONS,
        "misses",
        selected,
        _MISS,
    )


def paraphrase_chart(sets: Mapping[str, int], selected: str = "") -> go.Figure:
    """Numbers of paraphrase sets with all, some or none of their questions right; a bar asks for theirs."""
    counts = {name: sets[name.removesuffix("-right")] for name in SETS}
    titles = {name: title_of(name) for name in SETS}
    return _counts(counts, titles, SETS, "sets", selected, _STRONG)


def runs_chart(
    runs: Iterable[RunRecord],
    titles: Mapping[str, str],
    transformations: Mapping[str, str],
    selected: str = "",
    *,
    paper: bool = False,
    dark: bool = False,
) -> go.Figure:
    """Strict accuracy of runs by transformation and system; a bar asks for its run.

    ``titles`` gives the title of each run's system by the run's id, ``transformations`` titles by name, both
    in the order to show. Of several runs of one title and transformation the one with most answers counts,
    the newest of equals; the run ``selected`` comes before all. ``paper`` adds the accuracies that the AIT-QA
    paper reports; ``dark`` is said where the chart stands on a dark page.
    """
    best: dict[tuple[str, str], RunRecord] = {}
    for run in sorted(runs, key=lambda run: (run.id == selected, run.done, run.updated)):
        if run.done:
            best[titles[run.id], run.transformation] = run
    drawn = {title for title, _ in best}
    found = [title for title in dict.fromkeys(titles.values()) if title in drawn]
    shown = _in_order({transformation for _, transformation in best}, transformations)
    if paper:
        shown = _in_order({*shown, *transformations}, transformations)
    labels = {name: chart_text(transformations.get(name, name)) for name in shown}
    figure = go.Figure()
    for rank, title in enumerate(found):
        group = [best[title, name] for name in shown if (title, name) in best]
        shares = [run.strict or 0.0 for run in group]
        intervals = [
            wilson_interval(round(share * run.done), run.done)
            for share, run in zip(shares, group, strict=True)
        ]
        fill, ink = _SYSTEM_FILLS[rank % len(_SYSTEM_FILLS)]
        figure.add_bar(
            name=chart_text(title),
            orientation="h",
            y=[labels[run.transformation] for run in group],
            x=shares,
            customdata=[run.id for run in group],
            **_shares_inside(shares),
            hovertext=[
                _hover(
                    f"{title}, {transformations.get(run.transformation, run.transformation)}",
                    f"strict: {_of(share, run.done)}, 95 % interval {_interval(interval)}",
                    *([_paper_line(run.transformation)] if paper else []),
                )
                for run, share, interval in zip(group, shares, intervals, strict=True)
            ],
            error_x=_whiskers(shares, intervals),
            **_bar_style(fill, [run.id for run in group], selected if len(best) > 1 else "", ink, dark),
        )
    if paper:
        for published, mark in zip(AIT_QA, _PAPER_MARKS, strict=True):
            figure.add_scatter(
                name=f"{published.title}, {PAPER}",
                mode="markers",
                y=[labels[name] for name in published.transformations],
                x=list(published.transformations.values()),
                hoverinfo="skip",  # so that a click meant for the bar behind reaches it
                marker={"symbol": mark, "size": 10, "color": _WHISKER, "line": {"width": 2}},
            )
    figure.update_xaxes(**_share_axis())
    figure.update_yaxes(categoryorder="array", categoryarray=list(labels.values()))
    return _finish(figure, rows=max(1.1 * len(found), 1.4) * len(shown), legend=True)


def changes_chart(change: Change) -> go.Figure:
    """Numbers of questions that the second of two runs gained and lost, and those that both have alike."""
    counts = {
        "gained": change.gained,
        "lost": change.lost,
        "both-right": change.both_right,
        "both-wrong": change.both_wrong,
    }
    return _counts(counts, {name: title_of(name) for name in CHANGES}, CHANGES, "questions", "", _STRONG)


def reliability_chart(found: Calibration) -> go.Figure:
    """Share of right answers against mean confidence, with 95 % intervals and n; a point asks for its bin.

    On the dotted line confidence is calibrated; below it the system is too sure, above it too careful.
    """
    shares = [each.accuracy for each in found.bins]
    intervals = [wilson_interval(round(each.accuracy * each.n), each.n) for each in found.bins]
    figure = go.Figure()
    figure.add_scatter(
        x=[0, 1],
        y=[0, 1],
        mode="lines",
        line={"color": _WHISKER, "dash": "dot", "width": 1.5},
        hoverinfo="skip",
    )
    figure.add_scatter(
        x=[each.confidence for each in found.bins],
        y=shares,
        mode="markers+text",
        marker={"color": _STRONG, "size": 9},
        customdata=[str(round(each.low * CONFIDENCE_BINS)) for each in found.bins],
        text=[str(each.n) for each in found.bins],
        textposition="middle right",
        cliponaxis=False,
        error_y=_whiskers(shares, intervals),
        hoverinfo="text",
        hovertext=[
            _hover(
                f"Confidence {each.low:.1f} to {each.high:.1f}",
                f"mean confidence {each.confidence:.1%}",
                f"right: {_of(each.accuracy, each.n)}, 95 % interval {_interval(interval)}",
            )
            for each, interval in zip(found.bins, intervals, strict=True)
        ],
    )
    axis = {"tickformat": ".0%", "dtick": 0.2, "fixedrange": True, "zeroline": False}
    figure.update_xaxes(range=[0, 1.03], title="Mean confidence", **axis)
    figure.update_yaxes(range=[0, 1.03], title="Right answers", **axis)
    figure.update_layout(
        height=360,
        margin={"l": 4, "r": 12, "t": 8, "b": 4},
        showlegend=False,
        hovermode="closest",
        dragmode=False,
    )
    return figure


def _paper_line(transformation: str) -> str:
    accuracies = (
        f"{published.title} {published.transformations[transformation]:.1%}"
        for published in AIT_QA
        if transformation in published.transformations
    )
    return f"{PAPER}, n = {N_QUESTIONS}: {', '.join(accuracies)}"


def _counts(
    counts: Mapping[str, int],
    titles: Mapping[str, str],
    descriptions: Mapping[str, str],
    unit: str,
    selected: str,
    fill: str,
) -> go.Figure:
    total = sum(counts.values())
    figure = go.Figure(
        go.Bar(
            orientation="h",
            y=[titles[name] for name in counts],
            x=list(counts.values()),
            customdata=list(counts),
            text=[str(count) for count in counts.values()],
            hovertext=[
                _hover(
                    titles[name], descriptions[name], f"{count} of {total} {unit}, {count / (total or 1):.1%}"
                )
                for name, count in counts.items()
            ],
            textposition="outside",
            cliponaxis=False,
            **_bar_style(fill, list(counts), selected),
        )
    )
    figure.update_xaxes(visible=False, range=[0, 1.12 * max(counts.values(), default=1) or 1])
    return _finish(figure, rows=1.3 * len(counts))


def _in_order(names: Iterable[str], titles: Mapping[str, str]) -> list[str]:
    """Names in the order of ``titles``, unknown ones last."""
    order = {name: rank for rank, name in enumerate(titles)}
    return sorted(names, key=lambda name: (order.get(name, len(order)), name))


def _finish(figure: go.Figure, rows: float, legend: bool = False) -> go.Figure:
    figure.update_layout(
        height=round(_ROW_HEIGHT * max(rows, 2) + (76 if legend else 44)),
        margin={"l": 4, "r": 12, "t": 34 if legend else 4, "b": 4},
        showlegend=legend,
        legend={
            "orientation": "h",
            "x": 0,
            "y": 1,
            "yanchor": "bottom",
            "itemclick": False,
            "itemdoubleclick": False,
        },
        barmode="group",
        bargap=0.28,
        bargroupgap=0.06,
        hovermode="closest",
        dragmode=False,
    )
    figure.update_xaxes(fixedrange=True)
    figure.update_yaxes(
        type="category", autorange="reversed", fixedrange=True, automargin=True, title=None, ticks=""
    )
    return figure


def _bar_style(
    fill: str, names: Sequence[str], selected: str, ink: str | None = None, dark: bool = False
) -> dict[str, Any]:
    """Fill, label and fading of bars: with one of them selected the others fade into the page.

    The text in a faded bar stands on little more than the page, so it takes the page's ink.
    """
    faded = selected in names
    on_faded = _ON_DARK if dark else _ON_LIGHT
    inks = [ink if not faded or name == selected else on_faded for name in names]
    return {
        "marker": {
            "color": fill,
            "opacity": [1 if not faded or name == selected else _FADED for name in names],
        },
        "insidetextfont": {"color": inks, "size": 11} if ink else None,
        "constraintext": "none",
        "textangle": 0,
        "hoverinfo": "text",
        # Plotly fails on a click where a bar with text says neither.
        "selected": {"marker": {"opacity": 1}},
        "unselected": {"marker": {"opacity": _FADED}},
    }


def _shares_inside(shares: Sequence[float]) -> dict[str, Any]:
    """Shares written at the root of their bars; a bar too short for it says its share on hover."""
    return {
        "text": [f"{share:.0%}" for share in shares],
        "textposition": ["inside" if share >= _SHORTEST_WITH_TEXT else "none" for share in shares],
        "insidetextanchor": "start",
    }


def _share_axis() -> dict[str, Any]:
    return {"range": [0, 1.04], "tickformat": ".0%", "dtick": 0.5, "tickangle": 0, "title": None}


def _whiskers(values: Sequence[float], intervals: Sequence[Sequence[float]]) -> dict[str, Any]:
    return {
        "type": "data",
        "symmetric": False,
        "array": [high - value for value, (_, high) in zip(values, intervals, strict=True)],
        "arrayminus": [value - low for value, (low, _) in zip(values, intervals, strict=True)],
        "color": _WHISKER,
        "thickness": 1.5,
        "width": 4,
    }


def _label(title: str, small: str) -> str:
    return f"{title}<br><span style='font-size: 11px'>{small}</span>"


def _hover(title: str, *lines: str) -> str:
    return "<br>".join([f"<b>{chart_text(title)}</b>", *map(chart_text, lines)])


def _of(share: float, n: int) -> str:
    return f"{round(share * n)} of {n}, {share:.1%}"


def _interval(interval: Sequence[float]) -> str:
    low, high = interval
    return f"{100 * low:.1f} – {100 * high:.1f}"
