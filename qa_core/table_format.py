"""Tables to and from the AIT-QA JSON format and pandas.

In JSON a table is ``{"id", "column_header": [path, ...], "row_header": [path, ...], "data": [[cell, ...],
...]}`` with a path as a list of labels, root first. Crosshead adds ``title``, ``company`` and ``source``;
other fields are kept as they are.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from qa_core.errors import CrossheadError
from qa_core.header import header_depth
from qa_core.json_lines import parse_json, read_json_lines, read_text
from qa_core.table import HeaderPath, Table
from qa_core.text import as_text

if TYPE_CHECKING:
    import pandas as pd

MAX_CELLS = 1_000_000
_OWN_FIELDS = ("id", "column_header", "row_header", "data", "title", "company", "source")


def table_from_record(record: Mapping[str, Any], where: str = "table") -> Table:
    """A Table from one AIT-QA record; ``where`` names its origin in a fault.

    A header given as a plain string counts as a path of one level; cells may be any JSON scalar.
    Raises CrossheadError for a record that is no table or holds more than ``MAX_CELLS`` cells.
    """
    for name in ("id", "data"):
        if name not in record:
            raise CrossheadError(f"{where}: the table has no field {name!r}; AIT-QA tables need it.")
    identifier = record["id"]
    if not isinstance(identifier, str | int) or not as_text(identifier).strip():
        raise CrossheadError(f"{where}: the table's id must be a non-empty string.")
    rows = _lists(record["data"], f"{where}: field 'data'")
    headers = [record.get(name) for name in ("row_header", "column_header")]
    n_rows, n_columns = (len(paths) if isinstance(paths, list) else 0 for paths in headers)
    hull = max(n_rows, len(rows)) * max(n_columns, max(map(len, rows), default=0))
    if max(hull, sum(map(len, rows))) > MAX_CELLS:
        raise CrossheadError(f"{where}: the table spans more than {MAX_CELLS:,} cells; split it first.")
    cells = tuple(tuple(_scalar(cell, f"{where}: row {i}") for cell in row) for i, row in enumerate(rows))
    converted = sum(not isinstance(cell, str) for row in rows for cell in row)
    return Table(
        id=as_text(identifier),
        column_paths=_paths(record.get("column_header"), f"{where}: field 'column_header'"),
        row_paths=_paths(record.get("row_header"), f"{where}: field 'row_header'"),
        cells=cells,
        title=as_text(record.get("title")),
        company=as_text(record.get("company")),
        source=as_text(record.get("source")),
        extra={name: value for name, value in record.items() if name not in _OWN_FIELDS},
        load_warnings=(f"{converted} cells were not text and were converted.",) if converted else (),
    )


def table_to_record(table: Table) -> dict[str, Any]:
    """The AIT-QA record of a table; ``table_from_record`` gives the same table back."""
    record: dict[str, Any] = {
        "id": table.id,
        "column_header": [list(path) for path in table.column_paths],
        "row_header": [list(path) for path in table.row_paths],
        "data": [list(row) for row in table.cells],
    }
    for name in ("title", "company", "source"):
        if getattr(table, name):
            record[name] = getattr(table, name)
    return record | dict(table.extra)


def read_tables(path: Path) -> list[Table]:
    """The tables of a ``.json`` file (one table or a list of them) or a ``.jsonl`` file (one a line).

    Either may be gzipped (``.jsonl.gz``). Raises CrossheadError where the file is missing, is not JSON or
    holds something else.
    """
    if path.name.removesuffix(".gz").endswith(".jsonl"):
        return [table_from_record(record, where) for where, record in read_json_lines(path)]
    value = parse_json(read_text(path), str(path))
    records = value if isinstance(value, list) else [value]
    if not all(isinstance(record, dict) for record in records):
        raise CrossheadError(f"{path}: expected a table as a JSON object in the AIT-QA format.")
    return [table_from_record(record, str(path)) for record in records]


def write_table(table: Table, path: Path) -> None:
    """Save a table as one JSON object in the AIT-QA format."""
    path.write_text(json.dumps(table_to_record(table), ensure_ascii=False) + "\n", encoding="utf-8")


def to_dataframe(table: Table) -> pd.DataFrame:
    """The table as a DataFrame of strings with a MultiIndex on every axis that has headers.

    Short paths are padded with missing values (an empty level stays an empty string), so that
    ``from_dataframe`` finds the same paths again. Headers beyond the body get empty cells.
    """
    import pandas as pd

    def index(paths: tuple[HeaderPath, ...], count: int) -> pd.Index:
        if not paths:
            return pd.RangeIndex(count)
        padded = paths + ((),) * (count - len(paths))
        depth = max(header_depth(padded), 1)
        return pd.MultiIndex.from_tuples([path + (None,) * (depth - len(path)) for path in padded])

    return pd.DataFrame(
        [list(row) for row in table.body],
        index=index(table.row_paths, table.n_rows),
        columns=index(table.column_paths, table.n_columns),
        dtype=object,
    )


def from_dataframe(frame: pd.DataFrame, id: str = "dataframe", title: str = "") -> Table:
    """A Table from any DataFrame: MultiIndex levels become header levels, values become text.

    A default RangeIndex counts as no header. Trailing missing levels are dropped, others are empty.
    """
    import pandas as pd

    def paths(index: pd.Index) -> tuple[HeaderPath, ...]:
        if isinstance(index, pd.RangeIndex) and index.start == 0 and index.step == 1:
            return ()
        return tuple(_trimmed(key if isinstance(key, tuple) else (key,)) for key in index.tolist())

    return Table(
        id=id,
        column_paths=paths(frame.columns),
        row_paths=paths(frame.index),
        cells=tuple(
            tuple(as_text(value) for value in row) for row in frame.itertuples(index=False, name=None)
        ),
        title=title,
    )


def _trimmed(key: tuple[object, ...]) -> HeaderPath:
    levels = list(key)
    while levels and not isinstance(levels[-1], str) and as_text(levels[-1]) == "":
        levels.pop()
    return tuple(as_text(level) for level in levels)


def _lists(value: object, where: str) -> list[list[Any]]:
    if not isinstance(value, list) or not all(isinstance(row, list) for row in value):
        raise CrossheadError(f"{where} must be a list of lists.")
    return value


def _paths(value: object, where: str) -> tuple[HeaderPath, ...]:
    if value is None:
        return ()
    if not isinstance(value, list):
        raise CrossheadError(f"{where} must be a list of header paths.")
    return tuple(_levels(entry, where) for entry in value)


def _levels(entry: object, where: str) -> HeaderPath:
    levels = entry if isinstance(entry, list) else [entry]
    return tuple(_scalar(level, where) for level in levels)


def _scalar(value: object, where: str) -> str:
    if isinstance(value, list | dict):
        raise CrossheadError(f"{where}: expected text, found a nested {type(value).__name__}.")
    return as_text(value)
