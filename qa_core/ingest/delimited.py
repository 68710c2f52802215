"""Tables of delimited text (CSV, TSV) as grids."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator

from qa_core.errors import CrossheadError
from qa_core.ingest.blocks import MAX_TABLES, POINTS_PER_SPACE, split_blocks
from qa_core.ingest.decoding import decode
from qa_core.ingest.grid import MAX_SLOTS, Cell, Grid, Source
from qa_core.text import as_text, squeeze

DELIMITERS = "\t;|,"
MAX_RECORD = 2_000_000
"""Characters up to which one record is read; more are no row of a table."""

_SAMPLE = 200_000
_QUOTED = re.compile(r'"(?:[^"]|"")*"')
_RULE = re.compile(r"[\s:+=-]*-[\s:+=-]*")
_CONSISTENT = 0.8
"""The share of lines with a delimiter from which on it counts as good as any."""


def read_delimited(content: bytes, file: str = "") -> list[Grid]:
    """One grid for each table of a delimited text; several are parted by empty rows.

    Raises CrossheadError where the content is no text or has a record that no table has.
    """
    return grids_of_text(decode(content, file), file)


def grids_of_text(text: str, file: str = "") -> list[Grid]:
    """As ``read_delimited``, for a text."""
    delimiter = find_delimiter(text) or ","
    rows = read_records(text, file, delimiter)
    if delimiter == "|":  # as databases print: lines of dashes are no rows
        rows = (row for row in rows if not _RULE.fullmatch("".join(row)))
    return _grids_of_rows(rows, file)


def read_records(text: str, file: str = "", delimiter: str = "") -> Iterator[list[str]]:
    """The records of a delimited text, of whatever lengths they have; quoted line breaks are kept.

    Raises CrossheadError at a record of more than ``MAX_RECORD`` characters, or a field that is longer than
    the csv module takes.
    """
    text = as_text(text)
    lines = _Lines(text, file or "The text")
    records = csv.reader(lines, delimiter=delimiter or find_delimiter(text) or ",")
    try:
        for record in records:
            lines.used = 0
            yield record
    except csv.Error as fault:
        raise CrossheadError(
            f"{lines.name}, line {records.line_num}: {fault}; is a quotation mark left open there?"
        ) from None


class _Lines:
    """Lines of a text, with the number of characters that the present record has used of them."""

    def __init__(self, text: str, name: str) -> None:
        self.name = name
        self.used = 0
        self._text = text

    def __iter__(self) -> Iterator[str]:
        for line in io.StringIO(self._text, newline=""):
            self.used += len(line)
            if self.used > MAX_RECORD:
                raise CrossheadError(
                    f"{self.name} has a row of more than {MAX_RECORD:,} characters, which no table has; "
                    "check its line breaks and quotation marks."
                )
            yield line


def find_delimiter(text: str, least: float = 0.0) -> str:
    """The delimiter that stands equally often in the lines of a text, outside quotes; empty without one.

    Where several do equally well, the comma comes last: it is also a decimal and a thousands mark. ``least``
    is the share of lines that must have it.
    """
    sample = text[:_SAMPLE]
    if len(text) > _SAMPLE:
        sample = sample.rpartition("\n")[0] or sample
    lines = [line for line in _QUOTED.sub("", sample).splitlines() if line.strip()]
    best, most = "", (0.0, 0.0)
    for delimiter in DELIMITERS:
        counts = Counter(count for line in lines if (count := line.count(delimiter)))
        if counts:
            usual, times = max(counts.items(), key=lambda entry: (entry[1], entry[0]))
            at_least = sum(lines for count, lines in counts.items() if count >= usual)
            found = (min(at_least / len(lines), _CONSISTENT), times / len(lines))
            if found > most and at_least / len(lines) >= least:
                best, most = delimiter, found
    return best


def _grids_of_rows(rows: Iterable[list[str]], file: str = "") -> list[Grid]:
    """One grid for each table among rows of texts; leading spaces count as indentation."""
    cells: list[Cell] = []
    width = number = 0
    steps: tuple[str, ...] = ()
    for number, row in enumerate(rows, start=1):
        width = max(width, len(row))
        if number * max(width, 1) > MAX_SLOTS:
            steps = (f"read the first {number - 1:,} rows; the table is too large",)
            break
        for column, text in enumerate(row):
            if shown := squeeze(text):
                blanks = len(text) - len(text.lstrip()) if text[0].isspace() else 0
                cells.append(Cell(shown, number - 1, column, indent=POINTS_PER_SPACE * blanks))
    blocks = split_blocks(cells, side_by_side=False)
    if len(blocks) > MAX_TABLES:
        steps = (*steps, f"read the first {MAX_TABLES:,} of {len(blocks):,} tables")
    grids = []
    for index, block in enumerate(blocks[:MAX_TABLES]):
        placed, n_rows, n_columns = block.at_origin()
        source = Source(file, index, range=f"rows {block.top + 1} to {block.bottom}")
        grids.append(Grid(placed, n_rows, n_columns, source, block.title, block.units, steps))
    return grids
