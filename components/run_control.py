"""Evaluations in the background: started, watched and stopped from a page.

One registry for the whole process owns the threads, so that an evaluation outlives a rerun, a reload and the
tab that started it, and every tab sees its progress. The threads never call Streamlit.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import pandas as pd
import streamlit as st

from components.pickers import TRANSFORMATION_TITLES, pick_system, pick_transformation
from components.plain import plain
from components.resources import run_store
from components.state import choose, chosen, is_echo, show_choice
from qa_core.datasets import Dataset
from qa_core.errors import CrossheadError
from qa_core.evaluation.facets import QUESTION_FACETS
from qa_core.evaluation.frame import questions_frame, run_frame
from qa_core.evaluation.results import is_as_shipped
from qa_core.evaluation.runner import run_evaluation
from qa_core.evaluation.slice_finder import WeakSlice, weak_slices
from qa_core.evaluation.store import RunRecord, RunStore
from qa_core.systems.registry import SYSTEMS, load_system
from qa_core.transform import TRANSFORMATIONS

QUICK_QUESTIONS = 1000
"""The most questions that are answered without being asked for."""

_POLL_S = 2.0
_FOLLOWED = "followed-evaluation"
_log = logging.getLogger(__name__)


class EvaluationKey(NamedTuple):
    """What is evaluated; ``limit`` is None for all questions."""

    fingerprint: str
    system: str
    transformation: str
    limit: int | None


@dataclass
class Evaluation:
    """One evaluation in a thread of its own.

    ``done`` of ``total`` questions are answered, 0 of 0 while the system loads. Once ``ended``, ``run_id``
    names the run in the store, or ``fault`` says in a sentence why there is none.
    """

    key: EvaluationKey
    dataset: Dataset
    store: RunStore
    done: int = 0
    total: int = 0
    run_id: str = ""
    fault: str = ""
    _first: tuple[float, int] | None = None
    _stop: threading.Event = field(default_factory=threading.Event)
    _ended: threading.Event = field(default_factory=threading.Event)

    def start(self) -> None:
        """Begin, in a thread that does not keep the process alive: what is finished is saved anyway."""
        threading.Thread(target=self._work, name=f"evaluation {self.key.system}", daemon=True).start()

    def stop(self) -> None:
        """Ask to stop after the batch in work."""
        self._stop.set()

    @property
    def stopping(self) -> bool:
        return self._stop.is_set()

    @property
    def ended(self) -> bool:
        return self._ended.is_set()

    def wait(self) -> None:
        """Return when it has ended."""
        self._ended.wait()

    @property
    def rate(self) -> float | None:
        """Questions a second so far; None before the first batch is answered."""
        if self._first is None or self.done <= self._first[1]:
            return None
        since, already = self._first
        return (self.done - already) / max(time.monotonic() - since, 1e-3)

    def _work(self) -> None:
        try:
            self.run_id = self._evaluate()
        except CrossheadError as fault:
            self.fault = str(fault)
        except Exception as fault:
            _log.exception("evaluation failed: %s", self.key)
            self.fault = (
                f"The evaluation of {self.key.system} broke off after {self.done} questions with a "
                f"{type(fault).__name__}; they are kept, and the server's log says more."
            )
        finally:
            self._ended.set()

    def _evaluate(self) -> str:
        """Do the work, and say the id of the run that it is of."""
        system = load_system(self.key.system)
        run = run_evaluation(
            self.dataset,
            system,
            self.key.transformation,
            self.store,
            limit=self.key.limit,
            on_progress=self._progress,
            should_stop=self._stop.is_set,
        )
        return run.id

    def _progress(self, done: int, total: int) -> None:
        if self._first is None:
            self._first = time.monotonic(), done
        self.done, self.total = done, total


class Evaluations:
    """All evaluations of a process, the last one for each key."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._by_key: dict[EvaluationKey, Evaluation] = {}

    def start(self, key: EvaluationKey, dataset: Dataset, store: RunStore) -> Evaluation:
        """The evaluation of this key that is under way, or a new one."""
        return self.begin(Evaluation(key, dataset, store))

    def begin(self, evaluation: Evaluation) -> Evaluation:
        """The evaluation of its key that is under way, else this one, started."""
        with self._lock:
            current = self._by_key.get(evaluation.key)
            if current is None or current.ended:
                current = self._by_key[evaluation.key] = evaluation
                current.start()
            return current

    def find(self, key: EvaluationKey) -> Evaluation | None:
        """The last evaluation of this key, ended or not."""
        return self._by_key.get(key)

    def forget(self, key: EvaluationKey) -> None:
        """Drop an evaluation that has ended."""
        with self._lock:
            if key in self._by_key and self._by_key[key].ended:
                del self._by_key[key]

    def of(self, fingerprint: str) -> list[Evaluation]:
        """The evaluations over a dataset that are under way or failed."""
        with self._lock:
            found = [each for each in self._by_key.values() if each.key.fingerprint == fingerprint]
        return [each for each in found if not each.ended or each.fault]


@st.cache_resource(show_spinner=False)
def evaluations() -> Evaluations:
    """The registry of this process."""
    return Evaluations()


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


def is_under_way(run: RunRecord) -> bool:
    """Whether this process is working on a run."""
    return is_as_shipped(run) and any(
        not each.ended
        and (each.key.system, each.key.transformation) == (run.system, run.transformation)
        and each.key.limit in (run.limit, run.total)
        for each in evaluations().of(run.dataset_fingerprint)
    )


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
    running = [each for each in shown if not each.ended]
    with st.container():  # keeps its place when empty, so that nothing below moves up and is drawn anew
        for failed in (each for each in shown if each.fault):
            _fault(failed)
        if running:
            st.fragment(_watch, run_every=_POLL_S)(running)
    return bool(running)


