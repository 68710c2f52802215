"""Why this cell: what contributed, edits and what they change, all systems side by side."""

import json
import re
from pathlib import Path
from urllib.parse import parse_qs, urlencode, urlparse

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from qa_core.question import Question
from qa_core.table import Table
from tests.e2e.conftest import ROOT, Server
from tests.e2e.test_errors import open_errors, run_lexical, write_dataset
from tests.e2e.waiting import at_rest
from tests.tables import AMAZON, FUEL, HEADERS_ONLY

pytestmark = pytest.mark.browser

PATIENT = 60_000
QUESTION = "How fast did traffic on Alaska's regional network grow in 2018?"
CROSSHEAD = "Regional Operating Statistics: (c)"
CHANGED = "Regional statistics, restated"


@pytest.fixture(scope="module")
def address(server: Server) -> str:
    return server(ROOT / "app.py")


def open_why(page: Page, address: str, **parameters: str) -> None:
    page.goto(f"{address}/why?{urlencode(parameters)}")
    expect(page.get_by_role("heading", name="Why this cell")).to_be_visible(timeout=PATIENT)
    at_rest(page)


def parameters(page: Page) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(urlparse(page.url).query).items()}


def cards(page: Page) -> Locator:
    return page.locator(".ch-card")


def words(page: Page) -> Locator:
    return page.locator(".ch-words a")


def without(page: Page, part: str) -> Locator:
    """The line of a table that says what is answered without a part."""
    return page.locator(".ch-without tr", has=page.get_by_role("rowheader", name=part)).first


def grid(page: Page) -> Locator:
    return page.locator("table.ch-tables", has=page.get_by_role("columnheader", name="TaPas"))


def take(page: Page, label: str, option: str) -> None:
    """Choose from a list; a page that still scrolls would close it."""
    field = page.get_by_label(re.compile(f"^{label}"))
    field.scroll_into_view_if_needed()
    page.wait_for_timeout(500)
    field.click()
    page.get_by_role("option", name=option).click()


def type_into(page: Page, label: str, text: str) -> None:
    field = page.get_by_label(label, exact=True)
    field.fill(text)
    field.press("Enter")


def test_the_words_and_headers_that_the_answer_needs_are_named(browser_page: Page, address: str) -> None:
    page = browser_page
    open_why(page, address)
    expect(page.locator("td[data-mark=agree]")).to_have_text("19.3%gold = predicted")
    expect(cards(page)).to_contain_text(["Lexical answers", "Gold answer"])
    expect(page.locator(".ch-words")).to_have_text(
        re.compile(r"How.*fast.*traffic\+1\.58.*regional\+1\.87.*\?")
    )
    expect(page.locator(".ch-words a.changes bdi")).to_have_text(["traffic", "regional"])
    expect(page.get_by_text("The answer changes without “traffic” or “regional”; not")).to_be_visible()
    heads = page.locator(".ch-without").nth(1).get_by_role("rowheader")
    expect(heads).to_have_text(
        [
            "Headers of the row",
            f"{CROSSHEAD}over 5 rows",
            "RPMs (000,000)",
            "Headers of the column",
            "Twelve Months Ended December 31,over 3 columns",
            "Change",
        ]
    )
    expect(without(page, CROSSHEAD)).to_contain_text(
        "Consolidated Operating Statistics: (a) › RPMs (000,000)"
    )
    expect(without(page, CROSSHEAD)).to_contain_text("falls by 1.87")
    shades = [words(page).nth(n).evaluate("e => getComputedStyle(e).backgroundColor") for n in (0, 3)]
    assert shades[0] != shades[1]


