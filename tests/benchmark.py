"""Times that a person feels, measured in one run on this machine: ``make bench``.

It starts the app on the sample with an empty run store, visits it in a real browser, and prints each time
beside its bar and the share of the bar that it takes. Nothing fails on a slow machine.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from urllib.parse import urlencode

from playwright.sync_api import Page, sync_playwright

from qa_core.datasets import load_dataset
from qa_core.systems.interface import Request
from qa_core.systems.registry import load_system
from qa_core.table import Table
from qa_core.transform import flatten

ROOT = Path(__file__).parents[1]
PORT = 8597
ADDRESS = f"http://localhost:{PORT}"


def main() -> None:
    """Measure everything and print one line each."""
    print(f"{'what':58}{'bar':>9}{'median':>10}{'share':>8}")
    _lexical()
    with tempfile.TemporaryDirectory() as folder:
        process = _start_app(Path(folder))
        try:
            _visits(process)
        finally:
            process.terminate()
            process.wait()


def _line(what: str, bar: float, times: list[float]) -> None:
    median = statistics.median(times)
    print(f"{what:58}{1000 * bar:>6.0f} ms{1000 * median:>7.0f} ms{100 * median / bar:>6.0f} %", flush=True)


def _forty_by_eight() -> Table:
    return Table(
        id="forty-by-eight",
        column_paths=tuple(("Year Ended December 31,", str(2024 - column)) for column in range(8)),
        row_paths=tuple((f"Segment {row // 8}", f"Revenue item {row % 8} net of tax") for row in range(40)),
        cells=tuple(tuple(f"{row * 8 + column:,}" for column in range(8)) for row in range(40)),
    )


def _lexical() -> None:
    system = load_system("lexical")
    flat = flatten(_forty_by_eight(), "base")
    questions = [f"Revenue item {n % 8} of segment {n % 5} in {2017 + n % 8}?" for n in range(41)]
    times = [
        _timed(lambda question=question: system.predict([Request(question, flat)])) for question in questions
    ]
    _line("lexical, 40 × 8, first question (table analysed)", 0.020, times[:1])
    _line("lexical, 40 × 8, further questions", 0.020, times[1:])
    sample = load_dataset("sample")
    requests = [Request(q.text, flatten(sample.table(q.table_id), "base")) for q in sample.questions]
    seconds = _timed(lambda: system.predict(requests))
    _line(f"lexical, sample, per question ({len(requests)} questions)", 0.020, [seconds / len(requests)])


def _timed(work: object) -> float:
    start = time.perf_counter()
    work()  # type: ignore[operator]
    return time.perf_counter() - start


def _start_app(folder: Path) -> subprocess.Popen[bytes]:
    process = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "streamlit",
            "run",
            "app.py",
            "--server.port",
            str(PORT),
            "--server.headless",
            "true",
        ],
        cwd=ROOT,
        env=os.environ | {"CROSSHEAD_STORE": f"sqlite:///{folder / 'runs.sqlite'}"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    for _ in range(600):
        try:
            urllib.request.urlopen(f"{ADDRESS}/_stcore/health", timeout=1).close()
            break
        except OSError:
            time.sleep(0.1)
    return process


def _visits(process: subprocess.Popen[bytes]) -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium",
            args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
        )
        _line("first visit after start, to the first table drawn", 3.0, [_visit(browser.new_page())])
        _line("later visits, to the first table drawn", 1.5, [_visit(browser.new_page()) for _ in range(5)])
        page = browser.new_page()
        _visit(page)
        _line("click on a cell, to its mark drawn", 0.5, [_click(page, row) for row in range(3, 10)])
        questions = load_dataset("sample").questions_of("s-air-op-2")[1:6]
        _line("switch of question, to its mark drawn", 0.5, [_ask(page, q.text, q.cell) for q in questions])
        loaded = (
            "torch" in Path(f"/proc/{process.pid}/maps").read_text() if sys.platform == "linux" else "unknown"
        )
        print(f"torch loaded by the server after all this: {loaded}")
        browser.close()


def _visit(page: Page, **choices: str) -> float:
    def visit() -> None:
        page.goto(f"{ADDRESS}/?{urlencode(choices)}")
        page.wait_for_selector("table[role=grid] td[data-row]")

    return _timed(visit)


def _click(page: Page, row: int) -> float:
    cell = page.locator(f"td[data-row='{row}'][data-column='1']").first

    def click() -> None:
        cell.click()
        page.wait_for_selector(f"td[data-row='{row}'][data-column='1'][aria-selected=true]")

    return _timed(click)


def _ask(page: Page, text: str, cell: object) -> float:
    field = page.get_by_label("Your question")

    def ask() -> None:
        field.fill(text)
        field.press("Enter")
        page.wait_for_selector(f"td[data-mark][data-row='{cell.row}'][data-column='{cell.column}']")  # type: ignore

    return _timed(ask)


if __name__ == "__main__":
    main()
