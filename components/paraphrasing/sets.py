"""Paraphrase sets as small multiples: which wording of each is right, and where the others point."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from urllib.parse import urlencode

import pandas as pd
import streamlit as st

from components.answer_card import both_paths
from components.pickers import table_title
from components.plain import counted, html, shorten
from components.resources import answer
from components.state import shared_choices
from qa_core.datasets import Dataset
from qa_core.evaluation.gold import Gold, find_gold
from qa_core.evaluation.misses import REASONS
from qa_core.evaluation.outcome import judge
from qa_core.evaluation.reasking import system_of
from qa_core.evaluation.results import left_out_lexicon, system_name
from qa_core.evaluation.rewordings import Rewording
from qa_core.evaluation.runs import RunRecord
from qa_core.evaluation.store import RunStore
from qa_core.prediction import Prediction
from qa_core.question import Question
from qa_core.table import Location, Table

MOST_TEXT = 220
MOST_WORDINGS = 12
"""Wordings of one set that its card shows."""


@dataclass(frozen=True)
class Wording:
    """One wording of a set, numbered from 1, and what the run's system answers to it.

    ``own`` is the entry of one that a person kept. ``answer`` is None where the run did not ask it.
    """

    number: int
    question: Question
    answer: str | None
    location: Location | None
    right: bool
    reason: str
    own: Rewording | None = None
    prediction: Prediction | None = None


@dataclass(frozen=True)
class ParaphraseSet:
    """A set with all its wordings; of a question alone, that question and the wordings that people kept."""

    name: str
    table: Table
    gold: Gold
    wordings: tuple[Wording, ...]

    @property
    def hits(self) -> int:
        return sum(wording.right for wording in self.wordings)

    @property
    def first(self) -> Question:
        return self.wordings[0].question


def set_names(frame: pd.DataFrame) -> pd.DataFrame:
    """The paraphrase sets of a run in the dataset's order: ``set``, ``sets`` (how many are right) and the id
    of its ``first`` question."""
    counted = frame[frame["sets"].notna()]
    return counted.groupby("set", sort=False).agg(sets=("sets", "first"), first=("id", "first")).reset_index()


def read_sets(
    dataset: Dataset,
    store: RunStore,
    run: RunRecord,
    first_ids: Sequence[str],
    own: Mapping[str, Sequence[Rewording]],
) -> list[ParaphraseSet]:
    """Some sets, each named by any of its questions, as the run answered them.

    Only the cases of these sets are read; wordings that people kept (``own``, by question) are asked now.
    Raises CrossheadError as the store does, and as ``system_of`` where there are any of these.
    """
    members = [_members(dataset, dataset.question(question_id)) for question_id in first_ids]
    cases = {
        case.question_id: case
        for case in store.cases_of(run.id, [question.id for each in members for question in each])
    }
    found = []
    for questions in members:
        table = dataset.table(questions[0].table_id)
        gold = find_gold(questions[0], table)
        wordings: list[Wording] = []
        for question in questions:
            case = cases.get(question.id)
            wordings.append(
                Wording(
                    len(wordings) + 1,
                    question,
                    case.answer if case else None,
                    case.location if case else None,
                    bool(case and case.strict),
                    case.reason if case else "",
                )
            )
        for question in questions:
            for entry in own.get(question.id, ()):
                wordings.append(asked_now(run, len(wordings) + 1, question, table, entry))
        found.append(
            ParaphraseSet(questions[0].paraphrase_group or questions[0].id, table, gold, tuple(wordings))
        )
    return found


def asked_now(run: RunRecord, number: int, question: Question, table: Table, entry: Rewording) -> Wording:
    """A wording that a run did not ask, as its system answers it; asked once for each run's system.

    Raises CrossheadError as ``system_of`` does.
    """
    system_of(run)
    prediction = answer(
        table, entry.text, system_name(run), run.transformation, use_lexicon=not left_out_lexicon(run)
    ).prediction
    worded = replace(question, text=entry.text)
    outcome = judge(worded, table, prediction)
    return Wording(
        number,
        worded,
        prediction.answer,
        prediction.location,
        outcome.strict,
        outcome.reason,
        entry,
        prediction,
    )


def _members(dataset: Dataset, question: Question) -> tuple[Question, ...]:
    group = question.paraphrase_group
    return (
        tuple(q for q in dataset.questions_of(question.table_id) if q.paraphrase_group == group)
        if group
        else (question,)
    )


def draw_sets(sets: Iterable[ParaphraseSet], run: RunRecord) -> None:
    """Draw a card for each set."""
    st.html(f'<div class="ch-sets">{"".join(_card(each, run) for each in sets)}</div>')


def wording_list(shown: ParaphraseSet, run: RunRecord, *, most: int | None = None) -> str:
    """The wordings of a set, each a link to its case, and where those that fail point; as HTML."""
    listed = shown.wordings[:most]
    items = "".join(_item(shown, wording, run) for wording in listed)
    left = len(shown.wordings) - len(listed)
    more = f"<li><b></b><div>and {counted(left, 'wording')} more</div></li>" if left else ""
    return f'<ol class="ch-wordings">{items}{more}</ol>'


def set_link(question_id: str, **values: str) -> str:
    """The address of a set on this page; the part of the list and the other choices stay."""
    kept = {
        name: value
        for name, value in st.query_params.to_dict().items()
        if name not in ("set", "wording", "case", "cell")
    }
    return f"paraphrases?{urlencode({**kept, 'set': question_id, **values})}#set"


def _card(shown: ParaphraseSet, run: RunRecord) -> str:
    asked = [wording for wording in shown.wordings if wording.answer is not None]
    title = escape(table_title(shown.table))
    gold = " · ".join(shown.first.answers)
    target = shown.gold.targets[0] if shown.gold.targets else None
    place = both_paths(shown.table, target) if target else "stands nowhere in this table"
    return (
        f'<article class="ch-card ch-set"><header><h4>{html(shorten(shown.name, 60))}'
        f"<span>{shown.hits} of {len(asked)} right</span></h4>{_map(shown)}</header>"
        f'<p title="{title}"><b>{html(shorten(gold, 60))}</b> {place}</p>'
        f"{wording_list(shown, run, most=MOST_WORDINGS)}"
        f'<a href="{escape(set_link(shown.first.id))}" target="_self">Open the set in its table</a></article>'
    )


def _item(shown: ParaphraseSet, wording: Wording, run: RunRecord) -> str:
    text = html(shorten(wording.question.text, MOST_TEXT))
    if wording.own is None:
        choices = shared_choices(question=None, q=None) | {"run": run.id, "case": wording.question.id}
        text = f'<a href="errors?{escape(urlencode(choices))}" target="_self">{text}</a>'
        who = f"<small>{html(shorten(wording.question.id, 50))}</small>"
    else:
        choices = shared_choices(
            table=shown.table.id,
            question=None,
            q=wording.own.text,
            system=system_name(run),
            transformation=run.transformation,
            lexicon="0" if left_out_lexicon(run) else None,
        )
        text = f'<a href="./?{escape(urlencode(choices))}" target="_self">{text}</a>'
        author = html(shorten(wording.own.author or "somebody", 60))
        who = f"<small>own · {author}, {wording.own.made:%Y-%m-%d %H:%M} UTC</small>"
    verdict, sign = ("yes", "✓") if wording.right else ("no", "✗")
    return (
        f'<li class="{verdict}"><b>{sign} {wording.number}</b>'
        f"<div>{text} {who}{_points_to(shown.table, wording)}</div></li>"
    )


def _points_to(table: Table, wording: Wording) -> str:
    """Where a wording that fails points instead, and the structural reason."""
    if wording.right:
        return ""
    if wording.answer is None:
        return "<p>was not asked in this run</p>"
    reason = f'<em title="{escape(REASONS.get(wording.reason, ""))}">{wording.reason.replace("-", " ")}</em>'
    if wording.location is None or wording.location not in table:
        return f"<p>→ no cell · {reason}</p>"
    answer = html(shorten(wording.answer, 60)) or "empty"
    return f"<p>→ <b>{answer}</b> {both_paths(table, wording.location)} · {reason}</p>"


def _map(shown: ParaphraseSet) -> str:
    """The table in small: where the gold stands, and the numbers of the wordings that point elsewhere."""
    elsewhere: dict[Location, list[str]] = {}
    for wording in shown.wordings:
        if not wording.right and wording.location is not None and wording.location in shown.table:
            elsewhere.setdefault(wording.location, []).append(str(wording.number))
    spots = [f'<i class="gold" {_at(shown.table, target)}></i>' for target in shown.gold.targets[:20]]
    spots += [
        f'<i class="miss" {_at(shown.table, location)}>{",".join(numbers)}</i>'
        for location, numbers in elsewhere.items()
    ]
    size = f"{shown.table.n_rows} × {shown.table.n_columns}"
    return f'<div class="ch-map" title="The table in small, {size} cells">{"".join(spots)}</div>'


def _at(table: Table, location: Location) -> str:
    down = 0.0 if location.row is None else (location.row + 0.5) / table.n_rows
    across = 0.0 if location.column is None else (location.column + 0.5) / table.n_columns
    return f'style="top: {100 * down:.1f}%; left: {100 * across:.1f}%"'
