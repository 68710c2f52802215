"""Numbers as a spreadsheet shows them. Expected texts are those of Excel with United States settings."""

from datetime import date, datetime, time, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qa_core.ingest.number_format import display

ACCOUNTING = '_("$"* #,##0.00_);_("$"* \\(#,##0.00\\);_("$"* "-"??_);_(@_)'
SCALED = '[>=1000000]0.0,,"M";[>=1000]0.0,"K";0'


@pytest.mark.parametrize(
    ("value", "number_format", "shown"),
    [
        (1234.5, "General", "1234.5"),
        (0.1 + 0.2, "General", "0.3"),
        (123456789012, "General", "1.23457E+11"),
        (0.00001, "General", "1E-05"),
        (5.0, "General", "5"),
        (1234.5, 'General" USD"', "1234.5 USD"),
        (2.5, "0", "3"),
        (1.005, "0.00", "1.01"),
        (-0.3, "0", "0"),
        (7, "00000", "00007"),
        (1234567.891, "#,##0.0##", "1,234,567.891"),
        (12, "000,000", "000,012"),
        (0, "#,###", ""),
        (0.5, "#.##", ".5"),
        (1e15, "0", "1000000000000000"),
        (5551234567, "(000) 000-0000", "(555) 123-4567"),
        (0.125, "0.0%", "12.5%"),
        (-0.05, "0.0%_);(0.0%)", "(5.0%)"),
        (-1234, "#,##0_);(#,##0)", "(1,234)"),
        (1234, "#,##0_);(#,##0)", "1,234"),
        (-2847, '"$"#,##0_);[Red]("$"#,##0)', "($2,847)"),
        (1234.5, ACCOUNTING, "$1,234.50"),
        (-1234.5, ACCOUNTING, "$(1,234.50)"),
        (0, ACCOUNTING, "$-"),
        (12.5, "[$€-407] #,##0.00", "€ 12.50"),
        (12.5, "#,##0.00\\ [$€-1]", "12.50 €"),
        (1234567, "#,##0,", "1,235"),
        (1234567, SCALED, "1.2M"),
        (1500, SCALED, "1.5K"),
        (7, SCALED, "7"),
        (0, '"Yes";"Yes";"No"', "No"),
        (3.14159, "0.00E+00", "3.14E+00"),
        (123456, "##0.0E+0", "123.5E+3"),
        (9.95, "0.0E+0", "1.0E+1"),
        (1.5, "# ?/?", "1 1/2"),
        (0.375, "# ?/8", "3/8"),
        (2, "# ??/??", "2"),
        (-0.75, "# ?/?", "-3/4"),
        (12.4, '0.0"x"', "12.4x"),
        (45292, "m/d/yyyy", "1/1/2024"),
        (45292, "mmm-yy", "Jan-24"),
        (45292, "mmmm d, yyyy", "January 1, 2024"),
        (45292, "[$-409]d\\-mmm\\-yy;@", "1-Jan-24"),
        (45292.75, "yyyy-mm-dd hh:mm", "2024-01-01 18:00"),
        (45292.75, "h:mm AM/PM", "6:00 PM"),
        (45291.999999, "yyyy-mm-dd h:mm:ss", "2024-01-01 0:00:00"),
        (59, "d-mmm-yyyy", "28-Feb-1900"),
        (61, "d-mmm-yyyy", "1-Mar-1900"),
        (1.5, "[h]:mm:ss", "36:00:00"),
        (0.5, "mm:ss.0", "00:00.0"),
        (date(2024, 2, 29), "d mmmm yyyy", "29 February 2024"),
        (datetime(2024, 2, 29, 13, 5), "m/d/yy h:mm", "2/29/24 13:05"),
        (time(13, 5), "h:mm", "13:05"),
        (timedelta(hours=30), "[h]:mm", "30:00"),
        (True, "0", "TRUE"),
        ("Total", "@", "Total"),
        ("Total", ACCOUNTING, "Total"),
        ("Total", '"Sum: "@', "Sum: Total"),
        (None, "0", ""),
    ],
)
def test_values_are_shown_by_their_format(value: object, number_format: str, shown: str) -> None:
    assert display(value, number_format) == shown


def test_a_minus_told_by_colour_alone_becomes_a_sign() -> None:
    assert display(-5, "#,##0;[Red]#,##0") == "-5"
    assert display(-5, "#,##0;[Red]-#,##0") == "-5"
    assert display(-5, "0;0") == "5", "without colour the format says that the sign does not matter"


def test_a_format_may_hide_everything() -> None:
    assert display(5, ";;;") == display("secret", ";;;") == ""


def test_dates_count_from_1904_where_the_workbook_says_so() -> None:
    assert display(0, "yyyy-mm-dd", date_1904=True) == "1904-01-01"


@given(st.integers(-(10**14), 10**14))
def test_thousands_are_parted_as_everywhere(number: int) -> None:
    assert display(number, "#,##0") == f"{number:,}"


@given(
    st.one_of(st.integers(), st.floats(), st.text(max_size=5)),
    st.text('0#?.,%E+-/_*[]$ydmhs@;"\\ AP<>=1', max_size=20),
)
def test_any_format_gives_some_text(value: object, number_format: str) -> None:
    assert isinstance(display(value, number_format), str)
