"""TAT-QA grids as tables with header paths."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from qa_core.errors import CrossheadError
from qa_core.table import Location
from qa_core.training.tatqa import load_tatqa, table_from_grid

GRID = [
    ["", "", "Fiscal", ""],
    ["", "2019", "2018", "2017"],
    ["", "", "(in millions)", ""],
    ["Transportation Solutions:", "", "", ""],
    ["Automotive", "$ 5,686", "$ 6,092"],
    ["Sensors", "914", "918", "814"],
    ["Other", "", "", ""],
    ["Total", "$ 6,600", "$ 7,010", "$ 914"],
]


@pytest.mark.parametrize(
    "grid", [[], [[]], [["", "2019"]], [["Revenue"], ["Profit"]], [["Revenue", "1,200"]]]
)
def test_a_grid_without_header_rows_or_without_body_is_no_table(grid: list[list[str]]) -> None:
    assert table_from_grid("t", grid) is None


def test_a_grid_becomes_header_paths_and_body() -> None:
    table = table_from_grid("t", GRID)
    assert table is not None
    # A last header row that stands over one column alone is not spread: it may be a unit.
    assert table.column_paths == (("Fiscal", "2019"), ("Fiscal", "2018", "(in millions)"), ("Fiscal", "2017"))
    assert table.row_paths == (
        ("Transportation Solutions:", "Automotive"),
        ("Transportation Solutions:", "Sensors"),
        ("Total",),
    )
    assert table.cells == (
        ("$ 5,686", "$ 6,092", ""),
        ("914", "918", "814"),
        ("$ 6,600", "$ 7,010", "$ 914"),
    )


def test_a_blank_between_two_spanners_belongs_to_the_left_one() -> None:
    table = table_from_grid(
        "t", [["", "Home", "", "Abroad"], ["", "2019", "2018", "2019"], ["Rate", "4%", "3%", "2%"]]
    )
    assert table is not None
    assert table.column_paths == (("Home", "2019"), ("Home", "2018"), ("Abroad", "2019"))


def line(**changes: object) -> str:
    question = {"id": "q1", "question": "Sensors in 2018?", "answer": ["918"], "answer_type": "span"}
    return json.dumps({"id": "t", "grid": GRID, "questions": [question | changes]}) + "\n"


@pytest.mark.parametrize(
    "changes",
    [
        {"answer": ["914"]},  # in two cells
        {"answer": ["2018"]},  # in a header
        {"answer": ["$"]},  # nothing but a mark
        {"answer": ["918", "814"]},
        {"answer_type": "arithmetic", "answer": 918},
    ],
)
def test_only_a_span_that_stands_in_one_cell_is_a_question(
    tmp_path: Path, changes: dict[str, object]
) -> None:
    path = tmp_path / "tatqa.jsonl"
    path.write_text(line(**changes), encoding="utf-8")
    assert load_tatqa(path).questions == ()
    path.write_text(line(), encoding="utf-8")
    (question,) = load_tatqa(path).questions
    assert (question.text, question.answers, question.cell) == ("Sensors in 2018?", ("918",), Location(1, 1))


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (line() + line(), "line 2: the table id 't' stands twice"),
        (
            '{"id": "t", "grid": [1], "questions": []}',
            "line 1: field 'grid' must be a list of rows of strings",
        ),
        (line().replace('"questions": [', '"questions": [1, '), "line 1: field 'questions' must be a list"),
    ],
)
def test_a_line_of_another_form_is_told_by_number(tmp_path: Path, text: str, fault: str) -> None:
    path = tmp_path / "tatqa.jsonl"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(CrossheadError, match=fault):
        load_tatqa(path)
