"""Results: the figures of stored runs beside published ones, each with the command that makes it."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from urllib.parse import urlencode

import streamlit as st

from components.chart_files import chart_files
from components.charts import CONFIG, reliability_chart
from components.figures_table import Figure, Line, figures_table_markup
from components.layout import wide_and_narrow
from components.metric import said
from components.names import title_of
from components.navigation import PAGES, require_frame
from components.paper_table import (
    NOT_MEASURED,
    PARAPHRASE_SETS,
    not_measured_figure,
    paper_table_markup,
    published_figure,
    share_figure,
)
from components.pickers import TRANSFORMATION_TITLES, pick_dataset
from components.plain import counted, plain
from components.presenting.link import present_link
from components.resources import current_dataset, dataset_folder, open_store, stop_with
from components.runs.figures import run_summary
from components.runs.titles import run_title
from components.state import choices_of_all_pages, pick
from qa_core.datasets import DATASETS, Dataset, looks_like_aitqa
from qa_core.errors import CrossheadError
from qa_core.evaluation.ablations import load_ablations
from qa_core.evaluation.calibration import KEPT, Answer, Calibration, answers_of, calibration, refusals
from qa_core.evaluation.paper_tables import Cell, Missing, paper_tables
from qa_core.evaluation.paper_tables import Measured as MeasuredCell
from qa_core.evaluation.published import AIT_QA, LANGUAGE_MODELS, N_QUESTIONS, PAPER, PublishedSystem
from qa_core.evaluation.results import (
    best_run,
    command_line,
    is_as_shipped,
    run_like,
    standing_runs,
)
from qa_core.evaluation.runs import RunRecord
from qa_core.evaluation.slices import SLICES
from qa_core.evaluation.store import RunStore
from qa_core.evaluation.wrong_tables import name_with_wrong_tables, with_wrong_tables
from qa_core.systems.registry import SYSTEMS

COMMANDS = "The commands that make these figures"


@dataclass(frozen=True)
class _Measured:
    """A dataset and all that was measured on it."""

    dataset: Dataset
    store: RunStore
    runs: list[RunRecord]

    @cached_property
    def standing(self) -> dict[str, dict[str, RunRecord]]:
        """The runs that stand for the systems, by system and transformation."""
        return standing_runs(self.runs, self.dataset.fingerprint)

    @cached_property
    def published(self) -> tuple[PublishedSystem, ...]:
        """What was published on this dataset."""
        return AIT_QA if looks_like_aitqa(self.dataset) else ()

    def command(self, name: str, system: str, transformation: str) -> str:
        folder = dataset_folder() if DATASETS[self.dataset.name].needs_folder else ""
        return command_line(name, self.dataset.name, folder, system, transformation)

    def reproduction(self) -> str:
        """The command that makes all of the paper's tables."""
        name = self.dataset.name
        folder = dataset_folder() if DATASETS[name].needs_folder else ""
        place = ["--data-dir", folder] if folder else []
        return shlex.join(["python", "-m", "qa_core", "reproduce", "--dataset", name, *place])

    def figure(self, share: float, n: int, run: RunRecord, **questions: str) -> Figure:
        """A share of ``n`` of a run's questions, as a way to them."""
        command = self.command("evaluate", run.system, run.transformation)
        return share_figure(share, n, _errors_link(run=run.id, **questions), command)


def page() -> None:
    """Draw the page."""
    st.markdown("## Results")
    pick_dataset()
    dataset = current_dataset()
    if not dataset.questions:
        st.info("This dataset has no questions, so there is nothing to measure. Choose another one.")
        return
    store = open_store()
    try:
        measured = _Measured(dataset, store, store.runs())
        _paper(measured)
        _by_kind(measured)
        _confidence(measured)
        _ablations()
    except CrossheadError as fault:
        stop_with(fault)


