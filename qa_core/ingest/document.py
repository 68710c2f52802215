"""The door for documents: whatever a person brings, its tables.

What a document is, its content tells, never its name. Nothing in it is executed or fetched.
"""

from __future__ import annotations

import gzip
import io
import re
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from qa_core.errors import CrossheadError
from qa_core.export import from_csv, from_xlsx
from qa_core.ingest.aligned import is_aligned, read_aligned
from qa_core.ingest.decoding import decode
from qa_core.ingest.delimited import find_delimiter, grids_of_text
from qa_core.ingest.extract import Extraction, extract
from qa_core.ingest.grid import Grid
from qa_core.ingest.html import read_html
from qa_core.ingest.markdown import has_pipe_table, read_markdown
from qa_core.ingest.spreadsheet import open_archive, read_spreadsheet
from qa_core.json_lines import parse_json
from qa_core.table import Table
from qa_core.table_format import table_from_record

MAX_BYTES = 100_000_000
"""Bytes up to which a document is read, and unpacked."""

Kind = Literal["HTML", "XLSX", "JSON", "Markdown", "delimited text", "aligned text"]
Progress = Callable[[int, int], None]

_SAMPLE = 65_536
_FOREIGN = (
    (b"\x89PNG", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"GIF8", "a GIF picture"),
    (b"BM", "a bitmap picture"),
    (b"II*\x00", "a TIFF picture"),
    (b"MM\x00*", "a TIFF picture"),
    (b"RIFF", "a picture, a sound or a film"),
    (b"\x00\x00\x00\x18ftyp", "a film"),
    (b"ID3", "a sound"),
    (b"{\\rtf", "an RTF document"),
    (b"PAR1", "a Parquet file"),
    (b"SQLite format 3", "a database"),
    (b"7z\xbc\xaf", "a 7z archive"),
    (b"Rar!", "a RAR archive"),
    (b"BZh", "a bzip2 archive"),
    (b"\xfd7zXZ", "an XZ archive"),
    (b"\x28\xb5\x2f\xfd", "a Zstandard archive"),
    (b"\x7fELF", "a program"),
    (b"MZ\x90", "a program"),
)
_OFFICE = {
    "word/document.xml": "a Word document",
    "ppt/presentation.xml": "a PowerPoint presentation",
    "xl/workbook.bin": "a binary Excel workbook (.xlsb)",
    "content.xml": "an OpenDocument file",
}
_MARKUP = re.compile(
    r"\s*<(?:!doctype|!--|\?xml|/?[a-z][a-z\d:-]*(?:\s[^<]*)?/?>)|\s*-----BEGIN PRIVACY", re.IGNORECASE
)
_TABLE = re.compile(rb"<table[\s>]", re.IGNORECASE)
_CELL = re.compile(rb"<t[dh][\s>]", re.IGNORECASE)
_JSON = re.compile(r'\s*(?:\{\s*["}]|\[\s*[\[{"\]])')


@dataclass(frozen=True)
class Document:
    """The tables of a document.

    ``extractions`` tell how each came about; a document that gives its headers itself (AIT-QA JSON, an export
    of Crosshead) has none and its tables are as it gives them.
    """

    file: str
    kind: Kind
    tables: tuple[Table, ...]
    extractions: tuple[Extraction, ...] = ()


def read_document(content: bytes, name: str = "", on_progress: Progress | None = None) -> Document:
    """The tables of a document, gzipped or not.

    ``on_progress(done, total)`` counts tables read and made, so each counts twice. Raises CrossheadError for
    content of another kind, larger than ``MAX_BYTES``, damaged, or without a table.
    """
    content = _unpacked(content, name)
    kind = kind_of(content, name)
    given = _given(content, kind, name)
    if given:
        return Document(name, kind, tuple(given))
    grids = _read(content, kind, name, on_progress and (lambda done, total: on_progress(done, 2 * total)))
    extractions = []
    for done, grid in enumerate(grids, start=1):
        extractions.append(extract(grid))
        if on_progress:
            on_progress(len(grids) + done, 2 * len(grids))
    return Document(name, kind, tuple(made.table for made in extractions), tuple(extractions))


def read_document_file(path: Path, on_progress: Progress | None = None) -> Document:
    """As ``read_document``, for a file; raises CrossheadError also where there is none."""
    try:
        if not path.is_file():
            reason = "it is not a file" if path.exists() else "there is no such file"
            raise CrossheadError(f"{path} cannot be read: {reason}.")
        with path.open("rb") as file:
            content = file.read(MAX_BYTES + 1)
    except OSError as fault:
        raise CrossheadError(f"{path} cannot be read: {fault.strerror or fault}.") from None
    return read_document(content, path.name, on_progress)


def read_pasted(text: str) -> Document:
    """The tables of pasted text: of a spreadsheet or web page, Markdown, CSV, JSON, columns set by spaces."""
    return read_document(text.encode(errors="replace"), "pasted text")


def read_grids(content: bytes, name: str = "", on_progress: Progress | None = None) -> list[Grid]:
    """The grids of a document that does not give its headers itself; raises as ``read_document`` does."""
    content = _unpacked(content, name)
    return _read(content, kind_of(content, name), name, on_progress)


