"""What the commands that read a document share: reading it with progress, and the index of its tables."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from qa_core.command_line.output import say
from qa_core.errors import CrossheadError
from qa_core.ingest.document import Document, read_document_file
from qa_core.table import Table


def add_document(parser: argparse.ArgumentParser) -> None:
    """Add the file and the option that chooses a table of it by index."""
    parser.add_argument("file", type=Path, metavar="FILE", help="HTML, XLSX, CSV, Markdown or JSON, or .gz")
    parser.add_argument(
        "--table-index",
        type=_index,
        metavar="N",
        help="the table N: of an HTML file the <table> element N from 0 in document order, else the place",
    )


def read(path: Path) -> Document:
    """A document, with progress on a terminal; raises as ``read_document_file`` does."""
    on_terminal = sys.stderr is not None and sys.stderr.isatty()
    return read_document_file(path, _Progress() if on_terminal else None)


def indices(document: Document) -> list[int]:
    """The index of each table: the one that it names itself, else its place among the document's tables."""
    return [_named_index(table, place) for place, table in enumerate(document.tables)]


def data_tables(document: Document) -> list[int]:
    """The places of the tables that carry data: all, where the document gives its tables itself."""
    if not document.extractions:
        return list(range(len(document.tables)))
    return [place for place, made in enumerate(document.extractions) if made.is_data]


def places_of_index(document: Document, index: int) -> list[int]:
    """The places of the tables with an index; raises CrossheadError where there is none."""
    named = indices(document)
    places = [place for place, name in enumerate(named) if name == index]
    if not places:
        held = f"{len(named)} tables, with indices from {min(named)} to {max(named)}"
        if len(named) == 1:
            held = f"1 table, with index {named[0]}"
        raise CrossheadError(f"{document.file} holds no table with index {index}; it holds {held}.")
    return places


def _named_index(table: Table, place: int) -> int:
    index = table.extra.get("table_index")
    return index if isinstance(index, int) and not isinstance(index, bool) else place


def _index(text: str) -> int:
    if not text.isdecimal() or len(text) > 9:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 0 to 999999999")
    return int(text)


class _Progress:
    """A running share on standard error."""

    def __init__(self) -> None:
        self._percent = -1

    def __call__(self, done: int, total: int) -> None:
        percent = 100 * done // total
        if percent > self._percent:
            say(f"\r{percent} % read", end="\n" if percent == 100 else "")
            self._percent = percent
