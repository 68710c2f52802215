"""A chart on the whole screen, under a sentence that says what it shows."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import plotly.graph_objects as go
import streamlit as st

from components.charts import (
    CONFIG,
    accuracy_chart,
    changes_chart,
    paraphrase_chart,
    reasons_chart,
    reliability_chart,
    runs_chart,
)
from components.names import filter_titles
from components.pickers import TRANSFORMATION_TITLES
from components.plain import counted, html
from components.presenting.findings import (
    accuracy_finding,
    change_finding,
    confidence_finding,
    reasons_finding,
    runs_finding,
    sets_finding,
)
from components.runs.counts import RunCounts
from components.runs.figures import frame_of, run_summary
from components.runs.titles import names_of_both, system_title, system_titles, transformation_title
from components.state import chosen
from qa_core.datasets import Dataset, looks_like_aitqa
from qa_core.evaluation.calibration import Answer, calibration
from qa_core.evaluation.comparison import Change, compare
from qa_core.evaluation.filters import known_filters
from qa_core.evaluation.runs import RunRecord
from qa_core.evaluation.store import RunStore

_TEXT, _SMALL = 24, 20
"""Pixels."""
_SMALL_IN_LABELS = re.compile(r"font-size: \d+px")


@dataclass(frozen=True)
class Slide:
    """A chart, what it shows, and what it counts."""

    finding: str
    figure: go.Figure
    alt: str
    counted: str


@dataclass(frozen=True)
class Shown:
    """What the charts are made from: a run, the run beside it and the filters of the link."""

    dataset: Dataset
    store: RunStore
    runs: Sequence[RunRecord]
    dark: bool

    @property
    def run(self) -> RunRecord:
        return self.runs[0]

    @property
    def name(self) -> str:
        """The run's system."""
        return system_title(self.run)

    @cached_property
    def summary(self) -> Mapping[str, Any]:
        return run_summary(self.store, self.run)

    @cached_property
    def counts(self) -> RunCounts:
        frame = frame_of(self.store, self.run, self.dataset)
        return RunCounts(frame, known_filters(st.query_params.to_dict()))

    @cached_property
    def alike(self) -> list[RunRecord]:
        """The runs over the same questions, the newest first."""
        return [
            run
            for run in sorted(self.store.runs(), key=lambda run: run.updated, reverse=True)
            if (run.dataset_fingerprint, run.limit) == (self.run.dataset_fingerprint, self.run.limit)
            and run.done
        ]

    def among(self, name: str) -> str:
        """What a chart of a filter counts among, in words."""
        titles = filter_titles(self.counts.filters.without(name))
        return f", among {' · '.join(titles)}" if titles else ""


def slides(shown: Shown) -> dict[str, Callable[[Shown], Slide]]:
    """The charts of a run by name, in the order of a talk; those that have nothing to show are left out."""
    there = {
        "accuracy": True,
        "reasons": any(shown.counts.misses().values()),
        "paraphrases": any(shown.counts.paraphrase_sets().values()),
        "runs": True,
        "confidence": True,
        "changes": len(shown.runs) > 1,
    }
    return {name: SLIDES[name] for name, is_there in there.items() if is_there}


def draw_chart(shown: Shown, slide: Slide) -> None:
    """Draw a chart under what it shows, with what it counts below."""
    run = shown.run
    st.html(f'<div class="ch-slide">{html(slide.finding)}</div>')
    with st.container(key="slide-chart"):
        st.plotly_chart(enlarged(slide.figure), config=CONFIG, alt=slide.alt, height="stretch")
    names = " against ".join(
        f"{system_title(each)}, {transformation_title(each.transformation).lower()} ({each.id})"
        for each in shown.runs
    )
    st.html(
        f'<div class="ch-below">{html(slide.counted)} · {html(shown.dataset.name)} · {html(names)} · '
        f"{run.updated:%d %B %Y}</div>"
    )


