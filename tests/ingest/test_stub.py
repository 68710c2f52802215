"""Which columns hold row headers."""

from qa_core.ingest.clean import clean
from qa_core.ingest.grid import Grid
from qa_core.ingest.header_rows import find_header_rows
from qa_core.ingest.stub import find_stub
from tests.ingest.drawings import cleaned, only_grid


def stub(grid: Grid) -> tuple[int, ...]:
    found = find_header_rows(grid)
    return find_stub(grid, found.header, found.left_out)


def test_the_first_column() -> None:
    assert stub(cleaned(" | 2024 | 2023", "Cash | 5 | 4", "Debt | 7 | 8").grid) == (0,)


def test_years_down_the_side_are_row_headers() -> None:
    assert stub(cleaned("Year | Amount", "2025 | 5", "2026 | 4").grid) == (0,)


def test_a_table_without_labels_has_none() -> None:
    assert stub(cleaned("2024 | 2023", "5 | 4", "7 | 8").grid) == ()


def test_two_lists_side_by_side_have_none() -> None:
    assert (
        stub(cleaned("**Winners** | **Hosts**", "Ann Example | Tom Sample", "Eve Sample | Jim Example").grid)
        == ()
    )


def test_one_column_has_none() -> None:
    assert stub(cleaned("Name", "Ann").grid) == ()


def test_two_levels_by_row_spans() -> None:
    made = only_grid(
        "<table><tr><td>Region<td>Product<td>2024<tr><td rowspan=2>North<td>Bikes<td>5<tr><td>Cars<td>6"
        "<tr><td rowspan=2>South<td>Bikes<td>7<tr><td>Cars<td>8</table>"
    )
    assert stub(clean(made).grid) == (0, 1)


def test_two_levels_by_blanks() -> None:
    rows = ["Region | Product | 2024", "North | Bikes | 5", " | Cars | 6", "South | Bikes | 7", " | Cars | 8"]
    assert stub(cleaned(*rows).grid) == (0, 1)


def test_a_column_of_texts_beside_the_labels_is_body() -> None:
    rows = ["Name | Position | Age", "Ann | Director | 50", "Tom | Secretary | 61"]
    assert stub(cleaned(*rows).grid) == (0,)


def test_the_page_declares_two_levels() -> None:
    made = only_grid(
        "<table><tr><td><td><th>2024<tr><th scope=rowgroup>North<th scope=row>Bikes<td>5"
        "<tr><th scope=rowgroup>South<th scope=row>Cars<td>6</table>"
    )
    assert stub(clean(made).grid) == (0, 1)


def test_no_rows() -> None:
    assert stub(cleaned().grid) == ()
