"""From the grid that a document draws to one with a column for each column of figures."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qa_core.ingest.clean import clean
from qa_core.ingest.grid import Cell, Grid, place
from tests.ingest.drawings import cleaned, grid, texts


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ("Net loss | $ | (12 | )", ["Net loss", "$(12)"]),
        ("Net loss | $( | 12 | )", ["Net loss", "$(12)"]),
        ("Net loss | $ | ( | 12 | )", ["Net loss", "$(12)"]),
        ("Net loss | ( | 12 | )", ["Net loss", "(12)"]),
        ("Net loss | $ | (2,847 | ) | ", ["Net loss", "$(2,847)"]),
        ("Margin | 12.5 | %", ["Margin", "12.5%"]),
        ("Margin | (12.5 | )%", ["Margin", "(12.5)%"]),
        ("Margin | (12.5 | ) | %", ["Margin", "(12.5)%"]),
        ("Load factor | (2.4 | ) pts", ["Load factor", "(2.4) pts"]),
        ("Load factor | 2.4 | pts", ["Load factor", "2.4 pts"]),
        ("Coverage | 1.5 | x", ["Coverage", "1.5x"]),
        ("Cash | $ | — | ", ["Cash", "$—"]),
        ("Cash | $ | 5,813 | | $ | 4,021 | ", ["Cash", "$5,813", "$4,021"]),
        # A sign too far from a number is left as it is.
        ("Cash | $ | | | 5,813", ["Cash", "$", "5,813"]),
        # A word is no number.
        ("Cost | $ | per share", ["Cost", "$", "per share"]),
        ("Method | high | x", ["Method", "high", "x"]),
    ],
)
def test_signs_in_cells_of_their_own_join_their_number(row: str, expected: list[str]) -> None:
    assert texts(cleaned(row).grid) == [expected]


def test_footnote_marks_in_a_column_of_their_own_join_the_cell_on_their_left() -> None:
    made = cleaned("Revenue | 10 | (1) | 12 | ", "Costs | 4 | | 5 | (2)", "Other | 3 | (2)(3) | 2 | ")
    assert texts(made.grid) == [
        ["Revenue", "10 (1)", "12"],
        ["Costs", "4", "5 (2)"],
        ["Other", "3 (2)(3)", "2"],
    ]
    assert made.steps[0] == "merged footnote marks into the cell before them, 3 cells"


def test_minus_one_is_a_number_where_its_column_holds_numbers() -> None:
    assert texts(cleaned("Revenue | 10 | (1)", "Costs | 4 | (12)", "Other | 3 | 5").grid) == [
        ["Revenue", "10", "(1)"],
        ["Costs", "4", "(12)"],
        ["Other", "3", "5"],
    ]


def test_minus_one_in_cells_of_its_own_is_a_number() -> None:
    assert texts(cleaned("Revenue | 10 | | (1 | )", "Costs | 4 | | (1 | )").grid) == [
        ["Revenue", "10", "(1)"],
        ["Costs", "4", "(1)"],
    ]


def test_spacer_rows_and_columns_go_and_their_places_are_remembered() -> None:
    made = cleaned("| | |", "Cash | | $ | 5 |", "| | | |", "Debt | | | 7 |")
    assert texts(made.grid) == [["Cash", "$5"], ["Debt", "7"]]
    assert made.row_origin == (1, 3)
    assert made.column_origin == ((0, 1), (2, 4))
    assert made.steps == (
        "merged $ into the number, 1 cell",
        "dropped 2 empty rows",
        "drew 5 columns together to 2",
    )


def test_a_spanner_stands_over_its_columns_alone() -> None:
    made = cleaned(
        "| | Year Ended | < | < | < | < | |  | Change",
        "| | 2024 | < | | 2023 | < | | | ",
        "Cash | | $ | 5 | | $ | 4 | | | 25 | %",
    )
    assert [[(cell.text, cell.column, cell.columns) for cell in row] for row in made.grid.rows] == [
        [("Year Ended", 1, 2), ("Change", 3, 1)],
        [("2024", 1, 1), ("2023", 2, 1)],
        [("Cash", 0, 1), ("$5", 1, 1), ("$4", 2, 1), ("25%", 3, 1)],
    ]


def test_a_header_that_is_wider_than_its_figures_makes_no_column() -> None:
    made = cleaned("| 2024 | < | < | 2023 | < | <", "Cash | | 5 | | | 4 | ", "Debt | | 7 | | | 8 |")
    assert texts(made.grid) == [["2024", "2023"], ["Cash", "5", "4"], ["Debt", "7", "8"]]
    assert [cell.column for cell in made.grid.rows[0]] == [1, 2]


def test_a_row_span_over_a_spacer_row_shrinks_with_it() -> None:
    placed, n_rows, n_columns = place(
        [
            [Cell("North", 0, 0, rows=3), Cell("2023", 0, 0), Cell("1", 0, 0)],
            [Cell("", 0, 0), Cell("", 0, 0)],
            [Cell("2024", 0, 0), Cell("2", 0, 0)],
        ]
    )
    made = clean(Grid(tuple(placed), n_rows, n_columns))
    assert made.grid.n_rows == 2
    assert made.grid.cells[0].rows == 2


def test_the_indentation_of_a_joined_cell_is_that_of_its_first_part() -> None:
    (cell,) = cleaned("   ( | 12 | )").grid.cells
    assert (cell.text, cell.indent) == ("(12)", 15.0)


@pytest.mark.parametrize("rows", [(), ("",), ("|", "|")])
def test_nothing_is_left_of_empty_rows(rows: tuple[str, ...]) -> None:
    made = cleaned(*rows)
    assert (made.grid.n_rows, made.grid.n_columns, made.grid.cells) == (0, 0, ())


def test_a_clean_grid_is_clean() -> None:
    made = cleaned("| 2024 | 2023", "Cash | $5 | $4", "Debt | 7 | 8")
    assert clean(made.grid).grid == made.grid


spans = st.integers(1, 3)
cells = st.builds(
    Cell,
    st.sampled_from(["", "", "a", "Total", "2024", "5", "(1", ")", "$", "%", "(1)", "—", "pts", "x"]),
    st.just(0),
    st.just(0),
    spans,
    spans,
)
grids = (
    st.lists(st.lists(cells, max_size=6), max_size=6).map(place).map(lambda p: Grid(tuple(p[0]), p[1], p[2]))
)


@given(grids)
def test_no_text_is_lost(original: Grid) -> None:
    def letters(of: Grid) -> Counter[str]:
        return Counter("".join(cell.text for cell in of.cells).replace(" ", ""))

    assert letters(clean(original).grid) == letters(original)


@given(grids)
def test_what_is_left_has_a_place_and_an_origin(original: Grid) -> None:
    made = clean(original)
    assert len(made.row_origin) == made.grid.n_rows
    assert len(made.column_origin) == made.grid.n_columns
    covered = Counter(
        (row, column)
        for cell in made.grid.cells
        for row in range(cell.row, cell.end_row)
        for column in range(cell.column, cell.end_column)
    )
    assert all(row < made.grid.n_rows and column < made.grid.n_columns for row, column in covered)
    assert all(start < stop for start, stop in made.column_origin)
    assert all(cell.text for cell in made.grid.cells)


@given(grids)
def test_spacers_change_nothing(original: Grid) -> None:
    spaced = Grid(
        tuple(cell.at(2 * cell.row, cell.column, 2 * cell.rows - 1, cell.columns) for cell in original.cells),
        2 * original.n_rows,
        original.n_columns,
    )
    assert texts(clean(spaced).grid) == texts(clean(original).grid)


def test_without_spans_a_column_of_letters_is_data_and_none_of_signs() -> None:
    """As a CSV file has it; "x" could be a multiple."""
    made = clean(grid("Plan | Price | Chosen", "Basic | 1 | x", "Plus | 2 |", "Pro | 3 | x"))
    assert [cell.text for cell in made.grid.rows[1]] == ["Basic", "1", "x"]


def test_without_spans_signs_in_a_column_of_their_own_are_joined() -> None:
    made = clean(grid("Fuel | $ | 12 | %", "Crew | $ | (7 | )"))
    assert [[cell.text for cell in row] for row in made.grid.rows] == [["Fuel", "$12%"], ["Crew", "$(7)"]]


def test_without_spans_a_sign_among_data_stays_where_it_is() -> None:
    made = clean(grid("Name | Sign | Value", "Dollar | $ | 1", "Plus | + | 2"))
    assert [cell.text for cell in made.grid.rows[1]] == ["Dollar", "$", "1"]


def test_a_column_of_negatives_that_do_not_count_up_is_no_column_of_marks() -> None:
    made = cleaned("Sales | 1,234 | (5)", "Cost | 900 | (3)", "Profit | 334 | (2)")
    assert texts(made.grid) == [["Sales", "1,234", "(5)"], ["Cost", "900", "(3)"], ["Profit", "334", "(2)"]]


def test_a_grid_without_signs_and_spans_loses_its_empty_rows_and_columns_only() -> None:
    made = cleaned(" | Year | | Sales", " | | | ", " | 2024 | | 5")
    assert texts(made.grid) == [["Year", "Sales"], ["2024", "5"]]
    assert made.steps == ("dropped 1 empty row", "drew 4 columns together to 2")
    assert (made.row_origin, made.column_origin) == ((0, 2), ((1, 2), (3, 4)))
