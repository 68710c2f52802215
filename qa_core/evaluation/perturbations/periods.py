"""Phrases of time as they stand in a question: "in 2018", "for the three months ended June 30, 2025"."""

from __future__ import annotations

import re

_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)
_YEAR = r"(?:(?:the\ )?(?:fiscal|calendar|full)?\ ?(?:year\ )?(?:19|20)\d\d|FY\ ?'?(?:20)?\d\d)"
_DATE = (
    rf"(?:{_MONTH}(?:\ \d{{1,2}}(?:st|nd|rd|th)?)?(?:,?\ (?:19|20)\d\d)?|\d{{1,2}}\ {_MONTH}\ (?:19|20)\d\d)"
)
_ORDINAL = r"(?:first|second|third|fourth|last|final|1st|2nd|3rd|4th)"
_PART = (
    rf"(?:(?:the\ )?{_ORDINAL}\ (?:fiscal\ )?(?:quarter|half)(?:\ of\ {_YEAR})?"
    rf"|(?:the\ )?{_MONTH}\ quarter(?:\ of\ {_YEAR})?"
    r"|Q[1-4](?:\ ?'?\d\d\b|\ (?:of\ )?(?:19|20)\d\d)?|[1-4]Q\ ?'?\d\d|H[12]\ (?:19|20)\d\d)"
)
_SPAN = (
    r"(?:the\ )?(?:(?:first\ )?(?:three|six|nine|twelve|3|6|9|12)\ months"
    r"|(?:fiscal\ )?(?:year|quarter|period))"
    rf"\ (?:ended|ending|to|of)\ (?:{_DATE}|{_YEAR})"
)
_RECENT = (
    r"(?:the\ )(?:latest|current|prior|previous|most\ recent|preceding|last)\ (?:fiscal\ )?"
    r"(?:year|quarter|period)"
)
_NAMED = rf"(?:{_SPAN}|{_PART}|{_DATE}(?<=\d)|{_YEAR}|{_RECENT})"
_EDGE = (
    rf"(?:(?:the\ )?(?:end|close|beginning|start|outset)\ of\ (?:the\ )?{_NAMED}"
    rf"|(?:fiscal\ )?year-end\ {_YEAR})"
)
_PERIOD = rf"(?:{_EDGE}|{_NAMED})"

PHRASE = re.compile(
    rf"""
    \b(?:
      between\ (?:{_PERIOD}|{_MONTH})\ and\ {_PERIOD}
    | from\ (?:{_PERIOD}|{_MONTH})\ (?:to|through|until)\ {_PERIOD}
    | (?:as\ of|as\ at|in|during|for|at|on|by|over|throughout)\ {_PERIOD}
    )(?![\w'’-])
    """,
    re.VERBOSE | re.IGNORECASE,
)
"""A preposition and the period that it governs."""
