"""Tables to CSV and XLSX with all header levels, and back as the same tables.

A person sees a plain table: one header row for each level of the column paths, one stub column for each
level of the row paths. What a grid of texts cannot tell (how deep each path is, how long each row, the id)
stands in a note: in CSV in the first line, in XLSX on a hidden sheet named "Crosshead". The texts are always
read from the table itself, so that what a person edits there comes back edited.

A spreadsheet program runs a text that begins with ``=``, ``+``, ``-`` or ``@`` as a formula. In XLSX a text
is kept as text. CSV knows no types, so there such a text gets a leading apostrophe, which reading takes off
again; plain negative numbers and dashes go without.
"""

from __future__ import annotations

import csv
import io
import itertools
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from qa_core.errors import CrossheadError
from qa_core.header import header_depth
from qa_core.ingest.delimited import MAX_RECORD, read_records
from qa_core.ingest.number_format import display
from qa_core.ingest.spreadsheet import ARCHIVE_FAULTS, Sheet, open_archive, read_sheets
from qa_core.json_lines import parse_json
from qa_core.table import HeaderPath, Table
from qa_core.table_format import MAX_CELLS, table_from_record, table_to_record
from qa_core.text import squeeze

if TYPE_CHECKING:
    from openpyxl.worksheet.worksheet import Worksheet

_NOTE = "# Crosshead table"
_NOTE_SHEET = "Crosshead"
_NOTE_FIELD = re.compile(rf'"?{_NOTE}[^,;\t|"\n]*"?([,;\t|])')
_FORMULA = re.compile(r"'*[=+\-@\t\r＝＋－＠]")
_HARMLESS = re.compile(r"[+-]?\d[\d,.]*%?|-+")
_NUMBER = re.compile(r"(\()?-?(\$)?(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?(%)?\)?")
_LONGEST_FIELD = 131_072
_LONGEST_TEXT = 32_767
_CHUNK = 30_000
_MOST_ROWS = 1_048_576
_MOST_COLUMNS = 16_384
_MOST_TABLES = 1000
_NOT_IN_NAMES = re.compile(r"[\[\]:*?/\\']|[^\x20-\ud7ff\ue000-\ufffd]")
_NOT_IN_XML = re.compile("_(?=x)|[\x00-\x08\x0b-\x1f\ufffe\uffff]")

Row = list[str]


def to_csv(table: Table) -> str:
    """The table as CSV text, which ``from_csv`` reads back; best saved as UTF-8 with a byte-order mark.

    Raises CrossheadError for a table with texts or rows that are too long for that.
    """
    stream = io.StringIO()
    writer = csv.writer(stream)
    heads, stub = header_depth(table.column_paths), header_depth(table.row_paths)
    note = [f"{_NOTE}: {heads} header rows and {stub} stub columns", *_chunks(_layout(table))]
    for row in itertools.chain([note], _rows(table)):
        fields = [guarded(text) for text in row]
        if sum(map(len, fields)) * 2 > MAX_RECORD or max(map(len, fields), default=0) >= _LONGEST_FIELD:
            raise CrossheadError(f"Table {table.id} has texts too long for CSV; export it as JSON.")
        writer.writerow(fields)
    return stream.getvalue()


def from_csv(text: str, where: str = "The text") -> Table | None:
    """The table of an exported CSV, saved anew by a spreadsheet program or not; None for any other text.

    Raises CrossheadError where the note in the first line is damaged.
    """
    text = text.removeprefix("\ufeff")
    match = _NOTE_FIELD.match(text)
    if match is None:
        return None
    records = read_records(text, where, delimiter=match[1])
    layout = "".join(next(records)[1:])
    return _table([[unguarded(field) for field in record] for record in records], layout, where)


