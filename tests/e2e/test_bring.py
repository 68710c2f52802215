"""Bring a table: from a document to an answer, and back to where the answer stood."""

import re
from pathlib import Path
from urllib.parse import parse_qs, urlencode, urlparse

import pytest
from playwright.sync_api import Locator, Page, expect

from qa_core.ingest.document import read_document
from tests.e2e.conftest import ROOT, Server
from tests.filing_page import filing_page

pytestmark = pytest.mark.browser

PATIENT = 60_000
FILING = filing_page().encode()
CROSSINGS_HEADS = [
    *("Scheduled", "Sailed", "2024", "2023", "2024", "2023"),
    *("Winter timetable", "Morning crossings", "Evening crossings"),
    *("Summer timetable", "Morning crossings", "Evening crossings", "Charter crossings"),
]
CROSSINGS_CELLS = [
    *("31", "30", "29", "28"),
    *("22", "21", "20", "19"),
    *("—", "—", "—", "—"),
    *("64", "61", "63", "60"),
    *("47", "45", "46", "44"),
    *("5", "4", "3", "2"),
]
HOSTILE = "<img src=x onerror=alert(1)> $663 to $622 **b**.html"


@pytest.fixture(scope="module")
def address(server: Server) -> str:
    return server(ROOT / "app.py")


def open_bring(page: Page, address: str, **parameters: str) -> None:
    page.goto(f"{address}/bring?{urlencode(parameters)}")
    expect(page.get_by_test_id("stMain").get_by_role("button").first).to_be_visible(timeout=PATIENT)


def upload(page: Page, name: str, content: bytes) -> None:
    file = {"name": name, "mimeType": "application/octet-stream", "buffer": content}
    page.locator("input[type=file]").set_input_files(file)


def cards(page: Page) -> Locator:
    return page.locator(".found button")


def cleaned(page: Page) -> Locator:
    return page.locator(".table-view table")


def original(page: Page) -> Locator:
    return page.locator(".grid-view table")


def open_crossings(page: Page, address: str, name: str = "northwind.html") -> None:
    open_bring(page, address)
    upload(page, name, FILING)
    cards(page).filter(has_text="number of crossings").click(timeout=PATIENT)
    expect(original(page)).to_be_visible(timeout=PATIENT)


def keep(page: Page, name: str) -> None:
    page.get_by_label("Keep it as").fill(name)
    page.get_by_role("button", name="Keep and ask").click()
    expect(page.get_by_role("heading", name="Ask a table")).to_be_visible(timeout=PATIENT)


def parameters(page: Page) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(urlparse(page.url).query).items()}


def row_of(page: Page, label: str, nth: int = 0) -> Locator:
    return original(page).locator("tbody tr", has_text=label).nth(nth).locator("th")


def choose_row(page: Page, label: str) -> None:
    row_of(page, label).click()
    # The choices of the row before are drawn until the page has run.
    expect(page.locator(".st-key-header-editor")).to_contain_text(f"· {label}")


def take_row_as(page: Page, label: str, role: str) -> None:
    choose_row(page, label)
    page.get_by_role("radio", name=role).click()


def crossheads(page: Page) -> Locator:
    return cleaned(page).locator("tr.crosshead th")


