"""The tables of a dataset in plain HTML, which wraps in a narrow window; each row leads to the page *Ask*."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from itertools import islice
from urllib.parse import urlencode

from components.pickers import table_title
from components.plain import html
from qa_core.datasets import Dataset
from qa_core.header import header_depth
from qa_core.table import Table

MOST_TABLES = 500
"""The most that are listed: a browser draws these at once."""

_NUMBERS = ("Rows", "Columns", "Column header depth", "Row header depth", "Questions", "Oddities")


def table_list_markup(dataset: Dataset, choices: Mapping[str, str]) -> str:
    """The first ``MOST_TABLES`` tables; a link carries ``choices`` and its table to the page *Ask*."""
    heads = "".join(f'<th scope="col">{name}</th>' for name in ("Table", *_NUMBERS))
    tables = islice(dataset.tables.values(), MOST_TABLES)
    rows = "".join(_row(table, _numbers(dataset, table), choices) for table in tables)
    return f'<table class="ch-tables"><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>'


def _numbers(dataset: Dataset, table: Table) -> tuple[int, ...]:
    return (
        table.n_rows,
        table.n_columns,
        header_depth(table.column_paths),
        header_depth(table.row_paths),
        len(dataset.questions_of(table.id)),
        len(table.warnings),
    )


def _row(table: Table, numbers: Iterable[int], choices: Mapping[str, str]) -> str:
    address = escape("./?" + urlencode({**choices, "table": table.id}))
    link = f'<a href="{address}" target="_self">{html(table_title(table))}</a>'
    return f'<tr><th scope="row">{link}</th>{"".join(f"<td>{number:,}</td>" for number in numbers)}</tr>'
