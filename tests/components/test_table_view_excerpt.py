"""Which rows of a large table are drawn, and what stands for the others."""

from hypothesis import given
from hypothesis import strategies as st

from components.table_view import table_markup
from components.table_view.excerpt import MOST_CELLS, drawn_rows, excerpt, said
from qa_core.header import RowLine, row_lines
from qa_core.table import Table
from tests.strategies import tables


def grouped(n_rows: int, n_columns: int, group: int = 10) -> Table:
    """Rows in groups, of which each has a crosshead."""
    return Table(
        id="t",
        column_paths=tuple((f"C{column}",) for column in range(n_columns)),
        row_paths=tuple((f"Group {row // group}", f"Row {row}") for row in range(n_rows)),
        cells=tuple(tuple(str(row) for _ in range(n_columns)) for row in range(n_rows)),
    )


def drawn(table: Table, *rows: int) -> list[str | int]:
    lines = excerpt(row_lines(table), rows, table.n_rows)
    return [line if isinstance(line, int) else line.label for line in lines]


def test_500_by_20_is_drawn_whole() -> None:
    assert drawn_rows(grouped(500, 20), [499]) is None
    assert drawn_rows(grouped(MOST_CELLS // 20, 20), []) is None


def test_of_more_cells_the_first_whole_rows_are_drawn() -> None:
    assert drawn_rows(grouped(700, 20), []) == tuple(range(600))


def test_marked_rows_are_drawn_in_place_of_the_last_of_the_first_ones() -> None:
    assert drawn_rows(grouped(5000, 20), [4210, 3, 4210]) == (*range(599), 4210)


def test_a_mark_among_the_first_rows_changes_nothing() -> None:
    table = grouped(5000, 20)
    assert drawn_rows(table, [3, 4210]) == drawn_rows(table, [4210])


def test_of_a_very_wide_table_the_marked_rows_are_drawn() -> None:
    wide = Table("w", (), (), tuple(("1",) * 20_000 for _ in range(3)))
    assert drawn_rows(wide, []) == (0,)
    assert drawn_rows(wide, [2, 1]) == (1, 2)


def test_the_crosshead_of_a_drawn_row_is_drawn_and_gaps_are_counted() -> None:
    assert drawn(grouped(40, 1), 0, 1, 24) == [
        "Group 0", "Row 0", "Row 1", 18, "Group 2", 4, "Row 24", 15
    ]  # fmt: skip


def test_a_row_that_heads_a_drawn_row_is_drawn() -> None:
    paths = (("Total",), ("Sales",), ("Sales", "North"), ("Sales", "South"), ("Costs",))
    table = Table("t", (("2024",),), paths, tuple((str(row),) for row in range(5)))
    assert drawn(table, 3) == [1, "Sales", 1, "South", 1]


def test_the_markup_says_what_is_left_out() -> None:
    markup = table_markup(grouped(40, 1), drawn=(0, 1, 24, 26))
    assert '<span class="note">4 of 40 rows are drawn: the first 2 and those with a mark.</span>' in markup
    assert markup.count('<tr class="gap"><td colspan="2"><span>… ') == 4
    assert "… 18 rows are not drawn …" in markup
    assert "… 1 row is not drawn …" in markup
    assert "not drawn" not in table_markup(grouped(40, 1))


def test_what_is_drawn_in_a_sentence() -> None:
    assert said(range(600), 5000) == "The first 600 of 5,000 rows are drawn."
    assert said((7, 9), 5000) == "2 of 5,000 rows are drawn: those with a mark."


@given(tables(), st.data())
def test_each_row_is_drawn_or_counted_once(table: Table, data: st.DataObject) -> None:
    rows = sorted(data.draw(st.sets(st.integers(0, table.n_rows - 1)))) if table.n_rows else []
    lines = list(excerpt(row_lines(table), rows, table.n_rows))
    shown = [line.row for line in lines if isinstance(line, RowLine) and line.row is not None]
    assert set(rows) <= set(shown)
    assert len(shown) + sum(line for line in lines if isinstance(line, int)) == table.n_rows
