"""Tables of an Excel workbook (.xlsx, .xlsm) as grids: what its sheets show, in the format they show it.

Values are those that the workbook keeps; no formula is computed, no macro run, no link followed. Sheets are
read as a stream and their sizes are checked first, as a small archive may unpack to more than memory holds.
"""

from __future__ import annotations

import io
import re
import struct
import warnings
import zipfile
import zlib
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import IO, Any

from lxml import etree

from qa_core.errors import CrossheadError
from qa_core.ingest.blocks import MAX_TABLES, POINTS_PER_SPACE, Block, split_blocks
from qa_core.ingest.grid import MAX_SLOTS, Cell, Grid, Source
from qa_core.ingest.number_format import GENERAL, display
from qa_core.text import as_text, squeeze

MAX_UNPACKED = 300_000_000
"""Bytes up to which the parts of a workbook are unpacked."""
MAX_RATIO = 100
"""How many times larger than the archive its parts may be, beyond a few megabytes."""
POINTS_PER_LEVEL = 10.0
"""Points of indentation for one level of a cell format."""

_SMALL = 10_000_000
_MAX_ROW = 1_048_576
_MAX_COLUMN = 16_384
_MOST_MERGES = 200_000
_MOST_PARTS = 20_000
_MOST_TAGS = 6_000_000
_MOST_SMALL_TAGS = 300_000
_RANGE = re.compile(r"\$?([A-Z]{1,3})\$?(\d{1,7}):\$?([A-Z]{1,3})\$?(\d{1,7})")
_DEFAULT_NAME = re.compile(r"(?:sheet|table|tabelle|feuil|hoja|foglio|blad|ark)\s?\d*", re.IGNORECASE)
_ESCAPED = re.compile("_x([0-9A-Fa-f]{4})_")
_BUILTIN_FORMATS = {
    14: "m/d/yyyy",
    22: "m/d/yyyy h:mm",
    44: '_("$"* #,##0.00_);_("$"* \\(#,##0.00\\);_("$"* "-"??_);_(@_)',
    47: "mm:ss.0",
}
"""Where Excel shows other than what openpyxl notes."""
ARCHIVE_FAULTS = (
    KeyError, ValueError, OSError, EOFError, RuntimeError, NotImplementedError, struct.error, zlib.error,
    zipfile.BadZipFile,
)  # fmt: skip
"""What zipfile raises over damaged archives."""
_FAULTS = (
    *ARCHIVE_FAULTS, LookupError, TypeError, AttributeError, ArithmeticError, etree.LxmlError, AssertionError,
)  # fmt: skip
"""What openpyxl raises over damaged workbooks."""


@dataclass(frozen=True)
class Sheet:
    """What a sheet shows: its cells with text, exactly as kept, hidden rows and columns left out.

    Cells are counted from 0 among what shows; ``hidden_rows`` and
    ``hidden_columns`` are numbers in the file, from 1.
    """

    name: str
    cells: tuple[Cell, ...]
    hidden_rows: tuple[int, ...]
    hidden_columns: tuple[int, ...]
    steps: tuple[str, ...]

    def file_row(self, row: int) -> int:
        """The number in the file, from 1, of a shown row, from 0."""
        return _unhidden(row + 1, self.hidden_rows)

    def file_column(self, column: int) -> int:
        return _unhidden(column + 1, self.hidden_columns)


def read_spreadsheet(
    content: bytes, file: str = "", on_progress: Callable[[int, int], None] | None = None
) -> list[Grid]:
    """One grid for each table on the visible sheets of a workbook, in their order.

    ``on_progress(done, total)`` counts sheets. Raises CrossheadError where the content is no workbook of
    this kind, is encrypted or damaged, or unpacks to more than ``MAX_UNPACKED`` bytes.
    """
    grids: list[Grid] = []
    for sheet in read_sheets(content, file, on_progress):
        shown = [cell for cell in map(_squeezed, sheet.cells) if cell.text]
        for block in split_blocks(shown):
            if len(grids) == MAX_TABLES:
                said = f"read the first {MAX_TABLES:,} tables of the workbook; it has more"
                return [*grids[:-1], replace(grids[-1], steps=(*grids[-1].steps, said))]
            grids.append(_grid(block, sheet, file, len(grids)))
    return grids


