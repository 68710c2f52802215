"""A store of an older version becomes one of this version when it is opened, and loses nothing."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import create_engine

from qa_core.collection import Collection
from qa_core.errors import CrossheadError
from qa_core.evaluation.frame import dataset_frame, questions_frame, run_frame
from qa_core.evaluation.judgement_store import JudgementStore
from qa_core.evaluation.judgements import Judgement
from qa_core.evaluation.runner import run_evaluation
from qa_core.evaluation.runs import RunRecord
from qa_core.evaluation.store import RunStore
from qa_core.storage.schema import SCHEMA_VERSION
from tests.evaluation.evaluation_fakes import FirstColumn, airline_dataset
from tests.storage.older_stores import VERSIONS, Rows, all_rows, make_older_store
from tests.tables import AMAZON

DATASET = airline_dataset(12)


@pytest.fixture
def held(tmp_path: Path) -> tuple[Rows, RunRecord, RunRecord]:
    """The rows of a store with a kept table and two runs, the first by what was rci up to version 2."""
    url = f"sqlite:///{tmp_path / 'source.sqlite'}"
    store = RunStore(url)
    named = FirstColumn(name="rci", weights="all-MiniLM-L6-v2@0")
    old, other = (run_evaluation(DATASET, system, "base", store) for system in (named, FirstColumn()))
    Collection(url).add(AMAZON, "Segments")
    return all_rows(url), old, other


@pytest.mark.parametrize("version", VERSIONS)
def test_what_an_older_version_kept_is_there_and_new_things_can_be_kept(
    version: int, held: tuple[Rows, RunRecord, RunRecord], store_url: str
) -> None:
    rows, old, other = held
    make_older_store(store_url, version, rows)
    store = RunStore(store_url)
    # What was rci up to version 2 is rci-representation; from version 3 on it is the interaction form.
    renamed = replace(old, system="rci-representation") if version < 3 else old
    assert {run.id: run for run in store.runs()} == {old.id: renamed, other.id: other}
    for run in (old, other):
        kept = [dict(row) for row in rows["crosshead_predictions"] if row["run_id"] == run.id]
        assert store.answered(run.id) == {row["question_id"] for row in kept}
        assert store.summary(run.id)["n"] == len(kept) == 12
        assert store.prediction(run.id, "q-1").answer == "$11,001"
        assert store.run(run.id).strict == run.strict
    names = [listed.name for listed in Collection(store_url).listed()]
    assert names == ([] if version == 1 else ["Segments"])

    entry = Judgement("q-1", "note", "Kept after all.", "Ada", datetime(2026, 1, 2, tzinfo=UTC))
    assert JudgementStore(store_url).add(DATASET, [entry]) == 1
    assert JudgementStore(store_url).entries(DATASET) == [entry]
    assert version_of(store_url) == SCHEMA_VERSION


@pytest.mark.parametrize("version", VERSIONS)
def test_facets_that_an_older_version_did_not_know_are_filled_in(
    version: int, held: tuple[Rows, RunRecord, RunRecord], store_url: str
) -> None:
    rows, _, run = held
    make_older_store(store_url, version, rows)
    store = RunStore(store_url)
    assert run_frame(store, run.id)["size"].isna().all()
    store.describe(DATASET)
    assert questions_frame(store, DATASET.fingerprint).equals(dataset_frame(DATASET))


def test_a_store_of_a_newer_version_is_refused_and_left_as_it_is(store_url: str) -> None:
    RunStore(store_url).close()
    with create_engine(store_url).begin() as newer:
        newer.exec_driver_sql("DROP TABLE crosshead_brought")
        newer.exec_driver_sql("UPDATE crosshead_schema SET version = 99")
    said = f"has schema version 99, and this Crosshead reads version {SCHEMA_VERSION}"
    for opened in (RunStore, Collection, JudgementStore):
        with pytest.raises(CrossheadError, match=said):
            opened(store_url)
    assert version_of(store_url) == 99
    with create_engine(store_url).connect() as newer, pytest.raises(Exception, match="crosshead_brought"):
        newer.exec_driver_sql("SELECT * FROM crosshead_brought")


def version_of(url: str) -> int:
    with create_engine(url).connect() as connection:
        version: int = connection.exec_driver_sql("SELECT version FROM crosshead_schema").scalar_one()
        return version
