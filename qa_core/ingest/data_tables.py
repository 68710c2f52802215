"""Which tables of a document carry data, and which only lay out its page."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence

from qa_core.ingest.clean import CleanGrid
from qa_core.ingest.grid import Cell
from qa_core.ingest.layout import Layout
from qa_core.ingest.tokens import is_date, is_mark, is_number, is_value, is_year

_SIGNATURE = re.compile(r"/s/|by:\s*(?:/s/.*)?|date:.*|signature|_{5,}", re.IGNORECASE)
_BULLET = re.compile(r"[•●○■▪◦·▸–-]|o|\(?[a-z\divx]{1,4}[.)]", re.IGNORECASE)
_PAGE = re.compile(r"(?:[a-z]-?)?\d{1,3}(?:\s?[-–]\s?(?:[a-z]-?)?\d{1,3})?|n/?a|\*|[ivx]+", re.IGNORECASE)
_CONTENTS = re.compile(
    r"(?:item|part|note|schedule|exhibit)s?\s+[\divx]+[a-c]?\.?\b.*|page(?: no\.?| number)?s?|index.*|"
    r"signatures|(?:condensed )?consolidated (?:balance sheets?|statements? of .*)|notes to .*",
    re.IGNORECASE,
)
_EXHIBIT = re.compile(r"\(?\d{1,3}(?:\.\d{1,3}|\.[a-z]{3}|\([a-z\d]+\))*\)?[*+†#^, ]*", re.IGNORECASE)
_COVER = re.compile(
    r"\(?(?:state or other jurisdiction|i\.?r\.?s\.? employer|address of principal|zip code|commission file)"
    r".*|.*(?:accelerated filer|emerging growth company|smaller reporting company).*|[☐☒☑✓ý¨]",
    re.IGNORECASE,
)
_SPAN_OF_YEARS = re.compile(
    r"(?:up to )?\d+(?:\s?(?:-|–|to)\s?\d+)?\s?(?:years?|months?|days?)", re.IGNORECASE
)
_LONG = 45


def carries_data(cleaned: CleanGrid, layout: Layout) -> bool:
    """Whether a table holds data: figures in rows and columns, or texts under headers.

    Page footers, lists, signatures, tables of contents, boxes of a cover page and text that is merely placed
    are not data; nor are lists of exhibits, unless they have figures of their own in rows and columns.
    """
    rows = [[cell for cell in row if cell.text] for row in cleaned.grid.rows]
    if len(rows) < 2 or cleaned.grid.n_columns < 2 or _is_contents(rows) or _is_list(rows):
        return False
    if any(cell.text.startswith("/s/") for row in rows for cell in row):
        return False
    figures = [cell for row in rows for cell in row if _is_figure(cell)]
    in_rows, in_columns = {cell.row for cell in figures}, {cell.column for cell in figures}
    if len(figures) >= 3 and len(in_rows) >= 2 and len(in_columns) >= 2:
        return True
    if _is_cover(rows) or _is_exhibits(rows):
        return False
    amounts = [cell for cell in figures if cell.column > 0 and not is_year(cell.text)]
    if len(amounts) >= 2 and _has_labels(layout, rows):
        return True
    return _texts_under_headers(cleaned, layout, rows)


def _is_figure(cell: Cell) -> bool:
    number = is_number(cell.text) or bool(_SPAN_OF_YEARS.fullmatch(cell.text))
    return number and not (cell.column == 0 and is_mark(cell.text))


def _has_labels(layout: Layout, rows: Sequence[Sequence[Cell]]) -> bool:
    """Whether amounts stand beside labels: in two rows, or in one row under headers."""
    body = [row for place, row in enumerate(rows) if layout.is_body(place) and len(row) > 1]
    labelled = [
        row
        for row in body
        if row[0].column == 0 and (any(map(str.isalpha, row[0].text)) or is_year(row[0].text))
    ]
    return len(labelled) >= 2 or (len(labelled) == 1 and len(labelled[0]) > 2 and bool(layout.header_rows))


def _texts_under_headers(cleaned: CleanGrid, layout: Layout, rows: Sequence[Sequence[Cell]]) -> bool:
    body = [row for row in range(cleaned.grid.n_rows) if layout.is_body(row)]
    heads = [cell for row in layout.header_rows for cell in rows[row]]
    if len(body) < 2 or len(heads) < 2:
        return False
    if not (all(cell.bold for cell in heads) or any(cell.declared for cell in heads) or len(body) >= 4):
        return False
    filled = [len(rows[row]) for row in body]
    signed = sum(bool(_SIGNATURE.match(cell.text)) for row in rows for cell in row)
    return sum(count >= 2 for count in filled) * 2 > len(body) and signed < 2


def _is_contents(rows: Sequence[Sequence[Cell]]) -> bool:
    """A table of contents: nearly every row has a page number that does not fall, beside names of parts."""
    named = sum(any(_CONTENTS.fullmatch(cell.text) for cell in row) for row in rows)
    width = max(sum(is_number(cell.text) for cell in row) for row in rows)
    for place in (-1, 0):
        entries = [row for row in rows if len(row) > 1 and _PAGE.fullmatch(row[place].text)]
        if len(entries) < 3 or len(entries) * 2 < len(rows):
            continue
        pages = [int(match[0]) for row in entries if (match := re.search(r"\d+", row[place].text))]
        ordered = sum(a <= b for a, b in itertools.pairwise(pages))
        rising = len(pages) >= 3 and ordered >= 0.9 * (len(pages) - 1)
        if rising and (named >= 3 or (named > 0 and width <= 1)):
            return True
    return False


def _is_list(rows: Sequence[Sequence[Cell]]) -> bool:
    """Bullets or numerals with a text each."""
    bullets = sum(
        len(row) == 2 and bool(_BULLET.fullmatch(row[0].text)) and not is_value(row[1].text) for row in rows
    )
    return bullets * 3 > 2 * len(rows)


def _is_cover(rows: Sequence[Sequence[Cell]]) -> bool:
    return sum(bool(_COVER.fullmatch(cell.text)) for row in rows for cell in row) >= 2


def _is_exhibits(rows: Sequence[Sequence[Cell]]) -> bool:
    """Exhibit numbers down the left, long texts beside them."""
    entries = [row for row in rows if len(row) > 1]
    numbered = [row for row in entries if _EXHIBIT.fullmatch(row[0].text) and not is_date(row[0].text)]
    long = sum(any(len(cell.text) > _LONG for cell in row[1:]) for row in numbered)
    return len(numbered) * 2 > len(entries) and long * 2 > len(numbered)
