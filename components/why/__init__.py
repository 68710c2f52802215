"""What led to a cell."""
