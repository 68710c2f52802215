"""The Data page: what is loaded, and pointing the app at a folder."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from qa_core.question import Question
from tests.e2e.conftest import ROOT, Server
from tests.e2e.test_errors import write_dataset
from tests.tables import AMAZON, SURPLUS

pytestmark = pytest.mark.browser

PATIENT = 60_000


@pytest.fixture(scope="module")
def address(server: Server) -> str:
    return server(ROOT / "app.py")


def open_data(page: Page, address: str) -> None:
    page.goto(f"{address}/data")
    expect(page.get_by_role("heading", name="Data", exact=True)).to_be_visible(timeout=PATIENT)


def test_the_sample_is_counted(browser_page: Page, address: str) -> None:
    open_data(browser_page, address)
    row = browser_page.get_by_role("row", name="Questions 331 515")
    expect(row).to_be_visible()
    expect(browser_page.get_by_text("oddities in")).to_be_visible()


@pytest.mark.parametrize("width", [1440, 1024, 640])
def test_each_table_is_a_link_and_the_list_is_not_cut(browser_page: Page, address: str, width: int) -> None:
    browser_page.set_viewport_size({"width": width, "height": 900})
    open_data(browser_page, address)
    listed = browser_page.locator(".ch-tables")
    expect(listed.get_by_role("link")).to_have_count(43)
    box = listed.bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= width
    listed.get_by_role("link", name="(s-air-op-1)").click()
    expect(browser_page.get_by_role("heading", name="Ask a table")).to_be_visible(timeout=PATIENT)
    assert browser_page.url == f"{address}/?table=s-air-op-1"


def test_a_folder_is_opened_and_follows_to_other_pages(
    browser_page: Page, address: str, tmp_path: Path
) -> None:
    question = Question("q", AMAZON.id, "AWS net sales in 2024?", ("107,556",))
    folder = write_dataset(tmp_path, [AMAZON, SURPLUS], [question])
    open_data(browser_page, address)
    browser_page.get_by_text("Bring AIT-QA").click()
    browser_page.get_by_label("Folder").fill(folder)
    browser_page.get_by_role("button", name="Open the folder").click()
    expect(browser_page.get_by_role("heading", name="aitqa")).to_be_visible()
    browser_page.get_by_role("link", name="Ask").click()
    expect(browser_page.locator("td[data-mark=agree]")).to_have_text(
        "107,556gold = predicted", timeout=PATIENT
    )


def test_a_folder_that_is_none_is_one_sentence(browser_page: Page, address: str, tmp_path: Path) -> None:
    (tmp_path / "aitqa_tables.jsonl").write_text('{"id": "t", "data": []}\n{oops\n')
    (tmp_path / "aitqa_questions.jsonl").write_text("")
    open_data(browser_page, address)
    browser_page.get_by_text("Bring AIT-QA").click()
    for folder, said in (
        ("", "No folder is named"),
        ("/no/such/folder", "There is no folder /no/such/folder"),
        (str(tmp_path), "aitqa_tables.jsonl, line 2: not valid JSON"),
    ):
        browser_page.get_by_label("Folder").fill(folder)
        browser_page.get_by_role("button", name="Open the folder").click()
        expect(browser_page.get_by_text(said)).to_be_visible()
