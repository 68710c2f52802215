"""A run's accuracy as published, without the golds that are disputed, and against the corrected ones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from qa_core.datasets.dataset import Dataset
from qa_core.evaluation.judgements import Judged, is_right
from qa_core.evaluation.runs import CaseRow
from qa_core.evaluation.store import RunStore


@dataclass(frozen=True)
class Share:
    """Strict hits out of so many questions."""

    hits: int
    n: int

    @property
    def accuracy(self) -> float | None:
        """As a fraction; None without questions."""
        return self.hits / self.n if self.n else None


@dataclass(frozen=True)
class Accuracies:
    """A run over all that it answered: against the golds as they are, over the questions whose golds nobody
    disputes, and against the golds as they are corrected, where a question that no cell answers is answered
    rightly by none."""

    published: Share
    undisputed: Share
    corrected: Share
    disputed: tuple[str, ...]


def accuracies(store: RunStore, run_id: str, dataset: Dataset, judged: Mapping[str, Judged]) -> Accuracies:
    """Measure a stored run; only its questions with disputed golds are read.

    Raises CrossheadError as the store does.
    """
    run = store.run(run_id)
    hits = round((run.strict or 0.0) * run.done)
    verdicts = {name: said.gold for name, said in judged.items() if said.gold is not None}
    cases = store.cases_of(run_id, list(verdicts))
    hits_of_disputed = sum(case.strict for case in cases)
    corrected = sum(
        is_right(
            verdicts[case.question_id], dataset.question(case.question_id), case.answer, _is_located(case)
        )
        for case in cases
    )
    return Accuracies(
        Share(hits, run.done),
        Share(hits - hits_of_disputed, run.done - len(cases)),
        Share(hits - hits_of_disputed + corrected, run.done),
        tuple(case.question_id for case in cases),
    )


def _is_located(case: CaseRow) -> bool:
    return case.location is not None
