"""How far a run's answers hold when its questions are asked in other words, and the cases behind it."""

from __future__ import annotations

from dataclasses import replace
from urllib.parse import urlencode

import pandas as pd
import streamlit as st

from components.case_steps import case_steps
from components.figures_table import Figure, Line, figures_table_markup
from components.metric import said
from components.names import title_of
from components.paraphrasing.robustness_control import start_check, watch_check
from components.parts import part_of
from components.pickers import table_title
from components.plain import counted, html, plain, shorten
from components.question_grid import MAX_CHARACTERS, question_grid
from components.resources import Timed, perturbed_store
from components.reveal import reveal
from components.state import choose, chosen, pick, stale
from components.two_predictions import Side, two_predictions
from qa_core.datasets import Dataset
from qa_core.evaluation.comparison import CHANGES
from qa_core.evaluation.outcome import judge
from qa_core.evaluation.perturbations import PERTURBATIONS, rules
from qa_core.evaluation.perturbed_store import PerturbedCase, WordingFilters
from qa_core.evaluation.reasking import can_be_asked
from qa_core.evaluation.robustness import Effect, Robustness, robustness
from qa_core.evaluation.runs import RunRecord
from qa_core.evaluation.store import RunStore
from qa_core.prediction import Prediction
from qa_core.question import Question

ALL = "all"
LISTED_AT_ONCE = 500
_SAME = {ALL: "all", "yes": "the same", "no": "another"}


def robustness_view(dataset: Dataset, store: RunStore, run: RunRecord) -> None:
    """Draw the figures of a run as far as they are stored, the way to get the rest, and the cases."""
    running = watch_check(run)
    found = _figures(run.id, run.done, perturbed_store().n_looked_at(run.id), rules(), run)
    if found.looked_at:
        _headline(found)
    if not running:
        _way_on(dataset, store, run, found)
    heads = _HEADS if found.looked_at else _HEADS[:1]
    lines = [_line(name, effect, found) for name, effect in found.effects.items()]
    st.html(f'<div class="ch-rules">{figures_table_markup(heads, {"": lines})}</div>')
    st.caption(
        "Each rule says for a question whether it fits, and gives another wording; the gold stays. Before "
        "and after are strict accuracies over the questions that fit."
    )
    if found.asked:
        _cases(dataset, store, run)


_HEADS = [
    ("", ""),
    ("Fits", "questions"),
    ("Does not", ""),
    ("Before", "strict"),
    ("After", "strict"),
    ("Same answer", ""),
    ("Gained", ""),
    ("Lost", ""),
    ("p", "McNemar"),
]


@st.cache_resource(max_entries=100, show_spinner=False)
def _figures(run_id: str, done: int, looked_at: int, of_rules: str, _run: RunRecord) -> Robustness:
    return robustness(perturbed_store(), _run)


def _headline(found: Robustness) -> None:
    low, high = found.interval
    columns = st.columns(3)
    columns[0].metric(
        "Right answers that stay right",
        "–" if found.share is None else f"{found.share:.1%}",
        **said(f"{100 * low:.1f} – {100 * high:.1f} (95 %)"),
        help="Of the wordings that the rules which keep the meaning made of questions that the run answers "
        "rightly. The interval is that of a bootstrap that draws questions, each with all its wordings, "
        "10,000 times.",
    )
    columns[1].metric("Wordings of these", f"{found.asked:,}", **said(f"{found.kept:,} answered rightly"))
    whole = "all questions of the run" if found.is_whole else f"of {found.total:,} questions of the run"
    columns[2].metric("Looked at", f"{found.looked_at:,}", **said(whole))


def _way_on(dataset: Dataset, store: RunStore, run: RunRecord, found: Robustness) -> None:
    if found.is_whole:
        return
    if not can_be_asked(run):
        st.info(
            "The system of this run had another model than its default one, which the app does not load, so "
            "it cannot be asked again here. Choose another run."
        )
        return
    st.button(
        "Ask the rest in other words" if found.looked_at else "Ask its questions in other words",
        key="start-check",
        type="primary",
        icon=":material/play_arrow:",
        on_click=start_check,
        args=(dataset, store, run),
        help="Asks the run's system every question in the words of each rule that fits, and keeps "
        "the answers.",
    )


def _line(name: str, effect: Effect, found: Robustness) -> Line:
    rule, change, n = PERTURBATIONS[name], effect.change, effect.fits
    before, after = rule.example
    note = f"{before} → {after}"
    if not found.looked_at:
        return Line(rule.title, [], f"{rule.description} {note}")
    if not n:
        none = [Figure("–")] * (len(_HEADS) - 3)
        return Line(rule.title, [Figure("0"), Figure(f"{found.looked_at:,}"), *none], note)
    low, high = change.interval
    return Line(
        rule.title,
        [
            _count(n, perturbation=name),
            Figure(f"{found.looked_at - n:,}"),
            Figure(f"{100 * change.first:.2f}"),
            Figure(
                f"{100 * change.second:.2f}", hint=f"difference {100 * low:+.1f} to {100 * high:+.1f} (95 %)"
            ),
            Figure(
                f"{100 * effect.same_share:.2f}",
                "" if effect.same == n else f"{n - effect.same:,} another",
                _link(perturbation=name, same="no") if effect.same < n else "",
            ),
            _count(change.gained, perturbation=name, change="gained"),
            _count(change.lost, perturbation=name, change="lost"),
            Figure(f"{change.p_value:.3f}" if change.p_value >= 0.001 else f"{change.p_value:.1e}"),
        ],
        note,
    )