def test_a_filing_is_brought_mended_kept_asked_and_found_in_the_original(
    browser_page: Page, address: str
) -> None:
    page = browser_page
    open_bring(page, address)
    upload(page, "northwind.html", FILING)
    expect(cards(page)).to_have_count(4, timeout=PATIENT)
    expect(page.get_by_text("4 tables with data")).to_be_visible()
    card = cards(page).filter(has_text="number of crossings")
    expect(card).to_contain_text("7 × 4 · (in thousands)")
    expect(card).to_contain_text("Item 7. Management's Discussion and Analysis")
    expect(card.locator(".spanner")).to_have_text(["Scheduled", "Sailed"])
    card.click()

    expect(crossheads(page)).to_have_count(0)
    take_row_as(page, "Winter timetable", "crosshead")
    expect(crossheads(page)).to_have_text(["Winter timetable"])
    take_row_as(page, "Summer timetable", "crosshead")
    expect(crossheads(page)).to_have_text(["Winter timetable", "Summer timetable"])

    choose_row(page, "Charter crossings")
    # For a moment that of the row before may stand behind it.
    parent = page.get_by_label("Stands under").first
    expect(parent).to_have_value(re.compile("^6 · Summer timetable"))
    parent.click()
    page.get_by_role("option", name="(no row)").click()
    expect(page.get_by_text("3 corrections; the last put row 9 at the root")).to_be_visible()
    charter = cleaned(page).locator("tbody th", has_text="Charter crossings")
    expect(charter).not_to_have_attribute("style", re.compile("--level"))
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("2 corrections; the last took row 6 as crosshead")).to_be_visible()
    expect(charter).to_have_attribute("style", "--level:1")
    page.reload()
    expect(crossheads(page)).to_have_text(["Winter timetable", "Summer timetable"], timeout=PATIENT)

    keep(page, "Crossings")
    assert parameters(page)["dataset"] == "brought"
    field = page.get_by_label("Your question")
    field.fill("How many morning crossings sailed in 2024 in the summer timetable?")
    field.press("Enter")
    expect(page.locator("td[data-mark=predicted]")).to_have_text("63predicted")

    page.get_by_role("link", name="See it in the original").click()
    expect(page.locator("[data-mark=origin]")).to_have_text(["63"], timeout=PATIENT)
    expect(row_of(page, "Summer timetable")).to_contain_text("crosshead")


def test_every_export_comes_back_as_the_same_table(browser_page: Page, address: str) -> None:
    page = browser_page
    open_crossings(page, address)
    take_row_as(page, "Winter timetable", "crosshead")
    expect(crossheads(page)).to_have_count(1)
    keep(page, "Crossings to export")
    page.get_by_role("link", name="See it in the original").click()
    heads, cells = cleaned(page).locator("thead th, tbody th"), cleaned(page).locator("tbody td")
    expect(heads).to_have_text(CROSSINGS_HEADS, timeout=PATIENT)
    expect(cells).to_have_text(CROSSINGS_CELLS)
    page.get_by_role("button", name="Export").click()
    contents = {}
    for name in ("AIT-QA JSON", "CSV", "XLSX"):
        with page.expect_download() as download:
            page.get_by_role("button", name=name).click()
        assert download.value.suggested_filename.startswith("Crossings-to-export.")
        contents[name] = Path(download.value.path()).read_bytes()
    tables = [read_document(content).tables for content in contents.values()]
    assert tables[0] == tables[1] == tables[2]
    assert tables[0][0].title == "Crossings to export"
    for name, content in contents.items():
        open_bring(page, address)
        upload(page, f"export of {name}", content)
        expect(page.get_by_text("The document gives the headers itself")).to_be_visible(timeout=PATIENT)
        expect(heads).to_have_text(CROSSINGS_HEADS)
        expect(cells).to_have_text(CROSSINGS_CELLS)


def test_cells_of_a_spreadsheet_are_pasted(browser_page: Page, address: str) -> None:
    page = browser_page
    open_bring(page, address, by="paste")
    page.get_by_label("Cells copied").fill("Region\t2024\t2023\nEurope\t$1,204\t$1,148\nAsia\t893\t902\n")
    page.get_by_role("button", name="Find the tables").click()
    expect(cleaned(page).locator("tbody th")).to_have_text(["Europe", "Asia"], timeout=PATIENT)
    expect(cleaned(page).locator("thead th")).to_have_text(["2024", "2023"])
    keep(page, "Regions")
    field = page.get_by_label("Your question")
    field.fill("Asia in 2023?")
    field.press("Enter")
    expect(page.locator("td[data-mark=predicted]")).to_have_text("902predicted")


def test_what_cannot_be_read_is_a_sentence(browser_page: Page, address: str) -> None:
    page = browser_page
    open_bring(page, address)
    upload(page, "annual.html", b"%PDF-1.7\n%...")
    alert = page.get_by_test_id("stAlert")
    expect(alert).to_contain_text("annual.html is a PDF, whatever its name says", timeout=PATIENT)
    open_bring(page, address, by="paste")
    page.get_by_role("button", name="Find the tables").click()
    expect(alert).to_contain_text("Nothing is pasted yet")
    open_bring(page, address, document="0123456789abcdef", found="3")
    expect(alert).to_contain_text("The document of this link is not open any more; bring it again.")
    open_bring(page, address, kept="nothing-0-abcdef")
    expect(alert).to_contain_text("No kept table has the id 'nothing-0-abcdef'; it may have been deleted.")