def _grid(block: Block, sheet: Sheet, file: str, index: int) -> Grid:
    cells, n_rows, n_columns = block.at_origin()
    steps = sheet.steps
    if n_rows < block.bottom - block.top:
        steps = (
            *steps,
            f"read the first {n_rows:,} of {block.bottom - block.top:,} rows; the table is too large",
        )
    first = f"{_letters(sheet.file_column(block.left))}{sheet.file_row(block.top)}"
    last = f"{_letters(sheet.file_column(block.right - 1))}{sheet.file_row(block.bottom - 1)}"
    title = block.title or ("" if _DEFAULT_NAME.fullmatch(sheet.name) else sheet.name)
    source = Source(file, index, sheet.name, f"{first}:{last}")
    return Grid(cells, n_rows, n_columns, source, title, block.units, steps)


def _squeezed(cell: Cell) -> Cell:
    text = squeeze(cell.text)
    if text == cell.text:
        return cell
    blanks = len(cell.text) - len(cell.text.lstrip())
    return replace(cell, text=text, indent=cell.indent + POINTS_PER_SPACE * blanks)


def _letters(column: int) -> str:
    letters = ""
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(65 + rest) + letters
    return letters


def read_sheets(
    content: bytes,
    file: str = "",
    on_progress: Callable[[int, int], None] | None = None,
    with_hidden: bool = False,
) -> Iterator[Sheet]:
    """The visible sheets of a workbook, or all with all their cells; raises as ``read_spreadsheet`` does."""
    name = file or "The workbook"
    _check_archive(content, name)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what openpyxl leaves out on writing does not matter here
            yield from _Workbook(content).sheets(on_progress, with_hidden)
    except CrossheadError:
        raise
    except _FAULTS as fault:
        raise CrossheadError(
            f"{name} is damaged ({type(fault).__name__}: {as_text(fault)[:100]}); save it anew as .xlsx."
        ) from None
    except Exception as fault:
        if type(fault).__module__.partition(".")[0] != "openpyxl":
            raise
        raise CrossheadError(f"{name} holds XML that is not read here; save it anew as .xlsx.") from None


def open_archive(content: bytes, name: str) -> zipfile.ZipFile:
    """A ZIP file for reading; raises CrossheadError where it is damaged or has too many parts."""
    if content.count(b"PK\x01\x02") > _MOST_PARTS:
        raise CrossheadError(
            f"{name} has more than {_MOST_PARTS:,} parts; save the sheet you need on its own."
        )
    try:
        return zipfile.ZipFile(io.BytesIO(content))
    except ARCHIVE_FAULTS:
        raise CrossheadError(f"{name} is no whole .xlsx file; copy or save it again.") from None


def _check_archive(content: bytes, name: str) -> None:
    with open_archive(content, name) as archive:
        parts = archive.infolist()
    if any(part.flag_bits & 1 for part in parts):
        raise CrossheadError(f"{name} is encrypted; save it without a password.")
    unpacked = sum(part.file_size for part in parts)
    if unpacked > MAX_UNPACKED or unpacked > max(_SMALL, MAX_RATIO * len(content)):
        raise CrossheadError(
            f"{name} unpacks from {len(content):,} to {unpacked:,} bytes, which is too much; "
            "save the sheet you need on its own."
        )


@dataclass(frozen=True)
class _Style:
    number_format: str = GENERAL
    bold: bool = False
    emphasised: bool = False
    centred: bool = False
    across: bool = False
    indent: float = 0.0