def test_a_word_is_a_door_to_the_question_without_it(browser_page: Page, address: str) -> None:
    page = browser_page
    open_why(page, address)
    page.locator(".ch-words a", has_text="regional").click()
    page.wait_for_url("**wording=*")
    expect(page.get_by_label("Question", exact=True)).to_have_value(
        "How fast did traffic on Alaska's network grow in 2018?"
    )
    expect(cards(page)).to_contain_text(
        ["Lexical answers after the edits", "Before the edits", "Gold answer"]
    )
    expect(cards(page).first).to_contain_text("4.5%")
    expect(cards(page).first).to_contain_text("✗ strict match")
    expect(page.locator("td[data-mark=predicted]")).to_have_text("4.5%predicted")
    expect(page.locator("td[data-mark=agree]")).to_have_text("19.3%gold = before the edits")
    expect(page.get_by_text("The answer moves from “19.3%” to “4.5%”.")).to_be_visible()
    expect(page.get_by_role("heading", name="Before the edits", level=3)).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("Before the edits")).to_have_count(0)
    assert "wording" not in parameters(page)


def test_a_header_is_a_door_to_the_table_without_it(browser_page: Page, address: str) -> None:
    page = browser_page
    open_why(page, address)
    without(page, CROSSHEAD).get_by_role("link").click()
    page.wait_for_url("**edits=*")
    expect(page.locator("tr.crosshead th")).to_have_count(2)
    expect(page.get_by_text(re.compile("Header 1 of row 20: .* → blank"))).to_be_visible()
    expect(cards(page).first).to_contain_text("4.5%")
    expect(page.get_by_text("✗ another cell").first).to_be_visible()


def test_headers_cells_and_the_question_are_edited_and_undone(browser_page: Page, address: str) -> None:
    page = browser_page
    open_why(page, address)
    page.locator("td[data-row='19'][data-column='0']").click()
    page.wait_for_url("**cell=*")
    at_rest(page)
    expect(page.get_by_label("Cell", exact=True)).to_have_value("10,199")
    expect(page.get_by_label("Row header 2 of 2")).to_have_value("Revenue passengers (000)")
    type_into(page, "Row header 1 of 2", CHANGED)
    expect(page.locator("tr.crosshead th").last).to_have_text(CHANGED)
    type_into(page, "Cell", "12,345")
    expect(page.locator("td[data-row='19'][data-column='0']")).to_have_text("12,345")
    type_into(page, "Question", "How many passengers flew on the regional network in 2018?")
    expect(cards(page).first).to_contain_text("12,345")
    expect(page.get_by_text("The answer moves from “19.3%” to “12,345”.")).to_be_visible()
    expect(cards(page).nth(1)).to_contain_text("19.3%")
    page.reload()
    expect(cards(page).first).to_contain_text("12,345", timeout=PATIENT)
    assert json.loads(parameters(page)["edits"]) == [
        [19, None, 0, CROSSHEAD, CHANGED],
        [19, 0, None, "10,199", "12,345"],
    ]
    page.get_by_role("button", name="Undo", exact=False).nth(1).click()
    expect(page.locator("td[data-row='19'][data-column='0']")).to_contain_text("10,199")
    expect(page.locator("tr.crosshead th").last).to_have_text(CHANGED)
    page.get_by_role("button", name="Undo all").click()
    expect(page.locator("tr.crosshead th").last).to_have_text(CROSSHEAD)
    expect(page.get_by_label("Question", exact=True)).to_have_value(QUESTION)
    at_rest(page)
    assert set(parameters(page)) == {"cell"}
    page.go_back()
    expect(page.locator("tr.crosshead th").last).to_have_text(CHANGED)


def test_a_clicked_header_is_edited_and_another_table_forgets_the_edits(
    browser_page: Page, address: str
) -> None:
    page = browser_page
    open_why(page, address)
    page.locator("th[data-column='0']").click()
    page.wait_for_url("**cell=*")
    at_rest(page)
    expect(page.get_by_label("Column header 2 of 2")).to_have_value("2018")
    expect(page.get_by_label("Cell", exact=True)).to_have_count(0)
    type_into(page, "Column header 2 of 2", "2019")
    expect(page.locator("th[data-column='0']")).to_contain_text("2019")
    at_rest(page)
    take(page, "Table", "(s-air-op-1)")
    page.wait_for_url("**table=s-air-op-1*")
    at_rest(page)
    assert parameters(page) == {"table": "s-air-op-1"}


