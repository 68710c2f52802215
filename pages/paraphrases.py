"""Paraphrases: which wordings of a question a run gets right, own wordings, and rules that make others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd
import streamlit as st

from components.chart_door import door
from components.charts import paraphrase_chart
from components.figures_table import Figure, Line, figures_table_markup
from components.names import title_of
from components.navigation import PAGES, require_frame
from components.paraphrasing.opened_set import opened_set
from components.paraphrasing.own_wording import exchange_wordings
from components.paraphrasing.robustness_view import robustness_view
from components.paraphrasing.sets import draw_sets, read_sets, set_names
from components.parts import part_of
from components.pickers import pick_dataset
from components.plain import counted, plain
from components.resources import current_dataset, open_store, rewording_store, say_fault, stop_with
from components.runs.choice import pick_run
from components.runs.control import follow, follows, watch
from components.runs.figures import frame_of, run_summary
from components.runs.titles import system_title
from components.state import choose, chosen, pick, shared_choices, stale, write_text
from qa_core.datasets import Dataset, looks_like_aitqa
from qa_core.errors import CrossheadError
from qa_core.evaluation.facets import SETS
from qa_core.evaluation.published import AIT_QA, PAPER
from qa_core.evaluation.reasking import can_be_asked
from qa_core.evaluation.rewordings import Rewording, set_of
from qa_core.evaluation.runs import RunRecord
from qa_core.evaluation.store import RunStore
from qa_core.text import fold

ALL, OWN = "all", "own"
CARDS_AT_ONCE = 12
FOUND_AT_ONCE = 20


def page() -> None:
    """Draw the page."""
    st.markdown("## Paraphrases")
    pick_dataset()
    dataset = current_dataset()
    if not dataset.questions:
        st.info(
            "This dataset has no questions, so there is nothing to ask in other words. Choose another one."
        )
        return
    store = open_store()
    try:
        _paraphrases(dataset, store)
    except CrossheadError as fault:
        stop_with(fault)


def _paraphrases(dataset: Dataset, store: RunStore) -> None:
    follow()
    runs = sorted(
        (run for run in store.runs() if run.dataset_fingerprint == dataset.fingerprint and run.done),
        key=lambda run: run.updated,
        reverse=True,
    )
    if not runs:
        st.info(
            "No system was run over this dataset yet. Run one on the page *Errors*; then this page shows "
            "which wordings of a question it gets right, and where the others point."
        )
        st.page_link(PAGES["errors"], icon=":material/bar_chart:", query_params=shared_choices())
        return
    run = pick_run(dataset, store, runs)
    if not watch(dataset.fingerprint) and follows():
        st.rerun()  # it ended between the look at the top and the one here
    _how_many(dataset, store, run)
    frame = frame_of(store, run, dataset)
    own = rewording_store().standing(dataset)
    _sets(dataset, store, run, frame, own)
    _any_question(dataset)
    exchange_wordings(dataset, own)
    st.header("Asked in other words by rule", anchor="rules")
    robustness_view(dataset, store, run)


def _how_many(dataset: Dataset, store: RunStore, run: RunRecord) -> None:
    sets = run_summary(store, run)["paraphrase_sets"]
    n = sum(sets.values())
    if not n:
        st.info("No two questions of this run ask for the same answer in other words.")
        return
    left, right = st.columns(2, gap="medium")
    with left:
        st.markdown("### Paraphrase sets")
        door(run, paraphrase_chart(sets, chosen("sets")), "sets", "Paraphrase sets by how many are right")
    with right:
        st.markdown("### In percent of the sets")
        heads = [("", ""), *((title_of(name), "strict") for name in SETS)]
        names = [name.removesuffix("-right") for name in SETS]
        lines = [Line(system_title(run), [_share(sets[name] / n) for name in names], f"n = {n:,} sets")]
        if looks_like_aitqa(dataset):
            lines += [
                Line(
                    f"{system.title}, {PAPER}",
                    [_share(system.paraphrase_sets[name]) for name in names],
                    "n = 72 sets",
                )
                for system in AIT_QA
            ]
        st.html(figures_table_markup(heads, {"": lines}))


def _share(share: float) -> Figure:
    return Figure(f"{100 * share:.2f}")


def _sets(
    dataset: Dataset, store: RunStore, run: RunRecord, frame: pd.DataFrame, own: Sequence[Rewording]
) -> None:
    by_question: dict[str, list[Rewording]] = {}
    for entry in own:
        by_question.setdefault(entry.question_id, []).append(entry)
    names = _chosen_sets(dataset, set_names(frame), by_question)
    opened = _opened(dataset)
    if names:
        first_ids = {
            dataset.question(each).paraphrase_group or each: place for place, each in enumerate(names)
        }
        at = first_ids.get(dataset.question(opened).paraphrase_group or opened) if opened else None
        part = part_of(len(names), CARDS_AT_ONCE, at)
        st.caption(
            f"{counted(len(names), 'set')}. In each map of a table the frame is the gold, and the numbers "
            "are the wordings that point elsewhere. Kept wordings do not count in the figures above."
        )
        asked = by_question if can_be_asked(run) else {}
        try:
            shown = read_sets(dataset, store, run, names[part], asked)
        except CrossheadError as fault:
            say_fault(fault)
            asked = {}
            shown = read_sets(dataset, store, run, names[part], asked)
        draw_sets(shown, run)
    else:
        st.info("No set is of this kind.")
    if opened:
        _open(dataset, store, run, opened, by_question)


def _chosen_sets(dataset: Dataset, names: pd.DataFrame, own: Mapping[str, Sequence[Rewording]]) -> list[str]:
    """The first question of each set that the link chooses, in the dataset's order."""
    values = {ALL: "all", **{name: title_of(name) for name in SETS}, OWN: "With a kept wording"}
    choice = pick(
        "Sets", "sets", list(values), title=lambda value: values.get(value, value), clears=("part",)
    )
    if choice == OWN:
        firsts = [set_of(dataset, dataset.question(question_id))[0].id for question_id in own]
        return list(dict.fromkeys(firsts))
    if choice != ALL:
        names = names[names["sets"] == choice]
    return [str(each) for each in names["first"]]


