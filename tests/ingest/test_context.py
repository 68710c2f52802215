"""What stands above a table: the line that introduces it, its units, and its headings."""

import pytest

from qa_core.ingest.context import MAX_TITLE, Block, Context, context_above, contexts, is_units, units_in


def above(*blocks: Block | str) -> Context:
    return context_above([b if isinstance(b, Block) else Block(b) for b in blocks], ("Item 8.",))


def test_the_nearest_line_of_its_own_is_the_title() -> None:
    assert above("Some text before it.", "Net Sales by Region").title == "Net Sales by Region"


def test_of_a_paragraph_the_sentence_that_points_to_the_table_is_the_title() -> None:
    paragraph = (
        "We lease aircraft, facilities and equipment under many operating leases, and expect to do so for "
        "many years to come, as we have done. "
        "Future minimum payments were as follows at December 31, 2024 (in millions): "
    )
    assert above("Leases", paragraph.strip()) == Context(
        "Future minimum payments were as follows at December 31, 2024 (in millions):",
        "(in millions)",
        ("Item 8.",),
    )


def test_of_a_short_paragraph_that_ends_in_a_colon_the_last_sentence_is_the_title() -> None:
    text = "We lease ships. The future minimum payments under our leases are as follows:"
    assert above(text).title == "The future minimum payments under our leases are as follows:"


def test_a_last_sentence_that_says_too_little_alone_keeps_the_one_before_it() -> None:
    text = "We lease ships to other lines under long leases. Payments are as follows:"
    assert above(text).title == text


def test_a_title_without_end_is_cut_at_a_word() -> None:
    title = above(f"The components of {'net periodic benefit ' * 20}cost were as follows:").title
    assert len(title) <= MAX_TITLE
    assert title.endswith((" net…", " periodic…", " benefit…"))


def test_a_remark_of_units_below_the_title_joins_it() -> None:
    assert above("Consolidated Balance Sheets", "(In thousands, except par value)") == Context(
        "Consolidated Balance Sheets (In thousands, except par value)",
        "(In thousands, except par value)",
        ("Item 8.",),
    )


@pytest.mark.parametrize(
    "furniture",
    [
        "42",
        "- 42 -",
        "Page 42",
        "F-12",
        "Table of Contents",
        "(Continued)",
        "See accompanying notes to it.",
        "10-K | 42",
    ],
)
def test_page_furniture_is_skipped(furniture: str) -> None:
    assert above("Net Sales by Region", furniture).title == "Net Sales by Region"


def test_a_footnote_of_the_table_above_is_skipped() -> None:
    assert above("Net Sales by Region", "(1) Includes amounts that were reclassified.").title == (
        "Net Sales by Region"
    )


def test_a_paragraph_that_does_not_point_leaves_the_heading_as_title() -> None:
    assert above("Net Sales by Region", "Sales rose. " * 20).title == "Item 8."


def test_nothing_above_leaves_the_heading_or_nothing() -> None:
    assert above() == Context("Item 8.", "", ("Item 8.",))
    assert context_above([], ()) == Context()


@pytest.mark.parametrize(
    "text",
    [
        "(In millions)",
        "(in thousands, except per share data)",
        "In millions, except percentages",
        "(Dollars in thousands)",
        "Amounts in USD millions",
        "(unaudited)",
        "(U.S. dollars in millions)",
        "(in billions)",
        "$ in millions",
    ],
)
def test_units(text: str) -> None:
    assert is_units(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Shares",
        "Weighted average shares",
        "12",
        "Percent",
        "(1)",
        "Revenue (in millions)",
        "Dividends paid in shares",
    ],
)
def test_no_units(text: str) -> None:
    assert not is_units(text)


def test_units_in_a_text() -> None:
    assert units_in("Revenue by Segment (see Note 3) (In millions)") == "(In millions)"
    assert units_in("Revenue (see Note 3)") == ""


def test_headings_open_and_close_by_rank() -> None:
    found = contexts(
        [
            Block("PART II", bold=True),
            Block("Item 7. Discussion", bold=True),
            Block("Results", emphasised=True),
            0,
            Block("Item 8. Statements", bold=True),
            Block("Note 2 – Leases", bold=True),
            Block("Maturities", emphasised=True),
            1,
            Block("9. Debt", bold=True),
            2,
        ]
    )
    assert [found[index].headings for index in range(3)] == [
        ("PART II", "Item 7. Discussion", "Results"),
        ("PART II", "Item 8. Statements", "Note 2 – Leases", "Maturities"),
        ("PART II", "Item 8. Statements", "9. Debt"),
    ]


def test_headings_of_a_web_page() -> None:
    found = contexts([Block("Rivers", level=1), Block("Europe", level=2), 0, Block("Asia", level=2), 1])
    assert [found[index].headings for index in range(2)] == [("Rivers", "Europe"), ("Rivers", "Asia")]


def test_a_line_that_comes_on_each_page_is_no_title() -> None:
    parts: list[Block | int] = []
    for index in range(8):
        parts += [
            Block(f"Sales in year {'abcdefgh'[index]}"),
            Block(f"Example Corp. 10-K {index}", bold=True),
            index,
        ]
    found = contexts(parts)
    assert found[0] == Context("Sales in year a")
    assert found[7] == Context("Sales in year h")
