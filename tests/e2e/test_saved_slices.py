"""Saved slices on the page Errors, in the hands of two people."""

import re
from collections.abc import Iterator
from contextlib import redirect_stdout
from io import StringIO

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from qa_core.__main__ import main
from tests.e2e.conftest import ROOT
from tests.e2e.running import running_server
from tests.e2e.test_errors import HOSTILE, listed, open_errors

pytestmark = pytest.mark.browser

PATIENT = 60_000


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server over a store with a run of the sample."""
    place = tmp_path_factory.mktemp("slices")
    with redirect_stdout(StringIO()):
        assert main(["evaluate", "--dataset", "sample", "--store", f"sqlite:///{place / 'runs.sqlite'}"]) == 0
    with running_server(ROOT / "app.py", (), place) as (_, address):
        yield address


def line(page: Page, name: str) -> Locator:
    return page.locator(".ch-tables tr", has=page.locator("th", has_text=name))


def save(page: Page, name: str) -> None:
    page.get_by_label(re.compile("^Save “")).fill(name)
    page.get_by_label(re.compile("^Save “")).press("Enter")
    page.get_by_role("button", name=re.compile("Save$")).click()


def test_what_is_chosen_is_saved_and_its_figures_lead_to_its_questions(
    address: str, browser_page: Page
) -> None:
    page = browser_page
    open_errors(page, address, **{"row-depth": "2", "right": "no"})
    n = re.match(r"\d+", listed(page).inner_text())
    assert n
    save(page, "Deep misses")
    saved = line(page, "Deep misses")
    expect(saved).to_contain_text("wrong (strict) · Row header depth: 2 levels")
    expect(saved.locator("td").nth(1)).to_have_text(re.compile(rf"^{n[0]}0 right$"))

    open_errors(page, address)
    expect(page.get_by_text("What you choose by bars and facets can be saved here")).to_be_visible()
    expect(listed(page)).to_contain_text("331 of 331")
    saved.get_by_role("link", name=n[0]).click()
    expect(listed(page)).to_contain_text(f"{n[0]} of 331", timeout=PATIENT)
    expect(page).to_have_url(re.compile(r"right=no&row-depth=2|row-depth=2&right=no"))


def test_of_two_people_the_second_is_told_and_neither_loses_a_slice(
    address: str, browser: Browser, browser_page: Page
) -> None:
    ada, context = browser_page, browser.new_context()
    ben = context.new_page()
    open_errors(ada, address, answer="money")
    open_errors(ben, address, answer="percent")
    save(ada, "ours")
    expect(line(ada, "ours")).to_contain_text("Kind of answer: money")
    save(ben, "ours")
    expect(ben.get_by_text("There is another slice of the name “ours”; write another name.")).to_be_visible()
    expect(line(ben, "ours")).to_contain_text("Kind of answer: money")
    save(ben, HOSTILE[:60])
    expect(line(ben, "<img src=x")).to_contain_text("Kind of answer: percent")
    assert ben.locator("img[src=x], .katex").count() == 0

    for person in (ada, ben):
        person.get_by_text("Rename or delete one").click()
    choose(ada, "ours")
    ada.get_by_role("button", name="Delete").click()
    expect(line(ada, "ours")).to_have_count(0)
    choose(ben, "ours")
    ben.get_by_label("New name").fill("mine")
    ben.get_by_label("New name").press("Enter")
    expect(line(ben, "ours")).to_have_count(0)
    expect(ben.get_by_role("button", name="Rename")).to_be_disabled()
    choose(ben, HOSTILE[:60])
    ben.get_by_role("button", name="Rename").click()
    expect(line(ben, "mine")).to_contain_text("Kind of answer: percent")
    expect(line(ben, "<img src=x")).to_have_count(0)
    context.close()


def choose(page: Page, name: str) -> None:
    expect(page.locator("[data-test-script-state=notRunning]")).to_be_attached()
    box, option = (
        page.get_by_role("combobox", name="Saved slice"),
        page.get_by_role("option", name=name, exact=True),
    )
    box.scroll_into_view_if_needed()
    for _ in range(5):  # a list that has just opened closes where the page moves under it
        box.click()
        page.wait_for_timeout(500)
        if option.is_visible():
            break
    option.click()