def test_a_hostile_name_is_text(browser_page: Page, address: str) -> None:
    page = browser_page
    dialogs: list[str] = []
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    open_bring(page, address)
    upload(page, HOSTILE, FILING.replace(b"Winter timetable", b"&lt;img src=x onerror=alert(2)&gt;"))
    main = page.get_by_test_id("stMain")
    expect(main.get_by_role("heading", name=HOSTILE)).to_be_visible(timeout=PATIENT)
    cards(page).filter(has_text="number of crossings").click()
    expect(original(page)).to_contain_text("<img src=x onerror=alert(2)>")
    take_row_as(page, "<img src=x onerror=alert(2)>", "crosshead")
    expect(crossheads(page)).to_have_text(["<img src=x onerror=alert(2)>"])
    keep(page, HOSTILE)
    open_bring(page, address)
    expect(page.get_by_role("button", name=HOSTILE)).to_be_visible(timeout=PATIENT)
    expect(page.locator("img[src=x]")).to_have_count(0)
    assert dialogs == []


def test_a_kept_table_is_renamed_mended_and_deleted(browser_page: Page, address: str) -> None:
    page = browser_page
    open_crossings(page, address)
    keep(page, "Old name")
    open_bring(page, address)
    page.get_by_role("button", name="Old name").click()
    field = page.get_by_role("textbox", name="Name")
    field.fill("New name")
    field.press("Enter")
    expect(page.get_by_role("heading", name="New name")).to_be_visible()
    take_row_as(page, "Winter timetable", "left out")
    expect(cleaned(page).locator("tbody tr")).to_have_count(6)
    page.reload()
    expect(page.get_by_text("1 correction; the last took row 3 as left out")).to_be_visible(timeout=PATIENT)
    page.get_by_role("button", name="Reset").click()
    expect(cleaned(page).locator("tbody tr")).to_have_count(7)
    page.get_by_role("button", name="Delete").click()
    page.get_by_role("button", name="Delete it").click()
    expect(page.get_by_role("heading", name="Bring a table")).to_be_visible()
    expect(page.get_by_role("button", name="New name")).to_have_count(0)


def test_two_tabs_neither_undo_each_other_nor_ask_another_table(browser_page: Page, address: str) -> None:
    page = browser_page
    open_crossings(page, address)
    keep(page, "Kept first")
    open_crossings(page, address)
    keep(page, "In two tabs")
    table = parameters(page)["table"]
    open_bring(page, address, kept=table)
    take_row_as(page, "Winter timetable", "left out")
    expect(page.get_by_text("1 correction; the last took row 3 as left out")).to_be_visible()
    other = page.context.new_page()
    open_bring(other, address, kept=table)
    take_row_as(other, "Charter crossings", "left out")
    expect(other.get_by_text("2 corrections; the last took row 9 as left out")).to_contain_text(
        "4 figures are no longer in the table"
    )
    expect(other.get_by_text("headers: corrected by hand")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_test_id("stAlert")).to_contain_text(
        "corrected elsewhere meanwhile, so nothing was taken"
    )
    expect(page.get_by_text("2 corrections; the last took row 9 as left out")).to_be_visible()

    page.goto(f"{address}/?{urlencode({'dataset': 'brought', 'table': table, 'q': 'Charter in 2024?'})}")
    expect(page.locator("td[data-mark=predicted]")).to_be_visible(timeout=PATIENT)
    other.get_by_role("button", name="Delete").click()
    other.get_by_role("button", name="Delete it").click()
    expect(other.get_by_role("heading", name="Bring a table")).to_be_visible()
    other.close()
    page.reload()
    expect(page.get_by_test_id("stAlert")).to_contain_text("is not kept any more", timeout=PATIENT)
    expect(page.locator("td[data-mark=predicted]")).to_have_count(0)
    page.get_by_role("link", name="Kept first").click()
    expect(page.locator("td[data-mark=predicted]")).to_be_visible(timeout=PATIENT)
    assert parameters(page)["q"] == "Charter in 2024?"


