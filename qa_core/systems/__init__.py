"""Systems answer questions over tables: one file a system, one registry, one small interface."""
