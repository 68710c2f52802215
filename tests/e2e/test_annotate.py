"""The Annotate page: a question written by clicking its answer, reviewed by a second person, exported."""

import re
import zipfile
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from qa_core.datasets.aitqa import load_folder
from qa_core.question import KPI_DRIVEN, TABLE_DRIVEN, Question
from qa_core.table import Location
from tests.e2e.conftest import ROOT, Server
from tests.e2e.test_errors import HOSTILE, parameter, write_dataset
from tests.e2e.waiting import at_rest
from tests.tables import AMAZON, SURPLUS

pytestmark = pytest.mark.browser

APP = ROOT / "app.py"
PATIENT = 60_000
OWN = Question("q-1", AMAZON.id, "AWS revenue in 2024?", ("107,556",), KPI_DRIVEN, True, "", Location(2, 1))


@pytest.fixture(scope="module")
def address(server: Server) -> str:
    return server(APP)


@pytest.fixture
def folder(tmp_path: Path) -> str:
    """Two tables of this test's own: annotations are kept by what stands in a table."""
    marked = tuple((*row, tmp_path.name) for row in AMAZON.cells)
    table = type(AMAZON)(
        AMAZON.id, (*AMAZON.column_paths, ("Source",)), AMAZON.row_paths, marked, AMAZON.title, AMAZON.company
    )
    return write_dataset(tmp_path, [table, SURPLUS], [OWN])


def open_annotate(page: Page, address: str, **parameters: str) -> None:
    page.goto(f"{address}/annotate?{urlencode(parameters)}")
    expect(page.get_by_role("heading", name="Annotate", exact=True)).to_be_visible(timeout=PATIENT)


def cell(page: Page, row: int, column: int) -> Locator:
    return page.locator(f"td[data-row='{row}'][data-column='{column}']")


def field(page: Page, label: str) -> Locator:
    return page.get_by_label(label, exact=True)


def sign(page: Page, name: str) -> None:
    field(page, "Your name").fill(name)
    field(page, "Your name").press("Enter")


def segment(page: Page, title: str) -> Locator:
    return page.get_by_role("radio", name=title, exact=True)


def keep_button(page: Page) -> Locator:
    return page.get_by_role("button", name="Keep the question")


def lines(page: Page) -> Locator:
    """The annotations that are listed."""
    return page.locator(".ch-annotations li")


def said(page: Page, what: str) -> Locator:
    """A line of any list on the page."""
    return page.locator(".ch-list li").filter(has_text=what)


def write(page: Page, question: str, row: int, column: int, name: str) -> None:
    sign(page, name)
    field(page, "Question").fill(question)
    cell(page, row, column).click()
    expect(page).to_have_url(parameter("cell", f"{row}%2C{column}"))
    keep_button(page).click()
    expect(page.get_by_text(re.compile(f"^Kept for {name}:"))).to_be_visible()


