"""Evaluations in the background.

One registry for the whole process owns the threads, so that an evaluation outlives a rerun, a reload and the
tab that started it, and every tab sees its progress. The threads never call Streamlit.
"""

from __future__ import annotations

import logging
import threading
import time
from dataclasses import dataclass, field
from typing import NamedTuple

import streamlit as st

from qa_core.datasets import Dataset
from qa_core.errors import CrossheadError
from qa_core.evaluation.results import is_as_shipped
from qa_core.evaluation.runner import run_evaluation
from qa_core.evaluation.runs import RunRecord
from qa_core.evaluation.store import RunStore
from qa_core.systems.registry import load_system

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


def is_under_way(run: RunRecord) -> bool:
    """Whether this process is working on a run."""
    return is_as_shipped(run) and any(
        not each.ended
        and (each.key.system, each.key.transformation) == (run.system, run.transformation)
        and each.key.limit in (run.limit, run.total)
        for each in evaluations().of(run.dataset_fingerprint)
    )
