"""Tables of an HTML document as grids: a filing, a saved web page, a fragment."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import islice

from lxml import etree

from qa_core.errors import CrossheadError
from qa_core.ingest.context import Block, contexts
from qa_core.ingest.grid import COLUMN_HEADER, HEADER, MAX_SLOTS, ROW_HEADER, Cell, Grid, Source, place
from qa_core.ingest.html_text import BLOCKS, Piece, TextReader, is_hidden, read_piece

MAX_COLSPAN = 1000
MAX_ROWSPAN = 65534
"""Limits of spans, as the HTML standard has them."""

_DECLARED_CHARSET = re.compile(rb"charset\s*=|<\?xml[^>]{0,100}encoding\s*=", re.IGNORECASE)
_LONGEST_BLOCK = 4000
_LEADING_NUMBER = re.compile(r"\s*\+?(\d{1,9})", re.ASCII)
_ROW_PARTS = ("tr", "td", "th", "table", "thead", "tbody", "tfoot")


def read_html(
    content: bytes, file: str = "", on_progress: Callable[[int, int], None] | None = None
) -> list[Grid]:
    """One grid for each ``<table>`` element, in document order, layout tables among them.

    ``on_progress(done, total)`` counts tables. Raises CrossheadError where there is no markup to read.
    """
    root = _parse(content, file)
    tables = list(root.iter("table"))
    above = contexts(_parts(root))
    grids = []
    for index, table in enumerate(tables):
        context = above[index]
        caption = next((read_piece(child).text for child in table if child.tag == "caption"), "")
        cells, n_rows, n_columns, steps = _cells(table)
        grids.append(
            Grid(
                tuple(cells),
                n_rows,
                n_columns,
                Source(file=file, index=index, headings=context.headings),
                caption or context.title,
                context.units,
                steps,
                may_lay_out=True,
            )
        )
        if on_progress:
            on_progress(index + 1, len(tables))
    return grids


def _parse(content: bytes, file: str) -> etree._Element:
    """The document's tree. Nothing is fetched: external entities and style sheets stay where they are."""
    encoding = None
    marked = content.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff"))
    if not marked and not _DECLARED_CHARSET.search(content[:4096]):
        encoding = _guess_encoding(content)
    parser = etree.HTMLParser(
        encoding=encoding, no_network=True, huge_tree=True, remove_comments=True, remove_pis=True
    )
    try:
        root = etree.fromstring(content, parser)
    except (etree.XMLSyntaxError, ValueError):
        root = None
    if root is None:
        raise CrossheadError(f"{file or 'The text'} holds no HTML that can be read; save the page again.")
    return root


def _guess_encoding(content: bytes) -> str:
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        return "windows-1252"
    return "utf-8"


def _cells(table: etree._Element) -> tuple[list[Cell], int, int, tuple[str, ...]]:
    """The placed cells of a table, its size, and what had to be cut."""
    rows: list[list[Cell]] = []
    elements: list[etree._Element] = []
    in_head = False
    n_cells = 0
    walker = etree.iterwalk(table, events=("start", "end"), tag=_ROW_PARTS)
    for event, element in walker:
        tag = element.tag
        if event == "end":
            in_head = in_head and tag != "thead"
        elif element is not table and (tag == "table" or is_hidden(element)):
            walker.skip_subtree()
        elif tag == "thead":
            in_head = True
        elif tag == "tr":
            rows.append([])
        elif tag in ("td", "th"):
            walker.skip_subtree()
            if rows:
                n_cells += 1
                if n_cells > MAX_SLOTS:
                    break
                rows[-1].append(_cell(element, in_head))
                elements.append(element)
    placed, n_rows, n_columns = place(rows)
    placed = _declared_by_reference(placed, elements)
    steps = []
    if n_rows < len(rows) or n_cells > MAX_SLOTS:
        steps.append(f"read the first {n_rows} rows; the table is too large to be read whole")
    return placed, n_rows, n_columns, tuple(steps)


