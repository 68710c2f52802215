"""The database that holds all that Crosshead keeps: runs and brought tables."""
