"""Datasets by name.

``sample`` ships with Crosshead, ``aitqa`` is read from a folder of the user's, ``brought`` holds the tables
that a person brought and kept.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from qa_core.datasets.aitqa import load_folder, looks_like_aitqa
from qa_core.datasets.dataset import Dataset, Statistics, statistics
from qa_core.errors import CrossheadError

__all__ = [
    "DATASETS",
    "Dataset",
    "DatasetSpec",
    "Statistics",
    "load_dataset",
    "looks_like_aitqa",
    "statistics",
]


@dataclass(frozen=True)
class DatasetSpec:
    """One loadable dataset; ``needs_folder`` where its files are the user's."""

    name: str
    description: str
    needs_folder: bool
    load: Callable[[Path], Dataset]


_SAMPLE = Path(__file__).parent / "sample"

DATASETS: dict[str, DatasetSpec] = {
    spec.name: spec
    for spec in (
        DatasetSpec(
            "sample",
            "Tables and questions composed from public 10-K figures; ships with Crosshead.",
            False,
            lambda _: load_folder(_SAMPLE, "sample"),
        ),
        DatasetSpec(
            "aitqa",
            "A folder in the AIT-QA format (aitqa_tables.jsonl, aitqa_questions.jsonl).",
            True,
            lambda folder: load_folder(folder, "aitqa"),
        ),
        DatasetSpec(
            "brought",
            "The tables that you brought and kept, without questions of their own.",
            False,
            lambda _: _load_brought(),
        ),
    )
}


def _load_brought() -> Dataset:
    """The kept tables; none where there is no store yet, which looking does not make."""
    from qa_core.collection import Collection  # other datasets need no database
    from qa_core.storage.database import default_store_url, is_made

    if not is_made(default_store_url()):
        return Dataset("brought", {}, ())
    collection = Collection()
    try:
        return collection.as_dataset()
    finally:
        collection.close()


def load_dataset(name: str, data_dir: Path | None = None) -> Dataset:
    """Load a dataset by name.

    Raises CrossheadError for an unknown name, a missing folder or a file that cannot be used.
    """
    if name not in DATASETS:
        raise CrossheadError(f"There is no dataset {name!r}; choose one of {', '.join(DATASETS)}.")
    spec = DATASETS[name]
    if spec.needs_folder and data_dir is None:
        raise CrossheadError(f"The dataset {name} is read from a folder; name it with --data-dir.")
    return spec.load(data_dir or Path())
