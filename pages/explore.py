"""Explore: the dataset's questions beside the table with gold and predicted cells."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from components.answer_card import answer_card, candidate_list, cell_card, gold_card
from components.case_steps import case_steps
from components.listing import (
    LISTED_AT_ONCE,
    OF_ANSWERS,
    OF_LIST,
    OF_QUESTIONS,
    described_questions,
    ordered,
    say_how_many,
    searched,
    write_search,
)
from components.names import title_of
from components.navigation import PAGES, require_frame
from components.parts import part_of, place_of
from components.pickers import pick_dataset, pick_system, pick_transformation, table_title
from components.plain import html, plain
from components.presenting.link import present_link
from components.question_grid import question_frame, question_grid, with_verdicts
from components.resources import Timed, answer, current_dataset, open_store, stop_with
from components.runs.figures import frame_of
from components.selected_cell import select_cell, selected_cell
from components.state import choose, chosen, pick, shared_choices, stale
from components.table_view import Marks, table_view
from qa_core.datasets import Dataset
from qa_core.errors import CrossheadError
from qa_core.evaluation.filters import FILTERS, Filters
from qa_core.evaluation.outcome import judge
from qa_core.evaluation.results import is_as_shipped
from qa_core.evaluation.runs import CaseRow, RunRecord
from qa_core.evaluation.slices import SLICES
from qa_core.evaluation.store import RunStore
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
    store = open_store()
    try:
        _explore(dataset, store)
    except CrossheadError as fault:
        stop_with(fault)


def _explore(dataset: Dataset, store: RunStore) -> None:
    questions = described_questions(store, dataset)
    system, transformation, filters, query = _pick(dataset, questions)
    run = _fullest_run(dataset, store, system, transformation)
    listed = searched(dataset, _met(questions, filters, store, run, dataset), query)

    row = st.container(horizontal=True, gap="medium")
    listing, reading = row.container(key="narrow-questions"), row.container(key="wide-question")
    with listing:
        listed, question = _list(dataset, store, listed, run)
    with reading:
        found = store.cases_of(run.id, [question.id]) if run else []
        _steps(listed, place_of(question.id, questions["id"]), question, system, run if found else None)
        _case(dataset, question, system, transformation, run, found[0] if found else None)


def _pick(dataset: Dataset, questions: pd.DataFrame) -> tuple[str, str, Filters, str]:
    columns = st.columns([3, 3, 3, 2, 4])
    with columns[0]:
        system = pick_system()
    with columns[1]:
        transformation = pick_transformation()
    with columns[2]:
        counts = _slice_counts(dataset.fingerprint, questions)
        slice = pick(
            "Slice",
            "slice",
            [ALL, *SLICES],
            title=lambda name: f"{title_of(name)} ({counts.get(name, 0):,})",
            clears=OF_LIST,
            help="  \n".join(f"**{title_of(name)}**: {text}" for name, text in SLICES.items()),
        )
    with columns[3]:
        verdicts = {ALL: "all", **FILTERS["right"].values}
        right = pick(
            "Verdict", "right", list(verdicts), title=lambda name: verdicts.get(name, name), clears=OF_LIST
        )
    with columns[4]:
        query = write_search()
    chosen_ones = (("slice", slice), ("right", right))
    return system, transformation, Filters({name: each for name, each in chosen_ones if each != ALL}), query


def _fullest_run(dataset: Dataset, store: RunStore, system: str, transformation: str) -> RunRecord | None:
    """The run of this system over these very questions with most answers; of equals the newest."""
    wanted = (dataset.fingerprint, system, transformation)
    fitting = [
        run
        for run in store.runs()
        if run.done
        and (run.dataset_fingerprint, run.system, run.transformation) == wanted
        and is_as_shipped(run)
    ]
    return max(fitting, key=lambda run: run.done, default=None)


@st.cache_resource(max_entries=4, show_spinner=False)
def _slice_counts(fingerprint: str, _questions: pd.DataFrame) -> dict[str, int]:
    return {ALL: len(_questions)} | {
        name: int(Filters({"slice": name}).mask(_questions).sum()) for name in SLICES
    }


def _met(
    questions: pd.DataFrame, filters: Filters, store: RunStore, run: RunRecord | None, dataset: Dataset
) -> pd.DataFrame:
    """The questions that meet the filters; one that was not answered is neither right nor wrong."""
    if "right" not in filters.values:
        return questions[filters.mask(questions)]
    if run is None:
        return questions[:0]
    answers = frame_of(store, run, dataset)
    return answers[filters.mask(answers)]


def _list(
    dataset: Dataset, store: RunStore, listed: pd.DataFrame, run: RunRecord | None
) -> tuple[pd.DataFrame, Question]:
    """Draw a part of the list; the list in its order, and the question that is shown beside it."""
    sorts = (*OF_QUESTIONS, *OF_ANSWERS) if run else OF_QUESTIONS
    by_answers = run and chosen("sort").removeprefix("-") in OF_ANSWERS
    listed = ordered(dataset, listed, sorts, frame_of(store, run, dataset) if run and by_answers else None)
    say_how_many(len(listed), len(dataset.questions))
    shown = listed.iloc[part_of(len(listed), LISTED_AT_ONCE, at=place_of(chosen("case"), listed["id"]))]
    question = _current(dataset, shown)
    cases = store.cases_of(run.id, list(shown["id"])) if run else []
    asked = [dataset.questions[position] for position in shown["position"]]
    rows = question_frame(asked, dataset, shown["slices"])
    question_grid(
        with_verdicts(rows, cases) if run else rows,
        key="questions",
        selected=question.id,
        on_select=lambda question_id: choose(case=question_id, cell=None),
        height=640,
        sorts=sorts,
    )
    if run:
        of_all = "" if run.done == run.total else f" ({run.done:,} of {run.total:,} questions)"
        st.caption(f"Outcomes are those of the run {run.id} of {run.updated:%d %B %Y}{of_all}.")
    else:
        st.caption(
            "There is no run of this system with this transformation yet, so the list shows no outcomes. "
            "Make one on the page *Errors*."
        )
    return listed, question


def _current(dataset: Dataset, shown: pd.DataFrame) -> Question:
    """The question that the link names, else the first one that is shown."""
    first = shown["id"].iloc[0] if len(shown) else dataset.questions[0].id
    case = chosen("case")
    if not case:
        return dataset.question(first)
    try:
        return dataset.question(case)
    except CrossheadError:
        stale("Question", "case", case, first)
        return dataset.question(first)


def _steps(
    listed: pd.DataFrame, position: int | None, question: Question, system: str, run: RunRecord | None
) -> None:
    """Previous and next in the order of the list, and the ways to the other pages."""
    beside = None if chosen("sort") else int(listed["position"].searchsorted(position))
    with st.container(horizontal=True, vertical_alignment="center"):
        case_steps(list(listed["id"]), question.id, beside=beside)
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
    table = dataset.table(question.table_id)
    timed = _stored(run, case) if run and case else answer(table, question.text, system, transformation)
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
