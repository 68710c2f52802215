"""A table as semantic HTML: spanners, stub and crossheads, every text escaped.

Cells and leaf headers carry the coordinates of their Location (``data-row``, ``data-column``); spanners and
crossheads say which columns or rows they stand over (``data-first``, ``data-last``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from html import escape

from components.table_view.excerpt import excerpt, said
from components.table_view.marking import UNMARKED, Marking
from qa_core.header import RowLine, Span, column_spans, row_lines
from qa_core.table import Table
from qa_core.text import as_text

_LONG_TEXT = 24
_NUMBER = re.compile(
    r"""
    [\s$€£¥%()+\-−–—.,*†‡^]*              # currency, sign, opening parenthesis
    (?: \d[\d,.\s]* | [—–-] | nm | n/?a )  # a number, or what filings print in place of one
    [\s%¢x$€£¥()*†‡]*                      # unit, closing parenthesis
    (?: [(\[] [a-z\d]{1,2} [)\]] \s* )*    # footnote marks
    """,
    re.VERBOSE | re.IGNORECASE,
)


@lru_cache(maxsize=32)
def table_markup(
    table: Table,
    caption: str | None = None,
    *,
    stub_column: bool = False,
    drawn: tuple[int, ...] | None = None,
) -> str:
    """The table as one ``<table>`` element, of its rows those that are ``drawn``, by default all.

    ``caption`` stands above it; without one the title does, or the id of a table that has no title. With
    ``stub_column`` the first column stays in sight as a stub does.
    """
    sticky = ' class="stub-column"' if stub_column else ""
    return _table(table, caption, UNMARKED, f' role="grid"{sticky}', drawn)


def marked_table_markup(
    table: Table, caption: str | None, marking: Marking, *, drawn: tuple[int, ...] | None = None
) -> str:
    """As ``table_markup``, with the marks in it, for a page without scripts; it is no grid to walk in."""
    return _table(table, caption, marking, "", drawn)


def _table(
    table: Table, caption: str | None, marking: Marking, attributes: str, drawn: tuple[int, ...] | None
) -> str:
    every = row_lines(table)
    lines = every if drawn is None else excerpt(every, drawn, table.n_rows)
    note = "" if drawn is None else f'<span class="note">{said(drawn, table.n_rows)}</span>'
    stub = any(line.label.strip() for line in every)
    numeric = [_is_numeric(table, column) for column in range(table.n_columns)]
    return "".join(
        (
            f"<table{attributes}>",
            f"<caption>{_label(caption or table.title or table.id)}{note}</caption>",
            *_head(column_spans(table), stub, numeric, marking),
            *_body(table, lines, stub, numeric, marking),
            "</table>",
        )
    )


def _head(levels: list[list[Span]], stub: bool, numeric: list[bool], marking: Marking) -> Iterator[str]:
    if not levels:
        return
    yield "<thead>"
    for level, spans in enumerate(levels):
        yield "<tr>"
        if stub and level == 0:
            yield f'<td class="stubhead"{_over("rowspan", len(levels))}></td>'
        for span in spans:
            is_leaf = level + span.depth == len(levels)
            mark = marking.column_header(span.start if is_leaf else None, span.start, span.stop)
            if is_leaf:
                text = "" if numeric[span.start] else ' class="text"'
                yield f'<th scope="col"{_over("rowspan", span.depth)}{text} data-column="{span.start}"'
            else:
                columns = span.stop - span.start
                scope = "colgroup" if columns > 1 else "col"
                extent = _extent(span.start, span.stop)
                yield f'<th scope="{scope}"{_over("colspan", columns)} class="spanner"{extent}'
            yield f"{mark.attributes}>{_label(span.label)}{mark.badge}</th>"
        yield "</tr>"
    yield "</thead>"


def _body(
    table: Table, lines: Iterable[RowLine | int], stub: bool, numeric: list[bool], marking: Marking
) -> Iterator[str]:
    width = table.n_columns + stub
    yield "<tbody>"
    in_group = False
    empty = True
    for line in lines:
        if isinstance(line, int):
            yield f'<tr class="gap"><td{_over("colspan", width)}><span>{_left_out(line)}</span></td></tr>'
            continue
        opens_group = line.row is None or line.stop > line.row + 1
        if line.level == 0 and not empty and (opens_group or in_group):
            yield "</tbody><tbody>"  # a header of scope rowgroup speaks for its tbody
        if line.level == 0:
            in_group = opens_group
        empty = False
        mark = marking.row_header(line.row, line.start, line.stop)
        if line.row is None:
            yield '<tr class="crosshead">'
            yield f'<th scope="rowgroup"{_over("colspan", width)}{_indent(line)}'
            yield f"{_extent(line.start, line.stop)}{mark.attributes}>{_label(line.label)}</th></tr>"
            continue
        yield "<tr>"
        if stub:
            extent = _extent(line.start, line.stop) if opens_group else ""
            yield f'<th scope="row"{_indent(line)} data-row="{line.row}"{extent}{mark.attributes}>'
            yield f"{_label(line.label)}{mark.badge}</th>"
        for column, text in enumerate(table.body[line.row]):
            mark = marking.cell(line.row, column)
            at = f'data-row="{line.row}" data-column="{column}"{mark.attributes}'
            if _sets_as_number(text, numeric[column]):
                yield f"<td {at}>{_text(text)}{mark.badge}</td>"
            else:
                length = " long" if len(text) > _LONG_TEXT else ""
                yield f'<td class="text{length}" dir="auto" {at}>{_text(text)}{mark.badge}</td>'
        yield "</tr>"
    if empty:
        yield f'<tr class="empty"><td{_over("colspan", width)}>This table has no rows.</td></tr>'
    yield "</tbody>"


def _left_out(n: int) -> str:
    return "… 1 row is not drawn …" if n == 1 else f"… {n:,} rows are not drawn …"


def _is_numeric(table: Table, column: int) -> bool:
    """Whether most of the cells of a column that are not blank look like numbers."""
    texts = [row[column] for row in table.body if row[column].strip()]
    return 2 * sum(_looks_like_number(text) for text in texts) >= len(texts)


def _sets_as_number(text: str, in_numeric_column: bool) -> bool:
    """Whether a cell is set flush right; "nil" among numbers is, a sentence or foreign script is not."""
    return _looks_like_number(text) or (in_numeric_column and len(text) <= _LONG_TEXT and text.isascii())


@lru_cache(maxsize=65536)
def _looks_like_number(text: str) -> bool:
    return len(text) <= 2 * _LONG_TEXT and (not text.strip() or bool(_NUMBER.fullmatch(text)))


def _label(text: str) -> str:
    return f'<span class="label" dir="auto">{_text(text)}</span>'


def _text(text: str) -> str:
    return escape(as_text(text))


def _over(attribute: str, n: int) -> str:
    return f' {attribute}="{n}"' if n > 1 else ""


def _indent(line: RowLine) -> str:
    return f' style="--level:{line.level}"' if line.level else ""


def _extent(start: int, stop: int) -> str:
    return f' data-first="{start}" data-last="{stop - 1}"'
