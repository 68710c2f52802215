"""Errors: the figures of a run, and the questions behind each of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import plotly.graph_objects as go
import streamlit as st

from components.answer_card import answer_card, candidate_list, cell_card, gold_card
from components.charts import (
    CONFIG,
    PARAPHRASE_SETS,
    accuracy_chart,
    paraphrase_chart,
    reasons_chart,
    runs_chart,
)
from components.layout import wide_and_narrow
from components.names import title_of
from components.navigation import PAGES, require_frame
from components.pickers import TRANSFORMATION_TITLES, pick_dataset, table_title
from components.plain import plain, shorten
from components.question_grid import case_frame, question_grid
from components.resources import Timed, current_dataset, open_store, stop_with
from components.reveal import reveal
from components.run_control import (
    follow,
    follows,
    is_under_way,
    run_form,
    run_summary,
    start_here,
    watch,
)
from components.run_titles import run_status, run_title, system_title, system_titles
from components.selected_cell import select_cell, selected_cell
from components.state import choose, chosen, pick, shared_choices, stale
from components.table_view import Marks, table_view
from qa_core.datasets import Dataset, looks_like_aitqa
from qa_core.errors import CrossheadError
from qa_core.evaluation.matching import MATCHING_RULES
from qa_core.evaluation.misses import REASONS
from qa_core.evaluation.outcome import judge
from qa_core.evaluation.results import is_as_shipped, left_out_lexicon, system_name
from qa_core.evaluation.slices import SLICES
from qa_core.evaluation.store import CaseRow, RunRecord, RunStore
from qa_core.systems.registry import SYSTEMS

ALL = "all"
FIRST_SYSTEM, FIRST_TRANSFORMATION = "lexical", "base"

# The URL parameters that choose questions, each with its values.
VERDICTS = {"no": "wrong (strict)", "yes": "right (strict)"}
FILTERS: dict[str, tuple[str, dict[str, str]]] = {
    "slice": ("Category", {name: title_of(name) for name in SLICES}),
    "right": ("Verdict", VERDICTS),
    "reason": ("Reason of the miss", {name: title_of(name) for name in REASONS}),
    "sets": ("Paraphrase sets", {name: title_of(name) for name in PARAPHRASE_SETS}),
}
# Columns that the grid leaves out, so that the others fit a usual window.
SAID_BY_FILTERS = ["kind", "hierarchy", "leaf", "paraphrase"]


def page() -> None:
    """Draw the page."""
    st.markdown("## Errors")
    pick_dataset()
    dataset = current_dataset()
    if not dataset.questions:
        st.info("This dataset has no questions, so nothing can be right or wrong. Choose another one.")
        return
    store = open_store()
    try:
        _errors(dataset, store)
    except CrossheadError as fault:
        stop_with(fault)


def _errors(dataset: Dataset, store: RunStore) -> None:
    follow()
    runs = sorted(
        (run for run in store.runs() if run.dataset_fingerprint == dataset.fingerprint),
        key=lambda run: run.updated,
        reverse=True,
    )
    run = _pick_run(dataset, store, runs) if runs else None
    if not _says_stale_system():
        with st.expander("Run a system here"):
            run_form(dataset, store)
    running = watch(dataset.fingerprint)
    if not running and follows():
        st.rerun()  # it ended between the look at the top and the one here
    if run is None and not running:
        _first_visit(dataset, store)
    elif run is None or not run.done:
        st.info("The figures appear here when the run ends." if running else "This run holds no answer yet.")
    else:
        summary = run_summary(store, run)
        values = _chosen_filters()
        _figures(run, summary)
        cases = store.outcomes(run.id)
        sets = _sets(cases)
        listed = _filtered(cases, values, sets)
        _say_what_is_listed(run, values, listed)
        _charts(dataset, runs, run, summary, _Counts(cases, values, sets))
        st.header("Questions", anchor="questions")
        _pick_filters()
        _cases(dataset, store, run, listed)


def _says_stale_system() -> bool:
    """Whether the link names a system or a transformation that is none, which is then said."""
    known: dict[str, tuple[str, Mapping[str, object], str]] = {
        "system": ("System", SYSTEMS, SYSTEMS[FIRST_SYSTEM].title),
        "transformation": (
            "Transformation",
            TRANSFORMATION_TITLES,
            TRANSFORMATION_TITLES[FIRST_TRANSFORMATION],
        ),
    }
    unknown = [name for name in known if chosen(name) and chosen(name) not in known[name][1]]
    for name in unknown:
        label, _, instead = known[name]
        stale(label, name, chosen(name), instead)
    return bool(unknown)


def _first_visit(dataset: Dataset, store: RunStore) -> None:
    if chosen("run"):
        stale("Run", "run", chosen("run"), "the runs of this dataset, of which there are none yet")
    system = SYSTEMS[FIRST_SYSTEM].title
    st.markdown(
        f"No system was run over {plain(dataset.name)} yet. A run answers all {len(dataset.questions)} "
        "questions and is kept; then this page shows how many answers are right by category of question, "
        "and why the others are wrong: the right row but another column, a neighbouring year, a total in "
        "place of its component. Each bar leads to its questions."
    )
    st.button(
        f"Run {plain(system)} over {plain(dataset.name)}",
        type="primary",
        icon=":material/play_arrow:",
        on_click=start_here,
        args=(dataset, store, FIRST_SYSTEM, FIRST_TRANSFORMATION, None),
    )


def _pick_run(dataset: Dataset, store: RunStore, runs: list[RunRecord]) -> RunRecord:
    by_id = {run.id: run for run in runs}
    asked = chosen("system")
    of_asked = next((run.id for run in runs if system_name(run) == asked), None)
    picking, continuing = st.columns([6, 1], vertical_alignment="bottom")
    with picking:
        run = by_id[
            pick(
                "Run",
                "run",
                list(by_id),
                default=of_asked,
                title=lambda run_id: run_title(by_id[run_id]) if run_id in by_id else run_id,
            )
        ]
    if asked in SYSTEMS and of_asked is None and not chosen("run"):
        st.caption(f"There is no run of {plain(SYSTEMS[asked].title)} yet; this is the newest of another.")
    if run.status != "finished" and is_as_shipped(run) and not is_under_way(run):
        continuing.button(
            "Continue",
            icon=":material/resume:",
            width="stretch",
            on_click=start_here,
            args=(dataset, store, run.system, run.transformation, run.limit),
            help="Answers the questions that are left; finished ones are not asked again.",
        )
    return run


def _figures(run: RunRecord, summary: dict[str, Any]) -> None:
    """The headline: n, accuracy under both rules, paraphrase sets, time."""
    n = summary["n"]
    columns = st.columns(4)
    columns[0].metric(
        "Questions",
        f"{n}",
        delta=_how_many(run),
        delta_color="off",
        delta_arrow="off",
    )
    for column, rule in zip(columns[1:3], MATCHING_RULES.values(), strict=True):
        low, high = summary["intervals"][rule.name]
        column.metric(
            rule.title,
            f"{summary['accuracy'][rule.name]:.1%}",
            delta=f"{100 * low:.1f} – {100 * high:.1f} (95 %)",
            delta_color="off",
            delta_arrow="off",
            help=rule.explanation,
        )
    columns[3].metric(
        "Per question",
        _duration(run.seconds / n),
        delta=f"{run.seconds:.1f} s in all",
        delta_color="off",
        delta_arrow="off",
    )


def _how_many(run: RunRecord) -> str:
    """Whether a run holds all questions of the dataset, the first ones, or as yet a part of them."""
    asked = f"the first {run.total}" if run.limit else "all"
    return asked if run.done == run.total else f"of {asked if run.limit else run.total}, {run_status(run)}"


def _duration(seconds: float) -> str:
    return f"{1000 * seconds:.1f} ms" if seconds < 1 else f"{seconds:.1f} s"


@dataclass(frozen=True)
class _Counts:
    """What the bars count: of each filter's own bars, the cases that meet all the other choices.

    So a bar is as long as the list that a click on it opens.
    """

    cases: list[CaseRow]
    values: Mapping[str, str | None]
    sets: Mapping[str, set[str]]

    def _others(self, name: str) -> dict[str, str | None]:
        return {other: value for other, value in self.values.items() if other != name}

    def misses(self) -> dict[str, int]:
        """Strict misses by reason."""
        found = Counter(case.reason for case in _filtered(self.cases, self._others("reason"), self.sets))
        return {name: found[name] for name in REASONS}

    def paraphrase_sets(self) -> dict[str, int]:
        """Paraphrase sets that have a question among the cases, by how many of the whole set are right."""
        groups = {case.paraphrase_group for case in _filtered(self.cases, self._others("sets"), self.sets)}
        return {name.removesuffix("-right"): len(of_kind & groups) for name, of_kind in self.sets.items()}

    def among(self, name: str) -> None:
        """Say what the bars of a filter are counted among, if it is not the whole run."""
        titles = _titles(self._others(name))
        if titles:
            st.caption(f"Counted among: {plain(' · '.join(titles))}.")


def _titles(values: Mapping[str, str | None]) -> list[str]:
    return [FILTERS[name][1][value] for name, value in values.items() if value is not None]


def _charts(
    dataset: Dataset, runs: list[RunRecord], run: RunRecord, summary: dict[str, Any], counts: _Counts
) -> None:
    dark = st.context.theme.type == "dark"
    left, right = st.columns(2, gap="medium")
    with left:
        st.markdown("### Accuracy by question category")
        if any(counts.values.values()):
            st.caption("Accuracy is that of the whole run, whatever is chosen.")
        _door(accuracy_chart(summary, chosen("slice"), dark=dark), "slice", "Accuracy by question category")
        st.markdown("### Strict accuracy by transformation and system")
        alike = [other for other in runs if other.limit == run.limit]
        _door(
            runs_chart(
                alike,
                system_titles(alike),
                TRANSFORMATION_TITLES,
                run.id,
                paper=looks_like_aitqa(dataset),
                dark=dark,
            ),
            "run",
            "Strict accuracy of the runs by transformation and system",
        )
    with right:
        st.markdown("### Misses by structural reason")
        counts.among("reason")
        misses = counts.misses()
        if any(misses.values()):
            _door(reasons_chart(misses, chosen("reason")), "reason", "Strict misses by structural reason")
        else:
            st.caption("There are none.")
        if any(summary["paraphrase_sets"].values()):
            st.markdown("### Paraphrase sets")
            counts.among("sets")
            _door(
                paraphrase_chart(counts.paraphrase_sets(), chosen("sets")),
                "sets",
                "Paraphrase sets by how many are right",
            )


def _door(figure: go.Figure, name: str, alt: str) -> None:
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
            choose(**{name: None if value == chosen(name) else value, "case": None, "cell": None})

    st.plotly_chart(figure, key=key, on_select=clicked, selection_mode="points", config=CONFIG, alt=alt)


def _say_what_is_listed(run: RunRecord, values: Mapping[str, str | None], cases: list[CaseRow]) -> None:
    """What a click on a bar has chosen, beside the charts, with the way down to it and the way back."""
    active = _titles(values)
    text, button = st.columns([4, 1], vertical_alignment="center")
    if active:
        text.markdown(f"**{plain(' · '.join(active))}**: [{len(cases)} of {run.done} questions](#questions)")
    else:
        text.markdown(f"Click a bar to list its questions; now [all {run.done}](#questions) are listed.")
    button.button(
        "Show all",
        icon=":material/filter_alt_off:",
        width="stretch",
        disabled=not any(map(chosen, FILTERS)),
        on_click=choose,
        kwargs=dict.fromkeys((*FILTERS, "case")),
    )


def _cases(dataset: Dataset, store: RunStore, run: RunRecord, cases: list[CaseRow]) -> None:
    if not cases:
        st.info("No question of this run meets all of these choices.")
        return
    st.caption(f"{len(cases)} of {run.done} questions. Select one to open it.")
    titles = {case.table_id: _table_title(dataset, case.table_id) for case in cases}
    shown = next((case for case in cases if case.question_id == chosen("case")), None)
    question_grid(
        case_frame(cases, titles).drop(columns=SAID_BY_FILTERS),
        key="cases",
        selected=shown.question_id if shown else None,
        on_select=lambda question_id: choose(case=question_id, cell=None),
        height=min(420, 110 + 44 * len(cases)),
    )
    if shown:
        _case(dataset, store, run, shown)
    elif chosen("case"):
        stale("Question", "case", chosen("case"), "the list without a selection")


def _table_title(dataset: Dataset, table_id: str) -> str:
    return table_title(dataset.tables[table_id]) if table_id in dataset.tables else table_id


def _chosen_filters() -> dict[str, str | None]:
    """What the URL chooses by each filter; a value that is none is said to be stale and chooses nothing."""
    values: dict[str, str | None] = {}
    for name, (label, titles) in FILTERS.items():
        value = chosen(name, ALL)
        values[name] = value if value in titles else None
        if value != ALL and value not in titles:
            stale(label, name, value, "all of them")
    return values


def _pick_filters() -> None:
    """The choices, each with a way to lift it."""
    for column, (name, (label, titles)) in zip(st.columns(len(FILTERS)), FILTERS.items(), strict=True):
        with column:
            if chosen(name, ALL) in (ALL, *titles):
                pick(label, name, [ALL, *titles], title=partial(_title_in, titles), clears=("case",))
            else:
                st.selectbox(label, [ALL], disabled=True)  # the stale choice is spoken of at the top


def _filtered(
    cases: Iterable[CaseRow], values: Mapping[str, str | None], sets: Mapping[str, set[str]]
) -> list[CaseRow]:
    """The cases that meet every choice; ``sets`` as from ``_sets`` for the whole run."""

    def meets(case: CaseRow) -> bool:
        slice, right, reason, kind = (values.get(name) for name in FILTERS)
        return (
            (slice is None or slice in case.slices)
            and (right is None or case.strict == (right == "yes"))
            and (reason is None or reason == case.reason)
            and (kind is None or case.paraphrase_group in sets[kind])
        )

    return [case for case in cases if meets(case)]


def _title_in(titles: Mapping[str, str], value: str) -> str:
    return titles.get(value, value)


def _sets(cases: Iterable[CaseRow]) -> dict[str, set[str]]:
    """Paraphrase sets of which at least two questions were asked, by how many of them are right."""
    hits: dict[str, list[bool]] = {}
    for case in cases:
        if case.paraphrase_group:
            hits.setdefault(case.paraphrase_group, []).append(case.strict)
    kinds: dict[str, set[str]] = {name: set() for name in PARAPHRASE_SETS}
    for group, right in hits.items():
        if len(right) > 1:
            kinds["all-right" if all(right) else "some-right" if any(right) else "none-right"].add(group)
    return kinds


def _case(dataset: Dataset, store: RunStore, run: RunRecord, case: CaseRow) -> None:
    """One question as the run answered it: nothing is predicted anew."""
    question, table = dataset.question(case.question_id), dataset.table(case.table_id)
    prediction = store.prediction(run.id, case.question_id)
    outcome = judge(question, table, prediction)
    reveal(case.question_id, key="opened-case")
    st.markdown(f"### {plain(shorten(question.text, 300))}")
    _links(run, case)
    selected = selected_cell(table)
    drawing, reading = wide_and_narrow("case")
    with drawing:
        table_view(
            table,
            Marks(gold=outcome.gold.targets, predicted=prediction.locations),
            key="case-table",
            selected=selected,
            on_click=select_cell,
            caption=table_title(table),
        )
        if table.source:
            st.caption(plain(table.source))
    with reading:
        if selected:
            cell_card(table, selected)
        title = f"{system_title(run)} answered"
        answer_card(title, table, Timed(prediction, case.seconds), outcome)
        gold_card(table, outcome.gold, question.answers)
        if prediction.candidates:
            with st.expander("What it considered"):
                candidate_list(table, prediction.candidates)


def _links(run: RunRecord, case: CaseRow) -> None:
    """The same question on the other pages."""
    choices = shared_choices(
        table=case.table_id,
        question=case.question_id,
        q=None,
        system=system_name(run),
        transformation=run.transformation,
        lexicon="0" if left_out_lexicon(run) else None,
    )
    with st.container(horizontal=True):
        st.page_link(
            PAGES["ask"],
            label="Ask it again",
            query_params=choices,
        )
        st.page_link(
            PAGES["explore"],
            label="Among all questions",
            query_params=choices | {"case": case.question_id},
        )


require_frame()
page()
