"""The table view in a real browser."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.e2e.conftest import Server

pytestmark = pytest.mark.browser

APP = Path(__file__).with_name("table_view_app.py")

OpenCase = Callable[..., Page]


@pytest.fixture
def open_case(server: Server, browser_page: Page) -> OpenCase:
    def open_(case: str, *, marks: str = "none") -> Page:
        browser_page.goto(f"{server(APP)}/?case={case}")
        browser_page.locator("caption").first.wait_for()
        if marks != "none":
            choose(browser_page, "Marks", marks)
        return browser_page

    return open_


def choose(page: Page, label: str, option: str) -> None:
    page.get_by_role("combobox", name=label).click()
    page.get_by_role("option", name=option, exact=True).click()


def cell(page: Page, row: int, column: int) -> Locator:
    return page.locator(f'td[data-row="{row}"][data-column="{column}"]')


def row_header(page: Page, row: int) -> Locator:
    return page.locator(f'th[data-row="{row}"]')


def column_header(page: Page, column: int) -> Locator:
    return page.locator(f'th[data-column="{column}"]')


def underlined(page: Page, style: str) -> list[str]:
    return page.locator(f'[data-path="{style}"] > .label').all_inner_texts()


def test_a_click_reports_its_location_once(open_case: OpenCase) -> None:
    page = open_case("operations")
    cell(page, 2, 1).click()
    expect(page.get_by_text("clicks [[2, 1]]")).to_be_visible()
    expect(cell(page, 2, 1)).to_have_attribute("aria-selected", "true")
    page.get_by_text("Score map").click()
    expect(page.locator("table.scored")).to_be_visible()
    expect(page.get_by_text("clicks [[2, 1]]", exact=True)).to_be_visible()


def test_headers_are_locations_and_spanners_are_not(open_case: OpenCase) -> None:
    page = open_case("operations")
    row_header(page, 4).click()
    expect(page.get_by_text("clicks [[4, None]]")).to_be_visible()
    column_header(page, 1).click()
    expect(page.get_by_text("clicks [[4, None], [None, 1]]")).to_be_visible()
    page.locator("thead .spanner").click()
    page.locator("tr.crosshead th").first.click()
    cell(page, 0, 0).click()
    expect(page.get_by_text("clicks [[4, None], [None, 1], [0, 0]]")).to_be_visible()


def test_the_keyboard_walks_and_chooses(open_case: OpenCase) -> None:
    page = open_case("operations")
    cell(page, 0, 0).click()
    expect(page.get_by_text("clicks [[0, 0]]")).to_be_visible()
    here = page.locator("[tabindex='0']:focus")
    expect(here).to_have_attribute(
        "aria-label", "Mainline, Passenger load factor, Year Ended December 31, 2018: 83.6%"
    )
    for key, label in [
        ("ArrowRight", "Mainline, Passenger load factor, Year Ended December 31, 2017: 82.4%"),
        ("End", "Mainline, Passenger load factor, Change: 1.2 pts"),
        ("ArrowUp", "Change"),
        ("ArrowDown", "Mainline, Passenger load factor, Change: 1.2 pts"),
        ("PageDown", "Total operating expenses, Change: 11.7%"),
        ("Home", "Total operating expenses"),
        ("ArrowUp", "Regional, Available seat miles (millions)"),
    ]:
        page.keyboard.press(key)
        expect(here).to_have_attribute("aria-label", label)
    page.keyboard.press("Enter")
    expect(page.get_by_text("clicks [[0, 0], [5, None]]")).to_be_visible()
    expect(page.locator("[role=grid] [tabindex]")).to_have_count(1)
    expect(here).to_have_attribute("aria-selected", "true")


def test_gold_and_predicted_differ_by_word_frame_and_underline(open_case: OpenCase) -> None:
    page = open_case("operations", marks="apart")
    expect(cell(page, 0, 0).locator(".badge")).to_have_text("gold")
    expect(cell(page, 1, 1).locator(".badge")).to_have_text("predicted")
    assert frame(cell(page, 0, 0)) == "dashed"
    assert frame(cell(page, 1, 1)) == "solid"
    assert underlined(page, "gold") == ["2018", "Passenger load factor"]
    assert underlined(page, "predicted") == ["2017", "Available seat miles (millions)"]
    assert underlined(page, "agree") == ["Year Ended December 31,", "Mainline"]


def test_agreement_has_its_own_word_and_frame(open_case: OpenCase) -> None:
    page = open_case("operations", marks="agree")
    expect(page.locator(".badge")).to_have_text(["gold = predicted"])
    assert frame(cell(page, 0, 0)) == "double"
    expect(cell(page, 0, 0)).to_have_attribute("aria-label", re.compile(r"83\.6% \(gold = predicted\)$"))


def test_a_second_system_is_named(open_case: OpenCase) -> None:
    page = open_case("operations", marks="three")
    expect(page.locator(".badge")).to_have_text(["gold = rci", "predicted"])


def test_a_header_can_be_gold(open_case: OpenCase) -> None:
    page = open_case("operations", marks="header")
    expect(row_header(page, 1).locator(".badge")).to_have_text("gold")
    expect(column_header(page, 1).locator(".badge")).to_have_text("predicted")
    assert underlined(page, "gold") == ["Mainline"]


def test_new_marks_replace_old_ones_on_the_same_table(open_case: OpenCase) -> None:
    page = open_case("operations", marks="apart")
    expect(page.locator(".badge")).to_have_count(2)
    page.locator("table").evaluate("table => (table.drawnOnce = true)")
    choose(page, "Marks", "agree")
    expect(page.locator(".badge")).to_have_text(["gold = predicted"])
    assert page.locator("table").evaluate("table => table.drawnOnce")
    choose(page, "Marks", "none")
    expect(page.locator(".badge, [data-mark], [data-path]")).to_have_count(0)


def test_hostile_text_is_shown_as_text(open_case: OpenCase) -> None:
    page = open_case("hostile", marks="header")
    expect(page.locator(".badge")).to_have_count(2)
    expect(cell(page, 0, 0)).to_have_text("<img src=x onerror=alert(1)>")
    expect(cell(page, 0, 1)).to_have_text("a < b")
    expect(cell(page, 0, 2)).to_have_text("$663 to $622")
    expect(cell(page, 1, 0)).to_have_text("</td></table><script>alert(1)</script>")
    expect(cell(page, 2, 2)).to_have_text("&lt;already&gt;")
    expect(cell(page, 3, 2)).to_have_text(":red[x] $x^2$")
    expect(page.locator("caption")).to_have_text("<script>alert(1)</script> $a$")
    expect(page.locator(".table-view").locator("img, script, b, a, .katex")).to_have_count(0)
    assert cell(page, 1, 2).evaluate("td => getComputedStyle(td).direction") == "rtl"
    assert cell(page, 1, 1).evaluate("td => td.scrollWidth <= td.clientWidth")
    assert row_header(page, 1).evaluate("th => th.scrollWidth <= th.clientWidth")


def test_no_dialog_is_ever_opened(open_case: OpenCase, browser_page: Page) -> None:
    opened = []
    browser_page.on("dialog", lambda dialog: (opened.append(dialog.message), dialog.dismiss()))
    page = open_case("hostile", marks="header")
    cell(page, 0, 0).click()
    row_header(page, 0).hover()
    expect(page.get_by_text("clicks [[0, 0]]")).to_be_visible()
    assert opened == []


def test_of_a_vast_table_the_first_rows_and_the_marked_ones_are_drawn(open_case: OpenCase) -> None:
    page = open_case("vast", marks="far")
    expect(cell(page, 4999, 19).locator(".badge")).to_have_text("predicted")
    expect(page.locator("td[data-column]")).to_have_count(12_000)
    expect(page.locator("caption .note")).to_have_text(
        "600 of 5,000 rows are drawn: the first 599 and those with a mark."
    )
    expect(page.locator("tr.gap")).to_have_text(["… 4,376 rows are not drawn …", "… 24 rows are not drawn …"])
    assert underlined(page, "predicted") == ["Column 19", "Group 199", "Row 4999"]
    cell(page, 4999, 18).click()
    expect(page.get_by_text("clicks [[4999, 18]]")).to_be_visible()
    expect(cell(page, 4999, 18)).to_have_attribute("aria-selected", "true")
    expect(cell(page, 4999, 18)).to_be_focused()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(page.get_by_text("clicks [[4999, 18], [598, 18]]")).to_be_visible()
    expect(cell(page, 598, 18)).to_have_attribute("aria-selected", "true")


def test_a_large_table_is_drawn_whole_and_its_mark_is_in_view(open_case: OpenCase) -> None:
    page = open_case("large")
    expect(page.locator("td[data-column]")).to_have_count(10_000)
    page_scroll = page.get_by_test_id("stMain").evaluate("main => main.scrollTop")
    choose(page, "Marks", "far")
    expect(cell(page, 499, 19).locator(".badge")).to_have_text("predicted")
    inside = cell(page, 499, 19).evaluate(
        """td => {
            const box = td.getBoundingClientRect();
            const view = td.closest('.scroller').getBoundingClientRect();
            return box.top >= view.top && box.bottom <= view.bottom && box.right <= view.right;
        }"""
    )
    assert inside
    assert page.get_by_test_id("stMain").evaluate("main => main.scrollTop") == page_scroll
    top_of_head, top_of_view = page.locator("thead").evaluate(
        "head => [head, head.closest('.scroller')].map((part) => part.getBoundingClientRect().top)"
    )
    assert abs(top_of_head - top_of_view) <= 2


def test_the_score_map_shades_and_says_numbers(open_case: OpenCase) -> None:
    page = open_case("operations")
    page.get_by_text("Score map").click()
    expect(row_header(page, 0)).to_have_attribute("title", "row score 1")
    expect(column_header(page, 2)).to_have_attribute("title", "column score 1")
    expect(cell(page, 0, 2)).to_have_attribute("title", "row + column score 2")
    expect(cell(page, 0, 2)).to_have_attribute("style", re.compile(r"--heat: 1\.000"))
    assert column_header(page, 3).get_attribute("title") is None
    page.get_by_text("Score map").click()
    expect(page.locator("table.scored, table [title]")).to_have_count(0)


def test_a_mark_leaves_the_shade_of_its_cell_to_the_score(open_case: OpenCase) -> None:
    page = open_case("operations")
    page.get_by_text("Score map").click()
    expect(page.locator("table.scored")).to_be_visible()
    page.mouse.move(0, 0)
    shades = [ground(cell(page, row, 2)) for row in range(3)]
    assert len(set(shades)) == 3
    for marks, frames in (("agree", {(0, 0): "double"}), ("apart", {(0, 0): "dashed", (1, 1): "solid"})):
        choose(page, "Marks", "none")
        expect(page.locator(".badge")).to_have_count(0)
        unmarked = {place: ground(cell(page, *place)) for place in frames}
        choose(page, "Marks", marks)
        expect(page.locator(".badge")).to_have_count(len(frames))
        page.mouse.move(0, 0)
        assert {place: ground(cell(page, *place)) for place in frames} == unmarked
        assert {place: frame(cell(page, *place)) for place in frames} == frames


@pytest.mark.parametrize("case", ["flat-transpose-all", "flat-base"])
def test_the_first_column_of_a_flat_table_stays_in_sight(
    open_case: OpenCase, browser_page: Page, case: str
) -> None:
    browser_page.set_viewport_size({"width": 480, "height": 700})
    page = open_case(case)
    page.locator(".scroller").evaluate("view => view.scrollTo(10_000, 0)")
    expect(page.locator(".edges.more-left")).to_be_visible()
    for first in (column_header(page, 0), cell(page, 1, 0)):
        assert abs(first.evaluate(FROM_THE_LEFT)) <= 2


def test_an_edge_says_on_which_side_there_is_more(open_case: OpenCase) -> None:
    page = open_case("large")
    edges, scroller = page.locator(".edges"), page.locator(".scroller")
    expect(edges).to_have_class("edges more-right")
    scroller.evaluate("view => view.scrollTo(200, 0)")
    expect(edges).to_have_class("edges more-right more-left")
    assert [edges.evaluate(OPACITY, side) for side in ("::before", "::after")] == ["1", "1"]
    scroller.evaluate("view => view.scrollTo(100_000, 0)")
    expect(edges).to_have_class("edges more-left")
    open_case("operations")
    expect(edges).to_have_class("edges")


def test_a_switch_of_table_draws_the_new_one(open_case: OpenCase) -> None:
    page = open_case("operations")
    cell(page, 6, 3).click()
    expect(page.get_by_text("clicks [[6, 3]]")).to_be_visible()
    choose(page, "Table", "deep")
    expect(page.locator("caption")).to_have_text("Header depth 8")
    expect(page.locator("thead tr")).to_have_count(8)
    expect(page.locator("[aria-selected]")).to_have_count(0)
    choose(page, "Table", "no-rows")
    expect(page.get_by_text("This table has no rows.")).to_be_visible()
    column_header(page, 1).click()
    expect(page.get_by_text("clicks [[6, 3], [None, 1]]")).to_be_visible()


def test_two_views_on_one_page_report_apart(open_case: OpenCase) -> None:
    page = open_case("pair")
    expect(page.locator(".badge")).to_have_text(["lexical", "rci"])
    page.locator('td[data-row="2"][data-column="0"]').nth(1).click()
    expect(page.get_by_text("left None, right Location(row=2, column=0)")).to_be_visible()
    page.locator('td[data-row="1"][data-column="1"]').nth(0).click()
    expect(page.get_by_text("left Location(row=1, column=1), right None")).to_be_visible()


def test_a_flat_table_marks_and_reports_original_locations(open_case: OpenCase) -> None:
    page = open_case("flat-transpose-all")
    expect(cell(page, 0, 3).locator(".badge")).to_have_text("gold")
    expect(cell(page, 1, 0).locator(".badge")).to_have_text("predicted")
    cell(page, 2, 1).click()
    expect(page.get_by_text("clicked Location(row=0, column=2)")).to_be_visible()
    column_header(page, 7).click()
    expect(page.get_by_text("clicked Location(row=6, column=None)")).to_be_visible()


FROM_THE_LEFT = """
cell => cell.getBoundingClientRect().left - cell.closest('.scroller').getBoundingClientRect().left
"""

# The opacity at which the transition ends.
OPACITY = """
(edges, side) => {
    for (const animation of edges.getAnimations({ subtree: true })) animation.finish();
    return getComputedStyle(edges, side).opacity;
}
"""

FAINT = """
(elements) => {
    const rgb = (color) => {
        const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
        canvas.fillStyle = color;
        canvas.fillRect(0, 0, 1, 1);
        return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
    };
    const luminance = (color) => {
        const [r, g, b] = rgb(color).map((v) => v / 255)
            .map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const contrast = (element) => {
        const ground = getComputedStyle(element.closest('td, th')).backgroundColor;
        const [light, dark] = [getComputedStyle(element).color, ground].map(luminance).sort((a, b) => b - a);
        return (light + 0.05) / (dark + 0.05);
    };
    return elements.filter((element) => contrast(element) < 4.5).map((element) => element.textContent);
}
"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_and_marks_stand_out_in_both_themes(server: Server, browser: Browser, scheme: str) -> None:
    page = browser.new_page(color_scheme=scheme)  # type: ignore[arg-type]
    page.goto(f"{server(APP)}/?case=operations")
    page.locator("caption").wait_for()
    ground = page.locator(".scroller").evaluate("view => getComputedStyle(view).backgroundColor")
    assert ground == {"light": "rgb(255, 255, 255)", "dark": "rgb(21, 24, 28)"}[scheme]
    page.get_by_text("Score map").click()
    for marks, n in (("apart", 2), ("agree", 1), ("three", 2)):
        choose(page, "Marks", marks)
        expect(page.locator(".badge")).to_have_count(n)
        texts = page.locator(".badge, td[data-column], thead .label, tbody .label")
        faint = texts.evaluate_all(FAINT)
        assert faint == []
    page.close()


def test_printing_unrolls_the_view_and_repeats_the_header(open_case: OpenCase) -> None:
    page = open_case("large")
    page.emulate_media(media="print")
    scroller = page.locator(".scroller")
    assert scroller.evaluate("box => getComputedStyle(box).overflowY") == "visible"
    assert page.locator("thead").evaluate("head => getComputedStyle(head).display") == "table-header-group"


def frame(marked: Locator) -> str:
    style: str = marked.evaluate("cell => getComputedStyle(cell, '::before').borderTopStyle")
    return style


def ground(cell: Locator) -> str:
    colour: str = cell.evaluate("cell => getComputedStyle(cell).backgroundColor")
    return colour
