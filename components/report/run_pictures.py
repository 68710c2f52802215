"""The charts of a run's report, each with its figures as a table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

from components.charts import accuracy_chart, paraphrase_chart, reasons_chart, reliability_chart, runs_chart
from components.figures_table import Figure, Line, figures_table_markup
from components.names import title_of
from components.paper_table import share_figure
from components.pickers import TRANSFORMATION_TITLES
from components.report.picture import Picture
from components.report.sources import Sources
from components.runs.titles import system_titles
from qa_core.datasets import looks_like_aitqa
from qa_core.evaluation.calibration import Answer, Calibration, calibration
from qa_core.evaluation.misses import REASONS
from qa_core.evaluation.runs import RunRecord
from qa_core.evaluation.slices import SLICES


def run_pictures(sources: Sources, run: RunRecord, frame: pd.DataFrame) -> Iterator[Picture]:
    """The charts of the pages Errors and Results of one run; those with nothing to show are left out."""
    summary = sources.store.summary(run.id)
    yield Picture(
        run,
        "Accuracy by question category",
        accuracy_chart(summary),
        _accuracies(summary),
    )
    if any(summary["misses"].values()):
        ranked = sorted(
            (name for name in REASONS if summary["misses"][name]), key=lambda n: -summary["misses"][n]
        )
        yield Picture(
            run,
            "Misses by structural reason",
            reasons_chart(summary["misses"]),
            _counts("Misses", {title_of(name): summary["misses"][name] for name in ranked}),
        )
    sets = summary["paraphrase_sets"]
    if any(sets.values()):
        yield Picture(
            run,
            "Paraphrase sets",
            paraphrase_chart(sets),
            _counts("Sets", {f"{title_of(name)} right": count for name, count in sets.items()}),
        )
    yield _runs(sources, run)
    found = calibration(
        [Answer(sure, right) for sure, right in zip(frame["certainty"], frame["strict"], strict=True)]
    )
    yield Picture(
        run,
        "Right answers by confidence",
        reliability_chart(found),
        _bins(found),
        f"Expected calibration error {found.error:.3f}. On the dotted line confidence is calibrated.",
    )


def _runs(sources: Sources, run: RunRecord) -> Picture:
    """All runs over as many questions."""
    alike = [
        each
        for each in sources.store.runs()
        if (each.dataset_fingerprint, each.limit) == (run.dataset_fingerprint, run.limit) and each.done
    ]
    titles = system_titles(alike)
    paper = looks_like_aitqa(sources.dataset)
    lines = [
        Line(
            f"{titles[each.id]}, {TRANSFORMATION_TITLES.get(each.transformation, each.transformation)}",
            [share_figure(each.strict or 0.0, each.done)],
            f"run {each.id}, n = {each.done:,}",
        )
        for each in alike
    ]
    return Picture(
        run,
        "Strict accuracy by transformation and system",
        runs_chart(alike, titles, TRANSFORMATION_TITLES, run.id, paper=paper),
        figures_table_markup([("Run", ""), ("Strict, %", "95 %")], {"": lines}),
    )


def _accuracies(summary: Mapping[str, Any]) -> str:
    lines = [
        Line(
            title_of(name),
            [share_figure(figures[rule], figures["n"]) for rule in ("strict", "normalised")],
            f"n = {figures['n']:,}",
        )
        for name, figures in ((name, summary["slices"][name]) for name in SLICES)
        if figures["n"]
    ]
    return figures_table_markup([("", ""), ("Strict, %", "95 %"), ("Normalised, %", "95 %")], {"": lines})


def _counts(noun: str, counts: Mapping[str, int]) -> str:
    total = sum(counts.values())
    lines = [Line(title, [Figure(f"{n:,}", f"{n / total:.0%}")]) for title, n in counts.items()]
    return figures_table_markup([("", ""), (noun, f"of {total:,}")], {"": lines})


def _bins(found: Calibration) -> str:
    lines = [
        Line(
            f"{each.low:.1f} to {each.high:.1f}",
            [Figure(f"{each.confidence:.3f}"), share_figure(each.accuracy, each.n), Figure(f"{each.n:,}")],
        )
        for each in found.bins
    ]
    heads = [("Confidence", ""), ("Mean", ""), ("Right, %", "95 %"), ("Answers", "")]
    return figures_table_markup(heads, {"": lines})
