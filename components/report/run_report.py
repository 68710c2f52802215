"""The report of a run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime

import pandas as pd

from components.answer_card import answer_markup
from components.errors.weak_slices_table import ABOUT_WEAK_SLICES, NO_WEAK_SLICE, weak_slices_markup
from components.names import filter_titles
from components.plain import counted
from components.report.cases import Case, cases_section
from components.report.document import MOST_BYTES, document, paragraph, section
from components.report.picture import picture_markup
from components.report.run_pictures import run_pictures
from components.report.sources import (
    Sources,
    accuracy_section,
    matrix_section,
    question_facts,
    run_facts,
)
from components.runs.titles import system_title, transformation_title
from components.table_view.marks import Marks
from qa_core.evaluation.facets import QUESTION_FACETS
from qa_core.evaluation.filters import Filters
from qa_core.evaluation.frame import run_frame
from qa_core.evaluation.judgements import Judged
from qa_core.evaluation.outcome import judge
from qa_core.evaluation.runs import RunRecord
from qa_core.evaluation.slice_finder import weak_slices

FEW_CASES = 20
"""Cases that a report has if nobody asks for more."""
NO_FILTERS = Filters({})


def run_report(
    sources: Sources,
    run_id: str,
    filters: Filters = NO_FILTERS,
    *,
    most_cases: int = FEW_CASES,
    made: datetime | None = None,
) -> str:
    """A run as one HTML file of at most ``MOST_BYTES``.

    Of the questions that ``filters`` list it has the first ``most_cases`` misses as cases, or of a list
    without a miss the first ones; and all of which people said something.

    Raises CrossheadError for a run that is not over the dataset or holds no answer.
    """
    run = sources.run(run_id)
    sources.store.describe(sources.dataset)
    frame = run_frame(sources.store, run.id)
    parts = [
        section("run", "What was run", run_facts(run)),
        accuracy_section(sources, {"": run}),
        _pictures(sources, run, frame),
        matrix_section(sources),
        _weak_slices(frame),
    ]
    title = f"{system_title(run)} on {run.dataset}"
    lead = (
        f"{transformation_title(run.transformation)}, {counted(run.done, 'question')}, {run.strict:.1%} right"
    )
    made = made or datetime.now(UTC)

    def whole(cases: str) -> str:
        return document(title, lead, [*parts, cases], made, charts=True)

    room = MOST_BYTES - len(whole("").encode()) - 2_000
    chosen = chosen_cases(frame, filters, most_cases)
    cases = _cases(sources, run, [*chosen, *(each for each in sources.noted() if each not in chosen)])
    return whole(cases_section(cases, _which(filters, len(chosen), bool(sources.noted())), room))


def chosen_cases(frame: pd.DataFrame, filters: Filters, most: int) -> list[str]:
    """The first misses among the questions that filters list; of a list without a miss its first ones."""
    listed = frame[filters.mask(frame)]
    misses = listed[~listed["strict"]]
    return list((misses if len(misses) else listed)["id"].iloc[:most])


def _which(filters: Filters, n: int, has_noted: bool) -> str:
    among = " · ".join(filter_titles(filters)) or "all"
    noted = " Behind them stand those that people said something about." if has_noted else ""
    return f"The first {counted(n, 'case')} of these questions, misses where there are some: {among}.{noted}"


def _pictures(sources: Sources, run: RunRecord, frame: pd.DataFrame) -> str:
    drawn = "".join(map(picture_markup, run_pictures(sources, run, frame)))
    return section("charts", "Charts", f'<div class="pictures">{drawn}</div>')


def _weak_slices(frame: pd.DataFrame) -> str:
    weak = weak_slices(frame[[*QUESTION_FACETS]], frame["strict"].to_numpy(bool))
    title = "Where it does worst"
    if not weak:
        return section("weak-slices", title, paragraph(NO_WEAK_SLICE))
    table = weak_slices_markup(weak, len(frame), int(frame["strict"].sum()))
    return section("weak-slices", title, paragraph(ABOUT_WEAK_SLICES), table)


def _cases(sources: Sources, run: RunRecord, ids: Sequence[str]) -> Iterator[Case]:
    found = {each.question_id: each for each in sources.store.cases_of(run.id, ids)}
    for question_id in _known(ids, found):
        question = sources.dataset.question(question_id)
        table = sources.dataset.table(question.table_id)
        prediction = sources.store.prediction(run.id, question_id)
        outcome = judge(question, table, prediction)
        yield Case(
            question,
            table,
            outcome.gold,
            Marks(gold=outcome.gold.targets, predicted=prediction.locations),
            [
                answer_markup(
                    f"{system_title(run)} answered", table, prediction, found[question_id].seconds, outcome
                )
            ],
            list(question_facts(outcome.slices)),
            sources.judged.get(question_id, Judged()),
        )


def _known(ids: Sequence[str], found: Iterable[str]) -> list[str]:
    """The ids that a run answered, as they come."""
    known = set(found)
    return [each for each in ids if each in known]
