"""A filing from EDGAR by ticker, form and year, with the optional package edgartools.

Nothing here is loaded or fetched before it is asked for.
"""

from __future__ import annotations

import importlib.util
import os
import re
import threading
from collections.abc import Callable

from qa_core.errors import CrossheadError

FORMS = ("10-K", "10-Q", "20-F", "40-F", "8-K")
FIRST_YEAR = 1994
"""The year in which EDGAR began."""

PATIENCE = 30.0
"""Seconds that a fetch may take."""

_TICKER = re.compile(r"[A-Za-z0-9][A-Za-z0-9.-]{0,9}")


def is_installed() -> bool:
    """Whether edgartools is there."""
    try:
        return importlib.util.find_spec("edgar") is not None
    except ValueError:  # a module that stands in for it
        return True


def fetch_filing(ticker: str, form: str, year: int, patience: float = PATIENCE) -> tuple[str, bytes]:
    """Name and HTML of the last filing of a form that a company filed in a year.

    Raises CrossheadError where edgartools or the identity that EDGAR asks for is missing, there is no such
    filing, or it does not come within ``patience`` seconds.
    """
    ticker = ticker.strip().upper()
    if not _TICKER.fullmatch(ticker):
        raise CrossheadError(f"{ticker or 'Nothing'!r} is no ticker; type one such as AAPL.")
    if form not in FORMS:
        raise CrossheadError(f"There is no form {form!r} here; choose one of {', '.join(FORMS)}.")
    if not is_installed():
        raise CrossheadError(
            "Fetching filings needs edgartools; install it with: pip install -r requirements-edgar.txt."
        )
    if not os.environ.get("EDGAR_IDENTITY"):
        raise CrossheadError(
            "EDGAR asks who fetches: set the environment variable EDGAR_IDENTITY to your name and e-mail "
            "address, and start Crosshead again."
        )
    return _within(patience, lambda: _fetch(ticker, form, year))


def _fetch(ticker: str, form: str, year: int) -> tuple[str, bytes]:
    from edgar import Company

    # An amendment may hold a single part of the report and none of its tables.
    filings = Company(ticker).get_filings(
        form=form, filing_date=f"{year}-01-01:{year}-12-31", amendments=False
    )
    filing = filings.latest() if filings is not None else None
    html = filing.html() if filing is not None else None
    if filing is None or not html:
        raise CrossheadError(f"{ticker} filed no {form} in {year} that EDGAR has as HTML; try another year.")
    return f"{ticker} {form} {filing.filing_date}.html", html.encode(errors="replace")


def _within(patience: float, fetch: Callable[[], tuple[str, bytes]]) -> tuple[str, bytes]:
    """What a fetch gives; any fault of it as a sentence. One that hangs is left behind in its thread."""
    given: list[tuple[str, bytes]] = []
    faults: list[Exception] = []

    def work() -> None:
        try:
            given.append(fetch())
        except Exception as fault:  # edgartools raises its own kinds, those of its HTTP client and others
            faults.append(fault)

    thread = threading.Thread(target=work, name="fetch from EDGAR", daemon=True)
    thread.start()
    thread.join(patience)
    if given:
        return given[0]
    if faults and isinstance(faults[0], CrossheadError):
        raise faults[0]
    reason = str(faults[0]).strip() or type(faults[0]).__name__ if faults else f"no answer in {patience:g} s"
    reason = reason.splitlines()[0].rstrip(".")
    raise CrossheadError(
        f"The filing could not be fetched: {reason}. Check ticker and network, or upload the filing as HTML."
    ) from (faults[0] if faults else None)
