"""Explore: the dataset's questions beside the table with gold and predicted cells."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from components.answer_card import answer_card, candidate_list, cell_card, gold_card
from components.names import title_of
from components.navigation import PAGES, require_frame
from components.pickers import pick_dataset, pick_system, pick_transformation, table_title
from components.plain import html, plain
from components.presenting.link import present_link
from components.question_grid import filtered, neighbours, question_frame, question_grid, with_verdicts
from components.resources import Timed, answer, current_dataset, open_store, stop_with
from components.selected_cell import select_cell, selected_cell
from components.state import choose, chosen, pick, shared_choices, stale, write_text
from components.table_view import Marks, table_view
from qa_core.datasets import Dataset
from qa_core.errors import CrossheadError
from qa_core.evaluation.outcome import judge
from qa_core.evaluation.results import is_as_shipped
from qa_core.evaluation.slices import SLICES
from qa_core.evaluation.store import CaseRow, RunRecord
from qa_core.question import Question
from qa_core.systems.registry import SYSTEMS

ALL = "all"


def page() -> None:
    """Draw the page."""
    st.markdown("## Explore the questions")
    pick_dataset()
    dataset = current_dataset()
    if not dataset.questions:
        st.info("This dataset has no questions. Choose another one in the side bar.")
        return
    system, transformation, slice, query = _pick(dataset)
    run = _fullest_run(dataset, system, transformation)
    cases = _cases(run) if run else {}
    listed = _listed(dataset.fingerprint, (run.id, run.done) if run else None, slice, query, dataset, cases)
    question = _current(dataset, listed)

    row = st.container(horizontal=True, gap="medium")
    listing, reading = row.container(key="narrow-questions"), row.container(key="wide-question")
    with listing:
        ids = _list(listed, question, run)
    with reading:
        _steps(dataset, ids, question, system, run if question.id in cases else None)
        _case(dataset, question, system, transformation, run, cases.get(question.id))


def _pick(dataset: Dataset) -> tuple[str, str, str | None, str]:
    columns = st.columns([3, 3, 3, 4])
    with columns[0]:
        system = pick_system()
    with columns[1]:
        transformation = pick_transformation()
    with columns[2]:
        counts = _slice_counts(dataset.fingerprint, dataset)
        slice = pick(
            "Slice",
            "slice",
            [ALL, *SLICES],
            title=lambda name: f"{title_of(name)} ({counts.get(name, 0)})",
            help="  \n".join(f"**{title_of(name)}**: {text}" for name, text in SLICES.items()),
        )
    with columns[3]:
        query = write_text("Search", "find", placeholder="question, answer, table or id", max_chars=100)
    return system, transformation, None if slice == ALL else slice, query


def _fullest_run(dataset: Dataset, system: str, transformation: str) -> RunRecord | None:
    """The run of this system over these very questions with most answers; of equals the newest."""
    wanted = (dataset.fingerprint, system, transformation)
    try:
        runs = open_store().runs()
    except CrossheadError as fault:
        stop_with(fault)
    fitting = [
        run
        for run in runs
        if run.done
        and (run.dataset_fingerprint, run.system, run.transformation) == wanted
        and is_as_shipped(run)
    ]
    return max(fitting, key=lambda run: run.done, default=None)


def _cases(run: RunRecord) -> dict[str, CaseRow]:
    try:
        return _stored_cases(run.id, run.done)
    except CrossheadError as fault:
        stop_with(fault)


@st.cache_resource(max_entries=8, show_spinner=False)
def _stored_cases(run_id: str, done: int) -> dict[str, CaseRow]:
    return {case.question_id: case for case in open_store().outcomes(run_id)}


@st.cache_resource(max_entries=4, show_spinner=False)
def _questions(fingerprint: str, _dataset: Dataset) -> pd.DataFrame:
    return question_frame(_dataset)


@st.cache_resource(max_entries=4, show_spinner=False)
def _slice_counts(fingerprint: str, _dataset: Dataset) -> dict[str, int]:
    questions = _questions(fingerprint, _dataset)
    return {ALL: len(questions)} | {name: len(filtered(questions, slice=name)) for name in SLICES}


@st.cache_resource(max_entries=16, show_spinner=False)
def _listed(
    fingerprint: str,
    run: tuple[str, int] | None,
    slice: str | None,
    query: str,
    _dataset: Dataset,
    _cases: dict[str, CaseRow],
) -> pd.DataFrame:
    """The rows of the grid; ``run`` (id, answers done) stands for its cases."""
    questions = filtered(_questions(fingerprint, _dataset), slice=slice, query=query)
    return with_verdicts(questions, _cases.values()) if run else questions


def _current(dataset: Dataset, listed: pd.DataFrame) -> Question:
    """The question that the link names, else the first listed one."""
    first = listed["id"].iloc[0] if len(listed) else dataset.questions[0].id
    case = chosen("case")
    if not case:
        return dataset.question(first)
    try:
        return dataset.question(case)
    except CrossheadError:
        stale("Question", "case", case, first)
        return dataset.question(first)


def _list(listed: pd.DataFrame, question: Question, run: RunRecord | None) -> list[str]:
    """Draw the grid; returns the ids of the questions in it, in the order that it shows."""
    ids = question_grid(listed, key="questions", selected=question.id, on_select=_open, height=640)
    if run:
        of_all = "" if run.done == run.total else f" ({run.done} of {run.total} questions)"
        st.caption(f"Outcomes are those of the run {run.id} of {run.updated:%d %B %Y}{of_all}.")
    else:
        st.caption(
            "There is no run of this system with this transformation yet, so the list shows no outcomes. "
            "Make one on the page *Errors*."
        )
    return ids


def _open(question_id: str) -> None:
    choose(case=question_id, cell=None)


def _steps(dataset: Dataset, ids: list[str], question: Question, system: str, run: RunRecord | None) -> None:
    """Previous and next in the order of the grid, and the ways to the page Ask and to the whole screen."""
    position = {known.id: index for index, known in enumerate(dataset.questions)}
    previous, following = neighbours(ids, question.id, position)

    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Previous",
            icon=":material/arrow_back:",
            shortcut="P",
            disabled=previous is None,
            on_click=_open,
            args=(previous,),
        )
        st.button(
            "Next",
            icon=":material/arrow_forward:",
            shortcut="N",
            disabled=following is None,
            on_click=_open,
            args=(following,),
        )
        place = ids.index(question.id) + 1 if question.id in ids else None
        st.markdown(f"**{place}** of {len(ids)}" if place else f"not among the {len(ids)} listed")
        st.page_link(
            "pages/ask.py",
            label="Ask about this table",
            icon=":material/forum:",
            query_params=shared_choices(table=question.table_id, question=question.id, q=None, system=system),
        )
        st.page_link(
            PAGES["why"],
            query_params=shared_choices(table=question.table_id, question=question.id, q=None, system=system),
        )
        present_link("explore", case=question.id, run=run.id if run else None, other=None, system=system)


def _case(
    dataset: Dataset,
    question: Question,
    system: str,
    transformation: str,
    run: RunRecord | None,
    case: CaseRow | None,
) -> None:
    try:
        table = dataset.table(question.table_id)
        timed = _stored(run, case) if run and case else answer(table, question.text, system, transformation)
    except CrossheadError as fault:
        stop_with(fault)
    outcome = judge(question, table, timed.prediction)

    st.html(f'<h3 style="margin: 0; padding: 0">{html(question.text)}</h3>')
    st.caption(plain(table_title(table)))
    selected = selected_cell(table)
    table_view(
        table,
        Marks(gold=outcome.gold.targets, predicted=timed.prediction.locations),
        key="table",
        selected=selected,
        on_click=select_cell,
        height=460,
    )
    if selected:
        cell_card(table, selected)
    for warning in table.warnings:
        st.caption(f":material/info: {plain(warning)}")
    answered, gold = st.columns(2)
    with answered:
        answer_card(f"{SYSTEMS[system].title} answers", table, timed, outcome)
    with gold:
        gold_card(table, outcome.gold, question.answers)
    if timed.prediction.candidates:
        with st.expander(f"What {SYSTEMS[system].title} considered"):
            candidate_list(table, timed.prediction.candidates)


def _stored(run: RunRecord, case: CaseRow) -> Timed:
    return Timed(open_store().prediction(run.id, case.question_id), case.seconds)


require_frame()
page()
