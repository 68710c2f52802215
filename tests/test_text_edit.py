"""Other words in a table: what stale, odd and hostile edits do first, then what an edit changes."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qa_core.errors import CrossheadError
from qa_core.table import Location, Table
from qa_core.text_edit import (
    MAX_EDIT_TEXT,
    MAX_EDITS,
    TextEdit,
    edited_table,
    header_extent,
    text_edit,
    text_of,
    with_text,
)
from qa_core.text_edit_format import edits_from_text, edits_to_text
from tests.strategies import tables
from tests.tables import AMAZON, DEPTH_8, FUEL, HEADERS_ONLY, ROLL_FORWARD, SURPLUS


@pytest.mark.parametrize(
    ("table", "location", "level"),
    [
        (AMAZON, Location(4, 0), None),
        (AMAZON, Location(0, None), 2),
        (AMAZON, Location(0, None), -1),
        (AMAZON, Location(0, 0), 0),
        (AMAZON, Location(None, 0), None),
        (FUEL, Location(0, None), 0),
        (HEADERS_ONLY, Location(0, 0), None),
        (HEADERS_ONLY, Location(0, None), 0),
    ],
)
def test_a_text_that_the_table_does_not_have_cannot_be_edited(
    table: Table, location: Location, level: int | None
) -> None:
    with pytest.raises(CrossheadError, match="This table has no"):
        text_edit(table, location, level, "x")


def test_an_edit_of_another_text_is_stale_and_says_what_stands_there() -> None:
    edit = text_edit(AMAZON, Location(2, 1), None, "0")
    other = with_text(AMAZON, Location(2, 1), None, "107.6")
    with pytest.raises(CrossheadError, match=r"row 3, column 2 does not say “107,556” but “107\.6”"):
        edited_table(other, [edit])


def test_too_many_and_too_long_edits_are_refused() -> None:
    with pytest.raises(CrossheadError, match="201 characters; 200 are the most"):
        text_edit(AMAZON, Location(0, 0), None, "x" * (MAX_EDIT_TEXT + 1))
    edit = text_edit(AMAZON, Location(0, 0), None, "x")
    with pytest.raises(CrossheadError, match="21 edits"):
        edited_table(AMAZON, [edit] * (MAX_EDITS + 1))


def test_a_crosshead_changes_for_all_its_rows_and_a_leaf_for_its_own() -> None:
    edits = [
        text_edit(AMAZON, Location(3, None), 0, "Cloud"),
        text_edit(AMAZON, Location(3, None), 1, "Loss"),
    ]
    assert [edit.location for edit in edits] == [Location(2, None), Location(3, None)]
    assert edited_table(AMAZON, edits).row_paths == (
        ("North America", "Net sales"),
        ("North America", "Operating income"),
        ("Cloud", "Net sales"),
        ("Cloud", "Loss"),
    )
    assert edited_table(AMAZON, edits) == edited_table(AMAZON, edits[::-1])


def test_a_spanner_changes_for_all_its_columns() -> None:
    edit = text_edit(AMAZON, Location(None, 1), 0, "As of")
    assert edit.location == Location(None, 0)
    assert edited_table(AMAZON, [edit]).column_paths == (("As of", "2023"), ("As of", "2024"))


def test_headers_of_the_same_words_that_do_not_touch_are_two() -> None:
    assert header_extent(ROLL_FORWARD, Location(2, None), 0) == range(1, 4)
    assert header_extent(ROLL_FORWARD, Location(0, None), 0) == range(0, 1)
    assert header_extent(SURPLUS, Location(1, None), 0) == range(1, 3)
    apart = Table("t", (), (("A", "x"), ("B", "x"), ("A", "y")), (("1",), ("2",), ("3",)))
    assert with_text(apart, Location(2, None), 0, "C").row_paths == (("A", "x"), ("B", "x"), ("C", "y"))


def test_a_header_named_as_its_neighbour_is_still_one_that_can_be_undone() -> None:
    merged = text_edit(AMAZON, Location(0, None), 0, "AWS")
    other = text_edit(AMAZON, Location(2, None), 0, "Cloud")
    assert [path[0] for path in edited_table(AMAZON, [merged, other]).row_paths] == ["AWS"] * 2 + [
        "Cloud"
    ] * 2
    assert [path[0] for path in edited_table(AMAZON, [other, merged]).row_paths] == ["AWS"] * 2 + [
        "Cloud"
    ] * 2


def test_blank_levels_and_cells_that_the_file_left_out_can_be_filled() -> None:
    assert text_of(DEPTH_8, Location(None, 2), 0) == ""
    assert with_text(DEPTH_8, Location(None, 2), 0, "Top").column_path(2)[0] == "Top"
    assert with_text(SURPLUS, Location(3, 1), None, "$1").cells[3] == ("", "$1")


def test_control_characters_do_not_get_into_a_table() -> None:
    assert text_edit(AMAZON, Location(0, 0), None, "a\x00b\x1b").text == "a\ufffdb\ufffd"


@given(tables(), st.data())
def test_putting_what_stands_there_changes_nothing_and_nothing_else_ever_moves(
    table: Table, data: st.DataObject
) -> None:
    places: list[tuple[Location, int | None]] = [(at, None) for at in table.locations()]
    for row, path in enumerate(table.row_paths):
        places += [(Location(row, None), level) for level in range(len(path))]
    for column, path in enumerate(table.column_paths):
        places += [(Location(None, column), level) for level in range(len(path))]
    if not places:
        return
    location, level = data.draw(st.sampled_from(places))
    same = edited_table(table, [text_edit(table, location, level, text_of(table, location, level))])
    assert (same.body, same.row_paths, same.column_paths) == (table.body, table.row_paths, table.column_paths)
    other = with_text(table, location, level, "other")
    assert text_of(other, location, level) == "other"
    assert (other.n_rows, other.n_columns) == (table.n_rows, table.n_columns)
    assert [*map(len, other.row_paths)] == [*map(len, table.row_paths)]
    back = with_text(other, location, level, text_of(table, location, level))
    if level is None:
        assert back.body == table.body


texts = st.text('ab$<[]",é ', max_size=9)
lines = st.integers(0, 30)
cells = st.tuples(st.builds(Location, lines, lines), st.none())
headers = st.tuples(st.builds(Location, lines, st.none()) | st.builds(Location, st.none(), lines), lines)
edits = st.builds(lambda place, was, text: TextEdit(*place, was, text), cells | headers, texts, texts)


@given(st.lists(edits, max_size=MAX_EDITS, unique_by=lambda edit: edit.place))
def test_edits_survive_the_link(held: list[TextEdit]) -> None:
    assert edits_from_text(edits_to_text(held)) == tuple(held)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "null",
        "{}",
        "[1]",
        "[[0,0,null,1,2]]",
        "[[null,null,null,'',''],]",
        '[[null,null,0,"",""]]',
        '[[0,0,0,"",""]]',
        '[[0,null,null,"",""]]',
        '[[true,0,null,"",""]]',
        '[[0.0,0,null,"",""]]',
        '[[-1,0,null,"",""]]',
        '[[99999999999,0,null,"",""]]',
        '[[0,0,null,"","",""]]',
        '[[0,0,null,"","a"],[0,0,null,"","b"]]',
        json.dumps([[0, 0, None, "", "x" * 201]]),
        json.dumps([[0, 0, None, "x" * 41, ""]]),
        json.dumps([[n, 0, None, "", ""] for n in range(21)]),
        "[" * 5000,
        "[" + " " * 20_000 + "]",
    ],
)
def test_what_is_no_list_of_edits_is_one_sentence(text: str) -> None:
    with pytest.raises(CrossheadError):
        edits_from_text(text)
