import json
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given

from qa_core.errors import CrossheadError
from qa_core.table import Table
from qa_core.table_format import (
    from_dataframe,
    read_tables,
    table_from_record,
    table_to_record,
    to_dataframe,
    write_table,
)
from tests.strategies import tables
from tests.tables import ALL, AMAZON, FUEL


def test_cells_that_are_not_text_are_converted_and_said() -> None:
    table = table_from_record(
        {"id": 7, "column_header": ["Year", ["Sold"]], "data": [[2018, None], [2017, 1.5]]}
    )
    assert table.id == "7"
    assert table.column_paths == (("Year",), ("Sold",))
    assert table.cells == (("2018", ""), ("2017", "1.5"))
    assert "4 cells were not text and were converted." in table.warnings


def test_unknown_fields_are_kept() -> None:
    record = {"id": "t", "column_header": [["a"]], "row_header": [], "data": [["1"]], "filing": "x.html"}
    assert table_to_record(table_from_record(record)) == record


@pytest.mark.parametrize(
    ("record", "fault"),
    [
        ({"data": []}, "no field 'id'"),
        ({"id": "t"}, "no field 'data'"),
        ({"id": "", "data": []}, "id must be a non-empty string"),
        ({"id": ["t"], "data": []}, "id must be a non-empty string"),
        ({"id": "t", "data": "abc"}, "'data' must be a list of lists"),
        ({"id": "t", "data": [["1"], "2"]}, "'data' must be a list of lists"),
        ({"id": "t", "data": [[{"a": 1}]]}, "expected text, found a nested dict"),
        (
            {"id": "t", "data": [["1"]], "column_header": "a"},
            "'column_header' must be a list of header paths",
        ),
        ({"id": "t", "data": [["1"]], "row_header": [[["a"]]]}, "expected text, found a nested list"),
    ],
)
def test_a_record_that_is_no_table_is_told_in_a_sentence(record: dict[str, object], fault: str) -> None:
    with pytest.raises(CrossheadError, match=fault):
        table_from_record(record, "tables.jsonl, line 3")


def test_files_hold_one_table_or_several(tmp_path: Path) -> None:
    write_table(AMAZON, tmp_path / "one.json")
    assert read_tables(tmp_path / "one.json") == [AMAZON]
    records = [table_to_record(table) for table in ALL]
    (tmp_path / "all.json").write_text(json.dumps(records))
    (tmp_path / "all.jsonl").write_text("\ufeff" + "\n\n".join(map(json.dumps, records)), encoding="utf-8")
    assert read_tables(tmp_path / "all.json") == list(ALL) == read_tables(tmp_path / "all.jsonl")


@pytest.mark.parametrize(
    ("name", "content", "fault"),
    [
        ("broken.jsonl", b'{"id": "t", "data": []}\n{"id": ', "broken.jsonl, line 2: not valid JSON"),
        ("list.jsonl", b"[1]", "line 1: expected a JSON object, found list"),
        ("latin.json", '{"id": "é"}'.encode("cp1252"), "not UTF-8"),
        ("deep.json", b"[" * 100_000, "nested too deep"),
        ("number.json", b"5", "expected a table as a JSON object"),
        ("digits.json", b"9" * 5000, "not usable JSON"),
    ],
)
def test_a_file_that_is_no_table_is_told_by_name(
    tmp_path: Path, name: str, content: bytes, fault: str
) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(CrossheadError, match=fault):
        read_tables(tmp_path / name)


def test_a_missing_file_and_a_folder(tmp_path: Path) -> None:
    with pytest.raises(CrossheadError, match="There is no file"):
        read_tables(tmp_path / "none.json")
    with pytest.raises(CrossheadError, match="cannot be read"):
        read_tables(tmp_path)


def test_dataframe_has_a_multiindex_on_both_axes() -> None:
    frame = to_dataframe(AMAZON)
    assert frame.loc[("AWS", "Net sales"), ("Year Ended December 31,", "2024")] == "107,556"
    assert isinstance(to_dataframe(FUEL).index, pd.RangeIndex)


def test_a_plain_dataframe_becomes_text() -> None:
    frame = pd.DataFrame(
        {"Year": [2018, 2017], "Sold": [1.5, None], "Note": pd.Series(["a", None], dtype="str")}
    )
    table = from_dataframe(frame, id="f")
    assert table.column_paths == (("Year",), ("Sold",), ("Note",))
    assert table.row_paths == ()
    assert table.cells == (("2018", "1.5", "a"), ("2017", "", ""))


@given(tables())
def test_a_record_gives_the_same_table_back(table: Table) -> None:
    assert table_from_record(json.loads(json.dumps(table_to_record(table)))) == table


@given(tables())
def test_a_dataframe_gives_the_same_headers_and_body_back(table: Table) -> None:
    again = from_dataframe(to_dataframe(table), id=table.id)
    assert again.body == table.body
    assert [again.row_path(row) for row in range(table.n_rows)] == [
        table.row_path(row) for row in range(table.n_rows)
    ]
    assert [again.column_path(column) for column in range(table.n_columns)] == [
        table.column_path(column) for column in range(table.n_columns)
    ]


def test_headers_alone_may_not_span_more_cells_than_a_table_may_have() -> None:
    record = {"id": "t", "column_header": [[]] * 2000, "row_header": [[]] * 2000, "data": [["1"]]}
    with pytest.raises(CrossheadError, match="spans more than 1,000,000 cells"):
        table_from_record(record)
