"""Hostile documents: each ends in a bounded result or one sentence, and nothing else happens meanwhile.

Sizes are the smallest that reach the limit, so that the tests are quick; how long larger ones take is told by
``make bench-ingest``.
"""

import gzip
import json
import os
import re
import socket
import subprocess
import tempfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import pytest

from qa_core.errors import MAX_LENGTH, CrossheadError
from qa_core.ingest.document import Document, kind_of, read_document
from qa_core.ingest.grid import MAX_SLOTS
from tests.ingest.workbooks import part, rows_at, with_part, workbook

SHEET, STRINGS, TYPES = "xl/worksheets/sheet1.xml", "xl/sharedStrings.xml", "[Content_Types].xml"
PARTS = [SHEET, STRINGS, TYPES, "xl/styles.xml", "xl/workbook.xml", "xl/_rels/workbook.xml.rels"]
MAIN = "application/vnd.openxmlformats-officedocument.spreadsheetml"
GROWING = "".join(f'<!ENTITY e{level} "{f"&e{level - 1};" * 10}">' for level in range(1, 10))
BOMB = f'<!DOCTYPE x [<!ENTITY e0 "aaaaaaaaaa">{GROWING}]>'
Socket = socket.socket


def with_shared_strings(content: bytes) -> bytes:
    override = f'<Override PartName="/{STRINGS}" ContentType="{MAIN}.sharedStrings+xml"/></Types>'
    strings = '<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><si><t>a</t></si></sst>'
    types = part(content, TYPES).replace(b"</Types>", override.encode())
    return with_part(content, {TYPES: types, STRINGS: strings.encode()})


XLSX = with_shared_strings(
    workbook(lambda sheet: rows_at(sheet, "A1", [["Region", 2023, 2024], ["North", 1, 2], ["South", 3, 4]]))
)


def refuse(*arguments: object, **options: object) -> NoReturn:
    raise AssertionError(f"reading a document must not do this: {arguments}")


@pytest.fixture(autouse=True)
def nothing_is_fetched_executed_or_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    folder = tmp_path / "empty"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    monkeypatch.setattr(socket, "socket", refuse)
    monkeypatch.setattr(subprocess, "Popen", refuse)
    monkeypatch.setattr(os, "system", refuse)
    yield
    assert list(folder.iterdir()) == []


@pytest.fixture
def addresses(tmp_path: Path) -> Iterator[list[str]]:
    """A file and an address of this machine that a document may name; nobody may come to the latter."""
    (tmp_path / "secret.txt").write_text("secret", encoding="utf-8")
    with Socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        listener.setblocking(False)
        yield [(tmp_path / "secret.txt").as_uri(), f"http://127.0.0.1:{listener.getsockname()[1]}/x"]
        with pytest.raises(BlockingIOError):
            listener.accept()


def sentence_for(content: bytes, name: str = "brought") -> str:
    with pytest.raises(CrossheadError) as fault:
        read_document(content, name)
    said = str(fault.value)
    assert said.startswith(name) and "\n" not in said and len(said) <= MAX_LENGTH
    return said


def text_of(document: Document) -> str:
    """Everything that a document's tables hold."""
    return str(document.tables)


def size_of(document: Document) -> int:
    return sum(len(table.cells) * max(map(len, table.cells), default=0) for table in document.tables)


def test_tables_nested_200_deep_are_200_tables_of_their_own() -> None:
    content = "<table><tr><td>a<td>1<tr><td>b<td>" * 200 + "2" + "</table>" * 200
    document = read_document(content.encode())
    assert len(document.tables) == 200
    assert document.tables[-1].cells == (("1",), ("2",))
    assert len(text_of(document)) < 200_000


@pytest.mark.parametrize("opened", ["<div>", "<table><tr><td>", "<b>", "<ul><li>"])
def test_what_is_nested_100000_deep_is_read_as_deep_as_the_parser_goes(opened: str) -> None:
    content = "<table><tr><td>a<td>1<tr><td>b<td>2</table>" + opened * 100_000
    document = read_document(content.encode())
    assert document.tables[0].cells == (("1",), ("2",))
    assert len(document.tables) < 1000


