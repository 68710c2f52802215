"""Evaluation: where gold answers stand, which predictions match, why the others miss, and the run store."""
