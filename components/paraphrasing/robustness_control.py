"""Asking a run's questions in other words, in the background: started, watched and stopped from a page."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from components.plain import plain
from components.resources import perturbed_store
from components.runs.evaluations import Evaluation, EvaluationKey, Evaluations
from qa_core.datasets import Dataset
from qa_core.evaluation.perturbed_runner import ask_perturbed
from qa_core.evaluation.reasking import system_of
from qa_core.evaluation.runs import RunRecord
from qa_core.evaluation.store import RunStore

_POLL_S = 2.0


@dataclass
class RobustnessCheck(Evaluation):
    """The questions of a run in other words, asked in a thread of their own."""

    run: RunRecord | None = None

    def _evaluate(self) -> str:
        assert self.run is not None
        ask_perturbed(
            self.dataset,
            self.run,
            system_of(self.run),
            self.store,
            perturbed_store(),
            on_progress=self._progress,
            should_stop=self._stop.is_set,
        )
        return self.run.id


@st.cache_resource(show_spinner=False)
def checks() -> Evaluations:
    """The registry of this process."""
    return Evaluations()


def start_check(dataset: Dataset, store: RunStore, run: RunRecord) -> None:
    """Start to ask what is left of a run, or join who does."""
    checks().begin(RobustnessCheck(_key(run), dataset, store, run=run))


def watch_check(run: RunRecord) -> bool:
    """Show how far the check of a run is, with a way to stop it, or why it failed; whether it runs."""
    check = checks().find(_key(run))
    with st.container():  # keeps its place when empty, so that nothing below is drawn anew
        if check is None or (check.ended and not check.fault):
            return False
        if check.fault:
            text, button = st.columns([6, 1], vertical_alignment="center")
            text.error(plain(check.fault), icon=":material/error:")
            button.button("Forget it", key="forget-check", on_click=checks().forget, args=(check.key,))
            return False
        st.fragment(_watch, run_every=_POLL_S)(check)
        return True


def _watch(check: Evaluation) -> None:
    if check.ended:
        st.rerun()
    line = st.container(horizontal=True, vertical_alignment="center")
    said = "loading the system …"
    if check.total:
        rate = f", {check.rate:.0f} a second" if check.rate else ""
        said = f"{check.done:,} of {check.total:,} questions{rate}{', stopping …' if check.stopping else ''}"
    line.progress(check.done / check.total if check.total else 0.0, text=f"In other words: {said}")
    line.button(
        "Stop",
        key="stop-check",
        icon=":material/stop:",
        disabled=check.stopping,
        on_click=check.stop,
        help="Stops after the batch in work. What is asked is kept, and the rest can be asked later.",
    )


def _key(run: RunRecord) -> EvaluationKey:
    return EvaluationKey(
        run.dataset_fingerprint, f"{run.system} in run {run.id}", run.transformation, run.limit
    )
