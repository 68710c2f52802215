"""Question answering over tables whose column and row headers are hierarchies."""

__version__ = "0.1.0"
