"""The first screen: ask a table, see the cell, its paths and the gold."""

import re
from pathlib import Path
from urllib.parse import parse_qs, urlencode, urlparse

import pytest
from playwright.sync_api import Browser, Page, expect

from qa_core.datasets import load_dataset
from qa_core.question import Question
from qa_core.table import Table
from tests.e2e.conftest import ROOT, Server
from tests.e2e.test_errors import write_dataset
from tests.e2e.waiting import at_rest
from tests.tables import AMAZON, DEPTH_8

pytestmark = pytest.mark.browser

PATIENT = 60_000
QUESTION = "How fast did traffic on Alaska's regional network grow in 2018?"


@pytest.fixture(scope="module")
def address(server: Server) -> str:
    return server(ROOT / "app.py")


def open_ask(page: Page, address: str, **parameters: str) -> None:
    page.goto(f"{address}/?{urlencode(parameters)}")
    expect(page.get_by_role("heading", name="Ask a table")).to_be_visible(timeout=PATIENT)


def parameters(page: Page) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(urlparse(page.url).query).items()}


def ask(page: Page, text: str) -> None:
    field = page.get_by_label("Your question")
    field.fill(text)
    field.press("Enter")


def test_first_screen_shows_table_question_prediction_gold_and_errors(
    browser_page: Page, address: str
) -> None:
    open_ask(browser_page, address)
    expect(browser_page.get_by_label("Your question")).to_have_value(QUESTION)
    agree = browser_page.locator("td[data-mark=agree]")
    expect(agree).to_have_text("19.3%gold = predicted")
    expect(agree).to_have_attribute("data-row", "20")
    expect(browser_page.locator("tr.crosshead th")).to_have_text(
        [
            "Consolidated Operating Statistics: (a)",
            "Mainline Operating Statistics:",
            "Regional Operating Statistics: (c)",
        ]
    )
    card = browser_page.locator(".ch-card").first
    expect(card).to_contain_text("Lexical answers")
    expect(card).to_contain_text("Regional Operating Statistics: (c) › RPMs (000,000)")
    expect(card).to_contain_text("Twelve Months Ended December 31, › Change")
    expect(card).to_contain_text("✓ strict match")
    bar = browser_page.locator(".ch-bars a").first
    expect(bar).to_contain_text("KPI-driven", timeout=PATIENT)
    wrong = bar.locator("span").inner_text().split(" of ")[0]
    bar.click()
    expect(browser_page.get_by_role("heading", name="Errors", exact=True)).to_be_visible(timeout=PATIENT)
    expect(browser_page.get_by_text(f"KPI-driven · wrong (strict): {wrong} of 331 questions")).to_be_visible()


def test_an_own_question_has_no_gold_and_lives_in_the_link(browser_page: Page, address: str) -> None:
    open_ask(browser_page, address)
    ask(browser_page, "Consolidated load factor in 2017?")
    expect(browser_page.locator("td[data-mark=predicted]")).to_have_text("84.3%predicted")
    expect(browser_page.locator("[data-mark=gold]")).to_have_count(0)
    assert parameters(browser_page) == {"q": "Consolidated load factor in 2017?"}
    browser_page.reload()
    expect(browser_page.locator("td[data-mark=predicted]")).to_have_text("84.3%predicted", timeout=PATIENT)
    browser_page.go_back()
    expect(browser_page.locator("td[data-mark=agree]")).to_have_text("19.3%gold = predicted")


def test_an_own_question_is_asked_of_the_next_table_and_the_datasets_is_not(
    browser_page: Page, address: str
) -> None:
    open_ask(browser_page, address, table="s-air-op-2", q="Total in 2018?")
    choose_table(browser_page, "s-air-op-1")
    expect(browser_page.get_by_label("Your question")).to_have_value("Total in 2018?")
    assert parameters(browser_page) == {"table": "s-air-op-1", "q": "Total in 2018?"}
    first, *_ = load_dataset("sample").questions_of("s-air-op-2")
    open_ask(browser_page, address, table="s-air-op-2", question=first.id)
    choose_table(browser_page, "s-air-op-1")
    assert parameters(browser_page) == {"table": "s-air-op-1"}


def choose_table(page: Page, table_id: str) -> None:
    page.get_by_label(re.compile(r"^Table \(")).click()
    page.get_by_role("option", name=f"({table_id})").click()
    page.wait_for_url(f"**table={table_id}*")
    expect(page.locator("[data-test-script-state=notRunning]")).to_be_visible()


