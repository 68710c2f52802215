"""The Table that a grid becomes: exact paths and cells of tables as filings and web pages draw them."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qa_core.ingest.build import build_table
from qa_core.ingest.clean import clean
from qa_core.ingest.grid import Cell, Grid, place
from qa_core.ingest.layout import identify
from qa_core.table import HeaderPath, Table
from tests.ingest.drawings import extraction_of, page, table_of


def content(table: Table) -> tuple[list[HeaderPath], list[HeaderPath], list[list[str]]]:
    return list(table.column_paths), list(table.row_paths), [list(row) for row in table.cells]


def test_a_balance_sheet() -> None:
    table = table_of(
        " | | December 31, | < | < | < | < | <",
        " | | 2024 | < | | 2023 | < | ",
        "Current assets:",
        "   Cash | | $ | 5,813 | | $ | 4,021 | ",
        "   Receivables, net | | | 1,204 | | | 996 | ",
        "      Total current assets | | | 7,017 | | | 5,017 | ",
        "Accumulated deficit | | | (300 | ) | | (12 | )",
        "Commitments and contingencies",
        "Total assets | | $ | 6,717 | | $ | 5,005 | ",
    )
    assert content(table) == (
        [("December 31,", "2024"), ("December 31,", "2023")],
        [
            ("Current assets:", "Cash"),
            ("Current assets:", "Receivables, net"),
            ("Current assets:", "Total current assets"),
            ("Accumulated deficit",),
            ("Commitments and contingencies",),
            ("Total assets",),
        ],
        [
            ["$5,813", "$4,021"],
            ["1,204", "996"],
            ["7,017", "5,017"],
            ["(300)", "(12)"],
            ["", ""],
            ["$6,717", "$5,005"],
        ],
    )


def test_a_repeated_spanner_repeats_in_each_path() -> None:
    table = table_of(
        " | 2024 | < | 2023 | <",
        " | Amount | % | Amount | %",
        "Passenger | $10 | 80% | $9 | 75%",
        "Cargo | 2 | 20% | 3 | 25%",
    )
    assert content(table)[0] == [("2024", "Amount"), ("2024", "%"), ("2023", "Amount"), ("2023", "%")]


def test_a_row_of_units_over_the_columns_is_the_last_level() -> None:
    table = table_of(
        " | Year Ended | < | Change",
        " | 2024 | 2023 | ",
        " | (In millions) | < | (Percent)",
        "Sales | $10 | $9 | 11",
    )
    assert content(table)[0] == [
        ("Year Ended", "2024", "(In millions)"),
        ("Year Ended", "2023", "(In millions)"),
        ("Change", "(Percent)"),
    ]


def test_the_units_cell_beside_a_crosshead() -> None:
    table = table_of(
        " | 2024 | 2023",
        "Revenue by End Market: | (In millions) | <",
        "  Retail | $10 | $9",
        "  Industrial | 2 | 1",
    )
    assert content(table) == (
        [("2024", "(In millions)"), ("2023", "(In millions)")],
        [("Revenue by End Market:", "Retail"), ("Revenue by End Market:", "Industrial")],
        [["$10", "$9"], ["2", "1"]],
    )


def test_a_stubhead_that_comes_again_with_repeated_headers_counts_once() -> None:
    table = table_of(
        "**Member** | **Party** | **Term**",
        "Carroll | Protectionist | 1894",
        "**Member** | **Party** | **Term**",
        "Dacey | Labour | 1895",
    )
    assert table.extra["stubhead"] == [["Member"]]


def test_the_stubhead_belongs_to_no_column() -> None:
    table = table_of("(In millions) | 2024 | 2023", "Sales | 10 | 9", "Costs | 4 | 3")
    assert table.column_paths == (("2024",), ("2023",))
    assert table.extra == {"stubhead": [["(In millions)"]]}


def test_a_date_broken_over_two_rows_is_one_header() -> None:
    table = table_of(" | June 30, | June 30,", " | 2025 | 2024", "Sales | 10 | 9", "Costs | 4 | 3")
    assert table.column_paths == (("June 30, 2025",), ("June 30, 2024",))


def test_a_first_row_of_dates_with_decimals_is_body() -> None:
    table = table_of("10/30/2024 | 12.5 | 13.1", "10/31/2024 | 12.6 | 13.0")
    assert content(table) == (
        [],
        [("10/30/2024",), ("10/31/2024",)],
        [["12.5", "13.1"], ["12.6", "13.0"]],
    )


def test_a_table_without_stub() -> None:
    table = table_of("2024 | 2023", "5 | 4", "7 | 8")
    assert content(table) == ([("2024",), ("2023",)], [], [["5", "4"], ["7", "8"]])


def test_a_section_with_headers_of_its_own_has_columns_of_its_own() -> None:
    table = table_of(
        " | 2024 | 2023",
        "Net sales | 10 | 9",
        "Net income | 2 | 1",
        " | June 30, 2024 | June 30, 2023",
        "Total assets | 50 | 45",
    )
    assert content(table) == (
        [("2024",), ("2023",), ("June 30, 2024",), ("June 30, 2023",)],
        [("Net sales",), ("Net income",), ("Total assets",)],
        [["10", "9", "", ""], ["2", "1", "", ""], ["", "", "50", "45"]],
    )


def test_a_repeated_header_goes_on_with_its_columns() -> None:
    table = table_of(
        "Fund | 2024 | 2023", "Alpha | 10 | 9", "Beta | 4 | 3", "Fund | 2024 | 2023", "Gamma | 7 | 8"
    )
    assert content(table) == (
        [("2024",), ("2023",)],
        [("Alpha",), ("Beta",), ("Gamma",)],
        [["10", "9"], ["4", "3"], ["7", "8"]],
    )


def test_repeated_headers_whose_labels_tell_the_sections_apart_are_crossheads() -> None:
    table = table_of(
        "2024 | First quarter | Second quarter",
        "Revenue | 10 | 9",
        "Net income | 2 | 1",
        "2023 | First quarter | Second quarter",
        "Revenue | 8 | 7",
        "Net income | 1 | 0",
    )
    assert content(table) == (
        [("First quarter",), ("Second quarter",)],
        [("2024", "Revenue"), ("2024", "Net income"), ("2023", "Revenue"), ("2023", "Net income")],
        [["10", "9"], ["2", "1"], ["8", "7"], ["1", "0"]],
    )
    assert table.extra == {}


def test_an_income_statement() -> None:
    table = table_of(
        " | Years Ended September 30, | <",
        " | 2024 | 2023",
        "Net sales:",
        "   Products | $ 294,866 | $ 298,085",
        "   Services | 96,169 | 85,200",
        "      Total net sales | 391,035 | 383,285",
        "Cost of sales:",
        "   Products | 185,233 | 189,282",
        "   Services | 25,119 | 24,855",
        "      Total cost of sales | 210,352 | 214,137",
        "         Gross margin | 180,683 | 169,148",
        "Net income | $ 93,736 | $ 96,995",
        "Earnings per share:",
        "   Basic | $ 6.11 | $ 6.16",
    )
    assert list(table.row_paths) == [
        ("Net sales:", "Products"),
        ("Net sales:", "Services"),
        ("Net sales:", "Total net sales"),
        ("Cost of sales:", "Products"),
        ("Cost of sales:", "Services"),
        ("Cost of sales:", "Total cost of sales"),
        ("Gross margin",),
        ("Net income",),
        ("Earnings per share:", "Basic"),
    ]


def test_a_flat_balance_sheet_in_bold() -> None:
    table = table_of(
        "(In thousands) | 2024 | 2023",
        "**ASSETS**",
        "Current assets",
        "Cash | 5 | 4",
        "Receivables | 7 | 6",
        "**Total current assets** | **12** | **10**",
        "Property | 3 | 2",
        "**Total assets** | **15** | **12**",
        "**LIABILITIES AND EQUITY**",
        "Current liabilities",
        "Payables | 5 | 4",
        "**Total current liabilities** | **5** | **4**",
        "Commitments and contingencies (Note 12)",
        "Stockholders' equity",
        "Common stock | 10 | 8",
        "**Total liabilities and equity** | **15** | **12**",
    )
    assert list(table.row_paths) == [
        ("ASSETS", "Current assets", "Cash"),
        ("ASSETS", "Current assets", "Receivables"),
        ("ASSETS", "Current assets", "Total current assets"),
        ("ASSETS", "Property"),
        ("ASSETS", "Total assets"),
        ("LIABILITIES AND EQUITY", "Current liabilities", "Payables"),
        ("LIABILITIES AND EQUITY", "Current liabilities", "Total current liabilities"),
        ("LIABILITIES AND EQUITY", "Commitments and contingencies (Note 12)"),
        ("LIABILITIES AND EQUITY", "Stockholders' equity", "Common stock"),
        ("LIABILITIES AND EQUITY", "Total liabilities and equity"),
    ]


@pytest.mark.parametrize("blank", ["", "rowspan"])
def test_a_stub_of_two_levels(blank: str) -> None:
    if blank:
        html = (
            "<table><tr><td>Region<td>Product<td>2024<tr><td rowspan=2>North<td>Bikes<td>5<tr><td>Cars<td>6"
            "<tr><td rowspan=2>South<td>Bikes<td>7<tr><td>Cars<td>8</table>"
        )
    else:
        html = page(
            "Region | Product | 2024", "North | Bikes | 5", "| Cars | 6", "South | Bikes | 7", "| Cars | 8"
        )
    table = extraction_of(html).table
    assert content(table) == (
        [("2024",)],
        [("North", "Bikes"), ("North", "Cars"), ("South", "Bikes"), ("South", "Cars")],
        [["5"], ["6"], ["7"], ["8"]],
    )
    assert table.extra["stubhead"] == [["Region"], ["Product"]]


def test_a_cell_over_several_rows_stands_in_each() -> None:
    table = extraction_of(
        "<table><tr><th>Year<th>Film<th>Studio<tr><td>1999<td>A<td rowspan=2>X<tr><td>2001<td>B</table>"
    ).table
    assert content(table) == (
        [("Film",), ("Studio",)],
        [("1999",), ("2001",)],
        [["A", "X"], ["B", "X"]],
    )


def test_full_width_rows_of_a_web_page_are_crossheads() -> None:
    table = extraction_of(
        "<table><tr><th>River<th>Length<tr><th colspan=2>Europe<tr><td>Rhine<td>1,233<tr><td>Volga<td>3,531"
        "<tr><th colspan=2>Asia<tr><td>Ob<td>3,650</table>"
    ).table
    assert content(table) == (
        [("Length",)],
        [("Europe", "Rhine"), ("Europe", "Volga"), ("Asia", "Ob")],
        [["1,233"], ["3,531"], ["3,650"]],
    )


def test_headers_that_cells_name_are_believed() -> None:
    table = extraction_of(
        "<table><tr><td id=r>Region<td id=a>12<td id=b>13"
        "<tr><td id=n headers=r>North<td headers='a n'>1<td headers='b n'>2"
        "<tr><td id=s headers=r>South<td headers='a s'>3<td headers='b s'>4</table>"
    ).table
    assert content(table) == ([("12",), ("13",)], [("North",), ("South",)], [["1", "2"], ["3", "4"]])


def test_a_breakdown_of_a_line_item() -> None:
    table = table_of(
        " | 2024 | 2023", "Revenue | 12 | 10", "   Products | 7 | 6", "   Services | 5 | 4", "Costs | 4 | 3"
    )
    assert content(table)[1] == [("Revenue",), ("Revenue", "Products"), ("Revenue", "Services"), ("Costs",)]


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ((), ([], [], [])),
        (("a",), ([], [], [["a"]])),
        (("a | b",), ([], [("a",)], [["b"]])),
    ],
)
def test_hardly_any_table(rows: tuple[str, ...], expected: object) -> None:
    assert content(table_of(*rows)) == expected


figures = st.integers(100, 999).map(str)
labels = st.sampled_from(
    ["", "Cash", "Total", "Assets:", "(In millions)", "2024", "Year Ended", "North", "(1)", "$"]
)
spans = st.integers(1, 3)
cells = st.builds(
    Cell,
    st.one_of(labels, figures),
    st.just(0),
    st.just(0),
    st.just(1),
    spans,
    bold=st.booleans(),
    indent=st.sampled_from([0.0, 9.0, 18.0]),
    declared=st.sampled_from(["", "", "", "column-header", "row-header", "header"]),
)


@st.composite
def grids(draw: st.DrawFn) -> Grid:
    placed, n_rows, n_columns = place(draw(st.lists(st.lists(cells, max_size=6), max_size=8)))
    return Grid(tuple(placed), n_rows, n_columns)


@given(grids())
def test_each_body_cell_of_one_slot_stands_in_the_table_once(grid: Grid) -> None:
    made = clean(grid)
    layout = identify(made.grid)
    body = Counter(
        cell.text
        for cell in made.grid.cells
        if layout.is_body(cell.row) and cell.column not in layout.stub and cell.columns == cell.rows == 1
    )
    built = Counter(text for row in build_table(made, layout, "t")[0].cells for text in row if text)
    assert not body - built


@given(grids())
def test_a_table_has_a_path_for_each_row_and_column_or_none(grid: Grid) -> None:
    made = clean(grid)
    layout = identify(made.grid)
    table, _ = build_table(made, layout, "t")
    assert len(table.cells) == sum(map(layout.is_body, range(made.grid.n_rows)))
    assert len(table.row_paths) in (0, len(table.cells))
    assert len(set(map(len, table.cells))) <= 1
    assert len(table.column_paths) in (0, max(map(len, table.cells), default=0))
    assert 0 <= layout.confidence <= 1
