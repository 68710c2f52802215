"""Times that a person feels, measured in one run on this machine: ``make bench``.

It starts the app on the sample with an empty store, visits it in a real browser, and prints each time
beside its bar and the share of the bar that it takes. Nothing fails on a slow machine.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser, Page

from qa_core.datasets import load_dataset
from qa_core.systems.interface import Request
from qa_core.systems.registry import load_system
from qa_core.table import Table
from qa_core.transform import flatten
from tests.e2e.running import ROOT, running_browser, running_server


def main() -> None:
    """Measure everything and print one line each."""
    print(f"{'what':58}{'bar':>9}{'median':>10}{'share':>8}")
    _lexical()
    with (
        tempfile.TemporaryDirectory() as folder,
        running_server(ROOT / "app.py", (), Path(folder)) as (process, address),
        running_browser() as browser,
    ):
        _visits(browser, address)
        loaded = (
            "torch" in Path(f"/proc/{process.pid}/maps").read_text() if sys.platform == "linux" else "unknown"
        )
        print(f"torch loaded by the server after all this: {loaded}")


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


def _timed(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def _visits(browser: Browser, address: str) -> None:
    _line("first visit after start, to the first table drawn", 3.0, [_visit(browser.new_page(), address)])
    later = [_visit(browser.new_page(), address) for _ in range(5)]
    _line("later visits with an empty browser cache, likewise", 1.5, later)
    page = browser.new_page()
    _visit(page, address)
    _line("later visits of the same browser, likewise", 1.5, [_visit(page, address) for _ in range(5)])
    _line("click on a cell, to its mark drawn", 0.5, [_click(page, row) for row in range(3, 10)])
    questions = load_dataset("sample").questions_of("s-air-op-2")[1:6]
    _line("switch of question, to its mark drawn", 0.5, [_ask(page, q.text, q.cell) for q in questions])


def _visit(page: Page, address: str) -> float:
    def visit() -> None:
        page.goto(address)
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
