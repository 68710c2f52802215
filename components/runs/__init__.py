"""Choosing, starting and naming runs, and their figures."""
