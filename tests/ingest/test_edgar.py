"""Fetching a filing, with edgartools played by a module of the same name."""

import sys
import time
from collections.abc import Callable
from types import ModuleType

import pytest

from qa_core.errors import CrossheadError
from qa_core.ingest.edgar import fetch_filing, is_installed


class Filing:
    filing_date = "2024-11-01"

    def __init__(self, html: str | None) -> None:
        self._html = html

    def html(self) -> str | None:
        return self._html


class Filings:
    def __init__(self, filing: Filing | None) -> None:
        self._filing = filing

    def latest(self) -> Filing | None:
        return self._filing


def install(monkeypatch: pytest.MonkeyPatch, get_filings: Callable[..., Filings | None]) -> list[object]:
    asked: list[object] = []

    class Company:
        def __init__(self, ticker: str) -> None:
            asked.append(ticker)

        def get_filings(self, **wanted: object) -> Filings | None:
            asked.append(wanted)
            return get_filings()

    module = ModuleType("edgar")
    module.Company = Company  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "edgar", module)
    monkeypatch.setenv("EDGAR_IDENTITY", "A Person person@example.com")
    return asked


def test_the_last_filing_of_the_year_is_fetched(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = install(monkeypatch, lambda: Filings(Filing("<table></table>")))
    assert fetch_filing(" aapl", "10-K", 2024) == ("AAPL 10-K 2024-11-01.html", b"<table></table>")
    assert asked == [
        "AAPL",
        {"form": "10-K", "filing_date": "2024-01-01:2024-12-31", "amendments": False},
    ]


@pytest.mark.parametrize("filings", [None, Filings(None), Filings(Filing(None)), Filings(Filing(""))])
def test_no_such_filing(monkeypatch: pytest.MonkeyPatch, filings: Filings | None) -> None:
    install(monkeypatch, lambda: filings)
    with pytest.raises(CrossheadError, match="AAPL filed no 10-K in 2024 that EDGAR has as HTML"):
        fetch_filing("AAPL", "10-K", 2024)


def test_a_fault_of_the_network_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> Filings:
        raise ConnectionError("Name or service not known.\nretried 5 times")

    install(monkeypatch, fail)
    with pytest.raises(
        CrossheadError, match=r"could not be fetched: Name or service not known\. Check ticker"
    ):
        fetch_filing("AAPL", "10-K", 2024)


def test_a_fetch_that_hangs_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch, lambda: time.sleep(5))  # type: ignore[arg-type,return-value]
    with pytest.raises(CrossheadError, match=r"no answer in 0\.1 s"):
        fetch_filing("AAPL", "10-K", 2024, patience=0.1)


def test_what_is_missing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "edgar", raising=False)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert not is_installed()
    with pytest.raises(CrossheadError, match=r"pip install -r requirements-edgar\.txt\."):
        fetch_filing("AAPL", "10-K", 2024)
    install(monkeypatch, lambda: None)
    monkeypatch.delenv("EDGAR_IDENTITY")
    monkeypatch.setattr("qa_core.ingest.edgar.is_installed", lambda: True)
    with pytest.raises(CrossheadError, match="EDGAR_IDENTITY"):
        fetch_filing("AAPL", "10-K", 2024)


@pytest.mark.parametrize("ticker", ["", "  ", "../../etc", "A B", "APPLE-COMPUTERS"])
def test_what_is_no_ticker_is_not_asked_for(ticker: str) -> None:
    with pytest.raises(CrossheadError, match="is no ticker"):
        fetch_filing(ticker, "10-K", 2024)


def test_what_is_no_form_is_not_asked_for() -> None:
    with pytest.raises(CrossheadError, match="choose one of 10-K, 10-Q"):
        fetch_filing("AAPL", "S-1", 2024)
