"""A document's grid as markup: spans honoured, texts escaped, rows and columns numbered as the clean grid."""

from html.parser import HTMLParser

from hypothesis import given
from hypothesis import strategies as st

from components.grid_view import MOST_ROWS, grid_markup
from components.grid_view.markup import drawn_stretches
from qa_core.ingest.clean import clean
from qa_core.ingest.document import read_document, read_pasted
from qa_core.ingest.grid import Cell, Grid
from qa_core.ingest.layout import identify
from tests.filing_page import filing_page
from tests.ingest.test_build import grids


def markup(grid: Grid) -> str:
    cleaned = clean(grid)
    return grid_markup(cleaned, identify(cleaned.grid))


def test_rows_say_what_they_were_taken_for() -> None:
    document = read_document(filing_page().encode())
    revenue = document.extractions[2]
    drawn = grid_markup(revenue.cleaned, revenue.layout)
    assert (
        '<tr class="header"><th scope="row" data-row="0" aria-label="row 1: header"><b>1</b> header' in drawn
    )
    assert 'aria-label="row 3: crosshead"><b>3</b> crosshead</th>' in drawn
    assert 'aria-label="row 4: body"><b>4</b></th>' in drawn
    assert 'class="stub" data-column="0" aria-label="column 1: stub">1 stub</th>' in drawn


def test_what_cleaning_dropped_has_no_number() -> None:
    rows = [["", "2024"], ["", ""], ["Cash", "663"]]
    cells = tuple(Cell(text, r, c) for r, row in enumerate(rows) for c, text in enumerate(row))
    drawn = markup(Grid(cells, 3, 2))
    assert '<tr class="dropped"><td class="corner"></td>' in drawn
    assert 'data-row="1"' in drawn
    assert 'data-row="2"' not in drawn


def test_texts_are_escaped() -> None:
    (made,) = read_pasted('Name\t2024\n<img src=x onerror=alert(1)>\t5\n"""quoted"" & more"\t6').extractions
    drawn = grid_markup(made.cleaned, made.layout)
    assert "<img" not in drawn
    assert "&lt;img src=x onerror=alert(1)&gt;" in drawn


def test_a_large_grid_is_drawn_in_part() -> None:
    rows = MOST_ROWS + 7
    cells = tuple(Cell(f"{row}", row, column) for row in range(rows) for column in range(2))
    drawn = markup(Grid(cells, rows, 2))
    assert drawn.count("<tr") == MOST_ROWS + 1
    assert f"The first 400 of {rows} rows." in drawn


def tall(rows: int, *cells: Cell) -> Grid:
    names = tuple(Cell(f"Row {row}" if row else "Name", row, 0) for row in range(rows))
    figures = tuple(Cell(f"{row:,}.5" if row else "2024", row, 1) for row in range(rows))
    return Grid((*names, *figures, *cells), rows, 2 + bool(cells))


def test_of_a_large_grid_the_rows_around_the_chosen_one_are_drawn() -> None:
    cleaned = clean(tall(2998))
    drawn = grid_markup(cleaned, identify(cleaned.grid), around=2500)
    assert 'data-at="0,1">2024' in drawn
    assert 'data-at="2500,1">2,500.5' in drawn
    assert drawn.count("<tr") == MOST_ROWS + 2  # the column numbers and the gap
    assert '<tr class="gap"><td colspan="3">⋮ 2,288 rows</td></tr>' in drawn
    assert "Of 2,998 rows the first and 2,290 to 2,688 of the document are drawn." in drawn


@given(st.integers(3, 3000), st.integers(0, 600), st.integers(0, 2999), st.integers(1, 15_000))
def test_the_chosen_row_is_always_drawn(rows: int, heads: int, around: int, columns: int) -> None:
    around = min(around, rows - 1)
    stretches = drawn_stretches(Grid((), rows, columns), heads, around)
    drawn = [row for stretch in stretches for row in stretch]
    assert around in drawn or around < heads
    assert drawn == sorted(set(drawn))
    assert len(drawn) <= MOST_ROWS and drawn[-1] < rows


def test_a_span_that_a_gap_cuts_goes_on_after_it() -> None:
    cleaned = clean(tall(1200, Cell("All", 0, 2, rows=1200)))
    drawn = grid_markup(cleaned, identify(cleaned.grid), around=900)
    assert drawn.count(">All</td>") == 2
    parser = _Slots()
    parser.feed(drawn)
    assert set(parser.widths()) == {4}


@given(grids())
def test_each_row_fills_the_width_of_the_grid(grid: Grid) -> None:
    parser = _Slots()
    parser.feed(markup(grid))
    assert all(width == grid.n_columns + 1 for width in parser.widths())


class _Slots(HTMLParser):
    """Lays cells out as a browser does."""

    def __init__(self) -> None:
        super().__init__()
        self.taken: list[set[int]] = []
        self.row = -1

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "tr":
            self.row += 1
            self._line(self.row)
        elif tag in ("td", "th"):
            spans = {name: int(value or 1) for name, value in attrs if name.endswith("span")}
            column = next(slot for slot in range(10_000) if slot not in self._line(self.row))
            for below in range(spans.get("rowspan", 1)):
                self._line(self.row + below).update(range(column, column + spans.get("colspan", 1)))

    def _line(self, row: int) -> set[int]:
        while len(self.taken) <= row:
            self.taken.append(set())
        return self.taken[row]

    def widths(self) -> list[int]:
        return [len(slots) for slots in self.taken[: self.row + 1]]
