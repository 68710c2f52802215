"""CSV and TSV as they come: any delimiter, any encoding, titles above, ragged rows."""

import csv
import io
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qa_core.errors import CrossheadError
from qa_core.ingest.delimited import find_delimiter, read_delimited, read_records
from qa_core.ingest.grid import Grid

fields = st.text(st.characters(exclude_categories=("Cs", "Cc"), include_characters="\n\r\t"), max_size=5)


def texts(grid: Grid) -> list[list[str]]:
    return [[cell.text for cell in row] for row in grid.rows]


@pytest.mark.parametrize(
    ("text", "delimiter"),
    [
        ("Name;Wert\na;1,5\nb;2,5\n", ";"),
        ("Region\t2023, restated\nNorth\t1,200\n", "\t"),
        ("a|b,c\nd|e,f\n", "|"),
        ('Item,Tags\n"x;y",1\n"x;y",2\n', ","),
        ("Item,Tags\nx,a;b;c\ny,d\nz,e;f\n", ","),
        ("Sales by region\n\nRegion;2023;2024\nNorth;1;2\nSouth;3;4\nWest;5;6\n", ";"),
        ("one column\nonly\n", ""),
        ("", ""),
    ],
)
def test_the_delimiter_is_the_one_that_stands_in_every_row(text: str, delimiter: str) -> None:
    assert find_delimiter(text) == delimiter


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16", "utf-16-le", "utf-16-be"])
def test_encodings_are_found(encoding: str) -> None:
    text = "Größe;Café\nein;1\nzwei;2\n"
    assert texts(read_delimited(text.encode(encoding))[0])[0] == ["Größe", "Café"]


def test_other_scripts_without_utf_8_are_found() -> None:
    text = "Город;Население города\nМосква;13\nСанкт-Петербург;5\nНовосибирск;1\nЕкатеринбург;1\n"
    assert texts(read_delimited(text.encode("cp1251"))[0])[0] == ["Город", "Население города"]


def test_quoted_line_breaks_and_quotes_stay_in_their_field() -> None:
    (grid,) = read_delimited(b'Item,Note\r\n"a\r\nb","say ""x"""\r\nc,d\r\n')
    assert texts(grid) == [["Item", "Note"], ["a b", 'say "x"'], ["c", "d"]]


def test_line_ends_of_old_macs_are_line_ends() -> None:
    assert texts(read_delimited(b"a,b\r1,2\r")[0]) == [["a", "b"], ["1", "2"]]


def test_ragged_rows_keep_what_they_have() -> None:
    (grid,) = read_delimited(b"Item,2023,2024\nCash,1\nDebt,2,3,4\n")
    assert texts(grid) == [["Item", "2023", "2024"], ["Cash", "1"], ["Debt", "2", "3", "4"]]
    assert grid.n_columns == 4


def test_leading_spaces_are_indentation() -> None:
    (grid,) = read_delimited(b"Item,2023\nAssets,9\n  Cash,1\n    At hand,1\n")
    assert [row[0].indent for row in grid.rows] == [0.0, 0.0, 10.0, 20.0]


def test_a_title_above_and_a_second_table_below() -> None:
    text = "Table 1: Sales\n\nRegion,2023\nNorth,1\n\nTotal,1\n\nRegion,Staff\nNorth,7\n"
    first, second = read_delimited(text.encode(), "x.csv")
    assert first.title == "Table 1: Sales"
    assert texts(first) == [["Region", "2023"], ["North", "1"], [], ["Total", "1"]]
    assert (second.source.index, second.source.range) == (1, "rows 8 to 9")


def test_lines_that_a_database_draws_are_no_rows() -> None:
    text = "+----+------+\n| id | name |\n+----+------+\n|  1 | Oslo |\n+----+------+\n"
    assert texts(read_delimited(text.encode())[0]) == [["id", "name"], ["1", "Oslo"]]


@pytest.mark.parametrize(
    "content", [b"a," * 25_000_000, b"a" * 50_000_000, b'"' + b"a" * 50_000_000, b'"\n",' * 12_000_000]
)
def test_one_endless_row_is_refused_at_once(content: bytes) -> None:
    began = time.process_time()
    with pytest.raises(CrossheadError, match=r"x\.csv has a row of more than 2,000,000 characters"):
        read_delimited(content, "x.csv")
    assert time.process_time() - began < 5


def test_a_quotation_mark_left_open_is_told_with_its_line() -> None:
    limit = csv.field_size_limit()
    with pytest.raises(CrossheadError, match=r"x\.csv, line \d+: field larger .* quotation mark left open"):
        read_delimited(b'a,b\n1,"2\n' + b"3,4\n" * 50_000, "x.csv")
    assert csv.field_size_limit() == limit


def test_a_picture_is_no_text() -> None:
    with pytest.raises(CrossheadError, match=r"x\.csv is neither text nor a workbook"):
        read_delimited(bytes(range(32)) * 100, "x.csv")


def test_a_million_empty_lines_are_no_table() -> None:
    assert read_delimited(b"\n" * 1_000_000) == []


@given(st.lists(st.lists(fields, min_size=1, max_size=4), max_size=5), st.sampled_from("\t;|,"))
def test_records_come_back_as_they_were_written(rows: list[list[str]], delimiter: str) -> None:
    stream = io.StringIO()
    csv.writer(stream, delimiter=delimiter).writerows(rows)
    assert list(read_records(stream.getvalue(), delimiter=delimiter)) == rows
