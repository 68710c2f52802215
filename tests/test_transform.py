import pytest
from hypothesis import given

from qa_core.errors import CrossheadError
from qa_core.table import Location, Table, join_path
from qa_core.transform import TRANSFORMATIONS, flatten
from tests.strategies import tables
from tests.tables import AMAZON, FUEL, HEADERS_ONLY, SURPLUS


def test_base_puts_row_headers_into_a_first_column_under_a_dummy_header() -> None:
    flat = flatten(AMAZON, "base")
    assert flat.header == ("", "Year Ended December 31, 2023", "Year Ended December 31, 2024")
    assert flat.cells[2] == ("AWS Net sales", "90,757", "107,556")
    assert flat.origin(2, 2) == Location(2, 1)
    assert flat.origin(2, 0) == Location(2, None)


def test_transpose_all_exchanges_rows_and_columns() -> None:
    flat = flatten(AMAZON, "transpose-all")
    assert flat.header == (
        "",
        "North America Net sales",
        "North America Operating income",
        "AWS Net sales",
        "AWS Operating income",
    )
    assert flat.cells == (
        ("Year Ended December 31, 2023", "$352,828", "14,877", "90,757", "24,631"),
        ("Year Ended December 31, 2024", "$387,497", "24,967", "107,556", "39,834"),
    )
    assert flat.origin(1, 3) == Location(2, 1)
    assert flat.origin(1, 0) == Location(None, 1)


def test_transpose_partial_looks_at_the_characters_of_the_headers() -> None:
    assert flatten(AMAZON, "transpose-partial").transposed
    assert not flatten(FUEL, "transpose-partial").transposed
    equal = Table("equal", (("ab",),), (("ab",),), (("1",),))
    assert not flatten(equal, "transpose-partial").transposed


def test_a_table_without_row_headers_has_no_stub_and_transposes_to_blank_headers() -> None:
    assert flatten(FUEL, "base").header == (
        "Year",
        "Gallons Consumed (in millions)",
        "Average Price Per Gallon",
    )
    flat = flatten(FUEL, "transpose-all")
    assert flat.header == ("", "", "")
    assert flat.cells[0] == ("Year", "2018", "2017")


def test_surplus_headers_stay() -> None:
    assert flatten(SURPLUS, "base").cells[3] == ("See note", "", "", "")
    assert flatten(SURPLUS, "transpose-all").cells[2] == ("2", "", "", "", "")


def test_headers_without_rows() -> None:
    assert flatten(HEADERS_ONLY, "base").cells == ()
    assert flatten(HEADERS_ONLY, "transpose-all").cells == (("2018",), ("2017",))


def test_an_unknown_transformation_names_the_known_ones() -> None:
    with pytest.raises(CrossheadError, match="base, transpose-all, transpose-partial"):
        flatten(AMAZON, "rotate")


@given(tables())
def test_every_flat_cell_knows_where_it_came_from(table: Table) -> None:
    for name in TRANSFORMATIONS:
        flat = flatten(table, name)
        assert len(flat.cells) == flat.n_rows
        assert all(len(row) == flat.n_columns == len(flat.header) for row in flat.cells)
        for row, cells in enumerate(flat.cells):
            for column, text in enumerate(cells):
                location = flat.origin(row, column)
                assert location in table
                assert flat.place(location) == (row, column)
                if location.row is None:
                    assert text == join_path(table.column_path(location.column or 0))
                elif location.column is None:
                    assert text == join_path(table.row_path(location.row))
                else:
                    assert text == table.text_at(location)


@given(tables())
def test_every_body_cell_is_in_every_flat_table(table: Table) -> None:
    for name in TRANSFORMATIONS:
        flat = flatten(table, name)
        places = {flat.place(location) for location in table.locations()}
        assert None not in places
        assert len(places) == table.n_rows * table.n_columns
