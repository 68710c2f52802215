"""The report of a comparison of two runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime

from components.answer_card import answer_markup
from components.comparison_tables import changes_markup, gains_by_reason_markup, p_text
from components.names import title_of
from components.plain import counted, html
from components.report.cases import Case, cases_section
from components.report.document import MOST_BYTES, document, facts, section
from components.report.run_report import FEW_CASES
from components.report.sources import (
    Sources,
    accuracy_section,
    matrix_section,
    question_facts,
    run_facts,
)
from components.runs.titles import names_of_both
from components.table_view.marks import Marks
from qa_core.errors import CrossheadError
from qa_core.evaluation.comparison import Comparison, PairedCase, compare
from qa_core.evaluation.judgements import Judged
from qa_core.evaluation.outcome import judge
from qa_core.evaluation.runs import RunRecord
from qa_core.evaluation.slices import SLICES

CHANGED = ("gained", "lost")


def comparison_report(
    sources: Sources,
    first_id: str,
    second_id: str,
    chosen: Mapping[str, str] | None = None,
    *,
    most_cases: int = FEW_CASES,
    made: datetime | None = None,
) -> str:
    """What a second run gained and lost over a first one, as one HTML file of at most ``MOST_BYTES``.

    ``chosen`` lists questions by ``change``, ``slice`` and ``reason``; of them it has the first
    ``most_cases``, where no change is chosen of those that changed; and all of which people said something.

    Raises CrossheadError for runs that are not over the dataset or answered no question in common.
    """
    chosen = chosen or {}
    runs = sources.run(first_id), sources.run(second_id)
    names = names_of_both(*runs)
    verdicts = sources.store.paired(first_id, second_id)
    if not verdicts:
        raise CrossheadError(
            f"No question was answered in both of the runs {first_id} and {second_id}; choose others."
        )
    found = compare(verdicts, SLICES)
    parts = [
        section("runs", "What was compared", _both(names, runs)),
        _difference(found),
        accuracy_section(sources, {f"First: {names[0]}": runs[0], f"Second: {names[1]}": runs[1]}),
        section("changes", "By kind of question", changes_markup(found)),
        section("reasons", "By structural reason of the miss", gains_by_reason_markup(found))
        if found.reasons
        else "",
        matrix_section(sources),
    ]
    title = f"{names[0]} and {names[1]} on {runs[0].dataset}"
    lead = f"{counted(found.whole.n, 'question')} that both answered"
    made = made or datetime.now(UTC)

    def whole(cases: str) -> str:
        return document(title, lead, [*parts, cases], made, charts=False)

    room = MOST_BYTES - len(whole("").encode()) - 2_000
    every = {each.question_id: each for each in sources.store.paired_cases(first_id, second_id)}
    change, slice, reason = (chosen.get(name) for name in ("change", "slice", "reason"))
    listed = sources.store.paired_cases(first_id, second_id, change=change, slice=slice, reason=reason)
    listed = listed if change else [each for each in listed if each.change in CHANGED]
    listed = listed[:most_cases]
    ids = dict.fromkeys(
        [*(each.question_id for each in listed), *filter(every.__contains__, sources.noted())]
    )
    cases = _cases(sources, runs, names, [every[question_id] for question_id in ids])
    return whole(cases_section(cases, _which(chosen, len(listed), bool(sources.noted())), room))


def _which(chosen: Mapping[str, str], n: int, has_noted: bool) -> str:
    change = () if "change" in chosen else ("gained or lost",)
    among = " · ".join((*change, *map(title_of, chosen.values())))
    noted = " Behind them stand those that people said something about." if has_noted else ""
    return f"The first {counted(n, 'case')} of these questions: {among}.{noted}"


def _both(names: tuple[str, str], runs: tuple[RunRecord, RunRecord]) -> str:
    sides = (
        f"<div><h3>{place}: {html(name)}</h3>{run_facts(run)}</div>"
        for place, name, run in zip(("First", "Second"), names, runs, strict=True)
    )
    return f'<div class="both">{"".join(sides)}</div>'


def _difference(found: Comparison) -> str:
    whole = found.whole
    low, high = whole.interval
    return section(
        "difference",
        "Difference",
        facts(
            [
                (
                    "Second less first",
                    f"{100 * (whole.second - whole.first):+.2f} points, "
                    f"{100 * low:+.1f} to {100 * high:+.1f} (95 %, paired bootstrap)",
                ),
                (
                    "McNemar's exact test",
                    f"p = {p_text(whole.p_value)}; {whole.gained:,} gained, {whole.lost:,} lost",
                ),
                ("Same cell", f"{found.agreement:.1%} of the questions"),
                ("An oracle of both", f"{whole.oracle:.1%} right"),
            ]
        ),
    )


def _cases(
    sources: Sources,
    runs: tuple[RunRecord, RunRecord],
    names: tuple[str, str],
    cases: Sequence[PairedCase],
) -> Iterator[Case]:
    for case in cases:
        question = sources.dataset.question(case.question_id)
        table = sources.dataset.table(question.table_id)
        first, second = (sources.store.prediction(run.id, case.question_id) for run in runs)
        outcomes = [judge(question, table, prediction) for prediction in (first, second)]
        gold = outcomes[0].gold
        yield Case(
            question,
            table,
            gold,
            Marks(gold.targets, first.locations, second.locations, *names),
            [
                answer_markup(f"{name} answered", table, outcome.prediction, run.seconds / run.done, outcome)
                for name, run, outcome in zip(names, runs, outcomes, strict=True)
            ],
            [title_of(case.change), *question_facts(outcomes[0].slices)],
            sources.judged.get(case.question_id, Judged()),
        )
