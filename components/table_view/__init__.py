"""The table view: a table drawn with its header hierarchy, marked, scored and clickable."""

from components.table_view.marks import Marks
from components.table_view.markup import table_markup
from components.table_view.view import RowColumnScores, flat_table_view, table_view

__all__ = ["Marks", "RowColumnScores", "flat_table_view", "table_markup", "table_view"]
