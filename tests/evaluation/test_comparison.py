"""Two runs over the same questions."""

from dataclasses import dataclass
from pathlib import Path

import pytest

from qa_core.errors import CrossheadError
from qa_core.evaluation.comparison import Change, PairedVerdict, compare
from qa_core.evaluation.runner import run_evaluation
from qa_core.evaluation.slices import SLICES
from qa_core.evaluation.store import RunStore
from qa_core.prediction import Prediction
from qa_core.systems.interface import Request
from qa_core.table import Location
from tests.evaluation.evaluation_fakes import FirstColumn, airline_dataset

DATASET = airline_dataset(22)


@dataclass
class SecondColumn(FirstColumn):
    """Right where FirstColumn errs, but for item 7; wrong for items 1 to 3."""

    name: str = "second-column"

    def _answer(self, request: Request) -> Prediction:
        row = int(request.question.split()[1])
        location = Location(row, 1 if row in (1, 2, 3) else 0)
        return Prediction(request.flat.table.text_at(location), (location,))


@pytest.fixture
def store(tmp_path: Path) -> RunStore:
    return RunStore(f"sqlite:///{tmp_path}/runs.sqlite")


def test_gains_losses_and_agreement_are_counted_by_question(store: RunStore) -> None:
    first = run_evaluation(DATASET, FirstColumn(), "base", store)
    second = run_evaluation(DATASET, SecondColumn(), "base", store)
    found = compare(store.paired(first.id, second.id), SLICES)
    # Gained are items 0, 10, 20 and 7, lost are 1, 2 and 3.
    assert found.whole == Change(gained=4, lost=3, both_right=15, both_wrong=0)
    assert (found.whole.first, found.whole.second, found.whole.oracle) == (18 / 22, 19 / 22, 1.0)
    assert found.agreement == 15 / 22
    assert found.reasons == {"neighbouring-period": (3, 3), "no-answer": (1, 0)}
    assert found.slices["kpi-driven"].n + found.slices["table-driven"].n == 22
    assert "row-hierarchy-not-needed" not in found.slices


def test_a_run_compared_with_itself_has_changed_nothing(store: RunStore) -> None:
    run = run_evaluation(DATASET, FirstColumn(), "base", store)
    found = compare(store.paired(run.id, run.id), SLICES)
    assert found.whole == Change(gained=0, lost=0, both_right=18, both_wrong=4)
    assert (found.agreement, found.whole.p_value, found.whole.interval) == (1.0, 1.0, (0.0, 0.0))
    assert found.reasons == {}


def test_only_questions_that_both_answered_count(store: RunStore) -> None:
    whole = run_evaluation(DATASET, FirstColumn(), "base", store)
    part = run_evaluation(DATASET, SecondColumn(), "base", store, limit=5)
    assert compare(store.paired(whole.id, part.id), SLICES).whole.n == 5


def test_runs_over_different_datasets_are_refused(store: RunStore) -> None:
    one = run_evaluation(DATASET, FirstColumn(), "base", store)
    two = run_evaluation(airline_dataset(3), FirstColumn(), "base", store)
    with pytest.raises(CrossheadError, match="over different datasets"):
        store.paired(one.id, two.id)


def test_without_questions_nothing_is_known() -> None:
    found = compare({}, SLICES)
    assert (found.whole.first, found.whole.oracle, found.agreement) == (0.0, 0.0, 0.0)
    assert found.whole.interval == (-1.0, 1.0)


@pytest.mark.parametrize(
    ("first", "second", "change"),
    [
        (False, True, "gained"),
        (True, False, "lost"),
        (True, True, "both-right"),
        (False, False, "both-wrong"),
    ],
)
def test_a_change_has_a_name(first: bool, second: bool, change: str) -> None:
    assert PairedVerdict(first, second, "", "", False, ()).change == change