def test_what_is_typed_while_the_page_runs_is_not_lost(browser_page: Page, address: str) -> None:
    open_ask(browser_page, address)
    expect(browser_page.locator("td[data-mark=agree]")).to_be_visible()
    # A server's first visit runs Lexical over the sample; the page is drawn anew when that ends.
    expect(browser_page.locator(".ch-bars a").first).to_be_visible()
    at_rest(browser_page)
    field = browser_page.get_by_label("Your question")
    for row in range(3, 8):
        browser_page.locator(f"td[data-row='{row}'][data-column='1']").click()
        field.fill(f"Consolidated load factor in 2017, {row}?")
        browser_page.wait_for_url(f"**cell={row}*")
        expect(browser_page.locator("[data-test-script-state=notRunning]")).to_be_visible()
        expect(field).to_have_value(f"Consolidated load factor in 2017, {row}?")
        field.press("Enter")
        expect(browser_page.locator("td[data-mark=predicted]")).to_have_text("84.3%predicted")


def test_questions_asked_in_quick_succession_are_all_answered(browser_page: Page, address: str) -> None:
    """Each as soon as the mark of the one before is drawn, while the rest of that run is under way."""
    open_ask(browser_page, address)
    expect(browser_page.locator(".ch-bars a").first).to_be_visible()
    at_rest(browser_page)
    field = browser_page.get_by_label("Your question")
    for question in [*load_dataset("sample").questions_of("s-air-op-2")[1:6]] * 3:
        assert question.cell is not None
        field.fill(question.text)
        field.press("Enter")
        cell = f"td[data-mark][data-row='{question.cell.row}'][data-column='{question.cell.column}']"
        browser_page.wait_for_url(f"**question={question.id}*")  # two of them have one cell
        expect(browser_page.locator(cell)).to_be_visible()


def test_two_questions_with_the_same_words_keep_their_golds(
    browser_page: Page, address: str, tmp_path: Path
) -> None:
    words = "AWS net sales?"
    questions = [
        Question("in-2024", AMAZON.id, words, ("107,556",)),
        Question("odd", AMAZON.id, words, ("none",)),
    ]
    folder = write_dataset(tmp_path, [AMAZON], questions)
    open_ask(browser_page, address, dataset="aitqa", dir=folder)
    gold = browser_page.locator(".ch-card").last
    expect(gold).to_contain_text("107,556")
    browser_page.get_by_label("Or one of the dataset's 2 questions on it").click()
    browser_page.get_by_role("option", name="AWS net sales? (odd)").click()
    expect(gold).to_contain_text("none")
    expect(browser_page.get_by_label("Your question")).to_have_value(words)
    assert parameters(browser_page)["question"] == "odd"


def test_a_blank_question_is_no_fault(browser_page: Page, address: str) -> None:
    open_ask(browser_page, address)
    ask(browser_page, "")
    expect(browser_page.get_by_text("Type a question, or take one of the dataset's.")).to_be_visible()
    expect(browser_page.locator("td[data-row]").first).to_be_visible()


def test_a_click_selects_a_cell_and_the_link_keeps_it(browser_page: Page, address: str) -> None:
    open_ask(browser_page, address)
    browser_page.locator("td[data-row='2'][data-column='1']").click()
    card = browser_page.locator(".ch-card", has_text="Selected")
    expect(card).to_contain_text("62,072")
    expect(card).to_contain_text("Consolidated Operating Statistics: (a) › ASMs (000,000)")
    expect(card).to_contain_text("Twelve Months Ended December 31, › 2017")
    assert parameters(browser_page)["cell"] == "2,1"
    browser_page.reload()
    selected = browser_page.locator("[aria-selected=true]")
    expect(selected).to_have_text("62,072", timeout=PATIENT)


def test_the_flat_table_is_what_the_transformation_hands_over(browser_page: Page, address: str) -> None:
    open_ask(browser_page, address, flat="1", transformation="transpose-all")
    expect(browser_page.get_by_text("rows and columns exchanged, 3 rows × 25 columns")).to_be_visible()
    expect(browser_page.locator("thead th").nth(1)).to_have_text(
        "Consolidated Operating Statistics: (a) Revenue passengers (000)"
    )
    expect(browser_page.locator("td[data-mark=agree]")).to_have_text("19.3%gold = predicted")


