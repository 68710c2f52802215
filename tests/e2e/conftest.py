"""A real browser against a running Streamlit server."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.running import ROOT, NotStartedError, running_browser, running_server

__all__ = ["ROOT", "Server"]

PATIENCE = 30_000
"""Milliseconds; no test asserts a time, a busy machine only takes longer."""
expect.set_options(timeout=PATIENCE)

Server = Callable[..., str]


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """``server(script, *options)`` runs a Streamlit script and returns its address.

    The same script with the same options is started once a session, on a port of its own and with a run
    store of its own.
    """
    running: dict[tuple[str, ...], str] = {}
    with ExitStack() as stack:

        def start(script: Path, *options: str) -> str:
            call = (str(script), *options)
            if call not in running:
                folder = tmp_path_factory.mktemp("server")
                try:
                    _, running[call] = stack.enter_context(running_server(script, options, folder))
                except NotStartedError as fault:
                    pytest.fail(str(fault), pytrace=False)
            return running[call]

        yield start


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Debian's chromium; without it these tests fail, they are not skipped."""
    with ExitStack() as stack:
        try:
            browser = stack.enter_context(running_browser())
        except NotStartedError as fault:
            pytest.fail(str(fault), pytrace=False)
        yield browser


@pytest.fixture
def browser_page(browser: Browser) -> Iterator[Page]:
    """A fresh page, 1280 × 900; a test fails on a script error in it."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    yield page
    context.close()
    assert not faults, f"script errors in the page: {faults}"
