"""What the text of a cell is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qa_core.ingest import tokens


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("5,813", 5813),
        ("$5,813", 5813),
        ("$ 5,813", 5813),
        ("(300)", -300),
        ("$(2,847)", -2847),
        ("($2,847)", -2847),
        ("(2.4) pts", -2.4),
        ("(2.4)pts", -2.4),
        ("(12)%", -12),
        ("(12%)", -12),
        ("12.5%", 12.5),
        ("-7", -7),
        ("−7", -7),
        ("–7", -7),
        ("+7", 7),
        ("0.03", 0.03),
        ("1 234,5", 12345),
        ("€1,200", 1200),
        ("1,200 €", 1200),
        ("US$ 4.1", 4.1),
        ("1.2x", 1.2),
        ("14.9¢", 14.9),
        ("12 (a)", 12),
        ("12 [3]", 12),
        ("12*", 12),
        ("—", 0),
        ("$ —", 0),
        ("$—", 0),
        ("- %", 0),
        ("(—)", 0),
        ("...", 0),
        ("100.0", 100),
        ("1.5 pp", 1.5),
        ("~40", 40),
    ],
)
def test_a_number_as_filings_write_it(text: str, value: float) -> None:
    assert tokens.number_value(text) == pytest.approx(value)
    assert tokens.is_value(text)


@pytest.mark.parametrize(
    "text", ["", "$", "(", ")", "%", "Total", "12 months", "10/30/2024", "Q1", "(a)", "2024 Notes", "1-for-4"]
)
def test_no_number(text: str) -> None:
    assert tokens.number_value(text) is None


@pytest.mark.parametrize("text", ["N/A", "n/a", "NM", "n.m.", "nil", "None", "Not meaningful", "*"])
def test_words_that_stand_for_no_number(text: str) -> None:
    assert tokens.is_value(text)
    assert tokens.number_value(text) is None


@pytest.mark.parametrize("text", ["(12", "$(2,847", "(0.03"])
def test_a_number_whose_bracket_is_still_open(text: str) -> None:
    assert tokens.is_open_number(text)
    assert not tokens.is_open_number(text + ")")


@pytest.mark.parametrize(
    "text",
    [
        "2024",
        "1899",
        "Fiscal 2024",
        "FY2024",
        "FY 2024",
        "2008–09",
        "2023-2024",
        "2025E",
        "2024 (a)",
        "'2024",
    ],
)
def test_years(text: str) -> None:
    assert tokens.is_year(text)
    assert tokens.is_period(text)


@pytest.mark.parametrize("text", ["", "1,999", "999", "2200", "20245", "2024.5", "$2024", "(2024)"])
def test_no_years(text: str) -> None:
    assert not tokens.is_year(text)


@pytest.mark.parametrize(
    "text",
    [
        *(
            "December 31, 2024",
            "Dec. 31, 2024",
            "June 30,",
            "Year Ended September 28, 2024",
            "As of May 3, 2024",
        ),
        *(
            "31 December 2024",
            "1st May 2020",
            "Sep 2023",
            "Sept. 2023",
            "March '24",
            "10/30/2024",
            "2024-10-30",
        ),
    ],
)
def test_dates(text: str) -> None:
    assert tokens.is_date(text)
    assert tokens.is_period(text)


@pytest.mark.parametrize("text", ["", "Maybe 5", "10.5", "Marching 12 miles", "12,30", "24/7"])
def test_no_dates(text: str) -> None:
    assert not tokens.is_date(text)


@pytest.mark.parametrize(
    "text",
    [
        "Three Months Ended",
        "Q1",
        "1Q 2024",
        "Fiscal Year",
        "Year Ended December 31,",
        "First Quarter",
        "Total 2024 fiscal",
        "July",
    ],
)
def test_periods(text: str) -> None:
    assert tokens.is_period(text)


@pytest.mark.parametrize("text", ["", "Total", "Net sales", "% Change", "12", "Monthly"])
def test_no_periods(text: str) -> None:
    assert not tokens.is_period(text)


@pytest.mark.parametrize("text", ["$", "(", "$(", "($", "€", "US$", "£ ("])
def test_signs_of_the_number_on_the_right(text: str) -> None:
    assert tokens.is_prefix(text)
    assert not tokens.is_suffix(text)


@pytest.mark.parametrize(
    "text", [")", "%", ")%", ") %", "%)", "pts", "pts.", ")pts", ") pts", "x", "bps", "¢"]
)
def test_signs_of_the_number_on_the_left(text: str) -> None:
    assert tokens.is_suffix(text)
    assert not tokens.is_prefix(text)


@pytest.mark.parametrize(
    "text", ["(1)", "(a)", "[a]", "[12]", "*", "**", "†", "1)", "(1)(2)", "(1), (2)", "(a) (b)"]
)
def test_footnote_marks(text: str) -> None:
    assert tokens.is_mark(text)


@pytest.mark.parametrize("text", ["", "1", "a", "(123)", "(1.5)", "()", "(one)"])
def test_no_footnote_marks(text: str) -> None:
    assert not tokens.is_mark(text)


@given(st.text(st.sampled_from("0123456789,.() $%-—x*a[]'"), max_size=60))
def test_any_text_is_looked_at(text: str) -> None:
    value = tokens.number_value(text)
    assert value is None or tokens.is_value(text)
    assert not tokens.is_open_number(text) or tokens.number_value(text + ")") is not None


@pytest.mark.parametrize("unit", ["1", "1,", "(", "1 ", "Jan ", "fiscal ", "(a", "$", "-", "a"])
def test_a_long_text_is_looked_at_in_little_time(unit: str) -> None:
    text = unit * (100_000 // len(unit))
    for look in (
        tokens.is_number,
        tokens.is_value,
        tokens.is_year,
        tokens.is_date,
        tokens.is_period,
        tokens.is_mark,
        tokens.is_prefix,
        tokens.is_suffix,
    ):
        assert not look(text)
