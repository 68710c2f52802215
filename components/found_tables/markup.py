"""A found table as a card: what it is, and its first headers drawn small. Every text is escaped."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from html import escape

from components.plain import html, shorten
from qa_core.header import column_spans, row_lines
from qa_core.ingest.extract import Extraction
from qa_core.ingest.grid import Source
from qa_core.table import Table, join_path
from qa_core.text import as_text

_COLUMNS = 4
_LINES = 6
_LABEL = 30
_CELL = 12
_NAME = 80
_LEAST_NAME = 30
_CLAUSE_END = re.compile(r"\s*[;:(]|(?<!\d),\s|\s[–—]\s")


def card_markup(index: int, table: Table, extraction: Extraction | None) -> str:
    """The card of the table at ``index``; ``data-index`` tells which was chosen."""
    title = title_of(index, table)
    facts = [f"{table.n_rows:,} × {table.n_columns:,}"]
    if extraction and extraction.units:
        facts.append(html(shorten(extraction.units, 40)))
    if extraction and not extraction.is_data:
        facts.append("layout")
    where = where_of(extraction.source) if extraction else ""
    return (
        f'<button type="button" data-index="{index}">'
        f'<span class="title">{html(shorten(title, 110))}</span>'
        f'<span class="where">{html(shorten(where, 90))}</span>'
        f'<span class="thumbnail" aria-hidden="true">{thumbnail_markup(table)}</span>'
        f'<span class="facts"><span>{" · ".join(facts)}</span>{_confidence(extraction)}</span></button>'
    )


def where_of(source: Source) -> str:
    """The part of its document that a table stands in: its innermost headings, or sheet and range."""
    return join_path(source.headings[-2:], " › ") or join_path((source.sheet, source.range), " · ")


def title_of(index: int, table: Table) -> str:
    """One line that names a found table: its title, else its first row or column headers, else its number."""
    return table.title or _labels(table) or f"Table {index + 1}"


def default_name(file: str, table: Table) -> str:
    """A short name to keep a table under: from its title, else the file's name and the first headers."""
    if table.title:
        return name_of(table.title)
    labels = shorten(_labels(table), _NAME // 2)
    return join_path((shorten(file, _NAME // 2), labels), ": ") or "Table"


def _labels(table: Table) -> str:
    """The first row headers, which differ more between tables than years do, else the column headers."""
    labels = [next(filter(None, reversed(path)), "") for path in table.row_paths[:3]]
    if not any(labels):
        labels = [join_path(path) for path in table.column_paths[:3]]
    return join_path(tuple(dict.fromkeys(labels)), " · ")


def name_of(title: str) -> str:
    """A short name to keep a table under: the title, of a long one the first clause."""
    if len(title) > _NAME:
        clause = _CLAUSE_END.split(title, maxsplit=1)[0]
        title = clause if len(clause) >= _LEAST_NAME else title
    return shorten(title, _NAME).rstrip(" :")


def confidence_in_words(confidence: float) -> str:
    """How sure the guess of the headers is."""
    if confidence >= 0.85:
        return "headers: sure"
    return "headers: fairly sure" if confidence >= 0.6 else "headers: unsure, look at them"


def thumbnail_markup(table: Table) -> str:
    """The first headers and cells as a tiny table."""
    head, body = "".join(_head(_corner(table))), "".join(_body(table))
    return f"<table><thead>{head}</thead><tbody>{body}</tbody></table>"


def _corner(table: Table) -> Table:
    return replace(
        table,
        column_paths=table.column_paths[:_COLUMNS],
        row_paths=(),
        cells=tuple(row[:_COLUMNS] for row in table.cells[:_LINES]),
    )


def _head(corner: Table) -> Iterator[str]:
    levels = column_spans(corner)[:3]
    for level, spans in enumerate(levels):
        yield "<tr>"
        if level == 0:
            yield f'<td rowspan="{len(levels)}"></td>'
        for span in spans:
            depth = min(span.depth, len(levels) - level)
            spanner = ' class="spanner"' if span.stop - span.start > 1 else ""
            yield (
                f'<th colspan="{span.stop - span.start}" rowspan="{depth}"{spanner}>'
                f"{_text(span.label, _LABEL)}</th>"
            )
        yield "</tr>"


def _body(table: Table) -> Iterator[str]:
    columns = min(table.n_columns, _COLUMNS)
    for line in row_lines(replace(table, row_paths=table.row_paths[:_LINES], cells=table.cells[:_LINES]))[
        :_LINES
    ]:
        label = _text(line.label, _LABEL)
        if line.row is None:
            over = f'colspan="{columns + 1}" class="crosshead" style="--level:{line.level}"'
            yield f"<tr><th {over}>{label}</th></tr>"
            continue
        cells = "".join(f"<td>{_text(table.cell(line.row, c), _CELL)}</td>" for c in range(columns))
        yield f'<tr><th style="--level:{line.level}">{label}</th>{cells}</tr>'


def _text(text: str, limit: int) -> str:
    return f"<bdi>{escape(shorten(as_text(text), limit))}</bdi>"


def _confidence(extraction: Extraction | None) -> str:
    if extraction is None:
        return "<span>headers as given</span>"
    unsure = ' class="unsure"' if extraction.confidence < 0.6 else ""
    return f"<span{unsure}>{confidence_in_words(extraction.confidence)}</span>"
