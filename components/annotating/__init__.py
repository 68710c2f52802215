"""Writing questions for tables, and reviewing them."""
