"""``extract`` and ``ask`` over a document that a person brings."""

import gzip
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from qa_core.__main__ import main
from qa_core.command_line import documents
from qa_core.export import to_csv, to_xlsx
from qa_core.table_format import table_from_record, table_to_record
from tests.ingest.workbooks import rows_at, workbook
from tests.tables import ALL, AMAZON, FUEL

PAGE = """<h1>Results</h1>
<table><tr><td>12</td></tr></table>
<p><b>Net sales by region</b></p><p>(in millions)</p>
<table><tr><td></td><td colspan="4">Year Ended December 31,</td></tr>
<tr><td>Region</td><td colspan="2">2023</td><td colspan="2">2024</td></tr>
<tr><td>Europe:</td><td></td><td></td><td></td><td></td></tr>
<tr><td>North</td><td>$</td><td>10</td><td>$</td><td>12</td></tr>
<tr><td>South</td><td></td><td>(3</td><td>)</td><td>4</td></tr></table>
<p><b>Employees</b></p>
<table><tr><td></td><td>2023</td><td>2024</td></tr><tr><td>Engineers</td><td>70</td><td>80</td></tr>
<tr><td>Others</td><td>7</td><td>9</td></tr></table>
<table><tr><td>Results</td><td>13</td></tr></table>
"""
ROWS = [["Region", 2023, 2024], ["North", 10, 12], ["South", -3, 4]]
FORMAT = {"id", "column_header", "row_header", "data"}
FIELDS = FORMAT | {"filing", "table_index", "title", "units", "steps", "confidence"}


@pytest.fixture
def page(tmp_path: Path) -> str:
    path = tmp_path / "page.html"
    path.write_text(PAGE, encoding="utf-8")
    return str(path)


