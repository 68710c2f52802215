"""Ask: one table, one question, one or two systems."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice

import streamlit as st

from components.answer_card import answer_card, candidate_list, cell_card, gold_card
from components.error_bars import error_bars
from components.layout import wide_and_narrow
from components.navigation import PAGES, require_frame
from components.pickers import (
    pick_dataset,
    pick_system,
    pick_transformation,
    switch_lexicon,
    table_title,
)
from components.plain import counted, plain, shorten
from components.presenting.link import present_link
from components.question_choice import is_of_lost_table, pick_question
from components.resources import Timed, answer, current_dataset, say_fault
from components.selected_cell import cell_text, select_cell, selected_cell
from components.state import chosen, pick, shared_choices, switch
from components.table_choice import pick_table
from components.table_view import Marks, RowColumnScores, flat_table_view, table_view
from qa_core.datasets import Dataset
from qa_core.errors import CrossheadError
from qa_core.evaluation.gold import Gold, find_gold
from qa_core.evaluation.outcome import Outcome, judge
from qa_core.question import Question
from qa_core.systems.registry import SYSTEMS
from qa_core.table import Location, Table
from qa_core.transform import flatten

NO_COMPARISON = "none"
MOST_LINKS = 10


@dataclass(frozen=True)
class _Answered:
    """What came of asking a system: an answer, judged where the gold is known, or a fault."""

    timed: Timed | None = None
    outcome: Outcome | None = None
    fault: CrossheadError | None = None

    @property
    def locations(self) -> tuple[Location, ...]:
        return self.timed.prediction.locations if self.timed else ()


def page() -> None:
    """Draw the page."""
    st.markdown("## Ask a table")
    pick_dataset()
    dataset = current_dataset()
    if dataset.name == "brought" and is_of_lost_table(dataset, chosen("table"), chosen("q")):
        _say_lost(dataset)
        return
    table = pick_table(dataset)
    if table is None:
        return
    text, known = pick_question(dataset.questions_of(table.id))
    system, transformation, rival, use_lexicon = _pick_systems()

    asked = [each for each in (system, rival) if text.strip() and each]
    answers = {each: _ask(table, text, known, each, transformation, use_lexicon) for each in asked}
    gold = find_gold(known, table) if known and asked else None

    drawing, reading = wide_and_narrow("ask")
    with drawing:
        _draw_table(table, transformation, system, rival, gold, answers)
    with reading:
        _read(table, known, gold, answers)
        if any(each.timed for each in answers.values()):
            choice = {"question": known.id, "q": None} if known else {"question": None, "q": text}
            present_link("ask", table=table.id, system=system, run=None, case=None, **choice)
        if dataset.name == "brought":
            _way_to_original(table, answers.get(system))
        st.page_link(
            PAGES["annotate"],
            label="Write questions for this table",
            icon=":material/edit_note:",
            query_params=shared_choices(table=table.id, question=None, q=None if known else chosen("q")),
        )
        if dataset.questions:
            _figures(dataset, system, transformation, use_lexicon)


def _ask(
    table: Table, text: str, known: Question | None, system: str, transformation: str, use_lexicon: bool
) -> _Answered:
    try:
        timed = answer(table, text, system, transformation, use_lexicon=use_lexicon)
    except CrossheadError as fault:
        return _Answered(fault=fault)
    return _Answered(timed, judge(known, table, timed.prediction) if known else None)


def _say_lost(dataset: Dataset) -> None:
    """A question is not asked of another table than its own; links lead to the others."""
    st.warning(
        f"The table “{plain(shorten(chosen('table'), 60))}” of this question is not kept any more; it may "
        "have been deleted in another tab. The question was not asked of another table. Choose one to ask:"
    )
    for table in islice(dataset.tables.values(), MOST_LINKS):
        choices = shared_choices(table=table.id, question=None)
        st.page_link(PAGES["ask"], label=plain(table_title(table)), query_params=choices)
    st.page_link(PAGES["bring"], label="All kept tables, and ways to bring one")


def _pick_systems() -> tuple[str, str, str | None, bool]:
    """System, transformation, the system to compare with or None, and whether the lexicon is used."""
    row = st.container(horizontal=True, vertical_alignment="bottom")
    columns = row.container(key="wide-systems").columns(3)
    with columns[0]:
        system = pick_system(unlike="with")
    with columns[1]:
        transformation = pick_transformation()
    with columns[2]:
        rival = pick(
            "Compare with",
            "with",
            [NO_COMPARISON, *(name for name in SYSTEMS if name != system)],
            title=_rival_title,
            noun="a comparison with",
        )
    with row.container(key="half-switches", horizontal=True, gap="medium"):
        switch("Score map", "scores", help="Shade rows and columns by the score that the system gave them.")
        switch("Flat table", "flat", help="Show the table as the transformation hands it to the system.")
        use_lexicon = switch_lexicon(system, rival)
    return system, transformation, None if rival == NO_COMPARISON else rival, use_lexicon


def _rival_title(name: str) -> str:
    if name == NO_COMPARISON:
        return "no other system"
    return SYSTEMS[name].title if name in SYSTEMS else name


def _draw_table(
    table: Table,
    transformation: str,
    system: str,
    rival: str | None,
    gold: Gold | None,
    answers: Mapping[str, _Answered],
) -> None:
    first, second = answers.get(system, _Answered()), answers.get(rival or "", _Answered())
    for warning in table.warnings:
        st.caption(f":material/info: {plain(shorten(warning, 400))}")
    marks = Marks(
        gold=gold.targets if gold else (),
        predicted=first.locations,
        other=second.locations,
        predicted_name=SYSTEMS[system].title if rival else "predicted",
        other_name=SYSTEMS[rival].title if rival else "other",
    )
    selected = selected_cell(table)
    if chosen("flat") == "1":
        flat = flatten(table, transformation)
        flat_table_view(
            flat,
            marks,
            key="flat-table",
            selected=selected,
            on_click=select_cell,
        )
        turned = "rows and columns exchanged" if flat.transposed else "rows as they are"
        size = f"{counted(flat.n_rows, 'row')} × {counted(flat.n_columns, 'column')}"
        unshaded = " The score map is drawn on the original table only." if chosen("scores") == "1" else ""
        st.caption(f"The flat table: {turned}, {size}.{unshaded}")
    else:
        scores = None
        if chosen("scores") == "1" and first.timed and first.timed.prediction.row_scores:
            prediction = first.timed.prediction
            scores = RowColumnScores(prediction.row_scores, prediction.column_scores)
            whose = f" of {SYSTEMS[system].title}" if rival else ""
            st.caption(f"Shading: the scores{whose}, bars for rows and columns, darker cells for their sum.")
        table_view(
            table,
            marks,
            key="table",
            scores=scores,
            selected=selected,
            on_click=select_cell,
        )
    if table.source:
        st.caption(plain(shorten(table.source, 240)))


def _way_to_original(table: Table, answered: _Answered | None) -> None:
    """A link to the document's own drawing, at the selected cell or the answer's."""
    location = selected_cell(table) or (answered and next(iter(answered.locations), None))
    cell = {"cell": cell_text(location)} if location else {}
    st.page_link(
        PAGES["bring"],
        label="See it in the original, correct headers, export",
        icon=":material/table_eye:",
        query_params={**shared_choices(), "kept": table.id, **cell},
    )


def _figures(dataset: Dataset, system: str, transformation: str, use_lexicon: bool) -> None:
    """The errors of this system over the whole dataset, a door to the page that explains them."""
    st.markdown(f"**Where {SYSTEMS[system].title} goes wrong in {dataset.name}**: wrong answers by category")
    if SYSTEMS[system].uses_lexicon and not use_lexicon:
        st.caption("These figures are with the lexicon; `evaluate --no-lexicon` gives those without.")
    # The database layer is loaded after the table is drawn.
    from components.runs.control import watch_each
    from components.runs.quick import RunFigures, quick_figures

    try:
        figures = quick_figures(dataset, system, transformation)
    except CrossheadError as fault:
        st.error(plain(str(fault)), icon=":material/error:")
        return
    if isinstance(figures, RunFigures):
        run = figures.run
        error_bars(figures.summary, {**shared_choices(), "run": run.id})
        if run.done < run.total:
            st.caption(
                f"Of {run.done} of {run.total} questions: the run was stopped. Continue it on *Errors*."
            )
    elif figures:
        watch_each([figures])
    else:
        st.caption("No run of this system is stored yet; run it on the page *Errors*.")
    st.page_link(PAGES["errors"], label="All errors, by structure and by case", query_params=shared_choices())


def _read(table: Table, known: Question | None, gold: Gold | None, answers: Mapping[str, _Answered]) -> None:
    """The answers or what hinders them, the gold and the selected cell, then what the systems considered."""
    if not answers:
        st.info("Type a question, or take one of the dataset's.")
    for system, answered in answers.items():
        if answered.timed:
            answer_card(f"{SYSTEMS[system].title} answers", table, answered.timed, answered.outcome)
            st.page_link(PAGES["why"], query_params=shared_choices(table=table.id, system=system))
        elif answered.fault:
            say_fault(answered.fault)
    if known and gold:
        gold_card(table, gold, known.answers)
    selected = selected_cell(table)
    if selected:
        cell_card(table, selected)
    for system, answered in answers.items():
        if answered.timed and answered.timed.prediction.candidates:
            with st.expander(f"What {SYSTEMS[system].title} considered"):
                candidate_list(table, answered.timed.prediction.candidates)


require_frame()
page()
