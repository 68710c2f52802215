"""All judgements of a dataset as a file, taken out and brought in."""

from __future__ import annotations

from datetime import UTC, datetime

from components.exchange import Records, exchange
from components.resources import judgement_store
from qa_core.datasets import Dataset
from qa_core.evaluation.judgements import from_records, to_json


def exchange_judgements(dataset: Dataset) -> None:
    """Draw the ways to take all judgements of a dataset out, and to keep those of a file.

    Raises CrossheadError where the store cannot be read.
    """
    store = judgement_store()

    def keep(records: Records) -> tuple[int, int]:
        now = datetime.now(UTC)
        entries = from_records(records, "imported", now)
        return store.add(dataset, entries, undated=now), len(entries)

    said = [to_json(entry) for entry in store.entries(dataset)]
    exchange(
        "judgements",
        said,
        keep,
        title="Take judgements out or in",
        download=f"Download the {len(said):,} judgements of this dataset",
        upload="Keep the judgements of a file (JSON Lines)",
        file_name=f"judgements-{dataset.name}.jsonl",
        help="A line has the id of a question, and a note, a tag, or a verdict on its gold with better "
        "([row, column] of the right cell, counted from 0), answer and why.",
    )