def _paper(measured: _Measured) -> None:
    """The tables of the AIT-QA paper."""
    beside = (
        f"The published figures ({PAPER}) are of all {N_QUESTIONS} questions of AIT-QA, zero-shot."
        if measured.published
        else "Published figures stand beside AIT-QA, the dataset *aitqa*."
    )
    st.caption(
        f"In %, strict, over {counted(len(measured.dataset.questions), 'question')}, with the 95 % interval "
        "of Wilson; tables 3 and 4 have each system under its best transformation. A figure leads to its "
        f"questions on the page *Errors*. {beside}"
    )
    tables = paper_tables(measured.standing, measured.published, lambda run: run_summary(measured.store, run))
    for table in tables:
        st.markdown(f"### {plain(table.name)}. {plain(table.title)}")
        st.html(paper_table_markup(table, measured.dataset.name, lambda cell: _cell(measured, cell)))
    if measured.published:
        others = ", ".join(f"{title} {100 * share:.1f}" for title, share in LANGUAGE_MODELS.items())
        st.caption(
            f"Large language models, later and each under a scorer of its own: {plain(others)}. A second "
            "reading found some 5 % of the gold answers wrong or unanswerable."
        )
    with st.expander(COMMANDS):
        st.code("\n".join([measured.reproduction(), *_commands(measured)]), language="bash")


def _cell(measured: _Measured, cell: Cell) -> Figure:
    if isinstance(cell, MeasuredCell):
        return measured.figure(cell.share, cell.n, cell.run, **cell.filters)
    if isinstance(cell, Missing):
        link = _errors_link(system=cell.system, transformation=cell.transformation)
        return _not_measured(measured.command("evaluate", cell.system, cell.transformation), link)
    return published_figure(cell.share)


def _commands(measured: _Measured) -> Iterator[str]:
    for name, spec in SYSTEMS.items():
        differing = list(TRANSFORMATION_TITLES) if spec.reads_flat else list(TRANSFORMATION_TITLES)[:1]
        for transformation in differing:
            yield measured.command("evaluate", name, transformation)


def _by_kind(measured: _Measured) -> None:
    """Slices and paraphrase sets."""
    st.markdown("### Strict accuracy by kind of question")
    best = [run for run in map(best_run, measured.standing.values()) if run]
    if not best:
        st.caption("Not measured: no system was run over all questions yet.")
        return
    missing = ", ".join(SYSTEMS[system].title for system, runs in measured.standing.items() if not runs)
    st.caption(
        "In %, each system under its best transformation, which is named where it matters. A figure leads "
        "to its questions on the page *Errors*." + (f" Not measured: {plain(missing)}." if missing else "")
    )
    summaries = {run.id: run_summary(measured.store, run) for run in best}
    heads = [
        ("", ""),
        *((SYSTEMS[run.system].title, _where_it_matters(run)) for run in best),
        *((system.title, "published") for system in measured.published),
    ]
    any_summary = summaries[best[0].id]
    groups = {
        "Questions": [
            Line(
                title_of(name),
                [_of_slice(measured, run, name, summaries[run.id]) for run in best]
                + [_printed(system.slices, name) for system in measured.published],
                f"n = {any_summary['slices'][name]['n']}",
            )
            for name in SLICES
            if any_summary["slices"][name]["n"]
        ],
        "Paraphrase sets": [
            Line(
                title,
                [_of_sets(measured, run, name, summaries[run.id]) for run in best]
                + [_printed(system.paraphrase_sets, name) for system in measured.published],
                f"n = {sum(any_summary['paraphrase_sets'].values())}",
            )
            for name, title in PARAPHRASE_SETS.items()
            if any(any_summary["paraphrase_sets"].values())
        ],
    }
    st.html(figures_table_markup(heads, groups))


def _where_it_matters(run: RunRecord) -> str:
    return TRANSFORMATION_TITLES[run.transformation].lower() if SYSTEMS[run.system].reads_flat else ""


def _of_slice(measured: _Measured, run: RunRecord, name: str, summary: Mapping[str, Any]) -> Figure:
    figures = summary["slices"][name]
    return measured.figure(figures["strict"], figures["n"], run, slice=name)


def _of_sets(measured: _Measured, run: RunRecord, name: str, summary: Mapping[str, Any]) -> Figure:
    sets = summary["paraphrase_sets"]
    n = sum(sets.values())
    return measured.figure(sets[name] / n, n, run, sets=f"{name}-right")


