"""All predictions of a run as CSV, JSON Lines or Parquet: a row for each question, with full header paths.

Rows, columns and positions count from 0; a location is ``[row, column]``, null for the half that a header
lacks. Several locations stand in order: the targets of the gold, the cells that an answer rests on. The paths
are those of the first one, root first, each level as it stands in the table.

In JSON Lines and Parquet a list is a list. CSV knows only texts: there a list is JSON, so that no separator
can be mistaken for a part of a label, and a text that a spreadsheet program would run as a formula is guarded
by an apostrophe, as ``qa_core.export`` says; ``-12`` and ``(12)`` stay as they are.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, BinaryIO

from qa_core.datasets.dataset import Dataset
from qa_core.errors import CrossheadError
from qa_core.evaluation.facets import QUESTION_FACETS
from qa_core.evaluation.judgements import Judged
from qa_core.evaluation.runs import RunRecord, WholeCase
from qa_core.evaluation.store import RunStore
from qa_core.export import guarded
from qa_core.table import Location, Table

if TYPE_CHECKING:
    import pyarrow as pa


def _facet_column(name: str) -> str:
    return f"facet_{name.replace('-', '_')}"


TEXT, NUMBER, COUNT, YES_NO, TEXTS, PLACES = "text", "number", "count", "yes or no", "texts", "places"
COLUMNS: dict[str, str] = {
    **dict.fromkeys(("run", "system", "transformation"), TEXT),
    "position": COUNT,
    **dict.fromkeys(("question_id", "table_id", "question"), TEXT),
    "gold_answers": TEXTS,
    "gold_locations": PLACES,
    **dict.fromkeys(("gold_row_path", "gold_column_path"), TEXTS),
    **dict.fromkeys(("predicted_answer", "operator"), TEXT),
    "predicted_locations": PLACES,
    **dict.fromkeys(("predicted_row_path", "predicted_column_path"), TEXTS),
    **dict.fromkeys(("strict", "normalised"), YES_NO),
    "reason": TEXT,
    "slices": TEXTS,
    **dict.fromkeys(map(_facet_column, QUESTION_FACETS), TEXT),
    "paraphrase_set": TEXT,
    **dict.fromkeys(("confidence", "seconds"), NUMBER),
    "notes": TEXTS,
    "gold_disputed": YES_NO,
    **dict.fromkeys(("tags", "said"), TEXTS),
}
"""What each row has, and of what kind it is; ``said`` are people's notes."""

Records = Iterable[list[dict[str, Any]]]


def prediction_records(
    store: RunStore, run: RunRecord, dataset: Dataset, judged: Mapping[str, Judged]
) -> Iterator[list[dict[str, Any]]]:
    """The rows of a run in the dataset's order, in parts, so that no run has to fit into memory.

    Raises CrossheadError where the run is over another dataset, and as the store does.
    """
    if run.dataset_fingerprint != dataset.fingerprint:
        raise CrossheadError(
            f"The run {run.id} is over another dataset, {run.dataset}, or another state of it; name that one."
        )
    store.describe(dataset)
    about = {"run": run.id, "system": run.system, "transformation": run.transformation}
    for part in store.whole_cases(run.id):
        yield [
            about | _record(whole, dataset.table(whole.case.table_id), judged.get(whole.case.question_id))
            for whole in part
        ]


def write_predictions(stream: BinaryIO, file_format: str, records: Records) -> None:
    """Write rows in a format, a name in ``FORMATS``."""
    FORMATS[file_format](stream, records)


def _record(whole: WholeCase, table: Table, judged: Judged | None) -> dict[str, Any]:
    case, prediction, judged = whole.case, whole.prediction, judged or Judged()
    gold, predicted = case.gold.targets, prediction.locations
    gold_row, gold_column = _paths(table, gold)
    row, column = _paths(table, predicted)
    return {
        "position": case.position,
        "question_id": case.question_id,
        "table_id": case.table_id,
        "question": case.text,
        "gold_answers": list(case.answers),
        "gold_locations": [location.as_list() for location in gold],
        "gold_row_path": gold_row,
        "gold_column_path": gold_column,
        "predicted_answer": prediction.answer,
        "operator": prediction.operator,
        "predicted_locations": [location.as_list() for location in predicted],
        "predicted_row_path": row,
        "predicted_column_path": column,
        "strict": case.strict,
        "normalised": case.normalised,
        "reason": case.reason,
        "slices": list(case.slices),
        **{_facet_column(name): value for name, value in whole.facets.items()},
        "paraphrase_set": case.paraphrase_group,
        "confidence": case.confidence,
        "seconds": case.seconds,
        "notes": list(prediction.notes),
        "gold_disputed": judged.gold is not None,
        "tags": list(judged.tags),
        "said": [note.text for note in judged.notes],
    }


def _paths(table: Table, locations: tuple[Location, ...]) -> tuple[list[str], list[str]]:
    """The row path and the column path of the first location; empty where it has none."""
    if not locations:
        return [], []
    row, column = locations[0].row, locations[0].column
    return (
        list(table.row_path(row)) if row is not None else [],
        list(table.column_path(column)) if column is not None else [],
    )


def _write_jsonl(stream: BinaryIO, records: Records) -> None:
    for part in records:
        stream.writelines(json.dumps(record, ensure_ascii=False).encode() + b"\n" for record in part)


def _write_csv(stream: BinaryIO, records: Records) -> None:
    """As UTF-8 with a byte-order mark, by which spreadsheet programs know it."""
    text = io.TextIOWrapper(stream, encoding="utf-8-sig", newline="", write_through=True)
    writer = csv.writer(text)
    writer.writerow(COLUMNS)
    for part in records:
        writer.writerows([_field(record[name]) for name in COLUMNS] for record in part)
    text.detach()


def _field(value: object) -> object:
    if isinstance(value, list):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, bool):
        return str(value).lower()
    return guarded(value) if isinstance(value, str) else value


def _write_parquet(stream: BinaryIO, records: Records) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    schema = _schema()
    with pq.ParquetWriter(stream, schema, compression="zstd") as writer:
        for part in records:
            writer.write_table(pa.Table.from_pylist(part, schema=schema))


def _schema() -> pa.Schema:
    import pyarrow as pa

    types = {
        TEXT: pa.string(),
        NUMBER: pa.float64(),
        COUNT: pa.int64(),
        YES_NO: pa.bool_(),
        TEXTS: pa.list_(pa.string()),
        PLACES: pa.list_(pa.list_(pa.int64())),
    }
    return pa.schema([(name, types[kind]) for name, kind in COLUMNS.items()])


FORMATS: dict[str, Callable[[BinaryIO, Records], None]] = {
    "csv": _write_csv,
    "jsonl": _write_jsonl,
    "parquet": _write_parquet,
}
"""How rows are written, by the ending of the file's name."""
