"""Running the app and a browser on it: for the browser tests, the benchmark and the screenshots."""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

ROOT = Path(__file__).parents[2]
START_TIMEOUT = 60.0
"""Seconds."""


class NotStartedError(Exception):
    """What is missing or what the server printed."""


@contextmanager
def running_server(
    script: Path, options: tuple[str, ...], folder: Path, told: Mapping[str, str] | None = None
) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    """A Streamlit script on a port of its own, with its log and store in ``folder``: process and address.

    ``told`` are variables of its environment, such as another store. Raises NotStartedError with the end of
    the log where the server does not come up.
    """
    port = _free_port()
    address = f"http://localhost:{port}"
    log = folder / "server.log"
    environment = os.environ | {
        "PYTHONPATH": str(ROOT),
        "CROSSHEAD_STORE": f"sqlite:///{folder / 'runs.sqlite'}",
        **(told or {}),
    }
    command = [sys.executable, "-m", "streamlit", "run", str(script), "--server.port", str(port)]
    with log.open("wb") as output:
        process = subprocess.Popen(
            [*command, "--server.headless", "true", *options],
            cwd=ROOT,
            env=environment,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    try:
        if not _comes_up(process, address):
            raise NotStartedError(f"The server for {script.name} did not start:\n{log.read_text()[-2000:]}")
        yield process, address
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@contextmanager
def running_browser() -> Iterator[Browser]:
    """Debian's chromium. Raises NotStartedError where there is none."""
    executable = shutil.which("chromium")
    if executable is None:
        raise NotStartedError("The browser tests need chromium on the PATH: apt-get install chromium.")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=executable,
            args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
        )
        yield browser
        browser.close()


def _comes_up(process: subprocess.Popen[bytes], address: str) -> bool:
    deadline = time.monotonic() + START_TIMEOUT
    while time.monotonic() < deadline and process.poll() is None:
        try:
            with urllib.request.urlopen(f"{address}/_stcore/health", timeout=2):
                return True
        except OSError:
            time.sleep(0.1)
    return False


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("localhost", 0))
        port: int = probe.getsockname()[1]
        return port