def extracted(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, Any]]:
    assert main(["extract", *arguments]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    return [json.loads(line) for line in captured.out.splitlines()]


def test_each_table_that_carries_data_is_one_line(page: str, capsys: pytest.CaptureFixture[str]) -> None:
    sales, employees = extracted(capsys, page)
    assert sales | {"steps": [], "confidence": 0} == {
        "id": "page-1",
        "filing": "page.html",
        "source": "page.html",
        "headings": ["Results", "Net sales by region"],
        "table_index": 1,
        "title": "Net sales by region (in millions)",
        "units": "(in millions)",
        "steps": [],
        "confidence": 0,
        "stubhead": [["Region"]],
        "column_header": [["Year Ended December 31,", "2023"], ["Year Ended December 31,", "2024"]],
        "row_header": [["Europe:", "North"], ["Europe:", "South"]],
        "data": [["$10", "$12"], ["(3)", "4"]],
    }
    assert "took row 3 (“Europe:”) as crosshead" in sales["steps"]
    assert 0 < sales["confidence"] <= 1
    assert (employees["table_index"], employees["title"], employees["units"]) == (2, "Employees", "")


def test_all_prints_layout_tables_too_and_an_index_any_table(
    page: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert [table["table_index"] for table in extracted(capsys, page, "--all")] == [0, 1, 2, 3]
    (footer,) = extracted(capsys, page, "--table-index", "3")
    assert footer["table_index"] == 3


def test_json_changes_nothing_and_every_field_is_always_there(
    page: str, capsys: pytest.CaptureFixture[str]
) -> None:
    tables = extracted(capsys, page, "--all", "--json")
    assert tables == extracted(capsys, page, "--all")
    assert all(table.keys() >= FIELDS for table in tables)


def test_a_gzipped_document_is_read_as_it_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "page.html.gz").write_bytes(gzip.compress(PAGE.encode()))
    tables = extracted(capsys, str(tmp_path / "page.html.gz"))
    assert [(table["filing"], table["table_index"]) for table in tables] == [
        ("page.html.gz", 1),
        ("page.html.gz", 2),
    ]


@pytest.mark.parametrize(
    ("name", "content", "place"),
    [
        ("sales.csv", "Region,2023,2024\nNorth,10,12\nSouth,-3,4\n".encode("utf-16"), "rows 1 to 3"),
        ("sales.md", b"Region | 2023 | 2024\n---|---|---\nNorth | 10 | 12\nSouth | -3 | 4\n", None),
        ("sales.xlsx", workbook(lambda sheet: rows_at(sheet, "B2", ROWS)), "B2:D4"),
    ],
)
def test_a_document_of_another_kind_gives_the_same_fields(
    name: str,
    content: bytes,
    place: str | None,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / name).write_bytes(content)
    (table,) = extracted(capsys, str(tmp_path / name))
    assert table.keys() >= FIELDS
    assert (table["id"], table["filing"], table["table_index"]) == ("sales-0", name, 0)
    assert (table["row_header"], table["data"]) == ([["North"], ["South"]], [["10", "12"], ["-3", "4"]])
    assert table.get("range") == place


@pytest.mark.parametrize("coat", ["json", "jsonl", "xlsx"])
def test_tables_that_are_tables_already_come_as_they_are(
    coat: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    records = [table_to_record(table) for table in ALL]
    content = {
        "json": json.dumps(records).encode(),
        "jsonl": "\n".join(map(json.dumps, records)).encode(),
        "xlsx": to_xlsx(ALL),
    }[coat]
    (tmp_path / f"tables.{coat}").write_bytes(content)
    printed = extracted(capsys, str(tmp_path / f"tables.{coat}"))
    assert [table["table_index"] for table in printed] == list(range(len(ALL)))
    assert {(table["filing"], table["confidence"]) for table in printed} == {(f"tables.{coat}", 1.0)}
    assert [table | record for table, record in zip(printed, records, strict=True)] == printed


def test_an_exported_csv_is_its_table_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "fuel.csv").write_text(to_csv(FUEL), encoding="utf-8")
    (table,) = extracted(capsys, str(tmp_path / "fuel.csv"))
    assert table_from_record(table).cells == FUEL.cells
    assert table["id"] == "fuel"


def test_what_was_extracted_keeps_where_it_came_from(
    page: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tables = extracted(capsys, page)
    (tmp_path / "kept.jsonl").write_text("\n".join(map(json.dumps, tables)), encoding="utf-8")
    assert extracted(capsys, str(tmp_path / "kept.jsonl")) == tables
    assert extracted(capsys, str(tmp_path / "kept.jsonl"), "--table-index", "2") == tables[1:]


def test_a_document_without_data_says_so_and_prints_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.html").write_text("<table><tr><td>12</td></tr></table>", encoding="utf-8")
    assert main(["extract", str(tmp_path / "a.html")]) == 0
    assert capsys.readouterr() == ("", "note: no table of a.html carries data; --all prints every one.\n")


@pytest.mark.parametrize("command", [["extract", "PAGE"], ["ask", "PAGE", "Net sales?"]])
def test_an_index_that_no_table_has_is_one_sentence(
    command: list[str], page: str, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = [page if argument == "PAGE" else argument for argument in command]
    assert main([*arguments, "--table-index", "4"]) == 2
    assert capsys.readouterr().err == (
        "crosshead: page.html holds no table with index 4; it holds 4 tables, with indices from 0 to 3.\n"
    )


@pytest.mark.parametrize("index", ["-1", "x", "1.0", "9" * 10, ""])
def test_an_index_that_is_no_number_ends_with_2(
    index: str, page: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["extract", page, f"--table-index={index}"])
    assert ended.value.code == 2
    assert "is not a number from 0" in capsys.readouterr().err


def test_ask_answers_from_the_table_of_an_index(page: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ask", page, "North in 2024?", "--table-index", "1", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["answer"], answer["row_path"]) == ("$12", ["Europe:", "North"])
    assert main(["ask", page, "Engineers in 2023?", "--table-id", "page-2", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["answer"] == "70"


def test_ask_over_several_tables_tells_how_to_choose(page: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ask", page, "Engineers?"]) == 2
    assert capsys.readouterr().err == (
        "crosshead: page.html holds 2 tables that carry data; choose one with --table-index or --table-id: "
        "1 (Net sales by region (in millions)), 2 (Employees).\n"
    )


def test_ask_takes_the_only_table_that_carries_data(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.html").write_text(PAGE.partition("<p><b>Employees")[0], encoding="utf-8")
    assert main(["ask", str(tmp_path / "a.html"), "North in 2023?", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["answer"] == "$10"


def test_two_tables_of_one_index_are_told_apart_by_id(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    records = [table_to_record(table) | {"table_index": 7} for table in (AMAZON, FUEL)]
    path = tmp_path / "two.json"
    path.write_text(json.dumps(records), encoding="utf-8")
    assert main(["ask", str(path), "AWS net sales in 2024?", "--table-index", "7"]) == 2
    assert "two.json holds 2 tables of that index; choose one with --table-id: amazon-segments, fuel." in (
        capsys.readouterr().err
    )
    asked = [
        "ask",
        str(path),
        "AWS net sales in 2024?",
        "--table-index",
        "7",
        "--table-id",
        "amazon-segments",
    ]
    assert main([*asked, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["answer"] == "107,556"


def test_progress_is_told_on_a_terminal_only(
    page: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    documents.read(Path(page))
    said = capsys.readouterr().err
    assert said.startswith("\r12 % read\r25 % read")
    assert said.endswith("\r100 % read\n")
