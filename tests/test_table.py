import pytest

from qa_core.table import Location, Table, join_path, leaf
from tests.tables import ALL, AMAZON, FUEL, HEADERS_ONLY, ROLL_FORWARD, SURPLUS


def test_surplus_headers_widen_the_table_and_are_said() -> None:
    assert (SURPLUS.n_rows, SURPLUS.n_columns) == (4, 3)
    assert SURPLUS.body[3] == ("", "", "")
    assert SURPLUS.cell(0, 2) == ""
    assert SURPLUS.warnings == (
        "4 row headers for 3 rows: the surplus headers have no cells.",
        "1 whole row header path repeats.",
        "3 column headers for 2 columns: the surplus headers have no cells.",
    )


def test_ragged_rows_read_as_empty_and_are_said() -> None:
    table = Table("ragged", (("a",), ("b",)), (), (("1",), ("1", "2", "3")))
    assert table.body == (("1", "", ""), ("1", "2", "3"))
    assert table.column_path(2) == ()
    assert table.warnings == (
        "Body rows differ in length (1 to 3); missing cells are shown empty.",
        "The table has no row headers.",
        "2 column headers for 3 columns: the last columns have no header.",
    )


def test_headers_without_rows() -> None:
    assert (HEADERS_ONLY.n_rows, HEADERS_ONLY.n_columns) == (0, 2)
    assert HEADERS_ONLY.body == ()
    assert HEADERS_ONLY.warnings == ("The table has headers but no body rows.",)


def test_a_regular_table_has_no_warnings() -> None:
    assert AMAZON.warnings == ()
    assert ROLL_FORWARD.warnings == ()


def test_a_cell_outside_is_an_error_not_the_last_cell() -> None:
    with pytest.raises(IndexError):
        AMAZON.cell(-1, 0)
    with pytest.raises(IndexError):
        AMAZON.cell(0, 2)


def test_text_at_cells_and_headers() -> None:
    assert AMAZON.text_at(Location(2, 1)) == "107,556"
    assert AMAZON.text_at(Location(2, None)) == "Net sales"
    assert AMAZON.text_at(Location(None, 1)) == "2024"
    assert FUEL.text_at(Location(0, None)) == ""


def test_locations_in_and_outside() -> None:
    assert Location(3, 1) in AMAZON
    assert Location(4, 1) not in AMAZON
    assert Location(None, 1) in AMAZON
    assert Location(None, 2) not in AMAZON
    with pytest.raises(ValueError, match="needs a row"):
        Location(None, None)


def test_leaf_and_joined_path_pass_over_blank_levels() -> None:
    assert leaf(("Quarter Ended", "March 31", "")) == "March 31"
    assert leaf(("", " ")) == ""
    assert join_path(("", "Fiscal", "", "2024")) == "Fiscal 2024"


def test_fingerprint_depends_on_what_the_table_says_only() -> None:
    renamed = Table("other", AMAZON.column_paths, AMAZON.row_paths, AMAZON.cells)
    assert renamed.fingerprint == AMAZON.fingerprint
    assert len({table.fingerprint for table in ALL}) == len(ALL)
