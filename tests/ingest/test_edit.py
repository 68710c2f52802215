"""Corrections by hand over the guessed layout; the last one dropped is the last one undone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qa_core.errors import CrossheadError
from qa_core.ingest.clean import CleanGrid, clean
from qa_core.ingest.edit import COLUMN_ROLES, ROW_ROLES, Edit, edited, edited_layout
from qa_core.ingest.layout import identify
from tests.ingest.drawings import cleaned
from tests.ingest.test_build import grids

ROWS = (
    " | 2024 | 2023",
    "Employees | 50 | 48",
    "Passenger",
    "Domestic | 10 | 9",
    "Atlantic | 4 | 3",
    "Cargo | 2 | 1",
    "Routes | 7 | 6",
)
STATEMENT = cleaned(*ROWS)


def paths(*edits: Edit) -> list[tuple[str, ...]]:
    return list(edited(STATEMENT, edits).table.row_paths)


def test_without_edits_the_guess_stands() -> None:
    assert edited(STATEMENT, []).layout == identify(STATEMENT.grid)
    assert not any(step.startswith("by hand") for step in edited(STATEMENT, []).steps)


def test_a_row_becomes_a_crosshead_and_an_undone_one_a_row_again() -> None:
    crosshead = Edit("row", 2, "crosshead")
    body = Edit("row", 2, "body")
    assert paths()[1:3] == [("Passenger",), ("Domestic",)]
    assert paths(crosshead)[1] == ("Passenger", "Domestic")
    assert paths(crosshead, body)[1:3] == [("Passenger",), ("Domestic",)]
    assert paths(crosshead, body, crosshead) == paths(crosshead)


def test_a_parent_is_changed_and_moved_back_to_the_root() -> None:
    edits = [Edit("row", 2, "crosshead"), Edit("parent", 6, 5)]
    assert paths(*edits)[-1] == (*paths(edits[0])[-2], "Routes")
    assert paths(*edits, Edit("parent", 6, None))[-1] == ("Routes",)


def test_a_parent_by_hand_outlives_a_later_regrouping() -> None:
    assert paths(Edit("parent", 6, 5), Edit("row", 2, "body"))[-1] == ("Cargo", "Routes")


def test_dropping_the_last_edit_undoes_it() -> None:
    edits = [
        Edit("row", 2, "crosshead"),
        Edit("parent", 6, 5),
        Edit("column", 2, "stub"),
        Edit("row", 0, "body"),
    ]
    made = [edited(STATEMENT, edits[:count]) for count in range(5)]
    for count in (3, 1, 4, 2, 0):
        assert edited(STATEMENT, edits[:count]) == made[count]
    assert len({extraction.table.fingerprint for extraction in made}) == 5


def test_the_last_parent_by_hand_is_the_one_that_outlives() -> None:
    moved = [Edit("parent", 6, 5), Edit("parent", 6, None), Edit("parent", 5, 6)]
    assert paths(*moved)[-2:] == [("Routes", "Cargo"), ("Routes",)]
    assert paths(*moved, Edit("row", 2, "crosshead"), Edit("row", 2, "body"))[-2:] == paths(*moved)[-2:]


def test_a_row_becomes_a_header_and_a_header_a_row() -> None:
    table = edited(STATEMENT, [Edit("row", 0, "body")]).table
    assert table.column_paths == ()
    assert table.cells[0] == ("2024", "2023")
    back = edited(STATEMENT, [Edit("row", 0, "body"), Edit("row", 0, "header")]).table
    assert back.column_paths == (("2024",), ("2023",))


def test_a_row_is_left_out() -> None:
    assert ("Cargo",) not in [path[-1:] for path in paths(Edit("row", 5, "left out"))]


def test_a_column_becomes_stub_and_the_stub_body() -> None:
    made = edited(STATEMENT, [Edit("column", 1, "stub")])
    assert made.layout.stub == (0, 1)
    assert made.table.n_columns == 1
    assert edited(STATEMENT, [Edit("column", 0, "body")]).table.row_paths == ()


def test_edits_are_told_as_steps() -> None:
    edits = [
        Edit("row", 2, "crosshead"),
        Edit("parent", 6, 5),
        Edit("parent", 6, None),
        Edit("column", 1, "stub"),
    ]
    made = edited(STATEMENT, edits)
    assert made.steps[-4:] == (
        "by hand: took row 3 as crosshead",
        "by hand: put row 7 under row 6",
        "by hand: put row 7 at the root",
        "by hand: took column 2 as stub",
    )
    assert made.table.extra["steps"] == list(made.steps)


@pytest.mark.parametrize(
    ("edit", "sentence"),
    [
        (Edit("cell", 0, "header"), "There is no correction of a 'cell'; choose row, column or parent."),
        (Edit("row", 9, "header"), "There is no row 10; the grid has 7 rows."),
        (Edit("row", -1, "header"), "There is no row 0; the grid has 7 rows."),
        (Edit("row", 0, "stub"), "A row cannot be 'stub'; choose one of header, crosshead, body, left out."),
        (Edit("column", 3, "stub"), "There is no column 4; the grid has 3 columns."),
        (Edit("column", 0, "header"), "A column cannot be 'header'; choose one of stub, body."),
        (Edit("parent", 2, 2), "Row 3 would stand under itself; choose another parent."),
        (Edit("parent", 2, 0), "Row 1 heads columns or is left out; it cannot head a row."),
        (Edit("parent", 2, "Passenger"), "'Passenger' is no row; name the row that heads row 3."),
        (Edit("parent", 2, 17), "There is no row 18; the grid has 7 rows."),
        (Edit("parent", 17, None), "There is no row 18; the grid has 7 rows."),
    ],
)
def test_what_the_grid_does_not_allow(edit: Edit, sentence: str) -> None:
    with pytest.raises(CrossheadError) as fault:
        edited(STATEMENT, [edit])
    assert str(fault.value) == sentence


def test_not_every_column_can_be_stub() -> None:
    with pytest.raises(CrossheadError, match="Every column would be stub"):
        edited(STATEMENT, [Edit("column", 1, "stub"), Edit("column", 2, "stub")])


def test_rows_do_not_stand_under_each_other() -> None:
    with pytest.raises(CrossheadError, match="would stand under itself"):
        edited(STATEMENT, [Edit("parent", 5, 4), Edit("parent", 4, 5)])


edits = st.lists(
    st.one_of(
        st.builds(Edit, st.just("row"), st.integers(0, 8), st.sampled_from(ROW_ROLES)),
        st.builds(Edit, st.just("column"), st.integers(0, 5), st.sampled_from(COLUMN_ROLES)),
        st.builds(Edit, st.just("parent"), st.integers(0, 8), st.none() | st.integers(0, 8)),
    ),
    max_size=6,
)


@given(grids().map(clean), edits)
def test_any_edits_end_in_a_table_or_in_one_sentence(made: CleanGrid, given_edits: list[Edit]) -> None:
    try:
        extraction = edited(made, given_edits)
    except CrossheadError:
        return
    layout = extraction.layout
    for row in range(made.grid.n_rows):
        assert row not in layout.path(row)
        assert not any(above in layout.left_out for above in layout.path(row))


@given(grids().map(clean), edits)
def test_an_edit_that_says_what_is_so_changes_no_roles(made: CleanGrid, given_edits: list[Edit]) -> None:
    try:
        layout = edited_layout(made.grid, given_edits)
    except CrossheadError:
        return
    again = [Edit("row", row, "body") for row in range(made.grid.n_rows) if layout.is_body(row)]
    try:
        repeated = edited_layout(made.grid, [*given_edits, *again])
    except CrossheadError:
        return
    assert (repeated.header_rows, repeated.crossheads, repeated.left_out) == (
        layout.header_rows,
        layout.crossheads,
        layout.left_out,
    )