def enlarged(figure: go.Figure) -> go.Figure:
    """The figure in type that is read from the back of a room, as high as the place that it gets."""
    large = go.Figure(figure)
    large.update_layout(
        height=None, autosize=True, font={"size": _TEXT}, legend={"font": {"size": _SMALL}},
        hoverlabel={"font": {"size": _SMALL}},
    )  # fmt: skip
    for axes in (large.update_xaxes, large.update_yaxes):
        axes(tickfont={"size": _SMALL}, title={"font": {"size": _SMALL}})
    for trace in large.data:
        if trace.type == "bar":
            trace.update(textfont={"size": _SMALL}, insidetextfont={"size": _SMALL})
            trace.y = [_SMALL_IN_LABELS.sub(f"font-size: {_SMALL}px", label) for label in trace.y]
        else:
            trace.update(textfont={"size": _SMALL}, marker={"size": 14})
    return large


def _accuracy(shown: Shown) -> Slide:
    return Slide(
        accuracy_finding(shown.name, shown.summary),
        accuracy_chart(shown.summary, chosen("slice"), dark=shown.dark),
        "Accuracy by question category",
        f"n = {shown.summary['n']:,}, whiskers: 95 % intervals",
    )


def _reasons(shown: Shown) -> Slide:
    misses = shown.counts.misses()
    return Slide(
        reasons_finding(misses),
        reasons_chart(misses, chosen("reason")),
        "Strict misses by structural reason",
        f"n = {sum(misses.values()):,} strict misses{shown.among('reason')}",
    )


def _paraphrases(shown: Shown) -> Slide:
    sets = shown.counts.paraphrase_sets()
    return Slide(
        sets_finding(sets),
        paraphrase_chart(sets, chosen("sets")),
        "Paraphrase sets by how many are right",
        f"n = {counted(sum(sets.values()), 'paraphrase set')}{shown.among('sets')}",
    )


def _runs(shown: Shown) -> Slide:
    titles = system_titles(shown.alike)
    best = {
        (titles[run.id], run.transformation): run
        for run in sorted(shown.alike, key=lambda run: (run.done, run.updated))
    }
    named = [f"{title} ({transformation_title(name).lower()})" for title, name in best]
    runs = list(best.values())

    def change(first: int, second: int) -> Change:
        return compare(shown.store.paired(runs[first].id, runs[second].id), ()).whole

    return Slide(
        runs_finding(named, [run.strict or 0.0 for run in runs], [run.done for run in runs], change),
        runs_chart(
            shown.alike,
            titles,
            TRANSFORMATION_TITLES,
            paper=looks_like_aitqa(shown.dataset),
            dark=shown.dark,
        ),
        "Strict accuracy of the runs by transformation and system",
        f"{counted(len(runs), 'run')}, strict, whiskers: 95 % intervals",
    )


def _confidence(shown: Shown) -> Slide:
    frame = shown.counts.frame
    answers = [
        Answer(sure, bool(right)) for sure, right in zip(frame["certainty"], frame["strict"], strict=True)
    ]
    found = calibration(answers)
    return Slide(
        confidence_finding(shown.name, found),
        reliability_chart(found),
        "Right answers by confidence",
        f"n = {found.n:,}, whiskers: 95 % intervals",
    )


def _changes(shown: Shown) -> Slide:
    first, second = shown.runs
    change: Change = compare(shown.store.paired(first.id, second.id), ()).whole
    return Slide(
        change_finding(*names_of_both(first, second), change),
        changes_chart(change),
        "Questions gained and lost",
        f"n = {counted(change.n, 'question')} that both answered",
    )


SLIDES: dict[str, Callable[[Shown], Slide]] = {
    "accuracy": _accuracy,
    "reasons": _reasons,
    "paraphrases": _paraphrases,
    "runs": _runs,
    "confidence": _confidence,
    "changes": _changes,
}
"""Every chart that can be presented, by the name that a link has."""
