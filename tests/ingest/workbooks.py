"""Small workbooks for tests."""

import io
import zipfile
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from openpyxl import Workbook
from openpyxl.worksheet.worksheet import Worksheet


def workbook(fill: Callable[[Worksheet], object]) -> bytes:
    """A workbook with one sheet, filled by a function."""
    book = Workbook()
    sheet = book.active
    assert isinstance(sheet, Worksheet)
    fill(sheet)
    return saved(book)


def rows_at(sheet: Worksheet, corner: str, rows: Sequence[Any]) -> None:
    start = sheet[corner]
    for row, values in enumerate(rows):
        for column, value in enumerate(values):
            sheet.cell(start.row + row, start.column + column).value = value


def saved(book: Workbook) -> bytes:
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def with_part(content: bytes, changes: Mapping[str, bytes]) -> bytes:
    """A workbook with parts replaced or added."""
    stream = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(content)) as old,
        zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as new,
    ):
        for name in old.namelist():
            if name not in changes:
                new.writestr(name, old.read(name))
        for name, data in changes.items():
            new.writestr(name, data)
    return stream.getvalue()


def part(content: bytes, name: str) -> bytes:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return archive.read(name)