def test_the_score_map_shades_rows_and_columns(browser_page: Page, address: str) -> None:
    open_ask(browser_page, address)
    expect(browser_page.locator("td[title*=score]")).to_have_count(0)
    browser_page.get_by_text("Score map").click()
    expect(browser_page.locator("td[title*=score]").first).to_be_attached()
    assert parameters(browser_page) == {"scores": "1"}


def test_two_systems_side_by_side(browser_page: Page, address: str) -> None:
    open_ask(browser_page, address, **{"with": "rci-representation"})
    cards = browser_page.locator(".ch-card")
    expect(cards.nth(0)).to_contain_text("Lexical answers", timeout=PATIENT)
    expect(cards.nth(1)).to_contain_text("RCI (representation) answers", timeout=PATIENT)
    expect(cards.nth(2)).to_contain_text("Gold answer")
    expect(browser_page.locator("td .badge", has_text="Lexical")).to_be_attached()
    expect(browser_page.locator("td .badge", has_text="RCI (representation)")).to_be_attached()


def test_the_lexicon_says_what_fired_and_can_be_turned_off(browser_page: Page, address: str) -> None:
    open_ask(browser_page, address, q="Regional traffic in 2017?")
    card = browser_page.locator(".ch-card").first
    fired = card.locator(".ch-lexicon")
    expect(fired).to_have_text("Lexicon: traffic = RPMs")
    expect(fired.locator("span")).to_have_attribute("title", "rpm")
    browser_page.get_by_text("Use the lexicon").click()
    browser_page.wait_for_url("**lexicon=0*")
    expect(fired).to_have_count(0)
    expect(browser_page.get_by_text("These figures are with the lexicon")).to_be_visible(timeout=PATIENT)
    browser_page.reload()
    expect(card).to_contain_text("Lexical answers", timeout=PATIENT)
    expect(fired).to_have_count(0)
    browser_page.get_by_text("Use the lexicon").click()
    expect(fired).to_have_text("Lexicon: traffic = RPMs")
    assert parameters(browser_page) == {"q": "Regional traffic in 2017?"}


def test_a_system_is_not_compared_with_itself(browser_page: Page, address: str) -> None:
    open_ask(browser_page, address, **{"with": "rci-representation"})
    browser_page.get_by_label("Compare with").click()
    options = browser_page.get_by_role("option")
    expect(options).to_have_text(["no other system", "RCI", "RCI (representation)", "Blend", "TaPas"])
    browser_page.keyboard.press("Escape")
    browser_page.get_by_label(re.compile("^System")).click()
    browser_page.get_by_role("option", name="RCI (representation)").click()
    browser_page.wait_for_url("**/?system=rci-representation")
    expect(browser_page.locator(".ch-card").first).to_contain_text(
        "RCI (representation) answers", timeout=PATIENT
    )
    expect(browser_page.get_by_text("This link asks")).to_be_hidden()


def test_the_figures_are_run_once_for_all_transformations_of_a_system_that_reads_none(
    browser_page: Page, address: str, tmp_path: Path
) -> None:
    folder = write_dataset(
        tmp_path, [AMAZON], [Question("q", AMAZON.id, "AWS net sales in 2024?", ("107,556",))]
    )
    runs = set()
    for transformation in ("transpose-all", "base"):
        open_ask(browser_page, address, dataset="aitqa", dir=folder, transformation=transformation)
        bar = browser_page.locator(".ch-bars a").first
        expect(bar).to_be_visible(timeout=PATIENT)
        runs.add(parse_qs(urlparse(bar.get_attribute("href")).query)["run"][0])
    assert len(runs) == 1


def test_tables_are_found_by_company_title_and_text(browser_page: Page, address: str) -> None:
    open_ask(browser_page, address)
    field = browser_page.get_by_label("Find tables")
    field.fill("amazon stock-based")
    field.press("Enter")
    expect(browser_page.get_by_text("Table (1 of 43)")).to_be_visible()
    expect(browser_page.get_by_text("Stock-based compensation").first).to_be_visible()
    field.fill("no such words")
    field.press("Enter")
    expect(browser_page.get_by_text("No table holds all of these words.")).to_be_visible()


