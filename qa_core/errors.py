"""Faults that a person can act on."""

MAX_LENGTH = 500
"""Characters of a sentence that are shown: what it quotes may be a whole file on one line."""


class CrossheadError(Exception):
    """One clear sentence: what is wrong, where, and what to do about it.

    The command line prints it and exits with 2; a page shows it in place of its content.
    """

    def __str__(self) -> str:
        return shorten(super().__str__())


def shorten(text: str, length: int = MAX_LENGTH) -> str:
    """A text of at most ``length`` characters: its middle is left out, as its end says what to do."""
    if len(text) <= length:
        return text
    kept = length - len(" … ")
    return f"{text[: kept - kept // 3]} … {text[-(kept // 3) :]}"
