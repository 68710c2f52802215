"""A marked table as it stands in a file, without a script."""

from __future__ import annotations

from components.table_view.excerpt import drawn_rows
from components.table_view.marking import Marking
from components.table_view.marks import Marks
from components.table_view.markup import marked_table_markup
from qa_core.table import Table


def still_table(table: Table, marks: Marks, *, caption: str | None = None, most_cells: int) -> str:
    """The table with frames, words and underlined headers where the marks are, and the legend below it.

    Of a table of more than ``most_cells`` body cells the first rows are drawn and those with a mark;
    Locations outside the table are left out. ``view.css`` styles it.
    """
    marking = Marking.of(table, marks)
    markup = marked_table_markup(table, caption, marking, drawn=drawn_rows(table, marking.rows, most_cells))
    scroller = f'<div class="edges"><div class="scroller">{markup}</div></div>'
    return f'<div class="table-view">{scroller}{marking.legend()}</div>'