def to_xlsx(tables: Sequence[Table]) -> bytes:
    """Tables as a workbook with a sheet for each, which ``from_xlsx`` reads back.

    Cells that a spreadsheet shows as the very same text are written as numbers, all others as text. Raises
    CrossheadError for a table larger than a sheet, or a text longer than a cell holds.
    """
    from openpyxl import Workbook

    if len(tables) > _MOST_TABLES:
        raise CrossheadError(f"A workbook takes {_MOST_TABLES:,} tables; export fewer, or export JSON.")
    workbook = Workbook()
    if workbook.active is not None:
        workbook.remove(workbook.active)
    names = _sheet_names(tables)
    for table, name in zip(tables, names, strict=True):
        _write_table(workbook.create_sheet(name), table)
    note = workbook.create_sheet(_NOTE_SHEET)
    _write(note, 1, 1, "With this sheet Crosshead reads the others back as the tables that they were.")
    for row, (table, name) in enumerate(zip(tables, names, strict=True), start=2):
        for column, text in enumerate([name, *_chunks(_layout(table))], start=1):
            _write(note, row, column, text)
    if tables:
        note.sheet_state = "hidden"
    stream = io.BytesIO()
    workbook.save(stream)
    return stream.getvalue()


def from_xlsx(content: bytes, where: str = "The workbook") -> list[Table]:
    """The tables of an exported workbook; none for another one.

    Raises CrossheadError where the workbook or its note is damaged.
    """
    if not _has_note(content, where):
        return []
    sheets = {sheet.name: sheet for sheet in read_sheets(content, where, with_hidden=True)}
    rows = _texts(sheets[_NOTE_SHEET], where)[1:] if _NOTE_SHEET in sheets else []
    return [
        _table(_texts(sheets[name], where), "".join(chunks), f"{where}, sheet {name}")
        for name, *chunks in rows
        if name in sheets and name != _NOTE_SHEET
    ]


def _layout(table: Table) -> str:
    """What the texts of a table do not tell about it, as JSON."""
    told = ("column_header", "row_header", "data", "title")
    layout = {
        "title": bool(table.title),
        "header_rows": header_depth(table.column_paths),
        "stub_columns": header_depth(table.row_paths),
        "column_levels": _runs(map(len, table.column_paths)),
        "row_levels": _runs(map(len, table.row_paths)),
        "row_lengths": _runs(map(len, table.cells)),
        "record": {name: value for name, value in table_to_record(table).items() if name not in told},
    }
    return json.dumps(layout, ensure_ascii=True)


def _runs(numbers: Iterable[int]) -> list[list[int]]:
    """Equal numbers in a row as [number, how often]."""
    return [[number, sum(1 for _ in run)] for number, run in itertools.groupby(numbers)]


def _chunks(text: str) -> list[str]:
    return [text[start : start + _CHUNK] for start in range(0, len(text), _CHUNK)]


def _rows(table: Table) -> Iterator[Row]:
    """The table as rows of texts: its title, its column headers, its body with row headers."""
    stub = header_depth(table.row_paths)
    if table.title:
        yield [table.title]
    for level in range(header_depth(table.column_paths)):
        yield [""] * stub + [_level(table.column_path(c), level) for c in range(table.n_columns)]
    for row, cells in enumerate(table.body):
        yield [*(_level(table.row_path(row), level) for level in range(stub)), *cells]


def _level(path: HeaderPath, level: int) -> str:
    return path[level] if level < len(path) else ""


def _table(rows: list[Row], note: str, where: str) -> Table:
    """The table that rows of texts and the note beside them make.

    A path or row is as long as the note says; longer where the rows hold more, as after an edit.
    """
    layout = parse_json(note, f"{where}: the note of the table")
    if not isinstance(layout, dict) or not isinstance(layout.get("record"), dict):
        raise CrossheadError(f"{where}: the note of the table is damaged; bring the file as it was exported.")
    heads, stub = _count(layout, "header_rows", where), _count(layout, "stub_columns", where)
    column_levels, row_levels, row_lengths = (
        _lengths(layout, name, where) for name in ("column_levels", "row_levels", "row_lengths")
    )
    rows = list(rows)
    title = (rows.pop(0) or [""])[0] if rows and layout.get("title") else ""
    header = [row[stub:] for row in rows[:heads]]
    body = rows[heads:]
    while body and not any(body[-1]):
        body.pop()
    n_rows = max(len(row_levels), len(row_lengths), len(body))
    body += [[] for _ in range(n_rows - len(body))]
    row_paths = [_padded(row[:stub], _at(row_levels, i)) for i, row in enumerate(body)]
    cells = [_padded(row[stub:], _at(row_lengths, i)) for i, row in enumerate(body)]
    width = max(len(column_levels), *map(_filled, header), 0) if header else len(column_levels)
    column_paths = [
        _padded([row[c] if c < len(row) else "" for row in header], _at(column_levels, c))
        for c in range(width)
    ]
    record: Mapping[str, Any] = {
        **layout["record"],
        "title": title,
        "column_header": column_paths,
        "row_header": _without_surplus(row_paths, len(row_levels)),
        "data": _without_surplus(cells, len(row_lengths)),
    }
    return table_from_record(record, where)


