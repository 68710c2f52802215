"""Errors: the figures of a run, and the questions behind each of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

import pandas as pd
import streamlit as st

from components.chart_door import door
from components.charts import accuracy_chart, paraphrase_chart, reasons_chart, runs_chart
from components.errors.answered_case import answered_case
from components.errors.crossed_facets import crossed_facets
from components.errors.filter_choice import chosen_filters, pick_filters
from components.errors.saved_slices import saved_slices
from components.errors.weak_slices_table import ABOUT_WEAK_SLICES, NO_WEAK_SLICE, weak_slices_markup
from components.judgement_files import exchange_judgements
from components.listing import (
    LISTED_AT_ONCE,
    OF_ANSWERS,
    OF_QUESTIONS,
    ordered,
    say_how_many,
    searched,
)
from components.metric import said
from components.names import filter_titles
from components.navigation import require_frame
from components.parts import part_of, place_of
from components.pickers import TRANSFORMATION_TITLES, pick_dataset
from components.plain import counted, plain
from components.presenting.link import present_link
from components.question_grid import case_frame, question_grid, title_in
from components.report.files import run_files
from components.resources import current_dataset, judgement_store, open_store, stop_with
from components.runs.choice import pick_run
from components.runs.control import follow, follows, run_form, start_here, watch
from components.runs.counts import RunCounts
from components.runs.figures import frame_of, run_summary, weak_slices_of
from components.runs.titles import run_status, system_titles
from components.state import choose, chosen, stale
from qa_core.datasets import Dataset, looks_like_aitqa
from qa_core.errors import CrossheadError
from qa_core.evaluation.corrected import Accuracies, accuracies
from qa_core.evaluation.filters import FILTERS, Filters
from qa_core.evaluation.judgements import Judged
from qa_core.evaluation.matching import MATCHING_RULES
from qa_core.evaluation.runs import RunRecord
from qa_core.evaluation.store import RunStore
from qa_core.systems.registry import SYSTEMS

FIRST_SYSTEM, FIRST_TRANSFORMATION = "lexical", "base"
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
    run = pick_run(dataset, store, runs) if runs else None
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
        _run(dataset, store, runs, run)


def _run(dataset: Dataset, store: RunStore, runs: list[RunRecord], run: RunRecord) -> None:
    """The figures of a run first, which come without its answers; then all that is counted of those."""
    summary, filters = run_summary(store, run), chosen_filters()
    judged = judgement_store().judged(dataset)
    _figures(run, summary, accuracies(store, run.id, dataset, judged))
    run_files(dataset, store, run, filters)
    what_is_listed = st.container()
    left, right = st.columns(2, gap="medium")
    with left:
        _charts_of_figures(dataset, runs, run, summary, filters)
    frame = frame_of(store, run, dataset)
    listed = searched(dataset, frame[filters.mask(frame)], chosen("find"))
    with what_is_listed:
        _say_what_is_listed(run, filters, len(listed))
    with right:
        _charts_of_answers(run, RunCounts(frame, filters))
    _weak_slices(run, frame)
    saved_slices(frame, filters, _here)
    crossed_facets(frame, filters, _here)
    st.header("Questions", anchor="questions")
    pick_filters()
    _cases(dataset, store, run, listed, judged)
    exchange_judgements(dataset)


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


def _figures(run: RunRecord, summary: dict[str, Any], judged: Accuracies) -> None:
    """The headline: n, accuracy under both rules, paraphrase sets, time."""
    n = summary["n"]
    columns = st.columns(4)
    columns[0].metric(
        "Questions",
        f"{n}",
        **said(_how_many(run)),
    )
    for column, rule in zip(columns[1:3], MATCHING_RULES.values(), strict=True):
        low, high = summary["intervals"][rule.name]
        column.metric(
            rule.title,
            f"{summary['accuracy'][rule.name]:.1%}",
            **said(f"{100 * low:.1f} – {100 * high:.1f} (95 %)"),
            help=rule.explanation,
        )
    columns[3].metric(
        "Per question",
        _duration(run.seconds / n),
        **said(f"{run.seconds:.1f} s in all"),
    )
    if judged.disputed:
        undisputed = judged.undisputed.accuracy
        left = "no accuracy" if undisputed is None else f"{undisputed:.1%}"
        st.markdown(
            f"**{judged.published.accuracy:.1%}** as published · **{left}** "
            f"without the {counted(len(judged.disputed), 'disputed gold')} (n = {judged.undisputed.n:,}) · "
            f"**{judged.corrected.accuracy:.1%}** against the corrected golds (strict; where no "
            "cell answers, no answer is right)"
        )


def _how_many(run: RunRecord) -> str:
    """Whether a run holds all questions of the dataset, the first ones, or as yet a part of them."""
    asked = f"the first {run.total}" if run.limit else "all"
    return asked if run.done == run.total else f"of {asked if run.limit else run.total}, {run_status(run)}"


def _duration(seconds: float) -> str:
    return f"{1000 * seconds:.1f} ms" if seconds < 1 else f"{seconds:.1f} s"


def _charts_of_figures(
    dataset: Dataset, runs: list[RunRecord], run: RunRecord, summary: dict[str, Any], filters: Filters
) -> None:
    dark = st.context.theme.type == "dark"
    st.markdown("### Accuracy by question category")
    if filters.values:
        st.caption("Accuracy is that of the whole run, whatever is chosen.")
    door(run, accuracy_chart(summary, chosen("slice"), dark=dark), "slice", "Accuracy by question category")
    _present(run, "accuracy")
    st.markdown("### Strict accuracy by transformation and system")
    alike = [other for other in runs if other.limit == run.limit]
    chart = runs_chart(
        alike,
        system_titles(alike),
        TRANSFORMATION_TITLES,
        run.id,
        paper=looks_like_aitqa(dataset),
        dark=dark,
    )
    door(run, chart, "run", "Strict accuracy of the runs by transformation and system")
    _present(run, "runs")


def _charts_of_answers(run: RunRecord, counts: RunCounts) -> None:
    st.markdown("### Misses by structural reason")
    counts.among("reason")
    misses = counts.misses()
    if any(misses.values()):
        door(run, reasons_chart(misses, chosen("reason")), "reason", "Strict misses by structural reason")
        _present(run, "reasons")
    else:
        st.caption("There are none.")
    if counts.frame["sets"].notna().any():
        st.markdown("### Paraphrase sets")
        counts.among("sets")
        sets = counts.paraphrase_sets()
        door(run, paraphrase_chart(sets, chosen("sets")), "sets", "Paraphrase sets by how many are right")
        _present(run, "paraphrases")


def _present(run: RunRecord, chart: str) -> None:
    present_link("errors", run=run.id, other=None, case=None, chart=chart)


def _here(values: Mapping[str, str]) -> str:
    """The address of this page with other filters, at its questions."""
    dropped = (*FILTERS, "case", "cell", "part")
    kept = {name: value for name, value in st.query_params.to_dict().items() if name not in dropped}
    return f"errors?{urlencode({**kept, **values})}#questions"


def _weak_slices(run: RunRecord, frame: pd.DataFrame) -> None:
    """The combinations of facets in which the run does worst."""
    st.markdown("### Where it does worst")
    weak = weak_slices_of(run, frame)
    if not weak:
        st.caption(NO_WEAK_SLICE)
        return
    st.caption(ABOUT_WEAK_SLICES)
    st.html(weak_slices_markup(weak, len(frame), int(frame["strict"].sum()), _here))


def _say_what_is_listed(run: RunRecord, filters: Filters, n: int) -> None:
    """What a click on a bar has chosen, beside the charts, with the way down to it and the way back."""
    query = chosen("find").strip()
    active = [*filter_titles(filters), *([f"“{query}”"] if query else [])]
    text, button = st.columns([4, 1], vertical_alignment="center")
    if active:
        text.markdown(f"**{plain(' · '.join(active))}**: [{n:,} of {run.done:,} questions](#questions)")
    else:
        text.markdown(f"Click a bar to list its questions; now [all {run.done:,}](#questions) are listed.")
    button.button(
        "Show all",
        icon=":material/filter_alt_off:",
        width="stretch",
        disabled=not any(map(chosen, (*FILTERS, "find"))),
        on_click=choose,
        kwargs=dict.fromkeys((*FILTERS, "find", "case", "part")),
    )


def _cases(
    dataset: Dataset,
    store: RunStore,
    run: RunRecord,
    listed: pd.DataFrame,
    judged: Mapping[str, Judged],
) -> None:
    if not len(listed):
        st.info("No question of this run meets all of these choices.")
        return
    sorts = (*OF_QUESTIONS, *OF_ANSWERS)
    listed = ordered(dataset, listed, sorts, listed)
    case = chosen("case")
    place = place_of(case, listed["id"])
    say_how_many(len(listed), run.done)
    part = listed["position"].iloc[part_of(len(listed), LISTED_AT_ONCE, at=place)]
    by_position = {each.position: each for each in store.cases_at(run.id, part.tolist())}
    cases = [by_position[position] for position in part]
    titles = {each.table_id: title_in(dataset, each.table_id) for each in cases}
    question_grid(
        case_frame(cases, titles).drop(columns=SAID_BY_FILTERS),
        key="cases",
        selected=case if place is not None else None,
        on_select=lambda question_id: choose(case=question_id, cell=None),
        height=min(420, 110 + 44 * len(cases)),
        sorts=sorts,
    )
    if place is not None:
        (shown,) = store.cases_of(run.id, [case])
        answered_case(dataset, store, run, shown, list(listed["id"]), judged.get(case, Judged()))
    elif case:
        stale("Question", "case", case, "the list without a selection")


require_frame()
page()
