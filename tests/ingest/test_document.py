"""The door: content tells what a document is, and whatever is brought ends in tables or one sentence."""

import gzip
import io
import json
import zipfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qa_core.errors import CrossheadError
from qa_core.export import to_csv, to_xlsx
from qa_core.ingest.document import read_document, read_document_file, read_grids, read_pasted
from qa_core.table_format import table_to_record
from tests.ingest.workbooks import part, rows_at, with_part, workbook
from tests.tables import ALL, AMAZON, FUEL

HTML = b"<table><tr><td>Region<td>2023<td>2024<tr><td>North<td>1<td>2<tr><td>South<td>3<td>4</table>"
XLSX = workbook(
    lambda sheet: rows_at(sheet, "A1", [["Region", 2023, 2024], ["North", 1, 2], ["South", 3, 4]])
)
SHEET = "xl/worksheets/sheet1.xml"
DAMAGES = [b"", b"-1", b"99999999999", b"x", b'"', b"<", b"/>", b"&a;"]


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (HTML, "HTML"),
        (b"\n<!-- saved from the web -->\n" + HTML, "HTML"),
        (("<html><body>" + HTML.decode() + "</body></html>").encode("utf-16"), "HTML"),
        (b"<SEC-DOCUMENT>0001.txt\n<TYPE>10-K\n<TEXT>" + HTML, "HTML"),
        (b"Dear all, see below.\n" + HTML, "HTML"),
        (XLSX, "XLSX"),
        (gzip.compress(HTML), "HTML"),
        (b"Region,2023,2024\nNorth,1,2\nSouth,3,4\n", "delimited text"),
        (b"Region\t2023\t2024\nNorth\t1\t2\nSouth\t3\t4\n", "delimited text"),
        (b"Region | 2023 | 2024\n---|---|---\nNorth | 1 | 2\nSouth | 3 | 4\n", "Markdown"),
        (b"Region   2023   2024\nNorth       1      2\nSouth       3      4\n", "aligned text"),
    ],
)
def test_the_same_table_in_every_coat(content: bytes, kind: str) -> None:
    document = read_document(content, "misleading.pdf")
    (table,) = document.tables
    assert document.kind == kind
    assert table.column_paths == (("2023",), ("2024",))
    assert table.row_paths == (("North",), ("South",))
    assert table.cells == (("1", "2"), ("3", "4"))
    assert [made.table for made in document.extractions] == [table]


def office(name: str) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr(name, "x")
    return stream.getvalue()


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"%PDF-1.7 ...", "report.html is a PDF, whatever its name says"),
        (b"\x89PNG\r\n\x1a\n\x00\x00", "is a PNG picture"),
        (b"\xff\xd8\xff\xe0\x00\x10JFIF", "is a JPEG picture"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\x00" * 99, "is an old Office document"),
        (b"\xd0\xcf\x11\xe0" + "EncryptedPackage".encode("utf-16-le"), "is encrypted; save it without"),
        (office("word/document.xml"), "is a Word document"),
        (office("xl/workbook.bin"), "is a binary Excel workbook"),
        (office("notes.txt"), "is a ZIP archive; unpack it"),
        (b"PK\x03\x04 and no more", "is no whole .xlsx file"),
        (b"MIME-Version: 1.0\nContent-Type: multipart/related", "is a web archive"),
        (b"", "is empty"),
        (b" \n\t ", "is empty"),
        (b"\x00\x01\x02\x03" * 99, "is neither text nor a workbook"),
        (b"<p>No table in here.</p>", "holds no table"),
        (b"Some prose, with commas.\nAnd more of it.\n", "holds no table"),
        (b"\x1f\x8b cut off", "is no whole gzip file"),
        (gzip.compress(gzip.compress(HTML)), "is packed twice"),
        (gzip.compress(b"x" * 100_000_001), "holds more than 100,000,000 bytes"),
        (b"{}", "the table has no field 'id'"),
        (b"[]", "holds no table"),
        (b'[{"id": 1', "not valid JSON"),
    ],
)
def test_what_is_not_read_is_named_in_one_sentence(content: bytes, sentence: str) -> None:
    with pytest.raises(CrossheadError) as fault:
        read_document(content, "report.html")
    assert sentence in str(fault.value)
    assert str(fault.value).startswith("report.html")


def test_tables_that_give_their_headers_themselves_come_as_they_are() -> None:
    records = [table_to_record(table) for table in ALL]
    lines = "\n".join(json.dumps(record) for record in records)
    for content in (
        json.dumps(records).encode(),
        json.dumps(records, indent=2).encode(),
        lines.encode(),
        gzip.compress(lines.encode()),
        to_xlsx(ALL),
    ):
        document = read_document(content, "x")
        assert document.tables == tuple(ALL)
        assert document.extractions == ()


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_an_exported_csv_comes_back_as_its_table(encoding: str) -> None:
    assert read_document(to_csv(FUEL).encode(encoding), "x.csv").tables == (FUEL,)


def test_grids_are_there_for_what_does_not_give_its_headers_itself() -> None:
    assert len(read_grids(HTML)) == 1
    with pytest.raises(CrossheadError, match="gives its tables itself"):
        read_grids(json.dumps(table_to_record(AMAZON)).encode())


def test_progress_counts_each_table_read_and_made() -> None:
    seen: list[tuple[int, int]] = []
    read_document(HTML * 2, on_progress=lambda done, total: seen.append((done, total)))
    assert seen == [(1, 4), (2, 4), (3, 4), (4, 4)]


def test_files_are_read_and_missing_ones_told(tmp_path: Path) -> None:
    (tmp_path / "a.htm").write_bytes(HTML)
    assert read_document_file(tmp_path / "a.htm").tables[0].source == "a.htm"
    with pytest.raises(CrossheadError, match="there is no such file"):
        read_document_file(tmp_path / "b.htm")
    with pytest.raises(CrossheadError, match="it is not a file"):
        read_document_file(tmp_path)


def test_pasted_text_is_read_like_a_file() -> None:
    assert read_pasted("Region\t2023\nNorth\t1\nSouth\t2\n").tables[0].cells == (("1",), ("2",))


def is_read(content: bytes) -> None:
    """Any content ends in tables or in one sentence."""
    try:
        read_document(content, "x")
    except CrossheadError as fault:
        assert "\n" not in str(fault)


@given(st.binary(max_size=300))
def test_any_bytes_end_in_tables_or_a_sentence(content: bytes) -> None:
    is_read(content)


@given(st.text(st.sampled_from(list("a1 \t\n\r,;|\"'-:<>&{}[]()$%=+#*`\\_/é\u00a0\ufeff")), max_size=120))
@settings(max_examples=300, deadline=None)
def test_any_text_ends_in_tables_or_a_sentence(text: str) -> None:
    is_read(text.encode())


@given(st.data())
@settings(max_examples=150, deadline=None)
def test_a_workbook_with_a_damaged_part_ends_in_tables_or_a_sentence(data: st.DataObject) -> None:
    name = data.draw(st.sampled_from([SHEET, "xl/workbook.xml", "xl/styles.xml", "[Content_Types].xml"]))
    xml = bytearray(part(XLSX, name))
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(xml)))
        stop = start + data.draw(st.integers(0, 12))
        xml[start:stop] = data.draw(st.sampled_from(DAMAGES))
    is_read(with_part(XLSX, {name: bytes(xml)}))