def test_a_question_is_checked_while_it_is_typed_and_kept_once(
    address: str, browser_page: Page, folder: str
) -> None:
    page = browser_page
    open_annotate(page, address, dataset="aitqa", dir=folder)
    expect(page.get_by_text("The question is empty; write one.")).to_be_visible()
    expect(keep_button(page)).to_be_disabled()

    # Nothing but keys: the field is not left.
    field(page, "Question").press_sequentially("AWS revenue in 2024?")
    expect(page.get_by_text("The table has this question already: q-1.")).to_be_visible()
    field(page, "Question").press_sequentially(" Was it 107,556?")
    expect(page.get_by_text("The table has this question already")).to_have_count(0)

    cell(page, 2, 1).click()
    expect(page.get_by_text("The question holds its own answer, “107,556”.")).to_be_visible()
    expect(page.get_by_text("AWS › Net sales, Year Ended December 31, › 2024")).to_be_visible()
    expect(segment(page, "needed")).to_have_attribute("aria-checked", "true")
    segment(page, "not needed").click()
    expect(
        page.get_by_text(
            "The row label “Net sales” also stands under other headers, so the row hierarchy is needed."
        )
    ).to_be_visible()
    segment(page, "needed").click()
    segment(page, KPI_DRIVEN).click()
    page.reload()
    expect(field(page, "Question")).to_have_value("AWS revenue in 2024? Was it 107,556?", timeout=PATIENT)
    expect(cell(page, 2, 1)).to_have_attribute("aria-selected", "true")

    sign(page, "Ada")
    field(page, "Question").fill("What were net sales of AWS in 2024?")
    keep_button(page).dblclick()
    expect(page.get_by_text("Kept for Ada: “What were net sales of AWS in 2024?”")).to_be_visible()
    expect(field(page, "Question")).to_have_value("")
    expect(lines(page)).to_have_count(1)
    expect(lines(page)).to_contain_text("unreviewed")
    page.reload()
    expect(lines(page).first).to_contain_text("107,556", timeout=PATIENT)
    expect(field(page, "Your name")).to_have_value("Ada")


def test_an_answer_in_several_cells_is_shown_in_the_table_and_chosen_by_a_click(
    address: str, browser_page: Page, folder: str
) -> None:
    page = browser_page
    open_annotate(page, address, dataset="aitqa", dir=folder, table=SURPLUS.id)
    field(page, "Question").fill("How many shares were received in total?")
    field(page, "Answer").press_sequentially("36.75")
    expect(page.get_by_text("The answer “36.75” stands in 2 cells")).to_be_visible()
    expect(page.locator("td[data-mark]")).to_have_count(2)
    cell(page, 2, 0).click()
    expect(page.get_by_text("The answer “36.75” also stands in another cell")).to_be_visible()
    expect(page.locator("td[data-mark]")).to_have_count(1)
    page.go_back()
    expect(page.locator("td[data-mark]")).to_have_count(2)
    page.get_by_role("columnheader", name="Cash paid").click()
    expect(page.get_by_text("The answer “Cash paid” is a header, not a body cell.")).to_be_visible()


