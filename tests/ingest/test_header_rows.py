"""Which rows of a clean grid head columns, those in the middle among them."""

import pytest

from qa_core.ingest.header_rows import find_header_rows, spread_spanners
from tests.ingest.drawings import cleaned, only_grid


def header_rows(*rows: str) -> list[int]:
    return sorted(find_header_rows(cleaned(*rows).grid).header)


def test_years_above_figures() -> None:
    assert header_rows(" | 2024 | 2023", "Net sales | 10 | 9", "Net income | 2 | 1") == [0]


def test_the_stubhead_may_have_a_label() -> None:
    assert header_rows("Segment | 2024 | 2023", "North | 10 | 9", "South | 2 | 1") == [0]


@pytest.mark.parametrize("depth", [1, 2, 3, 4])
def test_header_rows_of_several_levels(depth: int) -> None:
    rows = [
        " | Year Ended December 31, | < | < | <",
        " | 2024 | < | 2023 | <",
        " | Gross | Net | Gross | Net",
        " | (In millions) | < | < | <",
    ]
    assert header_rows(*rows[4 - depth :], "North | 10 | 9 | 8 | 7", "South | 2 | 1 | 3 | 4") == list(
        range(depth)
    )


def test_header_words_wrapped_over_rows() -> None:
    assert header_rows(
        " | Carrying | Fair", " | Amount | Value", "Notes due 2027 | 10 | 9", "Notes due 2030 | 2 | 1"
    ) == [0, 1]


def test_a_first_row_of_figures_is_no_header_though_its_label_is_a_date() -> None:
    assert header_rows("10/30/2024 | 12.5 | 13.1", "10/31/2024 | 12.6 | 13.0") == []
    assert header_rows("Date | Low | High", "10/30/2024 | 12.5 | 13.1", "10/31/2024 | 12.6 | 13.0") == [0]


def test_years_in_the_body_are_no_headers() -> None:
    assert header_rows("Maturity | Amount", "2025 | 10", "2026 | 12", "Thereafter | 7") == [0]


def test_figures_right_away_have_no_header() -> None:
    assert header_rows("Cash | 10 | 9", "Debt | 2 | 1") == []


def test_only_texts_with_nothing_to_tell_them_apart() -> None:
    assert header_rows("Name | Position", "A. Example | Director", "B. Example | Secretary") == [0]


def test_a_title_across_the_table_is_left_out() -> None:
    found = find_header_rows(
        cleaned("Net Sales by Region | < | <", " | 2024 | 2023", "North | 10 | 9", "South | 2 | 1").grid
    )
    assert (found.header, found.left_out) == ({1}, {0})


def test_units_across_the_table_are_left_out_or_a_level() -> None:
    found = find_header_rows(
        cleaned("(In millions) | < | <", " | 2024 | 2023", "North | 10 | 9", "South | 2 | 1").grid
    )
    assert (found.header, found.left_out) == ({1}, {0})


def test_a_crosshead_that_shares_its_row_with_the_units() -> None:
    found = find_header_rows(
        cleaned(
            " | 2024 | 2023",
            "Revenue by End Market: | (In millions) | <",
            "  Retail | $10 | $9",
            "  Industrial | 2 | 1",
        ).grid
    )
    assert (found.header, found.crossheads) == ({0, 1}, {1})


def test_a_row_of_units_with_its_own_label_is_no_crosshead() -> None:
    found = find_header_rows(
        cleaned(" | 2024 | 2023", "December 31: | (In millions) | <", "Retail | $10 | $9").grid
    )
    assert found.crossheads == set()


def test_a_section_with_new_headers_in_the_middle() -> None:
    assert header_rows(
        " | 2024 | 2023",
        "Net sales | 10 | 9",
        "Net income | 2 | 1",
        " | June 30, 2024 | June 30, 2023",
        "Total assets | 50 | 45",
    ) == [0, 3]


def test_a_header_that_is_repeated_on_the_next_page() -> None:
    assert header_rows(
        "Fund | Manager | Since",
        "Alpha | A. Example | 2001",
        "Beta | B. Example | 2002",
        "Fund | Manager | Since",
        "Gamma | C. Example | 2003",
    ) == [0, 3]


def test_a_bold_row_above_plain_ones() -> None:
    assert header_rows(
        "**Name** | **Age** | **Position**", "A. Example | 50 | Director", "B. Example | 61 | Secretary"
    ) == [0]


def test_a_line_above_years_names_the_stub() -> None:
    assert header_rows(
        " | Operating leases | Finance leases", "Year ending December 31, | |", "2025 | 5 | 1", "2026 | 4 | 1"
    ) == [0, 1]


def test_a_page_that_declares_its_headers_is_believed() -> None:
    made = only_grid("<table><thead><tr><td>2001<td>12</thead><tr><td>2002<td>13<tr><td>2003<td>14</table>")
    assert find_header_rows(made).header == {0}


def test_a_row_span_from_a_header_makes_the_row_below_a_header() -> None:
    made = only_grid(
        "<table><tr><th>Year<th rowspan=2>Film<th colspan=2>Grossed<tr><th><th>US<th>World"
        "<tr><td>1999<td>A<td>5<td>9<tr><td>2001<td>B<td>4<td>7</table>"
    )
    assert find_header_rows(made).header == {0, 1}


def test_no_rows() -> None:
    assert find_header_rows(cleaned().grid).header == set()


def test_a_spanner_reaches_over_the_column_beside_its_own_where_blocks_repeat() -> None:
    made = cleaned(
        " | Three Months Ended | < | | Six Months Ended | < | ",
        " | 2024 | 2023 | $ Change | 2024 | 2023 | $ Change",
        "Sales | 10 | 9 | 1 | 20 | 18 | 2",
    ).grid
    held = spread_spanners(made, [0, 1], (0,))
    assert [held[0][column].text for column in range(1, 7)] == ["Three Months Ended"] * 3 + [
        "Six Months Ended"
    ] * 3


def test_a_spanner_does_not_reach_where_blocks_differ() -> None:
    made = cleaned(
        " | Year Ended | < | | Assets | <",
        " | 2024 | 2023 | Growth | 2024 | 2023",
        "Sales | 10 | 9 | 1 | 20 | 18",
    ).grid
    assert 3 not in spread_spanners(made, [0, 1], (0,))[0]