class _Workbook:
    """A workbook opened for one pass over its sheets, with as much of openpyxl as reads a stream."""

    def __init__(self, content: bytes) -> None:
        from openpyxl.reader.excel import ExcelReader
        from openpyxl.styles.stylesheet import apply_stylesheet
        from openpyxl.utils.datetime import MAC_EPOCH

        self._reader: Any = ExcelReader(io.BytesIO(content), read_only=True, data_only=True, keep_links=False)
        self._archive = self._reader.archive
        self._check("[Content_Types].xml")
        self._reader.read_manifest()
        self._check("xl/styles.xml")
        for part in self._reader.package.Override:
            if "main+xml" in part.ContentType:
                folder, _, name = part.PartName[1:].rpartition("/")
                self._check(f"{folder}/{name}")
                self._check(f"{folder}/_rels/{name}.rels")
        self._strings = self._read_strings()
        self._reader.read_workbook()
        apply_stylesheet(self._archive, self._reader.wb)
        self._date_1904 = self._reader.wb.epoch == MAC_EPOCH
        self._styles: dict[int, _Style] = {}

    def _check(self, part: str) -> None:
        """Refuse a part that is read in one piece and is larger than any such part needs to be."""
        if part in self._reader.valid_files:
            with self._archive.open(part) as stream:
                bounded = _Bounded(stream, _MOST_SMALL_TAGS)
                while bounded.read(1 << 16):
                    pass

    def _read_strings(self) -> list[str]:
        """The workbook's texts. openpyxl's own reader leaves ``_x000D_`` and its like as they are written."""
        from openpyxl.cell.text import Text
        from openpyxl.xml.constants import SHARED_STRINGS, SHEET_MAIN_NS

        part = self._reader.package.find(SHARED_STRINGS)
        strings: list[str] = []
        if part is not None:
            with self._archive.open(part.PartName[1:]) as stream:
                for element in _elements(_Bounded(stream, _MOST_TAGS), f"{{{SHEET_MAIN_NS}}}si"):
                    text: Any = Text.from_tree(element)
                    strings.append(_unescaped(text.content))
        return strings

    def sheets(self, on_progress: Callable[[int, int], None] | None, with_hidden: bool) -> Iterator[Sheet]:
        found = [
            (sheet, relation)
            for sheet, relation in self._reader.parser.find_sheets()
            if relation.target in self._reader.valid_files and "chartsheet" not in relation.Type
        ]
        visible = [entry for entry in found if with_hidden or entry[0].state == "visible"]
        hidden = len(found) - len(visible)
        steps = (f"left out {_many(hidden, 'hidden sheet')}",) if hidden else ()
        for done, (sheet, relation) in enumerate(visible, start=1):
            with self._archive.open(relation.target) as stream:
                bounded = _Bounded(stream, _MOST_TAGS)
                yield self._read_sheet(as_text(sheet.name), bounded, steps, with_hidden)
            if on_progress:
                on_progress(done, len(visible))

    def _read_sheet(self, name: str, stream: _Bounded, steps: tuple[str, ...], with_hidden: bool) -> Sheet:
        parser = _sheet_parser(stream, self._strings)
        cells: dict[tuple[int, int], Cell] = {}
        across: dict[tuple[int, int], None] = {}
        unread = 0
        for _, row in parser.parse():
            if len(cells) + len(across) + len(row) > MAX_SLOTS:
                unread += len(row)
                continue
            for found in row:
                place = (found["row"], found["column"])
                if not (0 < place[0] <= _MAX_ROW and 0 < place[1] <= _MAX_COLUMN):
                    continue
                style = self._style(found["style_id"] or 0)
                text = as_text(self._shown(found["value"], found["data_type"], style))
                if text:
                    cells[place] = Cell(
                        text,
                        place[0] - 1,
                        place[1] - 1,
                        bold=style.bold,
                        emphasised=style.emphasised,
                        centred=style.centred,
                        indent=style.indent,
                    )
                elif style.across:
                    across[place] = None
        if unread:
            steps = (*steps, f"left out {unread:,} cells; the sheet has too many")
        if parser.uncomputed:
            steps = (
                *steps,
                f"{_many(parser.uncomputed, 'formula')} without a kept value shown empty; "
                "open and save the workbook in a spreadsheet program to have them",
            )
        _span_across(cells, across)
        steps = (*steps, *_merge(cells, parser.merged))
        hidden_rows, hidden_columns = ([], []) if with_hidden else _hidden(parser)
        return _without_hidden(name, cells, hidden_rows, hidden_columns, steps)

    def _shown(self, value: object, kind: str, style: _Style) -> str:
        if kind == "s" and isinstance(value, str) and style.number_format == GENERAL:
            return value
        return display(value, style.number_format, self._date_1904)

    def _style(self, number: int) -> _Style:
        if number not in self._styles:
            wb = self._reader.wb
            if not 0 <= number < len(wb._cell_styles):
                return _Style()
            formats = wb._cell_styles[number]
            font = wb._fonts[formats.fontId]
            alignment = wb._alignments[formats.alignmentId]
            self._styles[number] = _Style(
                self._number_format(formats.numFmtId),
                bool(font.b),
                bool(font.i) or font.u not in (None, "none"),
                alignment.horizontal in ("center", "centerContinuous"),
                alignment.horizontal == "centerContinuous",
                POINTS_PER_LEVEL * max(0.0, min(float(alignment.indent or 0), 250.0)),
            )
        return self._styles[number]

    def _number_format(self, number: int) -> str:
        from openpyxl.styles.numbers import BUILTIN_FORMATS, BUILTIN_FORMATS_MAX_SIZE

        if number < BUILTIN_FORMATS_MAX_SIZE:
            return str(_BUILTIN_FORMATS.get(number) or BUILTIN_FORMATS.get(number, GENERAL))
        own = self._reader.wb._number_formats
        place = number - BUILTIN_FORMATS_MAX_SIZE
        return str(own[place]) if place < len(own) else GENERAL


