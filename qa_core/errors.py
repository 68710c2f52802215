"""Faults that a person can act on."""


class CrossheadError(Exception):
    """One clear sentence: what is wrong, where, and what to do about it.

    The command line prints it and exits with 2; a page shows it in place of its content.
    """