def _watch(running: list[Evaluation]) -> None:
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


@dataclass(frozen=True)
class RunFigures:
    """A run and its summary over what is done (see ``qa_core.evaluation.summary.summarise``)."""

    run: RunRecord
    summary: dict[str, Any]


def quick_figures(dataset: Dataset, system: str, transformation: str) -> RunFigures | Evaluation | None:
    """The figures of a system over a whole dataset, or the evaluation that will give them or failed to.

    A system without a model that was never run over the dataset is started here, where the dataset is small;
    nothing waits for it. Where the answers do not depend on the transformation, a run under any will do. None
    where there is nothing to show. Raises CrossheadError where the store fails.
    """
    store = run_store()
    alike = [transformation] if SYSTEMS[system].reads_flat else list(TRANSFORMATIONS)
    keys = [EvaluationKey(dataset.fingerprint, system, each, None) for each in alike]
    known = [each for each in map(evaluations().find, keys) if each and (not each.ended or each.fault)]
    if known:
        return known[0]
    run = _stored_run(store, dataset, system, alike)
    if run is None and not SYSTEMS[system].needs_model and len(dataset.questions) <= QUICK_QUESTIONS:
        return evaluations().start(keys[0], dataset, store)
    return RunFigures(run, run_summary(store, run)) if run and run.done else None


def start_quick(dataset: Dataset, system: str) -> RunFigures | Evaluation | None:
    """As ``quick_figures`` over tables as they are, but a system with a model is started as well, once.

    None where it was stopped before it answered anything.
    """
    found = quick_figures(dataset, system, "base")
    key = EvaluationKey(dataset.fingerprint, system, "base", None)
    if found is None and evaluations().find(key) is None:
        return evaluations().start(key, dataset, run_store())
    return found


def stored_runs(dataset: Dataset, systems: Iterable[str]) -> dict[str, RunRecord]:
    """By system the run over a dataset that ``quick_figures`` shows, as far as there is one."""
    store = run_store()
    found = {name: _stored_run(store, dataset, name, list(TRANSFORMATIONS)) for name in systems}
    return {name: run for name, run in found.items() if run and run.done}


def follow_quick(evaluation: Evaluation) -> None:
    """Show how far an evaluation is, or why it failed; when it ends, the page is drawn with its figures."""
    if evaluation.fault:
        _fault(evaluation)
    else:
        st.fragment(_watch, run_every=_POLL_S)([evaluation])


def run_summary(store: RunStore, run: RunRecord) -> dict[str, Any]:
    """The summary of a run, computed once for every state that the run was in."""
    return _summary(run.id, run.done, run.updated.timestamp(), store)


@st.cache_data(max_entries=200, show_spinner=False)
def _summary(run_id: str, done: int, updated: float, _store: RunStore) -> dict[str, Any]:
    return _store.summary(run_id)


def frame_of(store: RunStore, run: RunRecord, dataset: Dataset) -> pd.DataFrame:
    """A run as columns (see ``run_frame``), read once for every state that the run was in."""
    return _frame(run.id, run.done, run.updated.timestamp(), store, dataset)


@st.cache_resource(max_entries=40, show_spinner=False)
def _frame(run_id: str, done: int, updated: float, _store: RunStore, _dataset: Dataset) -> pd.DataFrame:
    return run_frame(_store, run_id, stored_questions(_store, _dataset))


def stored_questions(store: RunStore, dataset: Dataset) -> pd.DataFrame:
    """The questions of a dataset that any run answered as columns (see ``questions_frame``), read once."""
    return _stored_questions(dataset.fingerprint, store.n_questions(dataset.fingerprint), store, dataset)


@st.cache_resource(max_entries=8, show_spinner=False)
def _stored_questions(fingerprint: str, n: int, _store: RunStore, _dataset: Dataset) -> pd.DataFrame:
    _store.describe(_dataset)
    return questions_frame(_store, fingerprint)


def weak_slices_of(run: RunRecord, frame: pd.DataFrame) -> list[WeakSlice]:
    """Where a run does worst, found once for every state that the run was in."""
    return _weak_slices(run.id, run.done, run.updated.timestamp(), frame)


@st.cache_resource(max_entries=200, show_spinner=False)
def _weak_slices(run_id: str, done: int, updated: float, _frame: pd.DataFrame) -> list[WeakSlice]:
    return weak_slices(_frame[[*QUESTION_FACETS]], _frame["strict"].to_numpy(bool))


def _stored_run(
    store: RunStore, dataset: Dataset, system: str, transformations: Sequence[str]
) -> RunRecord | None:
    """The fullest run over all questions, of equals the newest.

    It is one of exactly this system; for one with a model, which is not loaded for this, of any version of
    its default model.
    """
    found = [
        run
        for run in store.runs()
        if (run.dataset_fingerprint, run.system, run.limit) == (dataset.fingerprint, system, None)
        and run.transformation in transformations
        and is_as_shipped(run)
    ]
    if not SYSTEMS[system].needs_model:
        loaded = load_system(system)
        exactly = loaded.version, loaded.weights
        found = [run for run in found if (run.system_version, run.weights) == exactly]
    return max(found, key=lambda run: (run.done, run.updated), default=None)