def _confidence(measured: _Measured) -> None:
    st.markdown("### Confidence")
    runs = {
        run.id: run
        for run in sorted(measured.runs, key=lambda run: (run.limit is None, run.updated), reverse=True)
        if run.dataset_fingerprint == measured.dataset.fingerprint and run.done
    }
    if not runs:
        st.caption("Not measured: there is no run over this dataset yet. Make one on the page *Errors*.")
        return
    st.caption(
        "Confidence can be trusted where it is the share of right answers among those given with it: where "
        "the points lie on the dotted line. A point stands for a tenth of the scale, with the number of its "
        "answers and the 95 % interval; a click on it lists its questions. The expected calibration error is "
        "the mean distance of the points from the line, weighted by these numbers (Naeini et al. 2015)."
    )
    run = runs[
        pick("Run", "run", list(runs), title=lambda name: run_title(runs[name]) if name in runs else name)
    ]
    answers = _answers(run.id, run.done, measured.store)
    found = calibration(answers)
    drawing, reading = wide_and_narrow("confidence")
    with drawing:
        _reliability(found, run)
        present_link("results", run=run.id, other=None, case=None, chart="confidence")
    with reading:
        st.metric("Expected calibration error", f"{found.error:.3f}")
        st.metric("Mean confidence", f"{found.confidence:.1%}", **said(f"{found.accuracy:.1%} are right"))
        _refusals(measured, run, answers)


def _reliability(found: Calibration, run: RunRecord) -> None:
    """The chart, each point of which leads to its questions."""
    alt = "Right answers by confidence"
    clicked = st.plotly_chart(
        reliability_chart(found),
        config=CONFIG,
        key="reliability",
        on_select="rerun",
        selection_mode="points",
        alt=alt,
    )
    chart_files(run, alt, key="files-reliability")
    if clicked.selection.points:
        questions = {"run": run.id, "confidence": clicked.selection.points[0]["customdata"]}
        st.switch_page(PAGES["errors"], query_params=choices_of_all_pages() | questions)


def _refusals(measured: _Measured, run: RunRecord, answers: list[Answer]) -> None:
    """What is refused of wrong tables, where the very same system was asked of them."""
    wrong = _run_over_wrong_tables(measured, run)
    found = refusals(answers, _answers(wrong.id, wrong.done, measured.store)) if wrong else None
    st.metric(
        "Wrong tables refused",
        f"{found.refused / found.asked:.1%}" if found else NOT_MEASURED,
        **said(f"{found.kept / found.right:.1%} of the right answers kept" if found else None),
        help="Each question is also asked of another table of the same company, which holds none of its gold "
        f"answers. Refused is what has less than the confidence that keeps {KEPT:.0%} of the right answers.",
    )
    if found:
        st.caption(f"Refused is what has a confidence below {found.threshold:.2f}; n = {found.asked}.")
    if is_as_shipped(run):
        command = measured.command("calibrate", run.system, run.transformation)
        st.code(command, language="bash", wrap_lines=True)


def _ablations() -> None:
    found = load_ablations()
    st.markdown("### What the weights learned from")
    st.markdown(plain(found.trained_on))
    st.caption(f"Strict accuracy of {plain(SYSTEMS[found.system].title)} in %, with all and without a part.")
    heads = [("", ""), *((each.title, f"n = {each.n}") for each in found.datasets.values())]
    lines = [
        Line(
            ablation.title,
            [
                share_figure(ablation.strict[name], each.n, hint=ablation.commands[-1])
                if name in ablation.strict
                else _not_measured(ablation.commands[-1])
                for name, each in found.datasets.items()
            ],
        )
        for ablation in found.ablations
    ]
    st.html(figures_table_markup(heads, {"": lines}))
    with st.expander(COMMANDS):
        st.code(
            "\n\n".join("\n".join([f"# {each.title}", *each.commands]) for each in found.ablations),
            language="bash",
        )


@st.cache_resource(max_entries=16, show_spinner=False)
def _answers(run_id: str, done: int, _store: RunStore) -> list[Answer]:
    return answers_of(_store.answer_columns(run_id))


def _run_over_wrong_tables(measured: _Measured, run: RunRecord) -> RunRecord | None:
    """The run of the same system over the wrong tables, which are looked for only where there is any."""
    name = name_with_wrong_tables(measured.dataset)
    if not any(other.dataset == name for other in measured.runs):
        return None
    wrong_tables = _wrong_tables(measured.dataset.fingerprint, measured.dataset)
    return run_like(run, measured.runs, wrong_tables.fingerprint)


@st.cache_resource(max_entries=4, show_spinner="Looking for wrong tables …")
def _wrong_tables(fingerprint: str, _dataset: Dataset) -> Dataset:
    return with_wrong_tables(_dataset)


def _printed(shares: Mapping[str, float], name: str) -> Figure:
    """A published figure, as far as it was published."""
    return published_figure(shares.get(name))


def _not_measured(command: str, link: str = "") -> Figure:
    return not_measured_figure(link, command)


def _errors_link(**parameters: str) -> str:
    return "errors?" + urlencode(choices_of_all_pages() | parameters)


require_frame()
page()