def test_all_systems_and_transformations_stand_in_one_grid_of_links(browser_page: Page, address: str) -> None:
    page = browser_page
    open_why(page, address, all="1")
    expect(grid(page).get_by_text("not asked")).to_have_count(0, timeout=4 * PATIENT)
    at_rest(page)
    expect(grid(page).get_by_role("rowheader")).to_have_text(["Base", "Transposed", "Partly transposed"])
    expect(grid(page).locator("tbody td")).to_have_count(15)
    first = grid(page).locator("tbody td").first
    expect(first).to_contain_text("19.3%")
    expect(first).to_contain_text("✓ right · 0.48 · shown above")
    encoder = grid(page).locator("tbody tr").nth(1).locator("td").nth(2)
    shown = encoder.locator("a").inner_text()
    encoder.locator("a").click()
    page.wait_for_url("**system=rci-representation*")
    assert parameters(page)["transformation"] == "transpose-all"
    expect(cards(page).first).to_contain_text("RCI (representation) answers", timeout=PATIENT)
    expect(cards(page).first.locator(".ch-answer, .ch-none")).to_have_text(shown)
    expect(words(page)).to_have_count(11, timeout=PATIENT)


def test_the_grid_waits_until_it_is_asked_for(browser_page: Page, server: Server) -> None:
    page, address = browser_page, server(ROOT / "app.py", "--", "nothing asked yet")
    open_why(page, address, q="Consolidated load factor in 2017?")
    expect(grid(page).get_by_text("not asked")).to_have_count(12)
    expect(grid(page)).not_to_contain_text("right")
    page.get_by_role("button", name="Ask them all").click()
    page.wait_for_url("**all=1*")
    stop = page.get_by_role("button", name="Stop", exact=True)
    expect(stop).to_be_visible(timeout=PATIENT)
    expect(grid(page).get_by_text("not asked")).to_have_count(9, timeout=2 * PATIENT)
    stop.click()
    expect(page.get_by_role("button", name="Ask them all")).to_be_visible(timeout=2 * PATIENT)
    assert "all" not in parameters(page)


@pytest.mark.parametrize(
    ("edits", "said"),
    [
        ('[[3,1,null,"zzz","1"]]', "Cell in row 4, column 2 does not say “zzz” but “84.3%”"),
        ('[[99,1,null,"","1"]]', "This table has no cell in row 100, column 2"),
        ('[[3,1,"<b>"]]', "The edits of this link hold one that is no"),
        ("{", "The edits of this link"),
    ],
)
def test_stale_and_garbled_edits_are_said_and_forgotten(
    browser_page: Page, address: str, edits: str, said: str
) -> None:
    page = browser_page
    open_why(page, address, edits=edits)
    expect(page.get_by_text(said)).to_be_visible()
    expect(page.locator("td[data-mark=agree]")).to_have_text("19.3%gold = predicted")
    page.get_by_role("button", name="Forget it").click()
    expect(page.get_by_text(said)).to_have_count(0)
    at_rest(page)
    assert "edits" not in parameters(page)


def test_the_gold_and_any_cell_can_be_asked_about(browser_page: Page, address: str) -> None:
    page = browser_page
    open_why(page, address, cell="4,0", wording="Yield in 2018?", of="gold")
    expect(page.get_by_label(re.compile("^Of which cell"))).to_have_value("the gold's cell")
    expect(page.get_by_text(f"{CROSSHEAD} › RPMs (000,000) | ").first).to_be_visible()
    take(page, "Of which cell", "the selected cell")
    page.wait_for_url("**of=selected*")
    expect(page.get_by_text("Consolidated Operating Statistics: (a) › Yield (b)(d) | ").first).to_be_visible()
    open_why(page, address, of="selected")
    expect(page.get_by_text("This link asks for the cell “selected”, which is not here.")).to_be_visible()


