"""How the shipped weights were made, each module runnable."""
