"""A dataset without its header hierarchy, to measure what the hierarchy is worth."""

from __future__ import annotations

from dataclasses import replace

from qa_core.datasets import Dataset
from qa_core.table import HeaderPath, leaf


def leaves_only(dataset: Dataset) -> Dataset:
    """The same questions over the same tables, with only the leaf of each header path (``table.leaf``).

    Rows, columns and body stay where they are, so a gold's ``cell`` stays right. A path without labels
    becomes empty.
    """
    tables = {
        table_id: replace(
            table,
            column_paths=tuple(map(_leaf_path, table.column_paths)),
            row_paths=tuple(map(_leaf_path, table.row_paths)),
        )
        for table_id, table in dataset.tables.items()
    }
    return replace(dataset, name=f"{dataset.name}, leaves only", tables=tables)


def _leaf_path(path: HeaderPath) -> HeaderPath:
    label = leaf(path)
    return (label,) if label else ()
