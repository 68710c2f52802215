"""Compare: two runs over the same questions, what the second gained and lost, and the questions behind it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

import pandas as pd
import streamlit as st

from components.case_steps import case_steps
from components.comparison_tables import changes_markup, gains_by_reason_markup, p_text
from components.listing import LISTED_AT_ONCE, OF_QUESTIONS, ordered, say_how_many
from components.metric import said
from components.names import title_of
from components.navigation import PAGES, require_frame
from components.parts import part_of, place_of
from components.pickers import pick_dataset, table_title
from components.plain import counted, html, plain
from components.presenting.link import present_link
from components.question_grid import paired_frame, question_grid, title_in
from components.report.files import comparison_files
from components.resources import Timed, current_dataset, open_store, stop_with
from components.reveal import reveal
from components.runs.evaluations import evaluations
from components.runs.figures import frame_of
from components.runs.links import asking_again
from components.runs.titles import names_of_both, run_title
from components.state import choices_of_all_pages, choose, chosen, pick, shared_choices, stale
from components.two_predictions import Side, two_predictions
from qa_core.datasets import Dataset
from qa_core.errors import CrossheadError
from qa_core.evaluation.comparison import CHANGES, Comparison, PairedCase, PairedVerdict, compare
from qa_core.evaluation.filters import Filters
from qa_core.evaluation.frame import compared_frame
from qa_core.evaluation.misses import REASONS
from qa_core.evaluation.outcome import judge
from qa_core.evaluation.runs import RunRecord
from qa_core.evaluation.slices import SLICES
from qa_core.evaluation.store import RunStore

ALL = "all"
CHOICES: dict[str, Mapping[str, str]] = {"change": CHANGES, "slice": SLICES, "reason": REASONS}


@dataclass(frozen=True)
class _Pair:
    """Two runs, and what a link to some of their questions carries."""

    store: RunStore
    first: RunRecord
    second: RunRecord

    def link(self, **questions: str) -> str:
        """The address of this page with some questions chosen."""
        return (
            "compare?"
            + urlencode(choices_of_all_pages() | {"run": self.first.id, "other": self.second.id} | questions)
            + "#questions"
        )


def page() -> None:
    """Draw the page."""
    st.markdown("## Compare two runs")
    pick_dataset()
    dataset = current_dataset()
    store = open_store()
    try:
        runs = [run for run in store.runs() if run.dataset_fingerprint == dataset.fingerprint and run.done]
        if len(runs) < 2:
            _too_few(len(runs), dataset)
            return
        pair = _pick_pair(store, runs)
        both = (pair.first, pair.second)
        verdicts = _paired(tuple((run.id, run.done, run.updated.timestamp()) for run in both), store)
        if not verdicts:
            st.info("No question was answered in both runs. Choose others.")
            return
        found = compare(verdicts, SLICES)
        _headline(pair, found)
        listed = {name: chosen(name) for name, known in CHOICES.items() if chosen(name) in known}
        comparison_files(dataset, store, pair.first, pair.second, listed)
        st.markdown("### By kind of question")
        st.html(changes_markup(found, pair.link))
        if found.reasons:
            st.markdown("### By structural reason of the miss")
            st.html(gains_by_reason_markup(found, pair.link))
        _questions(dataset, pair, found)
    except CrossheadError as fault:
        stop_with(fault)


def _too_few(n: int, dataset: Dataset) -> None:
    if any(not each.ended for each in evaluations().of(dataset.fingerprint)):
        st.info("A run is under way; the comparison stands here once two runs have answered.")
        return
    st.info(
        f"There {'is one run' if n else 'are no runs'} over this dataset, and a comparison takes two. Run "
        "another system, or the same under another transformation, on the page *Errors*."
    )
    st.page_link(PAGES["errors"], icon=":material/bar_chart:", query_params=shared_choices())


def _pick_pair(store: RunStore, runs: list[RunRecord]) -> _Pair:
    by_id = {run.id: run for run in sorted(runs, key=lambda run: run.updated, reverse=True)}

    def title(run_id: str) -> str:
        return run_title(by_id[run_id]) if run_id in by_id else run_id

    of_pair = ("case", "part")
    left, right, turn = st.columns([6, 6, 2], vertical_alignment="bottom")
    ids = list(by_id)
    with left:
        first = pick("First run", "run", ids, default=ids[1], title=title, unlike="other", clears=of_pair)
    with right:
        others = [run_id for run_id in ids if run_id != first]
        second = pick("Second run", "other", others, title=title, clears=of_pair)
    turn.button(
        "Swap",
        icon=":material/swap_horiz:",
        width="stretch",
        on_click=choose,
        kwargs={"run": second, "other": first, "change": _swapped(chosen("change"))},
    )
    return _Pair(store, by_id[first], by_id[second])


def _swapped(change: str) -> str | None:
    return {"gained": "lost", "lost": "gained"}.get(change, change or None)


def _headline(pair: _Pair, found: Comparison) -> None:
    whole = found.whole
    first, second = names_of_both(pair.first, pair.second)
    columns = st.columns(4)
    columns[0].metric(
        "Strict accuracy, first and second",
        f"{whole.first:.1%} · {whole.second:.1%}",
        **said(f"over {counted(whole.n, 'question')} that both answered"),
    )
    low, high = whole.interval
    columns[1].metric(
        "Difference",
        f"{100 * (whole.second - whole.first):+.1f} points",
        **said(f"{100 * low:+.1f} to {100 * high:+.1f} (95 %)"),
        help="Second less first. The interval is that of a paired bootstrap: questions are drawn with both "
        "their verdicts, 10,000 times.",
    )
    columns[2].metric(
        "McNemar's exact test",
        f"p = {p_text(whole.p_value)}",
        **said(f"{whole.gained} gained, {whole.lost} lost"),
        help="How likely gains and losses that far apart are, were each changed question as likely to be "
        "gained as to be lost (two-sided).",
    )
    columns[3].metric(
        "Same cell",
        f"{found.agreement:.1%}",
        **said(f"an oracle of both: {whole.oracle:.1%}"),
        help="The share of questions where both point to the same cell, none included. The oracle takes the "
        "right one of two answers wherever there is one.",
    )
    st.caption(f"First: {plain(first)}. Second: {plain(second)}. Every count leads to its questions.")
    present_link("compare", run=pair.first.id, other=pair.second.id, case=None, chart="changes")


def _questions(dataset: Dataset, pair: _Pair, found: Comparison) -> None:
    st.header("Questions", anchor="questions")
    columns = st.columns(3)
    with columns[0]:
        change = _pick("Change", "change", CHANGES)
    with columns[1]:
        slice = _pick("Slice", "slice", SLICES)
    with columns[2]:
        reason = _pick("Reason of the miss", "reason", REASONS)
    filters = (("change", change), ("slice", slice), ("reason", reason))
    listed = _listed(dataset, pair, Filters({name: value for name, value in filters if value}))
    if not len(listed):
        st.info("No question meets all of these choices.")
        return
    listed = ordered(dataset, listed, OF_QUESTIONS)
    case = chosen("case")
    place = place_of(case, listed["id"])
    say_how_many(len(listed), found.whole.n)
    part = listed["position"].iloc[part_of(len(listed), LISTED_AT_ONCE, at=place)]
    by_position = {each.position: each for each in _cases_at(pair, part.tolist())}
    cases = [by_position[position] for position in part]
    question_grid(
        paired_frame(cases, {each.table_id: title_in(dataset, each.table_id) for each in cases}),
        key="pairs",
        selected=case if place is not None else None,
        on_select=lambda question_id: choose(case=question_id, cell=None),
        height=min(420, 110 + 44 * len(cases)),
        sorts=OF_QUESTIONS,
    )
    if place is not None:
        (shown,) = _cases_at(pair, [int(listed["position"].iloc[place])])
        _case(dataset, pair, shown, list(listed["id"]))
    elif case:
        stale("Question", "case", case, "the list without a selection")


def _listed(dataset: Dataset, pair: _Pair, filters: Filters) -> pd.DataFrame:
    """The questions that both runs answered and that meet the filters, without their texts."""
    compared = compared_frame(*(frame_of(pair.store, run, dataset) for run in (pair.first, pair.second)))
    return compared[filters.mask(compared)]


def _cases_at(pair: _Pair, positions: list[int]) -> list[PairedCase]:
    return pair.store.paired_cases(pair.first.id, pair.second.id, positions=positions)


@st.cache_data(max_entries=50, show_spinner=False)
def _paired(states: tuple[tuple[str, int, float], ...], _store: RunStore) -> Counter[PairedVerdict]:
    """How often each pair of verdicts occurs, counted once for every state that the two runs were in."""
    return _store.paired(*(run_id for run_id, _, _ in states))


def _pick(label: str, name: str, values: Mapping[str, str]) -> str | None:
    picked = pick(
        label,
        name,
        [ALL, *values],
        title=lambda value: "all" if value == ALL else title_of(value),
        clears=("case", "part"),
        help="  \n".join(f"**{title_of(value)}**: {text}" for value, text in values.items()),
    )
    return None if picked == ALL else picked


def _case(dataset: Dataset, pair: _Pair, case: PairedCase, order: list[str]) -> None:
    """One question with both predictions in one table, as the runs kept them."""
    question, table = dataset.question(case.question_id), dataset.table(case.table_id)
    predictions = [pair.store.prediction(run.id, case.question_id) for run in (pair.first, pair.second)]
    outcomes = [judge(question, table, prediction) for prediction in predictions]
    reveal(case.question_id, key="opened-pair")
    case_steps(order, case.question_id)
    with st.container(horizontal=True):
        present_link("compare", run=pair.first.id, other=pair.second.id)
        for name, run in zip(names_of_both(pair.first, pair.second), (pair.first, pair.second), strict=True):
            st.page_link(
                PAGES["why"],
                label=plain(f"Why this cell: {name}"),
                query_params=asking_again(run, case.table_id, case.question_id),
            )
    st.html(f'<h3 style="margin: 0; padding: 0">{html(question.text)}</h3>')
    st.caption(f"{title_of(case.change)} · {plain(table_title(table))}")
    first, second = (
        Side(name, f"{name} answered", Timed(prediction, run.seconds / run.done), outcome)
        for name, run, prediction, outcome in zip(
            names_of_both(pair.first, pair.second),
            (pair.first, pair.second),
            predictions,
            outcomes,
            strict=True,
        )
    )
    two_predictions(table, (first, second), question.answers, key="pair")


require_frame()
page()