@pytest.mark.parametrize(
    ("parameter", "value", "said"),
    [
        ("table", "s-gone", "asks for table “s-gone”, which is not here"),
        ("system", "gpt-9", "asks for system “gpt-9”, which is not here"),
        ("transformation", "$x$ <b>", "asks for transformation “$x$ <b>”, which is not here"),
        ("dataset", "squad", "asks for dataset “squad”, which is not here"),
    ],
)
def test_a_stale_link_says_so_and_offers_the_way_back(
    browser_page: Page, address: str, parameter: str, value: str, said: str
) -> None:
    open_ask(browser_page, address, **{parameter: value})
    expect(browser_page.get_by_text(said)).to_be_visible()
    expect(browser_page.locator("td[data-mark=agree]")).to_be_visible()
    browser_page.get_by_role("button", name="Forget it").click()
    expect(browser_page.get_by_text(said)).to_be_hidden()
    assert parameter not in parameters(browser_page)


def test_a_missing_folder_is_one_sentence(browser_page: Page, address: str) -> None:
    open_ask(browser_page, address, dataset="aitqa", dir="/no/such/folder")
    expect(browser_page.get_by_text("There is no folder /no/such/folder;")).to_be_visible()
    expect(browser_page.get_by_text("Traceback")).to_have_count(0)


def test_hostile_text_is_text(browser_page: Page, address: str, tmp_path: Path) -> None:
    hostile = "<img src=x onerror=alert(1)>"
    table = Table(
        id="hostile",
        title=f"{hostile} :red[x] $a$",
        company="**Co**",
        source="[link](javascript:alert(1)) $663 to $622",
        column_paths=((hostile, "a < b"), (hostile, "from $663 to $622")),
        row_paths=(("שלום",), (hostile,)),
        cells=((hostile, "a < b"), ("$663 to $622", "مرحبا")),
    )
    question = Question("q", "hostile", f"from $663 to $622 {hostile} a < b שלום?", ("a < b",))
    folder = write_dataset(tmp_path, [table, DEPTH_8], [question])
    dialogs: list[str] = []
    browser_page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    open_ask(browser_page, address, dataset="aitqa", dir=folder, scores="1")
    expect(browser_page.locator("td[data-row='0'][data-column='0']")).to_contain_text(hostile)
    expect(browser_page.locator("td[data-row='1'][data-column='0']")).to_contain_text("$663 to $622")
    expect(browser_page.get_by_text("[link](javascript:alert(1)) $663 to $622")).to_be_visible()
    expect(browser_page.locator(".katex, img[src=x]")).to_have_count(0)
    assert dialogs == []


def test_header_depth_8_is_drawn_whole(browser_page: Page, address: str, tmp_path: Path) -> None:
    question = Question("q", DEPTH_8.id, "Yield, domestic?", ("(0.3)%",))
    folder = write_dataset(tmp_path, [DEPTH_8], [question])
    open_ask(browser_page, address, dataset="aitqa", dir=folder)
    for label in ("Domestic", "Atlantic", "Pacific", "Latin", "Total"):
        expect(browser_page.locator("thead").get_by_text(label, exact=True).first).to_be_attached()
    expect(browser_page.locator("td[data-row]")).to_have_count(6)


def test_dark_mode_reads(browser: Browser, address: str) -> None:
    page = browser.new_page(color_scheme="dark")
    open_ask(page, address)
    expect(page.locator("td[data-mark=agree]")).to_be_visible(timeout=PATIENT)
    background, ink = page.evaluate(
        "() => { const style = getComputedStyle(document.querySelector('.stApp'));"
        " return [style.backgroundColor, getComputedStyle(document.querySelector('.ch-answer')).color]; }"
    )
    assert brightness(background) < 60 < 180 < brightness(ink)
    page.close()


def brightness(colour: str) -> float:
    red, green, blue = map(int, re.findall(r"\d+", colour)[:3])
    return 0.299 * red + 0.587 * green + 0.114 * blue


def test_every_question_of_the_first_table_can_be_taken(browser_page: Page, address: str) -> None:
    open_ask(browser_page, address)
    question = load_dataset("sample").questions_of("s-air-op-2")[2]
    browser_page.get_by_label("Or one of the dataset's 11 questions on it").click()
    browser_page.get_by_role("option", name=question.text).click()
    expect(browser_page.get_by_label("Your question")).to_have_value(question.text)
    expect(browser_page.locator("[data-mark=gold], td[data-mark=agree]").first).to_contain_text("7.50¢")
