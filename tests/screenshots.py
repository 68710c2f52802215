"""Pictures of every page, light and dark, wide and narrow: ``make screenshots`` writes them to a folder."""

import sys
import tempfile
from pathlib import Path

from tests.e2e.running import ROOT, running_browser, running_server

PAGES = {"ask": ""} | {name: name for name in ("bring", "explore", "errors", "results", "data")}
SETTLED = 6_000
"""Milliseconds after which a page has drawn all of its parts."""


def main(folder: Path) -> None:
    """Take one picture for each page, colour scheme and width."""
    folder.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as store,
        running_server(ROOT / "app.py", (), Path(store)) as (_, address),
        running_browser() as browser,
    ):
        for scheme in ("light", "dark"):
            for width in (1440, 1024):
                for name, path in PAGES.items():
                    page = browser.new_page(
                        viewport={"width": width, "height": 1000},
                        color_scheme="dark" if scheme == "dark" else "light",
                    )
                    page.goto(f"{address}/{path}")
                    page.wait_for_timeout(SETTLED)
                    page.screenshot(path=folder / f"{name}-{scheme}-{width}.png")
                    page.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