@pytest.mark.parametrize("edits", ["r2x.r5", "r2o." * 1001 + "r2o"])
def test_corrections_that_were_cut_are_said_to_be_unreadable(
    browser_page: Page, address: str, edits: str
) -> None:
    page = browser_page
    open_crossings(page, address)
    page.goto(f"{address}/bring?{urlencode({**parameters(page), 'edits': edits})}")
    alert = page.get_by_test_id("stAlert")
    expect(alert).to_contain_text("The corrections of this link cannot be read", timeout=PATIENT)
    expect(crossheads(page)).to_have_count(0)


def test_the_original_shows_where_a_cell_far_down_came_from(browser_page: Page, address: str) -> None:
    page = browser_page
    rows = "".join(f"Station {row},{row}.5,{row}.25\n" for row in range(2997))
    open_bring(page, address)
    upload(page, "stations.csv", f"Station,2024,2023\n{rows}".encode())
    expect(original(page)).to_be_visible(timeout=PATIENT)
    page.goto(f"{address}/bring?{urlencode({**parameters(page), 'cell': '2500,1'})}")
    expect(page.locator("[data-mark=origin]")).to_have_text(["2500.25"], timeout=PATIENT)
    expect(page.locator("[data-mark=origin]")).to_be_in_viewport()
    expect(page.locator(".grid-view .cut")).to_contain_text("Of 2,998 rows the first and 2,")


def test_the_list_is_searched_and_shows_layout_tables_when_asked(browser_page: Page, address: str) -> None:
    page = browser_page
    open_bring(page, address)
    upload(page, "northwind.html", FILING)
    expect(cards(page)).to_have_count(4, timeout=PATIENT)
    field = page.get_by_label("Find tables")
    field.fill("spare parts 2024")
    field.press("Enter")
    expect(cards(page)).to_have_count(1)
    expect(cards(page)).to_contain_text("CONSOLIDATED BALANCE SHEETS")
    expect(page.get_by_text("1 of 4 tables with data")).to_be_visible()
    field.fill("")
    field.press("Enter")
    expect(cards(page)).to_have_count(4)
    page.get_by_test_id("stMain").get_by_text("that only lay out the page").click()
    expect(cards(page).filter(has_text="layout").first).to_be_visible()
    cards(page).first.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(original(page)).to_be_visible()
    page.go_back()
    expect(cards(page).first).to_be_visible()


def test_the_header_editor_is_reached_by_keyboard_and_forbids_a_table_of_stubs(
    browser_page: Page, address: str
) -> None:
    page = browser_page
    open_bring(page, address, by="paste")
    page.get_by_label("Cells copied").fill("Region\t2024\nEurope\t1,204\nAsia\t893\n")
    page.get_by_role("button", name="Find the tables").click()
    row_of(page, "Region").focus()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.get_by_role("radio", name="stub").click()
    expect(page.get_by_test_id("stAlert")).to_contain_text(
        "Every column would be stub; leave one for the body."
    )
    expect(page.get_by_role("button", name="Undo")).to_have_count(0)


def test_a_filing_is_fetched_only_with_edgartools(browser_page: Page, address: str) -> None:
    page = browser_page
    open_bring(page, address, by="filing")
    expect(page.get_by_text("Fetching needs edgartools, which is not installed")).to_be_visible()
    expect(page.get_by_text("pip install -r requirements-edgar.txt")).to_be_visible()
    expect(page.get_by_role("button", name="Fetch it from EDGAR")).to_be_disabled()


def test_before_a_table_is_kept_the_dataset_leads_here(browser_page: Page, server: Server) -> None:
    page = browser_page
    page.goto(f"{server(ROOT / 'app.py', '--', 'nothing kept')}/?dataset=brought")
    expect(page.get_by_text("No table is kept yet.")).to_be_visible(timeout=PATIENT)
    page.get_by_test_id("stMain").get_by_role("link", name="Bring a table").click()
    expect(page.get_by_role("heading", name="Bring a table")).to_be_visible(timeout=PATIENT)
    expect(page.get_by_text("None yet.")).to_be_visible()
