"""How fast the pages are over a large store: ``make bench-pages`` prints a table.

20 runs over 60,000 questions, made by ``tests.large_store`` and kept in the folder that is named. Each page
is opened in a browser three times: *cold*, on a server that was just started and has to read the dataset;
*first*, where the server has the dataset, but shows this page for the first time; and *again*. The bar for
its first chart is 2 s, that for the figures after a choice, and for another part of a list, is 500 ms. Wall
clock, medians where something is done several times. Times depend on the machine, so no test asserts them.
"""

from __future__ import annotations

import argparse
import os
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, Locator, Page

from tests.e2e.running import ROOT, running_browser, running_server
from tests.large_store import N_QUESTIONS, N_RUNS, make_large_store

PATIENCE = 120_000
"""Milliseconds."""
DRAWN_BAR, FIGURES_BAR = 2.0, 0.5
"""Seconds."""
DEFAULT_FOLDER = Path(".crosshead") / "large"

GRID = "iframe >> internal:control=enter-frame"
ROW = f"{GRID} >> .ag-center-cols-container .ag-row"
FIRST_QUESTION = f'{ROW}[row-index="0"] [col-id="question"]'
CELL = "table[role=grid] td[data-row]"
COUNT = "text=/^[\\d,]+ of [\\d,]+ questions?\\b/"


@dataclass(frozen=True)
class Choice:
    """A choice on a page by a select box, and what has another text once it has its figures."""

    label: str
    option: str
    figures: str = COUNT


@dataclass(frozen=True)
class Measured:
    """A page, what is drawn first on it that counts, and choices that are made on it."""

    path: str
    chart: str
    choices: tuple[Choice, ...] = ()
    has_list: bool = False
    table: str = ""


PAGES = {
    "Ask": Measured("", ".ch-bars a"),
    "Explore": Measured("explore", ROW, (Choice("Slice", "KPI-driven"),), True),
    "Errors": Measured(
        "errors",
        ".stPlotlyChart .point path",
        (Choice("Verdict", "wrong (strict)"), Choice("Structural reason", "Both wrong")),
        True,
    ),
    "Compare": Measured("compare", ".ch-tables td", (Choice("Change", "Gained"),), True),
    "Results": Measured("results", ".ch-tables td"),
    "Paraphrases": Measured("paraphrases", ".ch-set"),
    "Why": Measured("why", CELL),
    "Annotate": Measured("annotate", CELL),
    "Present": Measured("present", "td[data-row]", table="tab-0"),
    "Data": Measured("data", ".stTable td"),
}


def main() -> None:
    """Measure every page and print its line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--folder", type=Path, default=DEFAULT_FOLDER, help="where the large store is or is made"
    )
    parser.add_argument("--questions", type=int, default=N_QUESTIONS)
    parser.add_argument("--runs", type=int, default=N_RUNS)
    parser.add_argument("--page", action="append", choices=list(PAGES), help="only this page")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    told = make_large_store(options.folder.absolute(), options.questions, options.runs)
    print(f"{options.runs} runs over {options.questions:,} questions; {os.cpu_count()} processors")
    print(f"{'what':52}{'bar':>9}{'measured':>11}")
    with running_browser() as browser:
        for name in options.page or PAGES:
            measure(browser, name, PAGES[name], told)


def measure(browser: Browser, name: str, measured: Measured, told: dict[str, str]) -> None:
    """Measure one page on a server of its own."""
    with large_server(told) as address, _window(browser) as page:
        line(f"{name}, first chart, cold", None, _visit(page, address, measured))
    with large_server(told) as address, _window(browser) as page:
        _visit(page, address, PAGES["Data"])
        _settle(page)
        line(f"{name}, first chart, first", DRAWN_BAR, _visit(page, address, measured))
        again = []
        for _ in range(3):
            _settle(page)
            again.append(_visit(page, address, measured))
        line(f"{name}, first chart, again", DRAWN_BAR, *again)
        _settle(page)
        for choice in measured.choices:
            line(f"{name}, {choice.label}: {choice.option}", FIGURES_BAR, *_choose(page, choice))
        if measured.has_list:
            line(f"{name}, another part of the list", FIGURES_BAR, *_turn(page))


@contextmanager
def large_server(told: dict[str, str]) -> Iterator[str]:
    """The app on the large store."""
    with (
        tempfile.TemporaryDirectory() as folder,
        running_server(ROOT / "app.py", (), Path(folder), told) as (_, address),
    ):
        yield address


def line(what: str, bar: float | None, *times: float) -> None:
    """Print the median of some times in seconds beside its bar."""
    median = statistics.median(times)
    said = f"{1000 * bar:>6.0f} ms" if bar else "–"
    late = "  LATE" if bar and median > bar else ""
    print(f"{what:52}{said:>9}{1000 * median:>8.0f} ms{late}", flush=True)


@contextmanager
def _window(browser: Browser) -> Iterator[Page]:
    page = browser.new_page(viewport={"width": 1440, "height": 1000})
    page.set_default_timeout(PATIENCE)
    yield page
    page.close()


def _visit(page: Page, address: str, measured: Measured) -> float:
    def visit() -> None:
        table = f"&table={measured.table}" if measured.table else ""
        page.goto(f"{address}/{measured.path}?dataset=aitqa{table}")
        page.locator(measured.chart).first.wait_for(state="attached")

    return _timed(visit)


def _choose(page: Page, choice: Choice) -> Iterator[float]:
    """Take an option and what was there before, in turn."""
    shown = page.locator(choice.figures).first
    for option in (choice.option, "all", choice.option):
        box = page.get_by_test_id("stSelectbox").filter(has_text=choice.label)
        box.scroll_into_view_if_needed()
        box.locator("input").click()
        offered = page.get_by_role("option").filter(has_text=option).first
        offered.wait_for()
        yield _until_changed(shown, offered.click)
        _settle(page)


def _turn(page: Page) -> Iterator[float]:
    first = page.locator(FIRST_QUESTION).first
    for label in ("Later", "Later", "Earlier"):
        button = page.get_by_role("button", name=label)
        button.scroll_into_view_if_needed()
        yield _until_changed(first, button.click)
        _settle(page)


def _until_changed(shown: Locator, act: Callable[[], None]) -> float:
    """Seconds from an act until a text is another one."""
    before = shown.inner_text()
    start = time.perf_counter()
    act()
    while shown.inner_text() == before:
        if time.perf_counter() - start > PATIENCE / 1000:
            raise TimeoutError(f"“{before}” does not change")
    return time.perf_counter() - start


def _settle(page: Page) -> None:
    page.locator("[data-test-script-state=notRunning]").wait_for()
    page.wait_for_timeout(1000)


def _timed(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
