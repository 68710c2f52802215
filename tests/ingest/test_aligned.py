"""Columns set by spaces."""

from qa_core.ingest.aligned import is_aligned, read_aligned
from qa_core.ingest.extract import extract

STATEMENT = """
Statement of income

                       Year ended December 31,
                         2024         2023
                       --------     --------
Revenue:
  Product               1,200         1,100
  Service and other       300           250
                       --------     --------
Total revenue           1,500         1,350
"""


def test_a_spanner_reaches_over_the_columns_below_it() -> None:
    (grid,) = read_aligned(STATEMENT, "mail")
    assert [[(c.text, c.column, c.columns) for c in row] for row in grid.rows[:2]] == [
        [("Year ended December 31,", 1, 2)],
        [("2024", 1, 1), ("2023", 2, 1)],
    ]
    assert [row[0].indent for row in grid.rows[2:]] == [0.0, 10.0, 10.0, 0.0]
    assert grid.title == "Statement of income"


def test_a_statement_becomes_a_table() -> None:
    table = extract(read_aligned(STATEMENT, "mail")[0]).table
    assert table.column_paths == (("Year ended December 31,", "2024"), ("Year ended December 31,", "2023"))
    assert table.cells == (("1,200", "1,100"), ("300", "250"), ("1,500", "1,350"))


def test_figures_align_right_and_labels_left() -> None:
    text = "Region   2023     2024\nN           1  1,000,0\nSouthern   22        3\n"
    (grid,) = read_aligned(text)
    assert [[cell.column for cell in row] for row in grid.rows] == [[0, 1, 2]] * 3


def test_a_missing_figure_leaves_its_column_empty() -> None:
    (grid,) = read_aligned("Region   2023   2024\nNorth               5\nSouth       3      4\n")
    assert [(cell.text, cell.column) for cell in grid.rows[1]] == [("North", 0), ("5", 2)]


def test_prose_is_not_aligned() -> None:
    assert not is_aligned(
        "This is a sentence.  And a second one.\nWithout columns, of course.\nNone.\nAt all."
    )
