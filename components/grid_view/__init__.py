"""The grid view: a table as its document draws it, with what each row and column was taken for."""

from components.grid_view.markup import MOST_ROWS, grid_markup
from components.grid_view.view import Line, grid_view

__all__ = ["MOST_ROWS", "Line", "grid_markup", "grid_view"]
