"""What is loaded once and shared by all sessions: datasets, systems, the run store, predictions."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import streamlit as st

from components.plain import plain, shorten
from components.state import chosen
from qa_core.datasets import DATASETS, Dataset, load_dataset
from qa_core.errors import CrossheadError
from qa_core.prediction import Prediction
from qa_core.systems.interface import Request
from qa_core.systems.registry import SYSTEMS, load_system
from qa_core.table import Table
from qa_core.transform import flatten

if TYPE_CHECKING:
    from qa_core.annotation.store import AnnotationStore
    from qa_core.collection import Collection
    from qa_core.evaluation.judgement_store import JudgementStore
    from qa_core.evaluation.perturbed_store import PerturbedStore
    from qa_core.evaluation.rewording_store import RewordingStore
    from qa_core.evaluation.saved_slices import SavedSlices
    from qa_core.evaluation.store import RunStore


@dataclass(frozen=True)
class Timed:
    """A prediction and the seconds it took, model loading aside."""

    prediction: Prediction
    seconds: float


def say_fault(fault: CrossheadError) -> None:
    """Show a fault as its sentence."""
    st.error(plain(shorten(str(fault), 600)), icon=":material/error:")


def stop_with(fault: CrossheadError) -> NoReturn:
    """Show a fault as its sentence in place of the rest of the page."""
    say_fault(fault)
    st.stop()


def dataset_folder() -> str:
    """The folder of the user's dataset: from the link, else from the environment."""
    return chosen("dir") or os.environ.get("CROSSHEAD_AITQA_DIR", "")


def current_dataset() -> Dataset:
    """The dataset that the URL names; where it cannot be read, the page says why and stops."""
    name = chosen("dataset", "sample")
    if name not in DATASETS:
        name = "sample"
    folder = dataset_folder() if DATASETS[name].needs_folder else ""
    if DATASETS[name].needs_folder and not folder:
        st.info("No folder is chosen for this dataset yet. Name it on the page *Data*.")
        st.stop()
    try:
        if name == "brought":
            return _brought()
        return _dataset(name, folder, _stamp(folder))
    except CrossheadError as fault:
        stop_with(fault)


def sample() -> Dataset:
    """The dataset that ships. Raises CrossheadError where it cannot be read."""
    return _dataset("sample", "", ())


def _brought() -> Dataset:
    """The kept tables; where there are none, the page says how to bring one and stops."""
    dataset = _kept_tables(collection().stamp())
    if not dataset.tables:
        from components.navigation import PAGES

        st.info("No table is kept yet. Bring one, and keep it.")
        st.page_link(PAGES["bring"], icon=":material/upload_file:")
        st.stop()
    return dataset


@st.cache_resource(max_entries=2, show_spinner=False)
def _kept_tables(stamp: object) -> Dataset:
    return collection().as_dataset()


def _stamp(folder: str) -> tuple[float, ...]:
    """Times of change of a folder's files, so that an edited dataset is read anew."""
    try:
        return tuple(sorted(path.stat().st_mtime for path in Path(folder).glob("*.jsonl"))) if folder else ()
    except OSError:
        return ()


@st.cache_resource(max_entries=4, show_spinner="Reading the dataset …")
def _dataset(name: str, folder: str, stamp: tuple[float, ...]) -> Dataset:
    return load_dataset(name, Path(folder) if folder else None)


@st.cache_resource(show_spinner=False)
def run_store() -> RunStore:
    """The run store that the environment names, opened once."""
    from qa_core.evaluation.store import RunStore  # a page draws its table before it needs a database

    return RunStore()


@st.cache_resource(show_spinner=False)
def judgement_store() -> JudgementStore:
    """What people said about cases, in the store that the environment names, opened once."""
    from qa_core.evaluation.judgement_store import JudgementStore

    return JudgementStore()


@st.cache_resource(show_spinner=False)
def rewording_store() -> RewordingStore:
    """The wordings that people kept, in the store that the environment names, opened once."""
    from qa_core.evaluation.rewording_store import RewordingStore

    return RewordingStore()


@st.cache_resource(show_spinner=False)
def perturbed_store() -> PerturbedStore:
    """Answers to perturbed questions, in the store that the environment names, opened once."""
    from qa_core.evaluation.perturbed_store import PerturbedStore

    return PerturbedStore()


@st.cache_resource(show_spinner=False)
def slice_store() -> SavedSlices:
    """The saved slices in the store that the environment names, opened once."""
    from qa_core.evaluation.saved_slices import SavedSlices

    return SavedSlices()


@st.cache_resource(show_spinner=False)
def annotation_store() -> AnnotationStore:
    """Questions that people wrote for tables, in the store that the environment names, opened once."""
    from qa_core.annotation.store import AnnotationStore

    return AnnotationStore()


@st.cache_resource(show_spinner=False)
def collection() -> Collection:
    """The collection of brought tables in the store that the environment names, opened once."""
    from qa_core.collection import Collection

    return Collection()


def open_store() -> RunStore:
    """The run store; where it cannot be opened, the page says why and stops."""
    try:
        return run_store()
    except CrossheadError as fault:
        stop_with(fault)


def answer(
    table: Table, question: str, system: str, transformation: str, *, use_lexicon: bool = True
) -> Timed:
    """What a system answers. Raises CrossheadError where it cannot be loaded.

    ``use_lexicon`` is no matter to a system that uses none.
    """
    use_lexicon = use_lexicon or not SYSTEMS[system].uses_lexicon
    if not SYSTEMS[system].needs_model:
        return _answer(all_said(table), question, system, transformation, use_lexicon, table)
    with st.spinner(f"{SYSTEMS[system].title} reads the table; a model is loaded on its first use …"):
        return _answer(all_said(table), question, system, transformation, use_lexicon, table)


def all_said(table: Table) -> tuple[str, str, str]:
    """All that a system may read of a table."""
    return table.fingerprint, table.title, table.company


@st.cache_resource(max_entries=2000, show_spinner=False)
def _answer(
    said: tuple[str, str, str],
    question: str,
    system: str,
    transformation: str,
    use_lexicon: bool,
    _table: Table,
) -> Timed:
    loaded = load_system(system, use_lexicon=use_lexicon)
    request = Request(question, flatten(_table, transformation))
    start = time.perf_counter()
    prediction = loaded.predict([request])[0]
    return Timed(prediction, time.perf_counter() - start)