def _sheet_parser(stream: _Bounded, strings: list[str]) -> Any:
    """openpyxl's parser of one sheet, reduced to what its table shows: cells, widths, merged ranges.

    It counts formulas without a kept value. What else a sheet holds is not read: it may be large, and a table
    is none the worse where it is out of order.
    """
    from openpyxl.worksheet._reader import COL_TAG, FORMULA_TAG, ROW_TAG, WorkSheetParser
    from openpyxl.xml.constants import SHEET_MAIN_NS

    merge_tag = f"{{{SHEET_MAIN_NS}}}mergeCell"

    class Parser(WorkSheetParser):
        uncomputed = 0

        def parse(self) -> Generator[Any, None, None]:
            self.merged: list[str] = []
            for element in _elements(self.source, ROW_TAG, COL_TAG, merge_tag):
                if element.tag == ROW_TAG:
                    yield self.parse_row(element)
                    if self.row_counter > _MAX_ROW:
                        return
                elif element.tag == COL_TAG:
                    self.parse_column_dimensions(element)
                else:
                    self.merged.append(element.get("ref", ""))

        def parse_cell(self, element: Any) -> dict[str, Any]:
            found: dict[str, Any] = super().parse_cell(element)
            if found["value"] is None and element.find(FORMULA_TAG) is not None:
                self.uncomputed += 1
            if element.get("t") in ("inlineStr", "str") and isinstance(found["value"], str):
                found["value"] = _unescaped(found["value"])
            return found

    return Parser(stream, strings, data_only=True)


def _elements(stream: Any, *tags: str) -> Iterator[Any]:
    """The elements with these tags as they end; each is let go after use. Entities stay as they are."""
    parser = etree.iterparse(
        stream,
        tag=tags,
        no_network=True,
        resolve_entities=False,
        load_dtd=False,
        remove_comments=True,
        remove_pis=True,
    )
    for _, element in parser:
        yield element
        element.clear()
        above = element.getparent()
        while above is not None and element.getprevious() is not None:
            del above[0]


class _Bounded:
    """A part of the archive as a stream with at most ``most`` tags.

    An element takes a hundred bytes of memory and as few as four in the file.
    """

    def __init__(self, stream: IO[bytes], most: int) -> None:
        self._stream = stream
        self._left = most

    def read(self, size: int = -1) -> bytes:
        data = self._stream.read(size)
        self._left -= data.count(b"<")
        if self._left < 0:
            raise CrossheadError("The workbook holds too many cells; save the sheet you need on its own.")
        return data


def _unescaped(text: str) -> str:
    """Text without the escapes with which workbooks keep what XML cannot hold: ``_x000D_``."""
    return _ESCAPED.sub(lambda match: chr(int(match[1], 16)), text) if "_x" in text else text


