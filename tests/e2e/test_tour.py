"""The guided tour in a browser, as somebody clicks through it who was sent the address of the app."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.conftest import ROOT, Server
from tests.e2e.test_errors import click_bar, grid, listed, metric

pytestmark = pytest.mark.browser

PATIENT = 120_000


@pytest.fixture(scope="module")
def address(server: Server) -> str:
    """A server with a store of its own, which holds nothing before the tour begins."""
    return server(ROOT / "app.py", "--", "tour")


def card(page: Page) -> Locator:
    return page.locator(".st-key-tour")


def way(place: Page | Locator, name: str) -> Locator:
    """A link to another page, or the button that stands for one to the same page."""
    return place.get_by_role("link", name=name).or_(place.get_by_role("button", name=name)).first


def next_stop(page: Page, number: int, title: str) -> None:
    way(card(page), "Next").click()
    expect(card(page)).to_contain_text(f"Tour, stop {number} of 5: {title}", timeout=PATIENT)
    expect(page).to_have_url(re.compile(rf"[?&]tour={number}(&|$)"))


def test_a_stakeholder_clicks_through_all_stops_of_an_empty_store(address: str, browser_page: Page) -> None:
    page = browser_page
    page.goto(address)
    way(page, "New here? Take the tour").click(timeout=PATIENT)
    expect(card(page)).to_contain_text("Tour, stop 1 of 5")
    agreed = page.locator("td[data-mark=agree]")
    expect(agreed).to_contain_text("19.3%", timeout=PATIENT)
    expect(agreed).to_be_in_viewport()
    expect(page.get_by_text("New here?")).to_have_count(0)

    next_stop(page, 2, "What a flat system sees")
    expect(page.get_by_text("The flat table:")).to_be_visible()
    expect(page.locator(".table-view thead tr")).to_have_count(1)
    expect(page.locator("td[data-mark=agree]")).to_contain_text("19.3%")

    next_stop(page, 3, "A miss, and why")
    expect(page.locator("td[data-mark=predicted]")).to_contain_text("35,228")
    expect(page.locator("td[data-mark=gold]")).to_contain_text("91,479")
    expect(page.get_by_text("The same leaf label, under another parent.")).to_be_visible()
    page.locator("summary", has_text="What Lexical considered").click()
    expect(page.locator(".ch-list").first).to_contain_text("91,479")

    next_stop(page, 4, "All misses, and the way to each")
    expect(metric(page, "Questions")).to_contain_text("331", timeout=PATIENT)
    chart = page.get_by_role("figure", name="Strict misses by structural reason")
    expect(chart.locator(".ytick", has_text="Same leaf other parent")).to_be_visible()
    expect(page.locator("[data-test-script-state=notRunning]")).to_be_attached()
    labels = [text.strip() for text in reversed(chart.locator(".ytick").all_text_contents())]  # from below
    click_bar(page, "Strict misses", labels.index("Same leaf other parent"))
    expect(page).to_have_url(re.compile("reason=same-leaf-other-parent"))
    expect(listed(page)).not_to_contain_text("331 of 331")
    row = grid(page).locator(".ag-center-cols-container .ag-row", has_text="Long-dated marketable securities")
    row.click()
    expect(page.get_by_role("heading", name="Long-dated marketable securities")).to_be_visible()
    expect(card(page)).to_contain_text("Tour, stop 4 of 5")

    next_stop(page, 5, "Two systems side by side")
    expect(card(page)).to_contain_text("There is no run of RCI over the sample yet")
    expect(card(page).get_by_test_id("stProgress")).to_contain_text(re.compile("RCI · Base"))
    expect(metric(page, "McNemar's exact test")).to_be_visible(timeout=PATIENT)
    expect(page.get_by_text("First: Lexical. Second: RCI.")).to_be_visible()
    expect(card(page).get_by_test_id("stProgress")).to_have_count(0)
    lost = page.locator(".ch-tables").first.locator("tbody tr").first.locator("td").nth(5).get_by_role("link")
    n = lost.text_content()
    lost.click()
    expect(page.get_by_text(f"{n} of 331 questions. Select one")).to_be_visible(timeout=PATIENT)
    expect(card(page)).to_contain_text("Tour, stop 5 of 5")
    card(page).get_by_role("button", name="End the tour").click()
    expect(card(page)).to_have_count(0)
    expect(page).not_to_have_url(re.compile("tour="))


def test_the_tour_waits_for_who_walks_off_and_leads_back(address: str, browser_page: Page) -> None:
    page = browser_page
    page.goto(f"{address}/data?tour=3")
    side = page.get_by_test_id("stSidebar")
    expect(card(page)).to_contain_text("The tour waits at stop 3 of 5: A miss, and why", timeout=PATIENT)
    side.get_by_role("link", name="Explore").click()
    expect(page.get_by_role("heading", name="Explore the questions")).to_be_visible(timeout=PATIENT)
    expect(card(page)).to_contain_text("The tour waits at stop 3")
    way(card(page), "Back to it").click()
    expect(page.locator("td[data-mark=predicted]")).to_contain_text("35,228", timeout=PATIENT)
    page.get_by_label("Your question").fill("Goodwill?")
    page.get_by_label("Your question").press("Enter")
    expect(card(page)).to_contain_text("The tour waits at stop 3")
    page.go_back()
    expect(card(page)).to_contain_text("Tour, stop 3 of 5")
    way(card(page), "Back").click()
    expect(card(page)).to_contain_text("Tour, stop 2 of 5")
    card(page).get_by_role("button", name="Leave the tour").click()
    expect(card(page)).to_have_count(0)
    expect(way(side, "Take the tour")).to_be_visible()


def test_an_address_with_a_stop_that_is_none_shows_its_page(address: str, browser_page: Page) -> None:
    page = browser_page
    page.goto(f"{address}/data?tour=17")
    expect(page.get_by_role("heading", level=2).first).to_be_visible(timeout=PATIENT)
    expect(card(page)).to_have_count(0)
