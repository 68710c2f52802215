"""The Compare page: what a second run gained and lost, and the ways to its questions."""

import re
from collections.abc import Iterator
from contextlib import redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, expect

from qa_core.__main__ import main
from qa_core.evaluation.comparison import Comparison, compare
from qa_core.evaluation.slices import SLICES
from qa_core.evaluation.store import RunStore
from tests.e2e.conftest import ROOT, Server
from tests.e2e.running import running_server
from tests.e2e.test_errors import grid, metric, parameter
from tests.e2e.test_results import line

pytestmark = pytest.mark.browser

PATIENT = 60_000
APP = ROOT / "app.py"


@dataclass(frozen=True)
class Measured:
    """A server over two runs, and what the library says of them."""

    address: str
    first: str
    second: str
    found: Comparison


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Measured]:
    place = tmp_path_factory.mktemp("compared")
    url = f"sqlite:///{place / 'runs.sqlite'}"
    with redirect_stdout(StringIO()):
        assert main(["evaluate", "--store", url]) == 0
        assert main(["evaluate", "--store", url, "--no-lexicon"]) == 0
    store = RunStore(url)
    without, whole = (run.id for run in store.runs())
    found = compare(store.paired(whole, without), SLICES)
    with running_server(APP, (), Path(place)) as (_, address):
        yield Measured(address, whole, without, found)


def open_compare(page: Page, measured: Measured, **parameters: str) -> None:
    choices = {"run": measured.first, "other": measured.second} | parameters
    page.goto(f"{measured.address}/compare?{urlencode(choices)}")
    expect(page.get_by_role("heading", name="Questions")).to_be_visible(timeout=PATIENT)


def test_the_figures_are_those_of_the_library(measured: Measured, browser_page: Page) -> None:
    page, whole = browser_page, measured.found.whole
    open_compare(page, measured)
    expect(metric(page, "Strict accuracy")).to_contain_text(f"{whole.first:.1%} · {whole.second:.1%}")
    expect(metric(page, "McNemar")).to_contain_text(f"{whole.gained} gained, {whole.lost} lost")
    expect(metric(page, "Same cell")).to_contain_text(f"{measured.found.agreement:.1%}")
    kpi = measured.found.slices["kpi-driven"]
    expect(line(page, 0, f"KPI-driven n = {kpi.n}").get_by_role("link")).to_have_text(
        [str(n) for n in (kpi.gained, kpi.lost, kpi.both_right, kpi.both_wrong) if n]
    )


def test_a_count_opens_its_questions_and_a_question_both_predictions(
    measured: Measured, browser_page: Page
) -> None:
    page, kpi = browser_page, measured.found.slices["kpi-driven"]
    lost = kpi.lost
    open_compare(page, measured)
    line(page, 0, f"KPI-driven n = {kpi.n}").get_by_role("link", name=str(lost), exact=True).first.click()
    expect(page).to_have_url(parameter("change", "lost"))
    expect(page.get_by_text(re.compile(rf"^{lost} of 331 questions\. Select one"))).to_be_visible()

    grid(page).locator(".ag-center-cols-container .ag-row").first.click()
    expect(page.get_by_text("Lexical answered", exact=True)).to_be_visible()
    expect(page.get_by_text("Lexical without the lexicon answered", exact=True)).to_be_visible()
    expect(page.get_by_text(f"1 of {lost}", exact=True)).to_be_visible()
    expect(page.locator("[data-mark]").filter(has_text="gold = Lexical")).to_be_visible()

    page.get_by_role("button", name="Next").click()
    expect(page.get_by_text(f"2 of {lost}", exact=True)).to_be_visible()
    opened = page.url
    page.reload()
    expect(page.get_by_text(f"2 of {lost}", exact=True)).to_be_visible(timeout=PATIENT)
    assert page.url == opened


def test_swap_turns_gains_into_losses(measured: Measured, browser_page: Page) -> None:
    page, whole = browser_page, measured.found.whole
    open_compare(page, measured)
    page.get_by_role("button", name="Swap").click()
    expect(metric(page, "McNemar")).to_contain_text(f"{whole.lost} gained, {whole.gained} lost")
    expect(page).to_have_url(parameter("run", measured.second))


def test_with_fewer_than_two_runs_it_says_what_to_do(server: Server, browser_page: Page) -> None:
    page, address = browser_page, server(APP, "--server.runOnSave", "false")
    page.goto(f"{address}/compare")
    expect(page.get_by_text(re.compile("a comparison takes two"))).to_be_visible(timeout=PATIENT)