def _cell(element: etree._Element, in_head: bool) -> Cell:
    piece = read_piece(element)
    is_header = element.tag == "th"
    scope = (element.get("scope") or "").lower()
    declared = ""
    if is_header and scope.startswith("row"):
        declared = ROW_HEADER
    elif in_head or (is_header and scope.startswith("col")):
        declared = COLUMN_HEADER
    elif is_header:
        declared = HEADER
    return Cell(
        piece.text,
        0,
        0,
        _span(element.get("rowspan"), MAX_ROWSPAN, zero=MAX_ROWSPAN),
        _span(element.get("colspan"), MAX_COLSPAN),
        piece.bold or is_header,
        piece.emphasised,
        piece.centred or is_header,
        piece.indent,
        declared,
    )


def _declared_by_reference(placed: Sequence[Cell], elements: Sequence[etree._Element]) -> list[Cell]:
    """The cells of a table with those declared that others name in their ``headers=`` and that say no scope.

    ``elements`` are those of ``placed``, in the same order. A header above heads the column, one at the side
    or across the rows from the first column on heads the row.
    """
    cells = list(placed)
    named: dict[str, int] = {}
    for i, (_, element) in enumerate(zip(placed, elements, strict=False)):
        if (name := element.get("id")) is not None:
            named.setdefault(name, i)
    found: dict[int, str] = {}
    for cell, element in zip(placed, elements, strict=False):
        for name in (element.get("headers") or "").split():
            head = named.get(name)
            if head is not None and cells[head] is not cell and found.get(head) != ROW_HEADER:
                found[head] = COLUMN_HEADER if _is_over(cells[head], cell) else ROW_HEADER
    for i, declared in found.items():
        if cells[i].declared in ("", HEADER):
            cells[i] = replace(cells[i], declared=declared)
    return cells


def _is_over(head: Cell, cell: Cell) -> bool:
    over = head.end_row <= cell.row and head.column < cell.end_column and cell.column < head.end_column
    return over and (head.column > 0 or cell.column == 0)


def _span(value: str | None, most: int, zero: int = 1) -> int:
    """A span attribute as browsers take it: its leading digits, 1 where there are none, ``zero`` for 0."""
    number = _LEADING_NUMBER.match(value or "")
    return min(int(number[1]), most) or zero if number else 1


def _parts(root: etree._Element) -> Iterator[Block | int]:
    """Blocks of text and indices of tables in document order; the text of data tables is left out."""
    index = -1
    reader = TextReader()
    walker = etree.iterwalk(root, events=("start", "end"))
    for event, element in walker:
        tag = element.tag
        if tag in BLOCKS and (block := _block(reader.take(), tag)):
            yield block
        if event == "end":
            reader.leave(element)
            continue
        if tag == "table":
            index += 1
            yield index
            if _is_innermost(element):
                yield from _short_table(element)
                walker.skip_subtree()
                reader.push()
                continue
        if not reader.enter(element):
            walker.skip_subtree()
            for hidden in element.iter("table"):
                if hidden is not element:
                    index += 1
                    yield index
    if block := _block(reader.take(), ""):
        yield block


def _block(piece: Piece, tag: object) -> Block | None:
    level = int(tag[1]) if isinstance(tag, str) and re.fullmatch("h[1-6]", tag) else 0
    return Block(piece.text[:_LONGEST_BLOCK], piece.bold, piece.emphasised, level) if piece.text else None


def _is_innermost(table: etree._Element) -> bool:
    return next(islice(table.iter("table"), 1, 2), None) is None


def _short_table(table: etree._Element) -> Iterator[Block]:
    """A heading that stands in a table for its layout, as one block."""
    if sum(1 for _ in islice(table.iter("tr"), 3)) <= 2:
        piece = read_piece(table)
        if 0 < len(piece.text) <= 200:
            yield Block(piece.text, piece.bold, piece.emphasised)