def test_tables_that_open_without_end_and_have_no_cell_are_no_html() -> None:
    assert kind_of(b"x" + b"<table>" * 200_000) == "delimited text"


def test_a_span_beyond_all_bounds_is_one_column_where_nothing_tells_it_apart() -> None:
    rows = '<tr><td colspan="100000" rowspan="100000">a<td>1</tr><tr><td>b<td>2</tr>'
    document = read_document(f"<table>{rows}</table>".encode())
    assert size_of(document) <= 10


def test_spans_beyond_all_bounds_in_many_rows_are_cut() -> None:
    document = read_document(b"<table>" + b'<tr><td colspan="100000">a<td>1' * 2000)
    (made,) = document.extractions
    assert made.cleaned.grid.n_rows == MAX_SLOTS // 1001
    assert (
        made.steps[0] == f"read the first {MAX_SLOTS // 1001} rows; the table is too large to be read whole"
    )


def test_an_unclosed_table_of_megabytes_is_cut_by_whole_rows() -> None:
    row = f'<tr class="{"x" * 200}"><td>North<td colspan="99">12'
    document = read_document(b"<p>Sales<table>" + row.encode() * 15_000)
    (table,) = document.tables
    assert len(table.cells) == MAX_SLOTS // 100
    assert f"read the first {MAX_SLOTS // 100} rows" in table.extra["steps"][0]


def test_a_zip_bomb_named_xlsx_is_refused_before_it_is_unpacked() -> None:
    bomb = with_part(XLSX, {SHEET: b" " * 30_000_000})
    assert len(bomb) < 50_000
    assert "30,0" in sentence_for(bomb, "sales.xlsx")
    assert "which is too much" in sentence_for(bomb, "sales.xlsx")


def test_a_zip_bomb_that_lies_about_its_size_is_read_no_further_than_it_says() -> None:
    size = 30_000_000
    bomb = with_part(XLSX, {SHEET: b" " * size})
    lie = bomb.replace(size.to_bytes(4, "little"), (1000).to_bytes(4, "little"))
    assert lie != bomb
    assert "is damaged" in sentence_for(lie)


def test_a_gzip_bomb_is_unpacked_no_further_than_the_limit() -> None:
    packer = zlib.compressobj(wbits=31)
    content = b"".join(packer.compress(b" " * 1_000_000) for _ in range(120)) + packer.flush()
    assert "holds more than 100,000,000 bytes" in sentence_for(content, "page.html.gz")


def with_doctype(name: str, doctype: str, entity: str) -> bytes:
    """A part of the workbook with a document type, and an entity of it in its root and each of its texts."""
    xml = re.sub(r"^<\?xml.*?\?>\s*", "", part(XLSX, name).decode())
    root, rest = xml.split(">", 1)
    return f"{doctype}{root}>{entity}{rest}".replace("<t>", f"<t>{entity}").encode()


@pytest.mark.parametrize("name", PARTS)
def test_entities_that_grow_are_refused_in_a_workbook(name: str) -> None:
    assert sentence_for(with_part(XLSX, {name: with_doctype(name, BOMB, "&e9;")}))


def test_entities_that_grow_stay_small_in_html() -> None:
    content = BOMB + "<table><tr><td>a<td>&e9;<tr><td>b<td>2</table>"
    assert len(text_of(read_document(content.encode()))) < 5000


@pytest.mark.parametrize("name", PARTS)
def test_external_entities_stay_where_they_are_in_a_workbook(name: str, addresses: list[str]) -> None:
    for address in addresses:
        doctype = f'<!DOCTYPE x SYSTEM "{address}" [<!ENTITY e SYSTEM "{address}">]>'
        content = with_part(XLSX, {name: with_doctype(name, doctype, "&e;")})
        try:
            assert "secret" not in text_of(read_document(content))
        except CrossheadError as fault:
            assert "secret" not in str(fault)


