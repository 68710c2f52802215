"""The tables that were found in a document, as cards with a thumbnail of their headers."""

from components.found_tables.markup import card_markup
from components.found_tables.view import found_tables

__all__ = ["card_markup", "found_tables"]