def _opened(dataset: Dataset) -> str:
    """The question whose set is opened; empty for none."""
    asked = chosen("set")
    try:
        return dataset.question(asked).id if asked else ""
    except CrossheadError:
        stale("Set", "set", asked, "the list of sets")
        return ""


def _open(
    dataset: Dataset,
    store: RunStore,
    run: RunRecord,
    question_id: str,
    own: Mapping[str, Sequence[Rewording]],
) -> None:
    question = dataset.question(question_id)
    kept = [entry for each in set_of(dataset, question) for entry in own.get(each.id, ())]
    try:
        (shown,) = read_sets(dataset, store, run, [question_id], own if can_be_asked(run) else {})
    except CrossheadError as fault:
        say_fault(fault)
        (shown,) = read_sets(dataset, store, run, [question_id], {})
    opened_set(dataset, run, shown, question, kept)


def _any_question(dataset: Dataset) -> None:
    """A way to a question that is in no set."""
    with st.expander("Ask any question of the dataset in your own words", expanded=bool(chosen("find"))):
        words = fold(
            write_text("Find a question", "find", placeholder="words of the question, or its id")
        ).split()
        if not words:
            return
        texts = _search_texts(dataset.fingerprint, dataset)
        found = [place for place, text in enumerate(texts) if all(word in text for word in words)]
        shown = f", the first {FOUND_AT_ONCE} are shown" if len(found) > FOUND_AT_ONCE else ""
        st.caption(f"{counted(len(found), 'question')} found{shown}.")
        for place in found[:FOUND_AT_ONCE]:
            question = dataset.questions[place]
            st.button(
                plain(f"{question.text} ({question.id})"),
                key=f"reword-{question.id}",
                type="tertiary",
                on_click=choose,
                kwargs={"set": question.id, "wording": None, "cell": None},
            )


@st.cache_resource(max_entries=4, show_spinner=False)
def _search_texts(fingerprint: str, _dataset: Dataset) -> list[str]:
    return [fold(f"{question.id} {question.text}") for question in _dataset.questions]


require_frame()
page()