def _count(n: int, **choices: str) -> Figure:
    return Figure(f"{n:,}", link=_link(**choices) if n else "")


def _link(**choices: str) -> str:
    dropped = ("perturbation", "change", "same", "case", "cell", "perturbed-part", "set", "wording")
    kept = {name: value for name, value in st.query_params.to_dict().items() if name not in dropped}
    return f"paraphrases?{urlencode(kept | choices)}#perturbed"


def _cases(dataset: Dataset, store: RunStore, run: RunRecord) -> None:
    st.header("Cases in other words", anchor="perturbed")
    columns = st.columns(3)
    with columns[0]:
        perturbation = _pick(
            "Rule", "perturbation", {ALL: "all"} | {each.name: each.title for each in PERTURBATIONS.values()}
        )
    with columns[1]:
        change = _pick("Change", "change", {ALL: "all"} | {name: title_of(name) for name in CHANGES})
    with columns[2]:
        same = _pick("Answer", "same", _SAME)
    filters = WordingFilters(
        perturbation=perturbation, change=change, same=None if same is None else same == "yes"
    )
    n = perturbed_store().count(run.id, **filters)
    if not n:
        st.info("No wording meets all of these choices.")
        return
    here = chosen("case")
    at = _place(run, here, filters) if n > LISTED_AT_ONCE else None
    part = part_of(n, LISTED_AT_ONCE, at, name="perturbed-part")
    st.caption(f"{counted(n, 'wording')}. Select one to open it.")
    cases = {
        _id(case): case
        for case in perturbed_store().cases(run.id, **filters, offset=part.start, limit=LISTED_AT_ONCE)
    }
    order = question_grid(
        _frame(dataset, list(cases.values())),
        key="perturbed-cases",
        selected=here if here in cases else None,
        on_select=lambda each: choose(case=each, cell=None),
        height=min(420, 110 + 44 * len(cases)),
    )
    if here in cases:
        _case(dataset, store, run, cases[here], order)
    elif here:
        stale("Case", "case", here, "the list without a selection")


def _place(run: RunRecord, here: str, filters: WordingFilters) -> int | None:
    """Where the case that the link opens stands in the whole list."""
    if not here:
        return None
    places = [f"{name}:{question_id}" for question_id, name in perturbed_store().places(run.id, **filters)]
    return places.index(here) if here in places else None


def _pick(label: str, name: str, titles: dict[str, str]) -> str | None:
    picked = pick(
        label,
        name,
        list(titles),
        title=lambda value: titles.get(value, value),
        clears=("case", "perturbed-part"),
    )
    return None if picked == ALL else picked


def _id(case: PerturbedCase) -> str:
    return f"{case.after.perturbation}:{case.question_id}"


def _frame(dataset: Dataset, cases: list[PerturbedCase]) -> pd.DataFrame:
    rows = [
        {
            "id": _id(case),
            "question": shorten(case.after.text, MAX_CHARACTERS),
            "gold": shorten(" · ".join(dataset.question(case.question_id).answers), MAX_CHARACTERS),
            "change": _change(case).replace("-", " "),
            "first": shorten(case.before, MAX_CHARACTERS),
            "second": shorten(case.after.answer, MAX_CHARACTERS),
            "reason": (case.before_reason or case.after.reason).replace("-", " "),
            "table": table_title(dataset.table(case.table_id)),
        }
        for case in cases
    ]
    return pd.DataFrame(rows)


def _change(case: PerturbedCase) -> str:
    if case.before_strict == case.after.strict:
        return "both-right" if case.before_strict else "both-wrong"
    return "gained" if case.after.strict else "lost"


def _case(dataset: Dataset, store: RunStore, run: RunRecord, case: PerturbedCase, order: list[str]) -> None:
    """Both wordings side by side, with both answers in one table; nothing is asked anew."""
    question, table = dataset.question(case.question_id), dataset.table(case.table_id)
    before = store.prediction(run.id, case.question_id)
    after = _prediction(case)
    outcomes = judge(question, table, before), judge(_worded(question, case.after.text), table, after)
    reveal(_id(case), key="opened-wording")
    case_steps(order, _id(case))
    rule = PERTURBATIONS[case.after.perturbation].title
    st.html(
        '<dl class="ch-two-wordings">'
        f"<dt>Original</dt><dd>{html(question.text)}</dd><dt>{html(rule)}</dt><dd>{html(case.after.text)}</dd></dl>"
    )
    st.caption(f"{title_of(_change(case))} · {plain(table_title(table))}")
    original = Side("original", "Original wording", Timed(before, run.seconds / run.done), outcomes[0])
    reworded = Side("in other words", rule, Timed(after, case.after.seconds), outcomes[1])
    two_predictions(table, (original, reworded), question.answers, key="perturbed")


def _prediction(case: PerturbedCase) -> Prediction:
    location = case.after.location
    return Prediction(case.after.answer, (location,) if location else (), confidence=case.after.confidence)


def _worded(question: Question, text: str) -> Question:
    return replace(question, text=text)
