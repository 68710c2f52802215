"""Waiting until a page is as a person would act on it."""

from playwright.sync_api import Locator, Page, expect

PATIENT = 60_000
"""Milliseconds."""
_AT_REST = "[data-test-script-state=notRunning]"
_PAUSE = 400
"""Milliseconds for which a page has to be the same."""


def at_rest(page: Page) -> None:
    """Return once the page's script has not run for a moment: one choice may start a second run."""
    while True:
        expect(page.locator(_AT_REST)).to_be_attached(timeout=PATIENT)
        page.wait_for_timeout(_PAUSE)
        if page.locator(_AT_REST).count():
            return


def drawn(place: Locator) -> None:
    """Return once a part of a page stands still: what is being drawn anew hears no click."""
    expect(place).to_be_visible(timeout=PATIENT)
    before = None
    while (now := place.bounding_box()) != before or now is None:
        before = now
        at_rest(place.page)