def test_odd_questions_and_tables_are_told_in_words(browser_page: Page, address: str, tmp_path: Path) -> None:
    page = browser_page
    folder = write_dataset(
        tmp_path, [FUEL, HEADERS_ONLY], [Question("q", FUEL.id, "Price per gallon in 2017?", ("$1.74",))]
    )
    open_why(page, address, dataset="aitqa", dir=folder)
    headers = page.locator(".ch-without").nth(1)
    expect(headers).to_contain_text("2017the row's first text")
    expect(headers).to_contain_text("Average Price Per Gallon")
    open_why(page, address, dataset="aitqa", dir=folder, table=HEADERS_ONLY.id, q="2018?")
    expect(page.get_by_text("No cell was predicted, so no header leads there.")).to_be_visible()
    open_why(page, address, q="???")
    expect(page.get_by_text("The question has no words to leave out.")).to_be_visible()
    open_why(page, address, q=" ")
    expect(page.get_by_text("Type a question, or take one of the dataset's.")).to_be_visible()
    open_why(page, address, wording=" ")
    expect(page.get_by_text("The question is empty; type one.").first).to_be_visible()
    expect(page.get_by_text("Traceback")).to_have_count(0)


def test_hostile_text_is_text(browser_page: Page, address: str, tmp_path: Path) -> None:
    page, hostile = browser_page, "<img src=x onerror=alert(1)>"
    table = Table(
        id="hostile",
        title=f"{hostile} :red[x] $a$",
        column_paths=((hostile, "from $663 to $622"), (hostile, "b")),
        row_paths=(("שלום", "**a**"), ("שלום", hostile)),
        cells=((hostile, "1"), ("$663 to $622", "2")),
    )
    text = f"from $663 to $622 {hostile} **a** שלום?"
    folder = write_dataset(tmp_path, [table], [Question("q", "hostile", text, ("2",))])
    dialogs: list[str] = []
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    edits = json.dumps([[0, 1, None, "1", f"{hostile} $x$ :red[y]"]])
    open_why(page, address, dataset="aitqa", dir=folder, edits=edits, wording=f"{text} {hostile}")
    expect(words(page).first).to_be_visible()
    expect(page.locator("td[data-row='0'][data-column='1']")).to_contain_text(f"{hostile} $x$ :red[y]")
    expect(page.get_by_text(f"Cell in row 1, column 2: 1 → {hostile} $x$ :red[y]")).to_be_visible()
    expect(page.locator(".katex, img[src=x]")).to_have_count(0)
    assert dialogs == []


def test_ask_explore_and_errors_lead_here_with_their_question(
    browser_page: Page, address: str, tmp_path: Path
) -> None:
    page = browser_page
    questions = [
        Question(name, AMAZON.id, text, (answer,))
        for name, text, answer in (("a", "AWS net sales in 2023?", "90,757"), ("b", "North?", "14,877"))
    ]
    choices = {"dataset": "aitqa", "dir": write_dataset(tmp_path, [AMAZON], questions)}
    open_errors(page, address, **choices)
    run_lexical(page, 2)
    for path in ("", "explore", "errors"):
        page.goto(f"{address}/{path}?{urlencode({**choices, 'question': 'b', 'case': 'b'})}")
        link = page.get_by_test_id("stMain").get_by_role("link", name="Why this cell").first
        link.click(timeout=PATIENT)
        expect(page.get_by_role("heading", name="Why this cell")).to_be_visible(timeout=PATIENT)
        expect(page.get_by_label("Your question")).to_have_value("North?")
        assert parameters(page)["question"] == "b"


def test_dark_mode_reads(browser: Browser, address: str) -> None:
    page = browser.new_page(color_scheme="dark", viewport={"width": 1024, "height": 900})
    open_why(page, address)
    word = page.locator(".ch-words a.changes").first
    expect(word).to_be_visible(timeout=PATIENT)
    ink, frame = word.evaluate("e => [getComputedStyle(e).color, getComputedStyle(e).borderTopColor]")
    assert brightness(ink) > 180 and brightness(frame) > 180
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    page.close()


def brightness(colour: str) -> float:
    red, green, blue = map(int, re.findall(r"\d+", colour)[:3])
    return 0.299 * red + 0.587 * green + 0.114 * blue