def test_nothing_that_html_names_is_fetched(addresses: list[str]) -> None:
    for address in addresses:
        content = f"""<?xml version="1.0"?><?xml-stylesheet href="{address}"?>
            <!DOCTYPE html SYSTEM "{address}" [<!ENTITY e SYSTEM "{address}">]>
            <html xmlns:xi="http://www.w3.org/2001/XInclude"><base href="{address}">
            <link rel="stylesheet" href="{address}"><meta http-equiv="refresh" content="0;url={address}">
            <table background="{address}"><tr><td>Region<td>2023<td>2024
            <tr><td>a&e;<td>1<td>2<iframe src="{address}"></iframe>
            <tr><td>b<img src="{address}"><td><xi:include href="{address}" parse="text"/>3<td>4</table>"""
        (table,) = read_document(content.encode()).tables
        assert (table.row_paths, table.cells) == ((("a&e;",), ("b",)), (("1", "2"), ("3", "4")))


def test_formulas_and_links_of_a_workbook_are_not_followed(addresses: list[str]) -> None:
    content = workbook(
        lambda sheet: rows_at(
            sheet,
            "A1",
            [
                ["Region", "2023", "2024"],
                ["North", 1, f'=WEBSERVICE("{addresses[1]}")'],
                ["South", 3, "=1+1"],
            ],
        )
    )
    (table,) = read_document(content).tables
    assert table.cells == (("1", ""), ("3", ""))


@pytest.mark.parametrize(
    ("cell", "shown"),
    [
        ("<script>alert(1)</script>12", "12"),
        ("<style>td { color: red }</style>12", "12"),
        ('<img src=x onerror="alert(1)">12', "12"),
        ('<a href="javascript:alert(1)" onclick="alert(1)">12</a>', "12"),
        ("<template>alert(1)</template>12", "12"),
        ("&lt;script&gt;alert(1)&lt;/script&gt;", "<script>alert(1)</script>"),
        ("{{ 7 * 7 }} ${7*7} {% raise %} %s %n", "{{ 7 * 7 }} ${7*7} {% raise %} %s %n"),
        ("=cmd|' /C calc'!A0", "=cmd|' /C calc'!A0"),
    ],
)
def test_a_script_in_a_cell_is_not_there_or_plain_text(cell: str, shown: str) -> None:
    content = (
        f"<meta charset=utf-8><table><tr><td>Region<td>2023<tr><td>North<td>{cell}<tr><td>South<td>3</table>"
    )
    (table,) = read_document(content.encode()).tables
    assert table.row_paths == (("North",), ("South",))
    assert table.cells == ((shown,), ("3",))


@pytest.mark.parametrize("start", ["", "a,b\n", 'a,b\n"', "a\tb\n"])
def test_a_csv_of_one_long_line_is_refused(start: str) -> None:
    said = sentence_for(start.encode() + b"1," * 1_500_000, "long.csv")
    assert "a row of more than 2,000,000 characters" in said


def test_a_csv_of_too_many_rows_is_cut() -> None:
    (table,) = read_document(b"Region," + b"x," * 998 + b"x\n" + b"North,1\n" * 1000).tables
    assert len(table.cells) < MAX_SLOTS // 1000
    assert f"read the first {MAX_SLOTS // 1000} rows" in table.extra["steps"][0]


@pytest.mark.parametrize("name", ["report.html", "report.xlsx", "report.csv"])
def test_a_pdf_is_named_whatever_its_name_says(name: str) -> None:
    content = b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n<table><tr><td>1<td>2</table>"
    assert "is a PDF, whatever its name says" in sentence_for(content, name)
    assert "is a PDF" in sentence_for(gzip.compress(content), name)


@pytest.mark.parametrize(
    "content", [b"[" * 1_000_000, b'{"id":' * 1_000_000, b'[{"id": 1, "data": ' + b"[" * 1_000_000]
)
def test_json_nested_without_end_is_refused(content: bytes) -> None:
    assert "nested too deep" in sentence_for(content)


def test_json_of_too_many_cells_is_refused() -> None:
    wide = {"id": "x", "data": [["1"] * 1001], "row_header": [["a"]] * 1000}
    assert "spans more than 1,000,000 cells" in sentence_for(json.dumps(wide).encode())


def test_markdown_of_too_many_characters_is_refused() -> None:
    assert "which is too much Markdown" in sentence_for(b"a|b\n-|-\n" + b"x|" * 5_000_001)