def _span_across(cells: dict[tuple[int, int], Cell], across: Iterable[tuple[int, int]]) -> None:
    """Give a text that is centred across the empty cells on its right their slots."""
    for row, column in sorted(across):
        left = column - 1
        while (row, left) in across:
            left -= 1
        cell = cells.get((row, left))
        if cell and cell.centred and cell.end_column == column - 1:
            cells[row, left] = replace(cell, columns=cell.columns + 1)


def _merge(cells: dict[tuple[int, int], Cell], merged: Sequence[str]) -> Iterator[str]:
    """Give merged cells their slots, up to the last cell with text; merges that overlap are not followed."""
    if not cells:
        return
    last_row, last_column = (max(place[axis] for place in cells) for axis in (0, 1))
    covered: set[tuple[int, int]] = set()
    ignored = max(0, len(merged) - _MOST_MERGES)
    for text in merged[:_MOST_MERGES]:
        match = _RANGE.fullmatch(text)
        if match is None:
            continue
        left, right = _column(match[1]), min(_column(match[3]), last_column)
        top, bottom = int(match[2]), min(int(match[4]), last_row)
        if bottom < top or right < left:
            continue
        if len(covered) + (bottom - top + 1) * (right - left + 1) > MAX_SLOTS:
            ignored += 1
            continue
        slots = [(row, column) for row in range(top, bottom + 1) for column in range(left, right + 1)]
        if any(slot in covered for slot in slots):
            ignored += 1
            continue
        covered.update(slots)
        head = cells.get((top, left))
        for slot in slots:
            cells.pop(slot, None)
        if head:
            cells[top, left] = replace(head, rows=bottom - top + 1, columns=right - left + 1)
    if ignored:
        yield f"did not follow {_many(ignored, 'merged range')} that overlap others or are too large"


def _column(letters: str) -> int:
    number = 0
    for letter in letters:
        number = 26 * number + ord(letter) - 64
    return number


def _hidden(parser: Any) -> tuple[list[int], list[int]]:
    rows = [
        int(number)
        for number, given in parser.row_dimensions.items()
        if given.get("hidden") in ("1", "true") and int(number) <= _MAX_ROW
    ]
    columns = {
        column
        for given in parser.column_dimensions.values()
        if given.get("hidden") in ("1", "true") or float(given.get("width", 1)) == 0
        for column in range(int(given["min"]), min(int(given.get("max", given["min"])), _MAX_COLUMN) + 1)
    }
    return sorted(rows), sorted(columns)


def _without_hidden(
    name: str,
    cells: dict[tuple[int, int], Cell],
    rows: list[int],
    columns: list[int],
    steps: tuple[str, ...],
) -> Sheet:
    """The cells that show, counted from 0 without hidden rows and columns."""
    shown = list(cells.values())
    if rows or columns:
        row_of, column_of = partial(_shown_before, rows), partial(_shown_before, columns)
        shown = [
            replace(
                cell,
                row=row_of(cell.row),
                column=column_of(cell.column),
                rows=row_of(cell.end_row) - row_of(cell.row),
                columns=column_of(cell.end_column) - column_of(cell.column),
            )
            for cell in shown
        ]
        shown = [cell for cell in shown if cell.rows and cell.columns]
    last_row, last_column = (max((place[axis] for place in cells), default=0) for axis in (0, 1))
    counts = Counter(
        {
            "hidden row": bisect_left(rows, last_row + 1),
            "hidden column": bisect_left(columns, last_column + 1),
        }
    )
    said = [_many(count, noun) for noun, count in counts.items() if count]
    if said:
        steps = (*steps, f"left out {' and '.join(said)}")
    return Sheet(name, tuple(shown), tuple(rows), tuple(columns), steps)


def _shown_before(hidden: Sequence[int], position: int) -> int:
    """How many of the first ``position`` rows or columns show; ``hidden`` are numbers from 1."""
    return position - bisect_right(hidden, position)


def _unhidden(number: int, hidden: Sequence[int]) -> int:
    """The number among all rows of the one that is ``number``-th among those that show."""
    return number + bisect_right(range(len(hidden)), number, key=lambda place: hidden[place] - place)


def _many(count: int, noun: str) -> str:
    return f"{count:,} {noun}" + ("" if count == 1 else "s")
