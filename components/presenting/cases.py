"""A case on the whole screen: question, table with gold and predicted, answers, verdict."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import streamlit as st

from components.answer_card import answer_card, gold_card
from components.layout import wide_and_narrow
from components.listing import OF_ANSWERS, OF_QUESTIONS, described_questions, ordered, searched
from components.pickers import table_title
from components.plain import html, shorten
from components.presenting.deck import Deck
from components.presenting.excerpt import excerpt_around
from components.question_choice import asked_question
from components.resources import Timed, answer, open_store
from components.runs.figures import frame_of
from components.runs.titles import names_of_both, system_title
from components.state import chosen
from components.table_view import Marks, table_view
from qa_core.datasets import Dataset
from qa_core.evaluation.comparison import CHANGES
from qa_core.evaluation.filters import Filters, known_filters
from qa_core.evaluation.frame import compared_frame
from qa_core.evaluation.gold import Gold, find_gold
from qa_core.evaluation.misses import REASONS
from qa_core.evaluation.outcome import Outcome, judge
from qa_core.evaluation.runs import RunRecord
from qa_core.evaluation.slices import SLICES
from qa_core.evaluation.store import RunStore
from qa_core.question import Question
from qa_core.systems.registry import SYSTEMS
from qa_core.table import Table
from qa_core.transform import TRANSFORMATIONS

_CHOICES: dict[str, Mapping[str, str]] = {"change": CHANGES, "slice": SLICES, "reason": REASONS}


@dataclass(frozen=True)
class Case:
    """A question, its table, and what one or two systems answered, by their titles."""

    text: str
    table: Table
    gold: Gold | None
    accepted: Sequence[str]
    answers: Mapping[str, tuple[Timed, Outcome | None]]

    @property
    def marks(self) -> Marks:
        """Gold and predicted cells."""
        names = list(self.answers)
        cells = [timed.prediction.locations for timed, _ in self.answers.values()]
        two = len(names) > 1
        return Marks(
            gold=self.gold.targets if self.gold else (),
            predicted=cells[0],
            other=cells[1] if two else (),
            predicted_name=names[0] if two else "predicted",
            other_name=names[1] if two else "other",
        )


def stored_deck(dataset: Dataset, store: RunStore, runs: Sequence[RunRecord]) -> Deck:
    """The questions that the page behind lists, in its order: those of a run under its filters, or those of
    two runs."""
    frames = [frame_of(store, run, dataset) for run in runs]
    if len(frames) > 1:
        known = {name: value for name in _CHOICES if (value := _chosen(name))}
        compared = compared_frame(frames[0], frames[1])
        listed = ordered(dataset, compared[Filters(known).mask(compared)], OF_QUESTIONS)
    else:
        frame = frames[0]
        met = frame[known_filters(st.query_params.to_dict()).mask(frame)]
        found = searched(dataset, met, chosen("find"))
        listed = ordered(dataset, found, (*OF_QUESTIONS, *OF_ANSWERS), frame)
    return Deck("case", list(listed["id"]), chosen("case"), _positions(dataset))


def stored_case(dataset: Dataset, store: RunStore, runs: Sequence[RunRecord], question: Question) -> Case:
    """A question as one or two runs answered it. Raises CrossheadError where a run did not."""
    table = dataset.table(question.table_id)
    names = names_of_both(*runs) if len(runs) > 1 else [system_title(runs[0])]
    answers = {}
    for name, run in zip(names, runs, strict=True):
        prediction = store.prediction(run.id, question.id)
        timed = Timed(prediction, run.seconds / max(run.done, 1))
        answers[name] = timed, judge(question, table, prediction)
    return Case(question.text, table, find_gold(question, table), question.answers, answers)


def asked_deck(dataset: Dataset, table: Table, question: Question | None) -> Deck:
    """The dataset's questions: on the page *Explore* as they are listed there, else those of the table."""
    if question is None:
        return Deck("q", [chosen("q")], chosen("q"), {})
    if chosen("case"):
        questions = described_questions(open_store(), dataset)
        slice = _chosen("slice")
        met = questions[Filters({"slice": slice} if slice else {}).mask(questions)]
        listed = ordered(dataset, searched(dataset, met, chosen("find")), OF_QUESTIONS)
        return Deck("case", list(listed["id"]), question.id, _positions(dataset))
    names = [each.id for each in dataset.questions_of(table.id)]
    return Deck("question", names, question.id, _positions(dataset))


def asked_case(dataset: Dataset) -> tuple[Case, Question | None]:
    """What the page *Ask* shows, or *Explore* without a run: the systems are asked now.

    Raises CrossheadError where the table is not there or a system cannot be loaded.
    """
    if chosen("case"):
        known: Question | None = (question := dataset.question(chosen("case")))
        text, table = question.text, dataset.table(question.table_id)
    else:
        table = dataset.table(chosen("table"))
        text, known = asked_question(dataset.questions_of(table.id), chosen("question"), chosen("q")[:500])
    transformation = chosen("transformation")
    if transformation not in TRANSFORMATIONS:
        transformation = "base"
    named = dict.fromkeys([chosen("system", "lexical"), chosen("with")])
    systems = [name for name in named if name in SYSTEMS]
    answers: dict[str, tuple[Timed, Outcome | None]] = {}
    for name in systems or ["lexical"]:
        timed = answer(table, text, name, transformation, use_lexicon=chosen("lexicon") != "0")
        answers[SYSTEMS[name].title] = timed, judge(known, table, timed.prediction) if known else None
    gold = find_gold(known, table) if known else None
    return Case(text, table, gold, known.answers if known else (), answers), known


def draw_case(case: Case, *, hidden: bool) -> None:
    """Draw a case; with ``hidden`` the question and the table alone."""
    st.html(f'<div class="ch-slide">{html(shorten(case.text, 300))}</div>')
    marks = case.marks
    excerpt = excerpt_around(case.table, (*marks.predicted, *marks.gold, *marks.other))
    title = shorten(case.table.title or table_title(case.table), 48)
    drawing, reading = wide_and_narrow("slide")
    with drawing:
        table_view(
            excerpt.table,
            Marks() if hidden else excerpt.marks(marks),
            key="slide-table",
            caption=f"{title} ({excerpt.said})" if excerpt.said else title,
        )
    with reading:
        if hidden:
            st.html('<div class="ch-below">The next turn shows the answer.</div>')
            return
        for name, (_, outcome) in case.answers.items():
            if outcome:
                st.html(_verdict(name, outcome))
        for name, (timed, outcome) in case.answers.items():
            answer_card(f"{name} answers", case.table, timed, outcome)
        if case.gold:
            gold_card(case.table, case.gold, case.accepted)


def _verdict(name: str, outcome: Outcome) -> str:
    """Right or wrong, and why, as one would say it."""
    sign, word = ("✓", "right") if outcome.strict else ("✗", "wrong")
    why = f" {html(REASONS[outcome.reason])}" if outcome.reason else ""
    return f'<div class="ch-verdict-said"><b>{sign} {html(name)} is {word}.</b>{why}</div>'


def _chosen(name: str) -> str | None:
    """What a link chooses by a filter of *Compare* or *Explore*; None for all and for what is none."""
    return chosen(name) if chosen(name) in _CHOICES[name] else None


def _positions(dataset: Dataset) -> dict[str, int]:
    return {question.id: place for place, question in enumerate(dataset.questions)}
