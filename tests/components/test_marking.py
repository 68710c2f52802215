"""Marks in the markup of a table, for a page without scripts."""

import re
from typing import Any

from components.table_view.marking import Marking
from components.table_view.marks import Marks
from components.table_view.still import still_table
from qa_core.table import Location, Table
from tests.tables import AMAZON, DEPTH_8, FUEL

GOLD, PREDICTED = Location(3, 1), Location(1, 1)


def still(table: Table = AMAZON, most_cells: int = 100, **marks: Any) -> str:
    return still_table(table, Marks(**marks), most_cells=most_cells)


def test_a_cell_has_a_frame_and_a_word_and_its_headers_are_underlined() -> None:
    markup = still(gold=[GOLD], predicted=[PREDICTED])
    assert 'data-row="3" data-column="1" data-mark="gold">39,834<span class="badge">gold</span>' in markup
    assert (
        'data-row="1" data-column="1" data-mark="predicted">24,967<span class="badge">predicted</span>'
        in markup
    )
    assert markup.count("data-mark=") == 2 + 2  # the cells, and the frames of the legend
    # Both stand in 2024; each under its own segment.
    assert re.findall(r'data-path="(\w+)"><span class="label" dir="auto">([^<]*)', markup) == [
        ("agree", "Year Ended December 31,"),
        ("agree", "2024"),
        ("predicted", "North America"),
        ("predicted", "Operating income"),
        ("gold", "AWS"),
        ("gold", "Operating income"),
    ]


def test_cells_that_agree_say_so_in_words() -> None:
    markup = still(gold=[GOLD], predicted=[GOLD], other=[GOLD], predicted_name="RCI", other_name="<Blend>")
    assert 'data-mark="agree">39,834<span class="badge">gold = RCI = &lt;Blend&gt;</span>' in markup
    assert "</span>gold = RCI = &lt;Blend&gt;</span><span>underlined:" in markup


def test_a_header_may_be_marked_itself_and_then_leads_to_nothing_but_what_stands_under_it() -> None:
    markup = still(gold=[Location(3, None)], predicted=[Location(None, 1)])
    assert 'data-row="3" data-mark="gold">' in markup
    assert 'data-column="1" data-mark="predicted">' in markup
    assert re.findall(r'data-path="(\w+)"><span class="label" dir="auto">([^<]*)', markup) == [
        ("predicted", "Year Ended December 31,"),
        ("gold", "AWS"),
    ]


def test_a_table_without_row_headers_and_a_deep_one_have_their_marks() -> None:
    assert 'data-mark="gold">$2.25' in still(FUEL, gold=[Location(0, 2)])
    deep = still(DEPTH_8, gold=[Location(1, 2)])
    assert len(re.findall(r'data-path="gold"', deep)) == 6 + 1  # its labels that are not blank, and the row's


def test_of_a_large_table_the_marked_rows_are_drawn() -> None:
    markup = still(most_cells=2, gold=[GOLD])
    assert "39,834" in markup and "$387,497" not in markup
    assert "2 rows are not drawn" in markup and "1 row is not drawn" in markup  # about the crosshead AWS


def test_what_lies_outside_the_table_is_no_mark() -> None:
    assert "data-mark" not in still(gold=[Location(99, 0)])
    assert Marking.of(AMAZON, Marks(gold=[Location(99, 0)])).rows == []
