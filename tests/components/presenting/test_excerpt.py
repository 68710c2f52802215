"""The part of a table that a room can read: marked cells first, with their whole header paths."""

from hypothesis import given
from hypothesis import strategies as st

from components.presenting.excerpt import MOST_COLUMNS, MOST_LINES, MOST_MARKED_ROWS, excerpt_around
from components.table_view import Marks
from qa_core.datasets import load_dataset
from qa_core.table import Location, Table
from tests.tables import AMAZON

SAMPLE = load_dataset("sample").tables
BALANCE = SAMPLE["s-apple-balance"]


def test_a_small_table_is_shown_whole() -> None:
    excerpt = excerpt_around(AMAZON, [])
    assert excerpt.table is AMAZON
    assert excerpt.said == ""


def test_of_a_balance_sheet_the_marked_rows_and_their_neighbours_stay() -> None:
    predicted, gold = Location(1, 0), Location(7, 0)
    assert BALANCE.row_path(7)[-1] == BALANCE.row_path(1)[-1] == "Marketable securities"
    excerpt = excerpt_around(BALANCE, [predicted, gold])
    assert excerpt.rows == [0, 1, 2, 6, 7, 8]
    assert excerpt.said == "6 of 27 rows"
    assert excerpt.table.row_path(4) == BALANCE.row_path(7)
    assert excerpt.marks(Marks(gold=[gold], predicted=[predicted])) == Marks(
        gold=(Location(4, 0),), predicted=(Location(1, 0),)
    )


def test_marks_outside_of_it_and_of_headers_are_mapped_as_far_as_they_are_in_it() -> None:
    excerpt = excerpt_around(BALANCE, [Location(8, 0)])
    assert 20 not in excerpt.rows
    marks = excerpt.marks(Marks(gold=[Location(20, 0), Location(8, None), Location(None, 1)]))
    assert marks.gold == (Location(excerpt.rows.index(8), None), Location(None, 1))


def test_a_table_without_rows_or_columns_is_one_still() -> None:
    empty = Table("t", (("2018",),), (), ())
    assert excerpt_around(empty, [Location(3, 4)]).table is empty
    assert excerpt_around(Table("t", (), (), ()), []).rows == []


locations = st.lists(st.builds(Location, st.integers(0, 40), st.integers(0, 12)), max_size=12)


@given(st.sampled_from(sorted(SAMPLE)), locations)
def test_no_excerpt_is_larger_than_a_screen_and_the_first_mark_is_always_in_it(
    name: str, marked: list[Location]
) -> None:
    table = SAMPLE[name]
    excerpt = excerpt_around(table, marked)
    assert len(excerpt.columns) <= MOST_COLUMNS
    assert len(excerpt.rows) <= max(MOST_LINES, MOST_MARKED_ROWS)
    assert excerpt.rows == sorted(set(excerpt.rows))
    inside = [each for each in marked if each in table]
    if inside:
        assert inside[0].row in excerpt.rows
        assert inside[0].column in excerpt.columns
        placed = excerpt.marks(Marks(gold=inside[:1])).gold
        assert [excerpt.table.text_at(each) for each in placed] == [table.text_at(inside[0])]
