"""Presenting: what a room sees, turned by the keys of a keyboard and of a remote clicker."""

import json
import re
from collections.abc import Iterator
from contextlib import redirect_stdout
from io import StringIO
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, expect

from qa_core.__main__ import main
from qa_core.datasets import load_dataset
from qa_core.evaluation.store import RunStore
from tests.e2e.conftest import ROOT
from tests.e2e.running import running_server
from tests.e2e.test_errors import grid, listed, open_errors
from tests.e2e.test_results import open_results
from tests.e2e.waiting import at_rest

pytestmark = pytest.mark.browser

PATIENT = 60_000
READABLE = 20
"""Pixels that a table's text has at least."""
SECURITIES = "s-apple-balance-q2"


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str, list[str], str]]:
    """A server over a store, the run of Lexical over the sample, what it misses, and another run."""
    place = tmp_path_factory.mktemp("presented")
    store = f"sqlite:///{place / 'runs.sqlite'}"
    runs = []
    for options in ([], ["--no-lexicon"]):
        said = StringIO()
        with redirect_stdout(said):
            assert main(["evaluate", "--dataset", "sample", "--store", store, "--json", *options]) == 0
        runs.append(json.loads(said.getvalue())["run"])
    misses = [case.question_id for case in RunStore(store).outcomes(runs[0], correct=False)]
    with running_server(ROOT / "app.py", (), place) as (_, address):
        yield address, runs[0], misses, runs[1]


def present(page: Page, address: str, **parameters: str) -> None:
    page.goto(f"{address}/present?{urlencode(parameters)}")
    expect(page.locator(".ch-slide")).to_be_visible(timeout=PATIENT)


def press(page: Page, key: str) -> None:
    """Press a key once all of a slide is drawn."""
    expect(page.get_by_role("button", name="Leave")).to_be_visible(timeout=PATIENT)
    at_rest(page)
    page.keyboard.press(key)


def question(page: Page, question_id: str) -> None:
    """The page shows a question and is at rest."""
    expect(page.locator(".ch-slide")).to_have_text(load_dataset("sample").question(question_id).text)
    expect(page).to_have_url(re.compile(rf"[?&]case={question_id}(&|$)"))
    expect(page.locator("[data-test-script-state=notRunning]")).to_be_attached()


def test_from_an_opened_case_to_the_screen_through_the_list_and_back(
    stored: tuple[str, str, list[str], str], browser_page: Page
) -> None:
    page, (address, run, misses, _) = browser_page, stored
    open_errors(page, address, run=run, right="no")
    grid(page).locator(".ag-center-cols-container .ag-row").first.click()
    expect(page.get_by_text("Lexical answered")).to_be_visible(timeout=PATIENT)
    page.get_by_role("link", name="Present").last.click()
    question(page, misses[0])
    expect(page.get_by_test_id("stSidebar")).to_be_hidden()
    expect(page.get_by_test_id("stHeader")).to_be_hidden()
    expect(page.get_by_text(f"1 of {len(misses)}", exact=True)).to_be_visible()
    expect(page.get_by_role("button", name="Previous")).to_be_disabled()
    for key, place in (("ArrowRight", 1), ("PageDown", 2), ("ArrowLeft", 1), ("PageDown", 2), ("PageUp", 1)):
        press(page, key)
        question(page, misses[place])
    shown = page.url
    page.reload()
    question(page, misses[1])
    assert page.url == shown
    press(page, "Escape")
    expect(page.get_by_role("heading", name="Errors", exact=True)).to_be_visible(timeout=PATIENT)
    expect(listed(page)).to_contain_text(f"{len(misses)} of 331")
    expect(page).to_have_url(re.compile(rf"/errors\?.*case={misses[1]}"))
    expect(page).not_to_have_url(re.compile("back="))


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("width", "height"), [(1024, 768), (1920, 1080)])
def test_a_case_fits_a_projector_and_is_read_from_the_last_row(
    stored: tuple[str, str, list[str], str], browser_page: Page, width: int, height: int, scheme: str
) -> None:
    page, (address, run, _, _) = browser_page, stored
    page.set_viewport_size({"width": width, "height": height})
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    present(page, address, run=run, case=SECURITIES)
    for mark, text in (("predicted", "35,228"), ("gold", "91,479")):
        cell = page.locator(f"td[data-mark={mark}]")
        expect(cell).to_contain_text(text)
        expect(cell).to_be_in_viewport(ratio=1)
        size = cell.evaluate("cell => parseFloat(getComputedStyle(cell).fontSize)")
        assert size >= READABLE
    expect(page.get_by_text("✗ Lexical is wrong.")).to_be_visible()
    expect(page.get_by_text("The same leaf label, under another parent.").first).to_be_in_viewport()
    for card, path in (("Lexical answers", "Current assets"), ("Gold answer", "Non-current assets")):
        shown = page.locator(".ch-card", has_text=card)
        expect(shown).to_contain_text(path)
        expect(shown).to_be_in_viewport(ratio=0.95)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_answer_waits_for_the_next_turn(
    stored: tuple[str, str, list[str], str], browser_page: Page
) -> None:
    page, (address, run, misses, _) = browser_page, stored
    present(page, address, run=run, case=misses[0], right="no")
    expect(page.locator("[data-mark]").first).to_be_visible()
    press(page, "h")
    expect(page.get_by_text("The next turn shows the answer.")).to_be_visible()
    expect(page.locator("[data-mark], .ch-card, .ch-verdict-said")).to_have_count(0)
    press(page, "PageDown")
    expect(page.locator("[data-mark]").first).to_be_visible()
    question(page, misses[0])
    press(page, "PageDown")
    question(page, misses[1])
    expect(page.locator("[data-mark], .ch-card, .ch-verdict-said")).to_have_count(0)


