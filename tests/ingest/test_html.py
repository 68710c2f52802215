"""Tables of HTML as grids: spans by position, what is hidden left out, what the page declares believed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qa_core.errors import CrossheadError
from qa_core.ingest.grid import COLUMN_HEADER, HEADER, MAX_SLOTS, ROW_HEADER, Grid
from qa_core.ingest.html import read_html
from tests.ingest.drawings import only_grid, texts


def declared(grid: Grid) -> dict[str, str]:
    return {cell.text: cell.declared for cell in grid.cells}


def test_unclosed_cells_are_cells() -> None:
    assert texts(
        only_grid("<table><tr><td>Net loss<td>$<td>(12<td>)<tr><td>Per share<td>$<td>(0.03<td>)</table>")
    ) == [
        ["Net loss", "$", "(12", ")"],
        ["Per share", "$", "(0.03", ")"],
    ]


def test_a_row_span_moves_the_cells_of_the_next_row() -> None:
    grid = only_grid(
        "<table><tr><th rowspan=2>Region<th colspan=2>Year<tr><th>2023<th>2024<tr><td>North<td>1<td>2</table>"
    )
    assert [{column: cell.text for column, cell in row.items()} for row in grid.held] == [
        {0: "Region", 1: "Year", 2: "Year"},
        {0: "Region", 1: "2023", 2: "2024"},
        {0: "North", 1: "1", 2: "2"},
    ]


@pytest.mark.parametrize(
    ("span", "columns"),
    [
        ("3", 3),
        (" 3 ", 3),
        ("0", 1),
        ("-2", 1),
        ("2.5", 2),
        ("3px", 3),
        ("+3", 3),
        ("x", 1),
        ("", 1),
        ("²", 1),
        ("100000", 1000),
        ("9" * 5000, 1000),
    ],
)
def test_column_spans_are_bounded(span: str, columns: int) -> None:
    assert only_grid(f"<table><tr><td colspan='{span}'>a</table>").n_columns == columns


def test_a_row_span_of_0_reaches_to_the_end() -> None:
    assert [
        cell.rows for cell in only_grid("<table><tr><td rowspan=0>a<tr><td>b<tr><td>c</table>").cells
    ] == [3, 1, 1]


def test_hidden_rows_and_cells_are_not_there() -> None:
    grid = only_grid(
        "<table><tr><td>a<td style='display:none'>hidden<td>b"
        "<tr style='display: none'><td>hidden<td>hidden<tr><td>c<td>d</table>"
    )
    assert texts(grid) == [["a", "b"], ["c", "d"]]


@pytest.mark.parametrize("tag", ["thead", "tbody", "tfoot", "tr", "td"])
@pytest.mark.parametrize("hidden", ["style='display:none'", "hidden", "style='visibility:hidden'"])
def test_no_part_that_is_hidden_is_there(tag: str, hidden: str) -> None:
    row = "<tr><td>hidden</td></tr>" if tag[0] == "t" and tag not in ("tr", "td") else "<td>hidden</td>"
    part = f"<{tag} {hidden}>{'hidden' if tag == 'td' else row}</{tag}>"
    part = f"<tr>{part}</tr>" if tag == "td" else part
    assert not only_grid(f"<table>{part}<tbody><tr><td>a</td></tr></tbody></table>").cells[1:]


@pytest.mark.parametrize(
    "hidden",
    [
        "<div style='display:none'><p>Hidden:</p><table><tr><td>x</table></div>",
        "<div hidden><table><tr><td>x<table><tr><td>y</table></table></div>",
        "<noscript><table><tr><td>x</table></noscript>",
        "<table style='display:none'><tr><td>x<table><tr><td>y</table></table>",
        "<table><tr><td style='display:none'><table><tr><td>x</table><td>b</table>",
    ],
)
def test_tables_that_are_not_shown_count_and_do_not_shift_the_titles(hidden: str) -> None:
    grids = read_html(f"{hidden}<p>By length:</p><table><tr><td>Nile</table>".encode())
    assert [grid.source.index for grid in grids] == list(range(len(grids)))
    assert (grids[-1].title, texts(grids[-1])) == ("By length:", [["Nile"]])
    assert "By length:" not in [grid.title for grid in grids[:-1]]


def test_a_nested_table_is_one_of_its_own() -> None:
    outer, inner = read_html(b"<table><tr><td>a<table><tr><td>1<td>2</table><td>b</table>")
    assert (texts(outer), outer.source.index) == ([["a", "b"]], 0)
    assert (texts(inner), inner.source.index) == ([["1", "2"]], 1)


def test_nesting_without_end_ends() -> None:
    grids = read_html(b"<table><tr><td>x" * 200 + b"<tr><td>1")
    assert [grid.source.index for grid in grids] == list(range(len(grids)))
    assert len(grids) <= 200


def test_tables_are_counted_in_document_order_the_empty_ones_too() -> None:
    grids = read_html(b"<table></table><p>x<table><tr></table><table><tr><td>1</table>", "report.html")
    assert [(grid.source.file, grid.source.index, grid.n_rows) for grid in grids] == [
        ("report.html", 0, 0),
        ("report.html", 1, 1),
        ("report.html", 2, 1),
    ]


def test_a_table_too_large_is_cut_and_says_so() -> None:
    grid = only_grid("<table>" + "<tr><td colspan=1000>a<td>b" * 400 + "</table>")
    assert grid.n_rows * grid.n_columns <= MAX_SLOTS
    assert grid.steps == ("read the first 149 rows; the table is too large to be read whole",)


def test_the_page_says_what_is_a_header() -> None:
    grid = only_grid(
        "<table><thead><tr><td>Region<th>2023</thead>"
        "<tr><th scope=row>North<td>1<tr><th scope=rowgroup>South<th scope=col>2<tr><th>East<td>3</table>"
    )
    assert declared(grid) == {
        "Region": COLUMN_HEADER,
        "2023": COLUMN_HEADER,
        "North": ROW_HEADER,
        "1": "",
        "South": ROW_HEADER,
        "2": COLUMN_HEADER,
        "East": HEADER,
        "3": "",
    }


def test_cells_name_their_headers() -> None:
    grid = only_grid(
        "<table><tr><td id=r>Region<td id=y>2023<td id=z>2024"
        "<tr><td id=n headers=r>North<td headers='y n'>1<td headers='z n'>2</table>"
    )
    assert declared(grid) == {
        "Region": COLUMN_HEADER,
        "2023": COLUMN_HEADER,
        "2024": COLUMN_HEADER,
        "North": ROW_HEADER,
        "1": "",
        "2": "",
    }


def test_a_header_across_the_rows_that_cells_name_heads_rows() -> None:
    grid = only_grid(
        "<table><tr><td><th id=a>Beds<th id=b>Price<tr><th id=p colspan=3>Paris"
        "<tr><th id=o headers=p>Studio<td headers='a p o'>1<td headers='b p o'>400</table>"
    )
    assert declared(grid) == {
        "": "",
        "Beds": COLUMN_HEADER,
        "Price": COLUMN_HEADER,
        "Paris": ROW_HEADER,
        "Studio": ROW_HEADER,
        "1": "",
        "400": "",
    }


def test_a_spanner_that_cells_name_heads_columns() -> None:
    grid = only_grid(
        "<table><tr><td><td id=s colspan=2>Year<tr><td><td id=a headers=s>2023<td id=b headers=s>2024"
        "<tr><td>North<td headers='s a'>1<td headers='s b'>2</table>"
    )
    assert [cell.text for cell in grid.cells if cell.declared] == ["Year", "2023", "2024"]
    assert {cell.declared for cell in grid.cells if cell.declared} == {COLUMN_HEADER}


def test_a_scope_is_believed_before_a_reference() -> None:
    grid = only_grid("<table><tr><th id=a scope=row>North<td>1<tr><td headers=a>2<td>3</table>")
    assert declared(grid)["North"] == ROW_HEADER


@pytest.mark.parametrize("headers", ["", "nowhere", "own", "x x x"])
def test_references_that_lead_nowhere_are_nothing(headers: str) -> None:
    grid = only_grid(f"<table><tr><td>a<td id=own headers='{headers}'>1</table>")
    assert declared(grid) == {"a": "", "1": ""}


def test_a_caption_is_the_title_before_what_stands_above() -> None:
    (grid,) = read_html(
        b"<h2>Rivers</h2><p>By length:</p><table><caption>Longest <b>rivers</b><tr><td>Nile</table>"
    )
    assert (grid.title, grid.source.headings) == ("Longest rivers", ("Rivers",))


def test_title_units_and_headings_come_from_above() -> None:
    (grid,) = read_html(
        b"<p><b>Item 8. Financial Statements</b></p><p>Net sales by region were as follows:</p>"
        b"<div>(In millions)</div><table><tr><td>North<td>1</table>"
    )
    assert grid.title == "Net sales by region were as follows: (In millions)"
    assert grid.units == "(In millions)"
    assert grid.source.headings == ("Item 8. Financial Statements",)


def test_a_heading_laid_out_in_a_table_is_a_title() -> None:
    _, grid = read_html(
        b"<table><tr><td><b>Net Sales by Region</b></table><table><tr><td>North<td>1<tr><td>East<td>2</table>"
    )
    assert grid.title == "Net Sales by Region"


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("<table><tr><td>Café · 5 €</table>".encode(), "Café · 5 €"),
        ("<table><tr><td>Café · 5 €</table>".encode("cp1252"), "Café · 5 €"),
        ("<table><tr><td>Café</table>".encode("utf-16"), "Café"),
        ("\ufeff<table><tr><td>Café</table>".encode(), "Café"),
        (b"<meta charset=iso-8859-2><table><tr><td>\xb1</table>", "ą"),
        (b"<?xml version='1.0' encoding='ASCII'?><html><table><tr><td>Caf&#233;</table>", "Café"),
    ],
)
def test_encodings(content: bytes, text: str) -> None:
    (grid,) = read_html(content)
    assert texts(grid) == [[text]]


def test_external_entities_stay_where_they_are() -> None:
    (grid,) = read_html(
        b'<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/hostname">]><table><tr><td>a&e;b</table>'
    )
    assert texts(grid) == [["a&e;b"]]


@pytest.mark.parametrize("content", [b"", b"   "])
def test_nothing_to_read_is_said(content: bytes) -> None:
    with pytest.raises(CrossheadError, match=r"report\.html holds no HTML"):
        read_html(content, "report.html")


def test_progress_counts_tables() -> None:
    seen: list[tuple[int, int]] = []
    read_html(b"<table></table>" * 3, on_progress=lambda done, total: seen.append((done, total)))
    assert seen == [(1, 3), (2, 3), (3, 3)]


soup = st.lists(
    st.sampled_from(
        [
            *(
                "<table>",
                "</table>",
                "<tr>",
                "</tr>",
                "<td>",
                "</td>",
                "<th scope=row>",
                "<thead>",
                "</thead>",
            ),
            *(
                "<td colspan=3>",
                "<td rowspan=0>",
                "<td id=a>",
                "<td headers='a b'>",
                "<div hidden>",
                "<td style='display:none'>",
                "<noscript>",
                "<th id=b colspan=2>",
            ),
            *("<br>", "<div style='padding-left:9pt'>", "</div>", "<caption>", "<b>", "</b>", "<p>", "<ul>"),
            *("2024", "Total", "$", "(1", ")", "%", "&nbsp;", "<!--", "-->", "<script>", "</script>", "\x00"),
        ]
    ),
    max_size=40,
).map(lambda pieces: "<p>." + "".join(pieces))


@given(soup)
def test_any_soup_is_read(html: str) -> None:
    for index, grid in enumerate(read_html(html.encode())):
        assert grid.source.index == index
        assert all(cell.end_row <= grid.n_rows and cell.end_column <= grid.n_columns for cell in grid.cells)