def kind_of(content: bytes, name: str = "") -> Kind:
    """What a document is; raises CrossheadError, naming it, where it is nothing that is read here."""
    name = name or "The document"
    if not content.strip():
        raise CrossheadError(f"{name} is empty; bring a document with a table.")
    _refuse_foreign(content, name)
    if content.startswith(b"PK\x03\x04"):
        return "XLSX"
    sample = decode(content[:_SAMPLE], name)
    if sample.lstrip().startswith("MIME-Version:"):
        raise CrossheadError(f"{name} is a web archive (MHTML); save the page as HTML.")
    if _JSON.match(sample):
        return "JSON"
    if _MARKUP.match(sample):
        return "HTML"
    if has_pipe_table(sample):
        return "Markdown"
    if _holds_table(content):
        return "HTML"
    if is_aligned(sample) and find_delimiter(sample, least=0.8) in ("", ","):
        return "aligned text"
    return "delimited text"


def _holds_table(content: bytes) -> bool:
    """Whether a table opens with a cell after it; two searches, as one would begin anew at each table."""
    table = _TABLE.search(content)
    return table is not None and _CELL.search(content, table.end()) is not None


def _refuse_foreign(content: bytes, name: str) -> None:
    if b"%PDF-" in content[:1024]:
        raise CrossheadError(f"{name} is a PDF, whatever its name says; bring the document as HTML or XLSX.")
    if content.startswith(b"\xd0\xcf\x11\xe0"):
        if "EncryptedPackage".encode("utf-16-le") in content:
            raise CrossheadError(f"{name} is encrypted; save it without a password.")
        raise CrossheadError(f"{name} is an old Office document (.xls, .doc); save it as .xlsx.")
    for start, what in _FOREIGN:
        if content.startswith(start) and (len(start) > 3 or b"\x00" in content[:64]):
            raise CrossheadError(f"{name} is {what}; bring HTML, XLSX, CSV, Markdown or JSON.")
    if content.startswith(b"PK\x03\x04"):
        with open_archive(content, name) as archive:
            parts = set(archive.namelist())
        for part, what in _OFFICE.items():
            if part in parts:
                raise CrossheadError(f"{name} is {what}; bring HTML, XLSX, CSV, Markdown or JSON.")
        if "[Content_Types].xml" not in parts:
            raise CrossheadError(f"{name} is a ZIP archive; unpack it and bring the document in it.")


def _unpacked(content: bytes, name: str) -> bytes:
    """The content of a gzip file, one layer of it; any other as it is."""
    if content.startswith(b"\x1f\x8b"):
        try:
            with gzip.open(io.BytesIO(content)) as file:
                content = file.read(MAX_BYTES + 1)
        except (OSError, EOFError, zlib.error):
            raise CrossheadError(f"{name or 'The document'} is no whole gzip file; pack it again.") from None
        if content.startswith(b"\x1f\x8b"):
            raise CrossheadError(f"{name or 'The document'} is packed twice; unpack it first.")
    if len(content) > MAX_BYTES:
        raise CrossheadError(
            f"{name or 'The document'} holds more than {MAX_BYTES:,} bytes; bring the part with the tables."
        )
    return content


def _given(content: bytes, kind: Kind, name: str) -> list[Table]:
    """The tables of a document that gives their headers itself."""
    where = name or "The document"
    if kind == "JSON":
        return _json_tables(decode(content, name), where)
    if kind == "XLSX":
        return from_xlsx(content, where)
    if kind == "delimited text" and b"# Crosshead" in content[:_SAMPLE].replace(b"\0", b""):
        table = from_csv(decode(content, name), where)
        return [table] if table else []
    return []


def _json_tables(text: str, where: str) -> list[Table]:
    """Tables in the AIT-QA format: one, a list of them, or one a line."""
    first, _, further = text.strip().partition("\n")
    is_lines = first.rstrip().endswith("}") and further.lstrip().startswith("{")
    if is_lines:
        lines = [(n, line) for n, line in enumerate(text.split("\n"), start=1) if line.strip()]
        records = [(f"{where}, line {n}", parse_json(line, f"{where}, line {n}")) for n, line in lines]
    else:
        value = parse_json(text, where)
        records = [(where, record) for record in (value if isinstance(value, list) else [value])]
    tables = []
    for place, record in records:
        if not isinstance(record, dict):
            raise CrossheadError(f"{place}: expected a table as a JSON object in the AIT-QA format.")
        tables.append(table_from_record(record, place))
    if not tables:
        raise CrossheadError(f"{where} holds no table.")
    return tables


def _read(content: bytes, kind: Kind, name: str, on_progress: Progress | None) -> list[Grid]:
    where = name or "The document"
    if kind == "XLSX":
        grids = read_spreadsheet(content, name, on_progress)
    elif kind == "HTML":
        grids = read_html(content, name, on_progress)
    elif kind == "Markdown":
        grids = read_markdown(decode(content, name), name)
    elif kind == "aligned text":
        grids = read_aligned(decode(content, name), name)
    elif kind == "delimited text":
        grids = [grid for grid in grids_of_text(decode(content, name), name) if _is_parted(grid)]
    else:
        raise CrossheadError(f"{where} gives its tables itself; read them with read_document.")
    if not grids:
        raise CrossheadError(f"{where} holds no table that is found; bring HTML, XLSX, CSV or Markdown.")
    return grids


def _is_parted(grid: Grid) -> bool:
    """Whether two rows have several fields: prose with commas is no table."""
    return sum(len(row) > 1 for row in grid.rows) > 1
