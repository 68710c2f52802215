"""Cells get their slots by position, whatever the order in which a document gives them."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from qa_core.ingest.grid import Cell, Grid, place
from tests.ingest.drawings import grid


def slots(cell: Cell) -> tuple[str, int, int, int, int]:
    return cell.text, cell.row, cell.column, cell.rows, cell.columns


def placed(*rows: list[Cell], max_slots: int = 100) -> tuple[list[tuple[str, int, int, int, int]], int, int]:
    cells, n_rows, n_columns = place(rows, max_slots)
    return [slots(cell) for cell in cells], n_rows, n_columns


def test_a_cell_goes_to_the_first_slot_that_no_span_from_above_covers() -> None:
    assert placed(
        [Cell("Region", 0, 0, rows=2), Cell("Year", 0, 0, columns=2)],
        [Cell("2023", 0, 0), Cell("2024", 0, 0)],
    ) == (
        [("Region", 0, 0, 2, 1), ("Year", 0, 1, 1, 2), ("2023", 1, 1, 1, 1), ("2024", 1, 2, 1, 1)],
        2,
        3,
    )


def test_a_span_from_above_in_the_middle_is_stepped_over() -> None:
    assert placed(
        [Cell("a", 0, 0), Cell("b", 0, 0, rows=2), Cell("c", 0, 0)], [Cell("d", 0, 0), Cell("e", 0, 0)]
    )[0][3:] == [("d", 1, 0, 1, 1), ("e", 1, 2, 1, 1)]


def test_a_span_that_runs_into_one_from_above_stops_before_it() -> None:
    assert placed([Cell("a", 0, 0), Cell("b", 0, 0, rows=2)], [Cell("c", 0, 0, columns=5)])[0][-1] == (
        ("c", 1, 0, 1, 1)
    )


def test_a_span_over_the_last_row_ends_with_it() -> None:
    assert placed([Cell("a", 0, 0, rows=65534)], [Cell("b", 0, 0)])[0] == [
        ("a", 0, 0, 2, 1),
        ("b", 1, 1, 1, 1),
    ]


def test_rows_without_cells_count() -> None:
    assert placed([], [Cell("a", 0, 0)], []) == ([("a", 1, 0, 1, 1)], 3, 1)


def test_a_grid_that_grows_too_large_is_cut_by_whole_rows() -> None:
    rows = [[Cell("a", 0, 0, rows=3), Cell("b", 0, 0)], [Cell("c", 0, 0)], [Cell("d", 0, 0, columns=99)]]
    assert placed(*rows, max_slots=10) == (
        [("a", 0, 0, 2, 1), ("b", 0, 1, 1, 1), ("c", 1, 1, 1, 1)],
        2,
        2,
    )


def test_a_first_row_that_is_too_large_leaves_nothing() -> None:
    assert placed([Cell("a", 0, 0, columns=1000)], max_slots=10) == ([], 0, 0)


def test_a_span_is_held_by_each_slot_that_it_covers_and_empty_cells_by_none() -> None:
    drawn = grid("a | < | ", "b | c | d")
    assert [{column: cell.text for column, cell in row.items()} for row in drawn.held] == [
        {0: "a", 1: "a"},
        {0: "b", 1: "c", 2: "d"},
    ]


def test_rows_are_in_the_order_of_columns() -> None:
    cells = (Cell("right", 0, 1), Cell("left", 0, 0), Cell("below", 1, 0))
    assert [[cell.text for cell in row] for row in Grid(cells, 2, 2).rows] == [["left", "right"], ["below"]]


spans = st.integers(1, 4)
rows_of_cells = st.lists(
    st.lists(st.builds(Cell, st.text("ab", max_size=1), st.just(0), st.just(0), spans, spans), max_size=5),
    max_size=6,
)


@given(rows_of_cells)
def test_no_slot_holds_two_cells_and_no_cell_is_lost(rows: list[list[Cell]]) -> None:
    cells, n_rows, n_columns = place(rows)
    covered = Counter(
        (row, column)
        for cell in cells
        for row in range(cell.row, cell.end_row)
        for column in range(cell.column, cell.end_column)
    )
    assert all(count == 1 for count in covered.values())
    assert all(row < n_rows and column < n_columns for row, column in covered)
    assert [cell.text for cell in cells] == [cell.text for row in rows for cell in row]


@given(rows_of_cells, st.integers(0, 30))
def test_a_cut_grid_is_the_beginning_of_the_whole_one(rows: list[list[Cell]], max_slots: int) -> None:
    whole, _, _ = place(rows)
    cut, n_rows, n_columns = place(rows, max_slots)
    assert n_rows * n_columns <= max_slots
    assert [(c.text, c.row, c.column) for c in cut] == [
        (c.text, c.row, c.column) for c in whole if c.row < n_rows
    ]
    assert all(cell.end_row <= n_rows for cell in cut)