def test_every_chart_has_its_finding_and_leads_on_to_the_next(
    stored: tuple[str, str, list[str], str], browser_page: Page
) -> None:
    page, (address, run, misses, _) = browser_page, stored
    page.set_viewport_size({"width": 1024, "height": 768})
    open_errors(page, address, run=run)
    page.get_by_role("link", name="Present").first.click()
    slide = page.locator(".ch-slide")
    expect(slide).to_contain_text("Lexical is right on 69% of 331 questions", timeout=PATIENT)
    for finding, chart in (
        (f"of {len(misses)} misses", "Strict misses by structural reason"),
        ("paraphrase sets", "Paraphrase sets"),
        ("ahead of|no clear lead over", "Strict accuracy of the runs"),
        ("expected calibration error", "Right answers by confidence"),
    ):
        press(page, "ArrowRight")
        expect(slide).to_contain_text(re.compile(finding))
        figure = page.get_by_role("figure", name=chart)
        expect(figure).to_be_in_viewport(ratio=0.98)
        tick = figure.locator(".ytick text, .xtick text").first
        assert tick.evaluate("text => parseFloat(getComputedStyle(text).fontSize)") >= READABLE
        expect(page.get_by_text(run)).to_be_in_viewport()
    expect(page.get_by_role("button", name="Next")).to_be_disabled()
    press(page, "Escape")
    expect(page.get_by_role("heading", name="Errors", exact=True)).to_be_visible(timeout=PATIENT)


def test_two_runs_are_presented_in_one_table_and_in_one_chart(
    stored: tuple[str, str, list[str], str], browser_page: Page
) -> None:
    page, (address, run, _, other) = browser_page, stored
    page.goto(f"{address}/compare?run={run}&other={other}&change=lost")
    grid(page).locator(".ag-center-cols-container .ag-row").first.click(timeout=PATIENT)
    expect(page.get_by_text("Lexical answered")).to_be_visible(timeout=PATIENT)
    page.get_by_role("link", name="Present").last.click()
    expect(page.get_by_text("✓ Lexical is right.")).to_be_visible(timeout=PATIENT)
    expect(page.get_by_text("✗ Lexical without the lexicon is wrong.")).to_be_visible()
    press(page, "Escape")
    page.get_by_role("link", name="Present").first.click(timeout=PATIENT)
    expect(page.locator(".ch-slide")).to_contain_text(
        re.compile(r"^Lexical without the lexicon gains \d+ questions over Lexical and loses \d+"),
        timeout=PATIENT,
    )


def test_ask_and_explore_have_a_way_there_too(
    stored: tuple[str, str, list[str], str], browser_page: Page
) -> None:
    page, (address, _, _, _) = browser_page, stored
    page.goto(f"{address}/?table=s-apple-balance&q=Goodwill%3F")
    page.get_by_role("link", name="Present").click(timeout=PATIENT)
    expect(page.locator(".ch-slide")).to_have_text("Goodwill?")
    press(page, "Escape")
    expect(page.get_by_label("Your question")).to_have_value("Goodwill?", timeout=PATIENT)

    page.goto(f"{address}/explore?find=apple+securities&system=tapas")
    page.get_by_role("link", name="Present").click(timeout=PATIENT)
    first = page.locator(".ch-slide")
    expect(first).to_contain_text("securities", timeout=PATIENT)
    text = first.inner_text()
    press(page, "ArrowRight")
    expect(first).not_to_have_text(text)
    expect(first).to_contain_text("securities")


@pytest.mark.parametrize(
    ("stale", "said"),
    [
        ({"run": "0123456789ab", "case": "q"}, "has no"),
        ({"run": "RUN", "case": "<b>gone</b>"}, "has no question"),
        ({"run": "RUN", "chart": "<b>gone</b>"}, "There is no chart “<b>gone</b>” of this run"),
        ({"chart": "accuracy"}, "This link names no run"),
        ({"table": "gone"}, "has no table"),
    ],
)
def test_a_stale_link_is_said_in_a_sentence_with_the_way_back(
    stored: tuple[str, str, list[str], str], browser_page: Page, stale: dict[str, str], said: str
) -> None:
    page, (address, run, _, _) = browser_page, stored
    page.goto(f"{address}/present?{urlencode({n: v.replace('RUN', run) for n, v in stale.items()})}")
    expect(page.get_by_test_id("stAlert")).to_contain_text(said, timeout=PATIENT)
    press(page, "Escape")
    expect(page.get_by_role("heading", name="Errors", exact=True)).to_be_visible(timeout=PATIENT)


def test_a_point_of_confidence_leads_to_its_questions(
    stored: tuple[str, str, list[str], str], browser_page: Page
) -> None:
    page, (address, run, _, _) = browser_page, stored
    open_results(page, address, run=run)
    chart = page.get_by_role("figure", name="Right answers by confidence")
    n = chart.locator(".textpoint").last.text_content()
    expect(page.locator("[data-test-script-state=notRunning]")).to_be_attached()
    page.wait_for_timeout(500)  # a chart that is being drawn hears no click
    chart.locator(".point").last.click(force=True)
    expect(listed(page)).to_contain_text(f"{n} of 331", timeout=PATIENT)
    expect(page).to_have_url(re.compile(rf"/errors\?.*run={run}&confidence=9"))
    page.go_back()
    expect(page.get_by_role("figure", name="Right answers by confidence")).to_be_visible(timeout=PATIENT)