def test_a_second_person_reviews_and_agreement_is_shown_and_the_export_loads_back(
    address: str, browser: Browser, browser_page: Page, folder: str, tmp_path: Path
) -> None:
    page, choices = browser_page, {"dataset": "aitqa", "dir": folder}
    open_annotate(page, address, **choices, kind="kpi")
    write(page, "What were net sales of AWS in 2024?", 2, 1, "Ada")
    write(page, "And in 2023?", 2, 0, "Ada")
    write(page, HOSTILE, 0, 0, "Ada")

    # Her own questions do not wait for her.
    segment(page, "Review").click()
    expect(page.get_by_text("No question waits for your review.")).to_be_visible()

    second = browser.new_context(viewport={"width": 1280, "height": 900})
    other = second.new_page()
    open_annotate(other, address, **choices, view="review")
    sign(other, "Ben")
    expect(other.get_by_text("1 of 3", exact=True)).to_be_visible()
    expect(other.get_by_role("heading", name="What were net sales of AWS in 2024?")).to_be_visible()
    expect(other.get_by_text("Answer it first, before you see what Ada says")).to_be_visible()
    cell(other, 2, 1).click()
    segment(other, TABLE_DRIVEN).click()
    segment(other, "needed").click()
    expect(other).to_have_url(parameter("needed", "yes"))
    at_rest(other)
    other.locator("body").press("s")
    expect(cell(other, 2, 1).locator(".badge")).to_have_text("you = Ada")
    expect(said(other, "Answer cell")).to_contain_text("✓ the same")
    expect(said(other, "Kind")).to_contain_text("✗ differs")
    at_rest(other)
    other.locator("body").press("a")
    expect(other.get_by_text("Accepted: “What were net sales of AWS in 2024?”")).to_be_visible()

    expect(other.get_by_role("heading", name="And in 2023?")).to_be_visible()
    expect(other.get_by_text("1 of 2", exact=True)).to_be_visible()
    other.get_by_role("button", name="See it without answering").click()
    other.get_by_role("button", name="Mend").click()
    expect(field(other, "Question")).to_have_value("And in 2023?")
    field(other, "Question").fill("What were net sales of AWS in 2023?")
    other.get_by_role("button", name="Keep the mended version").click()
    expect(other.get_by_text("Mended: “And in 2023?”")).to_be_visible()

    expect(other.get_by_role("heading", name=HOSTILE)).to_be_visible()
    cell(other, 0, 1).click()
    other.get_by_role("button", name="Compare").click()
    other.get_by_role("button", name="Reject").click()
    expect(other.get_by_text("A rejection needs a reason; write why.")).to_be_visible()
    field(other, "Reason").fill("No question.")
    other.get_by_role("button", name="Reject").click()
    expect(other.get_by_text("No question waits for your review.")).to_be_visible()

    segment(other, "Agreement").click()
    figures = other.get_by_role("row", name=re.compile("^The answer cell"))
    expect(figures.get_by_role("cell")).to_have_text(["2", "50%", "0.33", "1"])
    expect(other.get_by_role("row", name=re.compile("^Ben")).get_by_role("cell")).to_have_text(
        ["3", "1", "1", "1"]
    )
    figures.get_by_role("link").click()
    expect(lines(other)).to_have_count(1)
    expect(lines(other)).to_contain_text(HOSTILE)
    expect(lines(other)).to_contain_text("rejected by Ben: No question.")

    open_annotate(other, address, **choices, view="list")
    expect(lines(other)).to_have_count(3, timeout=PATIENT)
    other.get_by_text("Export in the AIT-QA format").click()
    with other.expect_download() as download:
        other.get_by_role("button", name="Download").click()
    with zipfile.ZipFile(download.value.path()) as archive:
        archive.extractall(tmp_path / "exported")
    loaded = load_folder(tmp_path / "exported", "annotations")
    assert [(q.text, q.answers, q.cell, q.kind, q.row_hierarchy_needed) for q in loaded.questions] == [
        ("What were net sales of AWS in 2024?", ("107,556",), Location(2, 1), KPI_DRIVEN, True),
        ("What were net sales of AWS in 2023?", ("90,757",), Location(2, 0), KPI_DRIVEN, True),
    ]
    second.close()


def test_a_stale_link_says_so_and_a_link_to_one_question_opens_it(
    address: str, browser_page: Page, folder: str
) -> None:
    page, choices = browser_page, {"dataset": "aitqa", "dir": folder}
    open_annotate(page, address, **choices, kind="table")
    write(page, "What did AWS sell in 2024?", 2, 1, "Ada")
    lines(page).get_by_role("link").click()
    expect(page).to_have_url(parameter("view", "review"), timeout=PATIENT)
    expect(page.get_by_role("heading", name="What did AWS sell in 2024?")).to_be_visible(timeout=PATIENT)
    open_annotate(page, address, **choices, view="review", case="a-none")
    expect(page.get_by_text("This link asks for annotation “a-none”, which is not here.")).to_be_visible(
        timeout=PATIENT
    )
    expect(page.get_by_role("heading", name="What did AWS sell in 2024?")).to_be_visible()


def test_ask_leads_here_with_its_table(address: str, browser_page: Page, folder: str) -> None:
    page = browser_page
    page.goto(f"{address}/?{urlencode({'dataset': 'aitqa', 'dir': folder, 'table': SURPLUS.id})}")
    page.get_by_role("link", name="Write questions for this table").click(timeout=PATIENT)
    expect(page.get_by_role("heading", name="Annotate", exact=True)).to_be_visible(timeout=PATIENT)
    expect(cell(page, 1, 1)).to_have_text("$2,000")
    expect(page).to_have_url(parameter("table", SURPLUS.id))
