"""A table is text: every value becomes a string once, at the door."""

import math
import re
import unicodedata
from numbers import Real

_UNDISPLAYABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
# By name, so that reading a JSON table does not load pandas.
_MISSING = {"NoneType", "NAType", "NaTType"}
_DASHES = re.compile(r"[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]")
_QUOTES = str.maketrans({"\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"'})


def as_text(value: object) -> str:
    """A cell or header value as a string that can be stored, encoded and shown.

    None, NaN and pandas' missing values are the empty string; whole floats keep their ``.0`` as Python
    prints them. Control characters and unpaired surrogates, which no encoder takes, become U+FFFD.
    """
    if type(value) is str and value.isprintable():  # as most are; this takes a fifth of the time
        return value
    if type(value).__name__ in _MISSING or (isinstance(value, Real) and math.isnan(value)):
        return ""
    text = value if isinstance(value, str) else str(value)
    return _UNDISPLAYABLE.sub("\ufffd", text)


def squeeze(text: str) -> str:
    """White space runs (no-break spaces among them) as single spaces, ends trimmed."""
    return " ".join(text.split())


def fold(text: str) -> str:
    """Text for comparison as text: compatibility forms, plain dashes and quotes, lower case, squeezed."""
    text = unicodedata.normalize("NFKC", text)
    return squeeze(_DASHES.sub("-", text).translate(_QUOTES).casefold())


def shorten(text: str, limit: int = 90) -> str:
    """At most ``limit`` characters, squeezed; what is longer is cut at a word, with an ellipsis."""
    text = squeeze(text)
    if len(text) <= limit:
        return text
    kept = text[: limit - 1]
    word = kept.rfind(" ")
    if text[limit - 1] != " " and word >= limit // 2:
        kept = kept[:word]
    return kept.rstrip(" ,;:–—-") + "…"
