"""Pipe tables of a Markdown document (GitHub's flavour) as grids."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from qa_core.errors import CrossheadError
from qa_core.ingest.context import Block, Context, contexts
from qa_core.ingest.grid import COLUMN_HEADER, MAX_SLOTS, Cell, Grid, Source
from qa_core.text import as_text, squeeze

if TYPE_CHECKING:
    from markdown_it.token import Token

MAX_CHARACTERS = 10_000_000
_NBSP_POINTS = 2.5
_DELIMITER_ROW = re.compile(r"^[ >]{0,20}\|?[ ]*:?-+:?[ ]*(?:\|[ ]*:?-+:?[ ]*)*\|?[ ]*$", re.MULTILINE)
_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)


def has_pipe_table(text: str) -> bool:
    """Whether a text has the row of dashes below a pipe table's headers."""
    return any(
        "|" in match[0] and "|" in text[: match.start()].rstrip("\n").rpartition("\n")[2][-2000:]
        for match in _DELIMITER_ROW.finditer(text[:1_000_000])
        if "|" in match[0]
    )


def read_markdown(text: str, file: str = "") -> list[Grid]:
    """One grid for each pipe table, with the heading or paragraph above it as title.

    Inline markup is reduced to its text. Raises CrossheadError beyond ``MAX_CHARACTERS``.
    """
    from markdown_it import MarkdownIt

    if len(text) > MAX_CHARACTERS:
        raise CrossheadError(
            f"{file or 'The text'} has more than {MAX_CHARACTERS:,} characters, which is too much Markdown; "
            "bring the part with the table."
        )
    tokens = MarkdownIt("commonmark", {"maxNesting": 20}).enable("table").parse(as_text(text))
    tables: list[list[list[Cell]]] = []
    above = contexts(_parts(tokens, tables))
    return [_grid(rows, index, file, above[index]) for index, rows in enumerate(tables)]


def _grid(rows: Sequence[Sequence[Cell]], index: int, file: str, context: Context) -> Grid:
    width = max(map(len, rows))
    kept = rows[: MAX_SLOTS // max(width, 1)]
    steps = () if len(kept) == len(rows) else (f"read the first {len(kept):,} of {len(rows):,} rows",)
    cells = tuple(cell for row in kept for cell in row)
    source = Source(file, index, headings=context.headings)
    return Grid(cells, len(kept), width, source, context.title, context.units, steps)


def _parts(tokens: Sequence[Token], tables: list[list[list[Cell]]]) -> Iterator[Block | int]:
    """Blocks of text and indices of tables in document order; the tables' rows go into ``tables``."""
    level, in_table, in_head = 0, False, False
    for token in tokens:
        kind = token.type
        if kind == "table_open":
            yield len(tables)
            tables.append([])
            in_table = True
        elif kind == "table_close":
            in_table = False
        elif kind in ("thead_open", "thead_close"):
            in_head = kind == "thead_open"
        elif kind == "tr_open":
            tables[-1].append([])
        elif kind in ("heading_open", "heading_close"):
            level = int(token.tag[1]) if kind == "heading_open" else 0
        elif kind == "inline" and in_table:
            row = tables[-1][-1]
            row.append(_cell(token, len(tables[-1]) - 1, len(row), COLUMN_HEADER if in_head else ""))
        elif kind == "inline":
            children = token.children or []
            bold = bool(children) and all(
                child.type.startswith(("strong", "softbreak")) or child.level > 0 or not child.content.strip()
                for child in children
            )
            if shown := squeeze(_text(children)):
                yield Block(shown, bold, level=level)


def _cell(token: Token, row: int, column: int, declared: str) -> Cell:
    children = [child for child in token.children or [] if child.type != "text" or child.content]
    text = _text(children)
    blanks = len(text) - len(text.lstrip("\u00a0\u2003\u2002 "))
    return Cell(
        squeeze(text),
        row,
        column,
        bold=bool(children) and children[0].type == "strong_open",
        emphasised=bool(children) and children[0].type == "em_open",
        indent=_NBSP_POINTS * blanks,
        declared=declared,
    )


def _text(children: Sequence[Token]) -> str:
    """The text of inline markup; line breaks are spaces, tags are left out."""
    parts = []
    for child in children:
        if child.type in ("text", "code_inline", "text_special"):
            parts.append(child.content)
        elif child.type == "image":
            parts.append(_text(child.children or []))
        elif child.type in ("softbreak", "hardbreak") or (
            child.type == "html_inline" and _BREAK.fullmatch(child.content)
        ):
            parts.append(" ")
    return "".join(parts)
