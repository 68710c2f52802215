"""Evaluations started, watched and stopped from a page."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from components.pickers import TRANSFORMATION_TITLES, pick_system, pick_transformation
from components.plain import plain
from components.runs.evaluations import Evaluation, EvaluationKey, evaluations
from components.state import choose, chosen, is_echo, show_choice
from qa_core.datasets import Dataset
from qa_core.evaluation.store import RunStore
from qa_core.systems.registry import SYSTEMS

_POLL_S = 2.0
_FOLLOWED = "followed-evaluation"


def start_here(
    dataset: Dataset, store: RunStore, system: str, transformation: str, limit: int | None
) -> None:
    """Start an evaluation, or join the one under way; this session's page turns to its run when it ends."""
    key = EvaluationKey(dataset.fingerprint, system, transformation, limit)
    evaluations().start(key, dataset, store)
    st.session_state[_FOLLOWED] = key
    choose(run=None, case=None)


def follow() -> None:
    """Put the run of an evaluation that this session started into the URL, once it has ended."""
    key = st.session_state.get(_FOLLOWED)
    evaluation = evaluations().find(key) if key else None
    if evaluation is None or evaluation.ended:
        st.session_state.pop(_FOLLOWED, None)
    if evaluation is not None and evaluation.run_id:
        choose(run=evaluation.run_id)


def follows() -> bool:
    """Whether this session still waits for an evaluation that it started."""
    return _FOLLOWED in st.session_state


def run_form(dataset: Dataset, store: RunStore) -> None:
    """Choose what to run, and start it."""
    choosing = st.columns([3, 3, 2, 2], vertical_alignment="bottom")
    with choosing[0]:
        system = pick_system()
    with choosing[1]:
        transformation = pick_transformation()
    with choosing[2]:
        limit = _pick_limit(len(dataset.questions))
    with choosing[3]:
        st.button(
            "Start",
            key="start-evaluation",
            type="primary",
            icon=":material/play_arrow:",
            width="stretch",
            on_click=start_here,
            args=(dataset, store, system, transformation, limit),
        )
    if SYSTEMS[system].needs_model:
        st.caption("This system needs a model: it is loaded once, which takes some seconds.")


def watch(fingerprint: str) -> bool:
    """Show what runs over a dataset: progress, rate and a way to stop; returns whether anything does.

    It polls only while something runs.
    """
    shown = evaluations().of(fingerprint)
    with st.container():  # keeps its place when empty, so that nothing below moves up and is drawn anew
        watch_each(shown)
    return not all(each.ended for each in shown)


def watch_each(shown: Sequence[Evaluation]) -> None:
    """Show how far evaluations are, or why they failed; when one ends, the page is drawn with its figures."""
    for failed in (each for each in shown if each.fault):
        _fault(failed)
    running = [each for each in shown if not each.ended]
    if running:
        st.fragment(_progress, run_every=_POLL_S)(running)


def _progress(running: list[Evaluation]) -> None:
    if any(evaluation.ended for evaluation in running):
        st.rerun()
    for number, evaluation in enumerate(running):
        line = st.container(horizontal=True, vertical_alignment="center")
        line.progress(
            evaluation.done / evaluation.total if evaluation.total else 0.0, text=_progress_text(evaluation)
        )
        line.button(
            "Stop",
            key=f"stop-evaluation-{number}",
            icon=":material/stop:",
            disabled=evaluation.stopping,
            on_click=evaluation.stop,
            help="Stops after the batch in work. What is finished is kept, and the run can be continued.",
        )


def _progress_text(evaluation: Evaluation) -> str:
    key = evaluation.key
    title = plain(f"{SYSTEMS[key.system].title} · {TRANSFORMATION_TITLES[key.transformation]}")
    if not evaluation.total:
        return f"{title}: loading the system …"
    rate = f", {evaluation.rate:.0f} a second" if evaluation.rate else ""
    stopping = ", stopping …" if evaluation.stopping else ""
    return f"{title}: {evaluation.done} of {evaluation.total} questions{rate}{stopping}"


def _fault(evaluation: Evaluation) -> None:
    text, button = st.columns([6, 1], vertical_alignment="center")
    text.error(plain(evaluation.fault), icon=":material/error:")
    button.button(
        "Forget it",
        key=f"forget-{'-'.join(map(str, evaluation.key[1:]))}",
        on_click=evaluations().forget,
        args=(evaluation.key,),
    )


def _pick_limit(n: int) -> int | None:
    """The number of questions to run, from the URL; None for all."""
    if n < 1:
        return None
    asked = chosen("limit")
    limit = int(asked) if asked.isdecimal() and len(asked) < 9 and 1 <= int(asked) <= n else None
    key = "pick-limit"
    show_choice(key, limit)

    def changed() -> None:
        if not is_echo(key):
            choose(limit=str(st.session_state[key]) if st.session_state[key] else None)

    st.number_input(
        "First questions only",
        min_value=1,
        max_value=n,
        value=None,
        key=key,
        placeholder=f"all {n}",
        on_change=changed,
    )
    return limit
