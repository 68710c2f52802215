"""The page Explore in a real browser."""

import json
import re
from pathlib import Path
from urllib.parse import quote_plus, urlencode

import pytest
from playwright.sync_api import Dialog, FrameLocator, Locator, Page, expect

from components.listing import LISTED_AT_ONCE
from tests.e2e.conftest import ROOT, Server

pytestmark = pytest.mark.browser

TABLE = {
    "id": "fleet <img src=x onerror=alert(1)>",
    "title": "Fleet $a$ <b>2018</b>",
    "column_header": [["Owned"], ["Leased"]],
    "row_header": [["Mainline", "Boeing"], ["Mainline", "Airbus"], ["Regional", "Embraer"]],
    "data": [["10", "20"], ["<img src=x onerror=alert(1)>", "40"], ["from $663 to $622", "60"]],
}
HOSTILE = "<img src=x onerror=alert(1)> from $663 to $622 ::JSCODE::alert(2)::JSCODE:: אבג"
HOSTILE_ID = "::JSCODE::alert(3)::JSCODE:: &case=x #?"
QUESTIONS = [
    ("b-owned", "How many Boeing aircraft are owned?", "10"),
    ("b-leased", "How many Boeing aircraft are leased?", "20"),
    (HOSTILE_ID, HOSTILE, "<img src=x onerror=alert(1)>"),
    ("a-leased", "How many Airbus aircraft are leased?", "40"),
    ("e-leased", "How many Embraer aircraft are leased?", "60"),
    ("e-owned", "What was the range of Embraer aircraft?", "from $663 to $622"),
] + [(f"more-{n:02}", f"Boeing aircraft owned, asked again ({n})?", "10") for n in range(40)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dataset")
    (folder / "aitqa_tables.jsonl").write_text(json.dumps(TABLE), encoding="utf-8")
    records = [
        {"id": id_, "table_id": TABLE["id"], "question": text, "answers": [answer], "type": "Table-driven"}
        for id_, text, answer in QUESTIONS
    ]
    (folder / "aitqa_questions.jsonl").write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
    return folder


@pytest.fixture
def explore(server: Server, browser_page: Page, folder: Path) -> "Explore":
    return Explore(server(ROOT / "app.py"), browser_page, folder)


class Explore:
    """The page, as a person sees it."""

    def __init__(self, address: str, page: Page, folder: Path) -> None:
        self.page = page
        self.dialogs: list[str] = []
        page.on("dialog", self._dismiss)
        self.address = address
        self._address = f"{address}/explore?" + urlencode({"dataset": "aitqa", "dir": str(folder)})

    def _dismiss(self, dialog: Dialog) -> None:
        self.dialogs.append(dialog.message)
        dialog.dismiss()

    def open(self, **parameters: str) -> "Explore":
        self.page.goto(f"{self._address}&{urlencode(parameters)}")
        self.grid.locator(".ag-row").first.wait_for()
        return self

    @property
    def grid(self) -> FrameLocator:
        return self.page.frame_locator('iframe[title="st_aggrid.AgGrid.agGrid"]')

    def rows(self) -> Locator:
        return self.grid.locator(".ag-center-cols-container .ag-row")

    def row(self, text: str) -> Locator:
        return self.rows().filter(has_text=text)

    def click(self, text: str) -> None:
        self.row(text).locator('[col-id="question"]').click()

    def search(self, text: str) -> None:
        field = self.page.get_by_label("Search")
        field.fill(text)
        field.press("Enter")

    def sort(self) -> None:
        """A click on the head of the questions, and the page's answer."""
        before = self.page.url
        self.grid.get_by_role("columnheader", name="Question", exact=True).click()
        self.page.wait_for_function("before => location.href !== before", arg=before)

    def shows(self, text: str) -> None:
        """The question is the one beside the grid, and the one row selected in the grid."""
        expect(self.page.get_by_role("heading", name=text, exact=True)).to_be_visible()
        selected = self.grid.locator(".ag-center-cols-container .ag-row-selected")
        expect(selected).to_have_count(1)
        expect(selected).to_contain_text(text)
        expect(selected).to_be_in_viewport()

    def case_is(self, question_id: str) -> None:
        expect(self.page).to_have_url(re.compile(rf"[?&]case={re.escape(quote_plus(question_id))}(&|$)"))


def test_the_first_question_is_shown_where_the_link_names_none(explore: Explore) -> None:
    explore.open().shows("How many Boeing aircraft are owned?")
    expect(explore.page.get_by_text("1 of 46", exact=True)).to_be_visible()


def test_a_click_after_a_search_opens_the_row_clicked(explore: Explore) -> None:
    explore.open(case="b-leased")
    explore.search("embraer")
    expect(explore.rows()).to_have_count(2)
    explore.click("How many Embraer")
    explore.case_is("e-leased")
    explore.shows("How many Embraer aircraft are leased?")
    expect(explore.rows()).to_have_count(2)
    explore.search("")
    explore.shows("How many Boeing aircraft are owned?")


def test_a_click_after_a_sort_opens_the_row_clicked_and_the_link_keeps_the_order(explore: Explore) -> None:
    explore.open()
    explore.sort()
    explore.sort()
    expect(explore.page).to_have_url(re.compile(r"[?&]sort=-question(&|$)"))
    first = explore.grid.locator('.ag-row[row-index="0"]')
    expect(first).to_contain_text("What was the range")
    explore.click("How many Embraer")
    explore.case_is("e-leased")
    explore.shows("How many Embraer aircraft are leased?")
    explore.page.reload()
    expect(first).to_contain_text("What was the range")
    explore.sort()
    expect(first).to_contain_text("How many Boeing aircraft are owned?")
    explore.page.go_back()
    expect(first).to_contain_text("What was the range")


def test_the_same_row_can_be_chosen_again_after_next(explore: Explore) -> None:
    explore.open()
    explore.click("How many Airbus")
    explore.case_is("a-leased")
    explore.page.get_by_role("button", name="Next").click()
    explore.shows("How many Embraer aircraft are leased?")
    explore.click("How many Airbus")
    explore.case_is("a-leased")
    explore.shows("How many Airbus aircraft are leased?")


def test_next_and_previous_walk_through_the_list_by_button_and_key(explore: Explore) -> None:
    explore.open(case="b-owned")
    page = explore.page
    expect(page.get_by_role("button", name="Previous")).to_be_disabled()
    page.get_by_role("button", name="Next").click()
    explore.shows("How many Boeing aircraft are leased?")
    expect(page.get_by_text("2 of 46", exact=True)).to_be_visible()
    page.keyboard.press("p")
    explore.shows("How many Boeing aircraft are owned?")
    page.keyboard.press("n")
    explore.shows("How many Boeing aircraft are leased?")


def test_next_walks_through_what_the_search_found(explore: Explore) -> None:
    explore.open(find="leased", case="b-owned")
    page = explore.page
    expect(page.get_by_text("not among the 3 listed")).to_be_visible()
    page.get_by_role("button", name="Next").click()
    explore.shows("How many Boeing aircraft are leased?")
    page.get_by_role("button", name="Next").click()
    explore.shows("How many Airbus aircraft are leased?")
    expect(page.get_by_text("2 of 3", exact=True)).to_be_visible()


def test_next_follows_the_sort_and_the_search(explore: Explore) -> None:
    explore.open(case="e-owned", find="embraer", sort="-question")
    page = explore.page
    expect(page.get_by_text("1 of 2", exact=True)).to_be_visible()
    expect(page.get_by_role("button", name="Previous")).to_be_disabled()
    page.get_by_role("button", name="Next").click()
    explore.shows("How many Embraer aircraft are leased?")
    explore.case_is("e-leased")
    expect(page.get_by_role("button", name="Next")).to_be_disabled()


def test_the_keys_n_and_p_work_from_within_the_grid_but_not_while_typing(explore: Explore) -> None:
    explore.open(case="b-owned")
    explore.click("How many Boeing aircraft are leased?")
    explore.shows("How many Boeing aircraft are leased?")
    explore.page.keyboard.press("p")
    explore.shows("How many Boeing aircraft are owned?")
    explore.page.keyboard.press("n")
    explore.shows("How many Boeing aircraft are leased?")
    explore.page.get_by_label("Search").press_sequentially("plan n")
    expect(explore.page.get_by_label("Search")).to_have_value("plan n")
    explore.case_is("b-leased")


def test_a_search_that_finds_nothing_says_so(explore: Explore) -> None:
    explore.open(case="b-owned")
    explore.search("zeppelin")
    expect(explore.page.get_by_text("0 of 46 questions.")).to_be_visible()
    expect(explore.grid.locator(".ag-overlay-no-rows-center")).to_have_text("No question to show")


def test_a_stale_order_is_said(explore: Explore) -> None:
    explore.open(sort="zzz")
    expect(explore.page.get_by_text("This link asks for order “zzz”, which is not here.")).to_be_visible()
    explore.page.get_by_role("button", name="Forget it").click()
    expect(explore.page.get_by_text("This link asks for")).to_have_count(0)


def test_the_keyboard_selects_a_row(explore: Explore) -> None:
    explore.open(case="b-owned")
    explore.click("How many Boeing aircraft are owned?")
    explore.page.keyboard.press("ArrowDown")
    explore.page.keyboard.press("Enter")
    explore.case_is("b-leased")
    explore.shows("How many Boeing aircraft are leased?")


def test_a_deep_link_scrolls_to_its_question_and_a_reload_keeps_it(explore: Explore) -> None:
    text = "Boeing aircraft owned, asked again (39)?"
    explore.open(case="more-39").shows(text)
    explore.page.reload()
    explore.shows(text)


def test_back_returns_to_the_former_question(explore: Explore) -> None:
    explore.open(case="b-owned")
    explore.click("How many Airbus")
    explore.shows("How many Airbus aircraft are leased?")
    explore.page.go_back()
    explore.shows("How many Boeing aircraft are owned?")


def test_a_stale_link_says_so_and_offers_the_way_back(explore: Explore) -> None:
    explore.open(case="no-such-question")
    expect(explore.page.get_by_text("“no-such-question”, which is not here")).to_be_visible()
    explore.shows("How many Boeing aircraft are owned?")
    explore.page.get_by_role("button", name="Forget it").click()
    expect(explore.page.get_by_text("which is not here")).to_have_count(0)


def test_hostile_text_is_shown_as_text_and_runs_nothing(explore: Explore) -> None:
    explore.open(case=HOSTILE_ID).shows(HOSTILE)
    text = "from $663 to $622 ::JSCODE::"
    row = explore.row(text)
    expect(row.locator('[col-id="gold"]')).to_have_text("<img src=x onerror=alert(1)>")
    row.locator('[col-id="question"]').hover()
    explore.click("How many Airbus")
    explore.case_is("a-leased")
    explore.click(text)
    explore.case_is(HOSTILE_ID)
    expect(explore.grid.locator("img")).to_have_count(0)
    assert explore.page.locator(".katex").count() == 0
    assert explore.dialogs == []


def test_the_grid_follows_a_switch_to_the_dark_theme(explore: Explore) -> None:
    explore.page.emulate_media(color_scheme="light")
    explore.open(case="b-owned")
    row = explore.row("How many Airbus")
    expect(row).to_have_css("background-color", "rgb(255, 255, 255)")
    explore.page.emulate_media(color_scheme="dark")
    expect(row).to_have_css("background-color", "rgb(21, 24, 28)")
    explore.click("How many Airbus")
    explore.shows("How many Airbus aircraft are leased?")


def test_a_long_list_comes_in_parts_and_a_step_leads_over_their_border(
    explore: Explore, tmp_path: Path
) -> None:
    (tmp_path / "aitqa_tables.jsonl").write_text(json.dumps(TABLE), encoding="utf-8")
    n = 2 * LISTED_AT_ONCE + 1
    records = [
        {"id": f"q{i:04}", "table_id": TABLE["id"], "question": f"Owned, no. {i}?", "answers": ["10"]}
        for i in range(n)
    ]
    (tmp_path / "aitqa_questions.jsonl").write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
    many = Explore(explore.address, explore.page, tmp_path)
    many.open(case=f"q{LISTED_AT_ONCE - 1:04}").shows(f"Owned, no. {LISTED_AT_ONCE - 1}?")
    grid = many.grid.locator("[role=treegrid], [role=grid]").first
    expect(grid).to_have_attribute("aria-rowcount", str(LISTED_AT_ONCE + 1))
    expect(many.page.get_by_text(f"1 to {LISTED_AT_ONCE} of {n}")).to_be_visible()
    many.page.get_by_role("button", name="Next").click()
    many.shows(f"Owned, no. {LISTED_AT_ONCE}?")
    expect(many.page.get_by_text(f"{LISTED_AT_ONCE + 1} to {2 * LISTED_AT_ONCE} of {n}")).to_be_visible()
    many.page.get_by_role("button", name="Previous").click()
    many.shows(f"Owned, no. {LISTED_AT_ONCE - 1}?")
    many.page.get_by_role("button", name="Later").click()
    many.shows(f"Owned, no. {LISTED_AT_ONCE}?")
    many.page.get_by_role("button", name="Later").click()
    many.shows(f"Owned, no. {n - 1}?")
    expect(grid).to_have_attribute("aria-rowcount", "2")
    many.search("400?")
    many.shows("Owned, no. 400?")
    expect(many.page.get_by_text(f"1 of {n} questions.")).to_be_visible()


def test_the_question_goes_along_to_the_page_ask(explore: Explore) -> None:
    explore.open(case="e-owned")
    explore.page.get_by_role("link", name="Ask about this table").click()
    expect(explore.page).to_have_url(re.compile(r"[?&]table=fleet"))
    expect(explore.page.get_by_label("Your question")).to_have_value(
        "What was the range of Embraer aircraft?"
    )
