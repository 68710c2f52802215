"""Marks on a table, and where another drawing of it puts them."""

from components.table_view import Marks
from qa_core.table import Location


def test_marks_move_with_their_words_and_those_without_a_place_are_left_out() -> None:
    marks = Marks(
        gold=[Location(0, 1), Location(0, 1), Location(2, 0)],
        predicted=[Location(9, 9)],
        other=[Location(1, None)],
        predicted_name="Lexical",
        other_name="RCI",
    )

    def turned(location: Location) -> Location | None:
        return None if location == Location(9, 9) else Location(location.column, location.row)

    assert marks.map(turned) == Marks(
        gold=(Location(1, 0), Location(0, 2)),
        predicted=(),
        other=(Location(None, 1),),
        predicted_name="Lexical",
        other_name="RCI",
    )
