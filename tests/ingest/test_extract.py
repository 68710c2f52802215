"""A table out of a document: what it is called, where it comes from and what was done to it."""

from hypothesis import given
from hypothesis import strategies as st

from qa_core.ingest.document import read_document
from qa_core.ingest.extract import extract
from qa_core.ingest.grid import Cell, Grid, Source, place
from qa_core.ingest.html import read_html
from tests.ingest.drawings import extraction_of, grid, page
from tests.ingest.test_html import soup

STATEMENT = """
<p><b>Item 8. Financial Statements</b></p>
<p>Net sales by segment were as follows:</p>
<table>
<tr><td>(In millions)</td><td></td><td colspan="3">2024</td><td></td><td colspan="3">2023</td></tr>
<tr><td colspan="9"></td></tr>
<tr><td><b>North America</b></td><td></td><td colspan="3"></td><td></td><td colspan="3"></td></tr>
<tr><td>Net sales</td><td></td><td>$</td><td>10</td><td></td><td></td><td>$</td><td>9</td><td></td></tr>
<tr><td>Operating loss</td><td></td><td></td><td>(2</td><td>)</td><td></td><td></td><td>(1</td><td>)</td></tr>
</table>
"""


def test_what_was_done_can_be_read() -> None:
    made = extraction_of(STATEMENT)
    assert made.steps == (
        "merged $ into the number, 2 cells",
        "merged brackets into the number, 2 cells",
        "dropped 1 empty row",
        "drew 9 columns together to 3",
        "took row 1 as column headers",
        "took column 1 as the stub",
        "took row 2 (“North America”) as crosshead",
    )
    assert made.is_data
    assert made.confidence > 0.9


def test_a_table_knows_where_it_comes_from() -> None:
    (source,) = read_html(STATEMENT.encode(), "reports/example-10-k.html.gz")
    made = extract(source)
    assert made.table.id == "example-10-k-0"
    assert made.table.title == "Net sales by segment were as follows:"
    assert made.table.row_paths == (("North America", "Net sales"), ("North America", "Operating loss"))
    assert made.table.cells == (("$10", "$9"), ("(2)", "(1)"))
    assert made.table.extra == {
        "stubhead": [["(In millions)"]],
        "filing": "reports/example-10-k.html.gz",
        "table_index": 0,
        "headings": ["Item 8. Financial Statements"],
        "units": "(In millions)",
        "steps": list(made.steps),
        "confidence": made.confidence,
    }
    assert made.source == source.source


def test_without_a_title_above_the_title_in_the_table_is_taken() -> None:
    made = extract(grid("Net Sales by Region | < | <", " | 2024 | 2023", "North | 10 | 9", "South | 2 | 1"))
    assert made.table.title == "Net Sales by Region"


def test_units_come_from_the_table_else_from_above_it() -> None:
    rows = (" | 2024 | 2023", "North | 10 | 9", "South | 2 | 1")
    assert extract(grid("(In millions) | < | <", *rows)).units == "(In millions)"
    assert extract(grid(*rows, units="(in thousands)")).units == "(in thousands)"
    assert extract(grid(*rows, title="Sales (in thousands)")).units == "(in thousands)"
    assert extract(grid(*rows)).units == ""


def test_a_file_without_a_name_still_gives_an_id() -> None:
    cell = Cell("1", 0, 0)
    assert extract(Grid((cell,), 1, 1, Source(file="", index=4))).table.id == "table-4"
    assert extract(Grid((cell,), 1, 1, Source(file="a.b.xlsx", index=0))).table.id == "a.b-0"


def test_many_steps_are_counted() -> None:
    rows = [row for n in range(100) for row in (f"<tr><td><b>Group {n}</b><td>", "<tr><td>Sales<td>5")]
    steps = extraction_of("<table>" + "".join(rows) + "</table>").steps
    assert len(steps) == 41
    assert steps[-1].startswith("and ")


def test_an_empty_table_is_no_data() -> None:
    made = extraction_of("<table></table>")
    assert not made.is_data
    assert made.table.cells == ()


def test_text_is_left_as_it_stands() -> None:
    made = extraction_of(page("| 2024", "&lt;script&gt;alert(1)&lt;/script&gt; | $x$", "=1+1 | 5"))
    assert made.table.row_paths == (("<script>alert(1)</script>",), ("=1+1",))
    assert made.table.cells == (("$x$",), ("5",))


@given(soup)
def test_any_soup_ends_in_tables(html: str) -> None:
    for found in read_html(html.encode()):
        made = extract(found)
        assert made.table.n_rows == sum(map(made.layout.is_body, range(made.cleaned.grid.n_rows)))


cells = st.builds(
    Cell,
    st.one_of(st.text(max_size=4), st.sampled_from(["Total", "2024", "(In millions)", "5", "(1", ")", "$"])),
    st.just(0),
    st.just(0),
    st.integers(1, 70000),
    st.integers(1, 5),
    st.booleans(),
    st.booleans(),
    st.booleans(),
    st.floats(0, 100),
    st.sampled_from(["", "column-header", "row-header", "header"]),
)


@given(st.lists(st.lists(cells, max_size=5), max_size=8))
def test_any_grid_ends_in_a_table(rows: list[list[Cell]]) -> None:
    placed, n_rows, n_columns = place(rows)
    made = extract(Grid(tuple(placed), n_rows, n_columns))
    assert made.table.warnings is not None
    assert made.steps


def test_every_table_of_a_csv_is_data_and_only_pages_lay_out() -> None:
    [made] = read_document(b"id,name,city\n1,Ann,Rome\n2,Bob,Oslo\n").extractions
    assert made.is_data
    [made] = read_document(b"<table><tr><td>10<td>Form 10-K<tr><td><td></table>").extractions
    assert not made.is_data


def test_what_reading_left_out_is_a_warning_of_the_table() -> None:
    [table] = read_document(b"a,b\n" + b"x,1\n" * 80_000).tables
    assert table.warnings[0] == "Read the first 75,000 rows; the table is too large."
