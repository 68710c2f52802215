"""The tables of the AIT-QA paper, rebuilt from stored runs beside what it published (Katsis et al. 2022).

Table 2 is accuracy by transformation, table 3 (a) that of KPI-driven and table-driven questions, table 3 (b)
that of questions that need the hierarchy of row headers and of those that do not, table 4 the share of
paraphrase sets of which all, some and none are right. Tables 3 and 4 have each system under its best
transformation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from qa_core.evaluation.published import PublishedSystem
from qa_core.evaluation.results import best_run
from qa_core.evaluation.runs import RunRecord
from qa_core.evaluation.statistics import wilson_interval
from qa_core.systems.registry import SYSTEMS
from qa_core.transform import TRANSFORMATIONS

Summary = Mapping[str, Any]


@dataclass(frozen=True)
class Measured:
    """A share of ``n`` questions or paraphrase sets of a run; ``filters`` say which."""

    share: float
    n: int
    run: RunRecord
    filters: Mapping[str, str] = field(default_factory=dict)

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's 95 % interval."""
        return wilson_interval(round(self.share * self.n), self.n)


@dataclass(frozen=True)
class Missing:
    """A figure that no stored run gives, and the run that would."""

    system: str
    transformation: str


@dataclass(frozen=True)
class Published:
    """A figure of the paper; None where it gives none."""

    share: float | None


Cell = Measured | Missing | Published


@dataclass(frozen=True)
class PaperTable:
    """A table: the paper's name for it, what it shows, its columns, and a row of cells for each system."""

    name: str
    title: str
    columns: Sequence[str]
    ours: Mapping[str, Sequence[Cell]]
    published: Mapping[str, Sequence[Published]]


def paper_tables(
    standing: Mapping[str, Mapping[str, RunRecord]],
    published: Sequence[PublishedSystem],
    summary: Callable[[RunRecord], Summary],
) -> Iterator[PaperTable]:
    """All four tables, from the runs that stand for the systems (``standing_runs``), by system and
    transformation, and the ``summary`` of each, which is asked for when a table that needs it is."""
    best = {system: best_run(runs) for system, runs in standing.items()}
    yield PaperTable(
        "Table 2",
        "Strict accuracy by transformation",
        tuple(TRANSFORMATIONS),
        {
            system: [_by_transformation(system, name, runs.get(name)) for name in TRANSFORMATIONS]
            for system, runs in standing.items()
        },
        {each.title: [Published(each.transformations.get(t)) for t in TRANSFORMATIONS] for each in published},
    )
    yield _of_slices(
        "Table 3 (a)",
        "KPI-driven and table-driven questions",
        ("kpi-driven", "table-driven"),
        best,
        published,
        summary,
    )
    yield _of_slices(
        "Table 3 (b)",
        "Questions that need the hierarchy of row headers, and those that do not",
        ("row-hierarchy-needed", "row-hierarchy-not-needed"),
        best,
        published,
        summary,
    )
    yield PaperTable(
        "Table 4",
        "Paraphrase sets of which all, some and none are right",
        ("all", "some", "none"),
        {
            system: [
                _of_sets(run, how_many, summary) if run else Missing(system, "base")
                for how_many in ("all", "some", "none")
            ]
            for system, run in best.items()
        },
        {
            each.title: [
                Published(each.paraphrase_sets.get(how_many)) for how_many in ("all", "some", "none")
            ]
            for each in published
        },
    )


def _by_transformation(system: str, transformation: str, run: RunRecord | None) -> Cell:
    if run is None:
        return Missing(system, transformation)
    return Measured(run.strict or 0.0, run.total, run)


def _of_slices(
    name: str,
    title: str,
    slices: Sequence[str],
    best: Mapping[str, RunRecord | None],
    published: Sequence[PublishedSystem],
    summary: Callable[[RunRecord], Summary],
) -> PaperTable:
    def cell(system: str, run: RunRecord | None, slice: str) -> Cell:
        if run is None:
            return Missing(system, "base")
        figures = summary(run)["slices"][slice]
        if not figures["n"]:
            return Published(None)
        return Measured(figures["strict"], figures["n"], run, {"slice": slice})

    return PaperTable(
        name,
        title,
        slices,
        {system: [cell(system, run, slice) for slice in slices] for system, run in best.items()},
        {each.title: [Published(each.slices.get(slice)) for slice in slices] for each in published},
    )


def _of_sets(run: RunRecord, how_many: str, summary: Callable[[RunRecord], Summary]) -> Cell:
    sets = summary(run)["paraphrase_sets"]
    n = sum(sets.values())
    return Measured(sets[how_many] / n, n, run, {"sets": f"{how_many}-right"}) if n else Published(None)


def missing_runs(standing: Mapping[str, Mapping[str, RunRecord]]) -> list[Missing]:
    """The runs that table 2 lacks; a system that does not read the flat table needs one only."""
    wanted = [
        (system, transformation)
        for system, spec in SYSTEMS.items()
        for transformation in (TRANSFORMATIONS if spec.reads_flat else list(TRANSFORMATIONS)[:1])
    ]
    return [Missing(*each) for each in wanted if each[1] not in standing[each[0]]]