def _padded(texts: Row, length: int) -> Row:
    """Texts without the empty ones behind ``length``, filled up to it."""
    kept = texts[: max(length, _filled(texts))]
    return kept + [""] * (length - len(kept))


def _filled(texts: Row) -> int:
    """The length without the empty texts at the end."""
    return next((place for place in range(len(texts), 0, -1) if texts[place - 1]), 0)


def _at(lengths: Sequence[int], place: int) -> int:
    return lengths[place] if place < len(lengths) else 0


def _without_surplus(rows: list[Row], count: int) -> list[Row]:
    """Rows without the empty ones behind ``count``."""
    while len(rows) > count and not rows[-1]:
        rows.pop()
    return rows


def _count(layout: Mapping[str, Any], name: str, where: str) -> int:
    value = layout.get(name)
    if type(value) is not int or not 0 <= value <= MAX_CELLS:
        raise CrossheadError(f"{where}: the note of the table has no usable {name!r}.")
    return value


def _lengths(layout: Mapping[str, Any], name: str, where: str) -> list[int]:
    """The lengths that runs tell; no more than a table may hold."""
    runs = layout.get(name)
    sound = isinstance(runs, list) and all(
        isinstance(run, list) and len(run) == 2 and all(type(n) is int and 0 <= n <= MAX_CELLS for n in run)
        for run in runs
    )
    if not sound or sum(max(length, 1) * count for length, count in runs or []) > MAX_CELLS:
        raise CrossheadError(f"{where}: the note of the table has no usable {name!r}.")
    return [length for length, count in runs or [] for _ in range(count)]


def guarded(text: str) -> str:
    """A text for CSV that no spreadsheet program runs as a formula; ``unguarded`` gives it back."""
    return f"'{text}" if _FORMULA.match(text) and not _HARMLESS.fullmatch(text) else text


def unguarded(text: str) -> str:
    """The inverse of ``guarded``."""
    return text[1:] if text.startswith("'") and _FORMULA.match(text) else text


def _write_table(sheet: Worksheet, table: Table) -> None:
    from openpyxl.styles import Alignment, Font
    from openpyxl.worksheet.cell_range import CellRange

    heads, stub = header_depth(table.column_paths), header_depth(table.row_paths)
    above = 1 if table.title else 0
    if above + heads + table.n_rows > _MOST_ROWS or stub + table.n_columns > _MOST_COLUMNS:
        raise CrossheadError(f"Table {table.id} is larger than a sheet of a workbook; export CSV or JSON.")
    first = above + heads + 1
    merged = [
        *((above + level + 1, stub + start + 1, above + level + 1, stub + stop)
          for level, start, stop in _spanners(table.column_paths)),
        *((first + start, level + 1, first + stop - 1, level + 1)
          for level, start, stop in _spanners(table.row_paths)),
    ]  # fmt: skip
    covered = {
        (row, column)
        for top, left, bottom, right in merged
        for row in range(top, bottom + 1)
        for column in range(left, right + 1)
    } - {(top, left) for top, left, _, _ in merged}
    bold, centred, at_top = Font(bold=True), Alignment(horizontal="center"), Alignment(vertical="top")
    for row, texts in enumerate(_rows(table), start=1):
        for column, text in enumerate(texts, start=1):
            if text and (row, column) not in covered:
                _write(sheet, row, column, text, as_number=row >= first and column > stub)
                if row < first:
                    sheet.cell(row, column).font = bold
    for top, left, bottom, right in merged:
        # not by merge_cells, which compares each range with all others
        sheet.merged_cells.ranges.add(CellRange(None, left, top, right, bottom))
        sheet.cell(top, left).alignment = centred if top < first else at_top
    sheet.freeze_panes = sheet.cell(first, stub + 1).coordinate


