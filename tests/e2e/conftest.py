"""A real browser against a running Streamlit server."""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

ROOT = Path(__file__).parents[2]
START_TIMEOUT = 60.0
PATIENCE = 30_000  # milliseconds; no test asserts a time, a busy machine only takes longer
expect.set_options(timeout=PATIENCE)

Server = Callable[..., str]


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """``server(script, *options)`` runs a Streamlit script and returns its address.

    The same script with the same options is started once a session, on a port of its own and with a run
    store of its own.
    """
    running: dict[tuple[str, ...], tuple[subprocess.Popen[bytes], str]] = {}

    def start(script: Path, *options: str) -> str:
        call = (str(script), *options)
        if call not in running:
            folder = tmp_path_factory.mktemp("server")
            running[call] = _start(script, options, folder)
        return running[call][1]

    yield start
    for process, _ in running.values():
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _start(script: Path, options: tuple[str, ...], folder: Path) -> tuple[subprocess.Popen[bytes], str]:
    port = _free_port()
    address = f"http://localhost:{port}"
    log = folder / "server.log"
    environment = os.environ | {
        "PYTHONPATH": str(ROOT),
        "CROSSHEAD_STORE": f"sqlite:///{folder / 'runs.sqlite'}",
    }
    command = [sys.executable, "-m", "streamlit", "run", str(script), "--server.port", str(port), *options]
    with log.open("wb") as output:
        process = subprocess.Popen(
            command, cwd=ROOT, env=environment, stdout=output, stderr=subprocess.STDOUT
        )
    deadline = time.monotonic() + START_TIMEOUT
    while time.monotonic() < deadline and process.poll() is None:
        try:
            with urllib.request.urlopen(f"{address}/_stcore/health", timeout=2):
                return process, address
        except OSError:
            time.sleep(0.1)
    process.kill()
    process.wait()
    pytest.fail(f"The server for {script.name} did not start:\n{log.read_text()[-2000:]}", pytrace=False)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("localhost", 0))
        port: int = probe.getsockname()[1]
        return port


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Debian's chromium; without it these tests fail, they are not skipped."""
    executable = shutil.which("chromium")
    if executable is None:
        pytest.fail("Browser tests need chromium on the PATH: apt-get install chromium.", pytrace=False)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=executable,
            args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
        )
        yield browser
        browser.close()


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
