"""Bringing a table of one's own."""