def _spanners(paths: Sequence[HeaderPath]) -> Iterator[tuple[int, int, int]]:
    """Labels above the leaf that neighbouring paths share, as (level, start, stop).

    A label whose last path ends blank is left out: nothing would hold the end of the merged cells.
    """
    for level in range(header_depth(paths) - 1):
        start = 0
        for group, run in itertools.groupby(
            paths, key=lambda path: path[: level + 1] if len(path) > level + 1 else None
        ):
            stop = start + sum(1 for _ in run)
            if group and group[-1] and stop - start > 1 and paths[stop - 1][-1]:
                yield level, start, stop
            start = stop


def _write(sheet: Worksheet, row: int, column: int, text: str, as_number: bool = False) -> None:
    if not text:
        return
    number = _number(text) if as_number else None
    if number is not None:
        sheet.cell(row, column, number[0]).number_format = number[1]
        return
    kept = _NOT_IN_XML.sub(lambda match: f"_x{ord(match[0]):04X}_", text)
    if len(kept) > _LONGEST_TEXT:
        raise CrossheadError(
            f"A text of {len(text):,} characters is longer than a cell of a workbook holds; export JSON."
        )
    cell: Any = sheet.cell(row, column, kept)
    cell.data_type = "s"
    if _FORMULA.match(text):
        cell.quotePrefix = True  # else a program that edits the cell takes it for a formula


def _number(text: str) -> tuple[float, str] | None:
    """Value and number format with which a spreadsheet shows exactly this text."""
    match = _NUMBER.fullmatch(text)
    if match is None or sum(map(str.isdecimal, text)) > 15:
        return None
    bracket, dollar, digits, decimals, percent = match.groups(default="")
    value = float(digits.replace(",", "") + decimals) / (100 if percent else 1)
    pattern = ('"$"' if dollar else "") + ("#,##0" if "," in digits else "0")
    pattern += "." + "0" * (len(decimals) - 1) if decimals else ""
    pattern += percent
    number_format = f"{pattern}_);({pattern})" if bracket else pattern
    if bracket or text.startswith("-"):
        value = -value
    if not decimals and not percent:
        value = int(value)
    return (value, number_format) if display(value, number_format) == text else None


def _sheet_names(tables: Sequence[Table]) -> list[str]:
    """Names as workbooks allow them: short, without certain characters, each once."""
    names: list[str] = []
    taken = {_NOTE_SHEET.lower(), "history"}
    for number, table in enumerate(tables, start=1):
        name = squeeze(_NOT_IN_NAMES.sub(" ", table.title or table.id))[:24].strip() or f"Table {number}"
        if name.lower() in taken:
            name = f"{name} {number}"
        while name.lower() in taken:
            name = f"Table {number}.{len(taken)}"
        taken.add(name.lower())
        names.append(name)
    return names


def _texts(sheet: Sheet, where: str) -> list[Row]:
    """A sheet as rows of texts; one that spans several cells stands in each."""
    n_rows = max((cell.end_row for cell in sheet.cells), default=0)
    n_columns = max((cell.end_column for cell in sheet.cells), default=0)
    if n_rows * n_columns > 4 * MAX_CELLS:
        raise CrossheadError(
            f"{where}: the sheet {sheet.name!r} spans too many cells; delete what is not its table."
        )
    rows = [[""] * n_columns for _ in range(n_rows)]
    for cell in sheet.cells:
        for row in range(cell.row, cell.end_row):
            rows[row][cell.column : cell.end_column] = [cell.text] * cell.columns
    return rows


def _has_note(content: bytes, where: str) -> bool:
    with open_archive(content, where) as archive:
        try:
            with archive.open("xl/workbook.xml") as part:
                return f'"{_NOTE_SHEET}"'.encode() in part.read(10_000_000)
        except ARCHIVE_FAULTS:
            return False
