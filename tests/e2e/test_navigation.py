"""Every page is reachable by its own address, also as the first visit after the server's start."""

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import ROOT, Server

pytestmark = pytest.mark.browser

PATIENT = 60_000


TITLES = (
    *("Ask", "Bring a table", "Explore", "Why this cell", "Errors"),
    *("Compare", "Paraphrases", "Results", "Annotate", "Data"),
)


@pytest.mark.parametrize("name", TITLES)
def test_a_deep_link_is_the_first_visit(browser_page: Page, server: Server, name: str) -> None:
    # An argument of its own gives each page a fresh server.
    address = server(ROOT / "app.py", "--", name)
    asked = requests_of(browser_page)
    browser_page.goto(f"{address}/{'' if name == 'Ask' else name.split()[0].lower()}")
    link = browser_page.get_by_test_id("stSidebar").get_by_role("link", name=name)
    expect(link).to_be_visible(timeout=PATIENT)
    expect(browser_page.get_by_role("heading", level=2).first).to_be_visible(timeout=PATIENT)
    expect(browser_page).to_have_title("Crosshead")
    assert elsewhere(asked, address) == []


def test_shared_choices_go_along(browser_page: Page, server: Server) -> None:
    address = server(ROOT / "app.py")
    browser_page.goto(f"{address}/data?transformation=transpose-all&table=s-air-is-1")
    browser_page.get_by_test_id("stSidebar").get_by_role("link", name="Explore").click(timeout=PATIENT)
    browser_page.wait_for_url("**/explore?table=s-air-is-1&transformation=transpose-all")


def test_nothing_is_asked_of_another_machine(browser_page: Page, server: Server) -> None:
    address = server(ROOT / "app.py")
    asked = requests_of(browser_page)
    browser_page.goto(address)
    expect(browser_page.locator("td[data-mark=agree]")).to_be_visible(timeout=PATIENT)
    assert elsewhere(asked, address) == []


def requests_of(page: Page) -> list[str]:
    """The addresses that a page asks for from now on."""
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    return asked


def elsewhere(asked: list[str], address: str) -> list[str]:
    return [url for url in asked if not url.startswith((address, "data:", "blob:"))]
