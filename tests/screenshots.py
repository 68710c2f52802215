"""Pictures of every whole page, light and dark, wide and narrow: ``make screenshots`` makes them.

The store holds two runs over the sample, so that no page is empty.
"""

import json
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from urllib.parse import urlencode

from playwright.sync_api import Browser, Page

from components.navigation import PAGES
from components.tour.stops import SECURITIES, STOPS, address
from qa_core.__main__ import main as command
from tests.e2e.running import ROOT, running_browser, running_server

SCHEMES = ("light", "dark")
WIDTHS = (1440, 1024)
HEIGHT, MOST_HEIGHT = 1000, 8000
"""CSS pixels: of the window at first, and at most, when it is as high as its page."""
PATIENCE_S = 60.0
"""How long a page may take until nothing on it changes any more."""


def main(folder: Path) -> None:
    """Take one picture for each view, colour scheme and width, named after all three."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place:
        first, second = (_evaluate(Path(place), *options) for options in ((), ("--no-lexicon",)))
        with running_server(ROOT / "app.py", (), Path(place)) as (_, server), running_browser() as browser:
            for name, path in _views(first, second):
                for scheme in SCHEMES:
                    for width in WIDTHS:
                        picture = _picture(browser, f"{server}/{path}", scheme, width)
                        (folder / f"{name}-{scheme}-{width}.png").write_bytes(picture)
                        print(f"{name}-{scheme}-{width}.png", flush=True)


def _evaluate(place: Path, *options: str) -> str:
    """The id of a new run of Lexical over the sample, in the store that the server uses."""
    said = StringIO()
    with redirect_stdout(said):
        command(["evaluate", "--store", f"sqlite:///{place / 'runs.sqlite'}", "--json", *options])
    return str(json.loads(said.getvalue())["run"])


def _views(first: str, second: str) -> Iterator[tuple[str, str]]:
    """The views by name: all pages, and what opens from them."""
    runs = {"run": first, "other": second}
    for name in PAGES:
        yield name, f"{_path(name)}?{urlencode(runs)}"
    case = {"case": SECURITIES["question"]}
    yield "errors-case", f"errors?{urlencode({'run': first, **case})}"
    yield "compare-case", f"compare?{urlencode({**runs, **case})}"
    yield "present-case", f"present?{urlencode({'run': first, **case})}"
    yield "present-chart", f"present?{urlencode({'run': first, 'chart': 'accuracy'})}"
    yield "tour", f"{_path(STOPS[0].page)}?{urlencode(address(STOPS[0], {}))}"


def _path(page: str) -> str:
    """Where a page is; the first one is where the app is."""
    return "" if page == next(iter(PAGES)) else page


def _picture(browser: Browser, url: str, scheme: str, width: int) -> bytes:
    page = browser.new_page(
        viewport={"width": width, "height": HEIGHT}, color_scheme="dark" if scheme == "dark" else "light"
    )
    try:
        page.goto(url)
        page.wait_for_selector("[data-test-script-state=notRunning]", state="attached")
        page.locator(".stMainBlockContainer :is(h2, h3, .ch-slide)").first.wait_for()
        at_first = _at_rest(page)
        height = page.get_by_test_id("stMain").evaluate("main => main.scrollHeight")
        if height <= HEIGHT:
            return at_first
        page.set_viewport_size({"width": width, "height": min(height, MOST_HEIGHT)})
        return _at_rest(page)
    finally:
        page.close()


def _at_rest(page: Page) -> bytes:
    """A picture that was the same twice, some time apart, while the page's script was not running."""
    deadline = time.monotonic() + PATIENCE_S
    before = b""
    while time.monotonic() < deadline:
        page.wait_for_timeout(700)
        now = page.screenshot(animations="disabled", caret="hide")
        resting = page.locator("[data-test-script-state=notRunning]").count()
        unfinished = page.locator(".stSkeleton, [data-testid=stSkeleton], [data-testid=stSpinner]").count()
        if now == before and resting and not unfinished:
            return now
        before = now
    raise SystemExit(f"The page {page.url} was not drawn to its end within {PATIENCE_S:.0f} seconds.")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
