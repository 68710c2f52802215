"""Where a cell of a table stood in its document."""

from hypothesis import given

from qa_core.collection.origin import cells_behind
from qa_core.ingest.document import read_document, read_pasted
from qa_core.ingest.edit import Edit, edited
from qa_core.ingest.extract import Extraction, extract
from qa_core.ingest.grid import Grid
from qa_core.table import Location
from tests.filing_page import filing_page
from tests.ingest.test_build import grids

SECTIONS = """\
\t2024\t2023
Cash\t1\t2
Debt\t3\t4
\tMen\tWomen
Captains\t5\t6
Stewards\t7\t8
"""


def table(words: str) -> Extraction:
    document = read_document(filing_page().encode(), "northwind.html")
    return next(made for made in document.extractions if words in made.table.title)


def texts(extraction: Extraction, row: int | None, column: int | None) -> list[str]:
    return [cell.text for cell in cells_behind(extraction, Location(row, column))]


def test_a_figure_comes_from_its_sign_its_number_and_its_bracket() -> None:
    revenue = table("revenue by route")
    assert revenue.table.cell(0, 0) == "$663"
    assert texts(revenue, 0, 0) == ["$", "663"]
    assert revenue.table.cell(4, 2) == "(4)"
    assert texts(revenue, 4, 2) == ["(4", ")"]


def test_headers_come_from_all_their_levels() -> None:
    revenue = table("revenue by route")
    assert texts(revenue, None, 1) == ["Year Ended December 31,", "2023"]
    assert texts(revenue, 3, None) == ["Freight revenue:", "Northern routes"]


def test_every_cell_comes_from_where_its_text_stands() -> None:
    for words in ("revenue by route", "crossings", "BALANCE", "OPERATIONS"):
        made = table(words)
        for place in made.table.locations():
            parts = cells_behind(made, place)
            assert "".join(cell.text for cell in parts) == made.table.text_at(place)


def test_it_follows_corrections() -> None:
    crossings = table("crossings")
    mended = edited(crossings.cleaned, [Edit("row", 2, "crosshead"), Edit("row", 5, "crosshead")])
    assert mended.table.row_path(2) == ("Summer timetable", "Morning crossings")
    assert texts(mended, 2, None) == ["Summer timetable", "Morning crossings"]
    assert texts(mended, 2, 0) == ["64"]


def test_sections_with_headers_of_their_own_have_columns_of_their_own() -> None:
    (read,) = read_pasted(SECTIONS).extractions
    made = edited(read.cleaned, [Edit("row", 3, "header")])
    assert made.table.column_paths == (("2024",), ("2023",), ("Men",), ("Women",))
    assert made.places.columns == (1, 2, 1, 2)
    for place in made.table.locations():
        text = made.table.text_at(place)
        assert not text or texts(made, place.row, place.column) == [text]


def test_the_header_of_a_sections_column_is_its_own() -> None:
    (read,) = read_pasted(SECTIONS).extractions
    made = edited(read.cleaned, [Edit("row", 3, "header")])
    assert texts(made, None, 0) == ["2024"]
    assert texts(made, None, 3) == ["Women"]


@given(grids())
def test_every_row_and_column_has_an_origin(grid: Grid) -> None:
    made = extract(grid)
    assert len(made.places.rows) == made.table.n_rows
    assert len(made.places.columns) == len(made.places.headers) == made.table.n_columns
    for place in made.table.locations():
        text = made.table.text_at(place)
        assert not text or cells_behind(made, place)
