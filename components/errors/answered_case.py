"""One question as a run answered it, with its table and what people say of it."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from components.answer_card import answer_card, candidate_list, cell_card, gold_card
from components.case_steps import case_steps
from components.judgement_form import judgement_form
from components.layout import wide_and_narrow
from components.navigation import PAGES
from components.pickers import table_title
from components.plain import plain, shorten
from components.presenting.link import present_link
from components.resources import Timed
from components.reveal import reveal
from components.runs.links import asking_again
from components.runs.titles import system_title
from components.selected_cell import select_cell, selected_cell
from components.table_view import Marks, table_view
from qa_core.datasets import Dataset
from qa_core.evaluation.judgements import Judged
from qa_core.evaluation.outcome import judge
from qa_core.evaluation.runs import CaseRow, RunRecord
from qa_core.evaluation.store import RunStore


def answered_case(
    dataset: Dataset, store: RunStore, run: RunRecord, case: CaseRow, order: Sequence[str], judged: Judged
) -> None:
    """One question as the run answered it: nothing is predicted anew."""
    question, table = dataset.question(case.question_id), dataset.table(case.table_id)
    prediction = store.prediction(run.id, case.question_id)
    outcome = judge(question, table, prediction)
    reveal(case.question_id, key="opened-case")
    case_steps(order, case.question_id)
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
        st.markdown("#### What people say")
        judgement_form(dataset, question, table, judged, selected)


def _links(run: RunRecord, case: CaseRow) -> None:
    """The same question on the other pages."""
    choices = asking_again(run, case.table_id, case.question_id)
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
        st.page_link(PAGES["why"], query_params=choices)
        present_link("errors", run=run.id, other=None)
