"""Reports and files: taken out of the app by a person, and opened from the disk without a network."""

import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from contextlib import redirect_stdout
from dataclasses import dataclass
from datetime import UTC, datetime
from io import StringIO
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pyarrow.parquet as pq
import pytest
from playwright.sync_api import Browser, Download, Locator, Page, expect

from qa_core.__main__ import main
from qa_core.datasets import load_dataset
from qa_core.evaluation.judgement_store import JudgementStore
from qa_core.evaluation.judgements import Judgement
from qa_core.evaluation.store import RunStore
from tests.e2e.conftest import ROOT
from tests.e2e.running import running_server

pytestmark = pytest.mark.browser

PATIENT = 60_000
PNG = b"\x89PNG\r\n\x1a\n"
NOTE = "<b>Reads</b> the $total$ of the other year."
PAGE_OF_A4 = re.compile(rb"/Type /Page\b")


@dataclass(frozen=True)
class Measured:
    """A server over two runs of the sample, and a question that somebody wrote a note about."""

    address: str
    store: RunStore
    whole: str
    without: str
    noted: str


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Measured]:
    place = tmp_path_factory.mktemp("reported")
    url = f"sqlite:///{place / 'runs.sqlite'}"
    with redirect_stdout(StringIO()):
        assert main(["evaluate", "--store", url]) == 0
        assert main(["evaluate", "--store", url, "--no-lexicon"]) == 0
    store, sample = RunStore(url), load_dataset("sample")
    without, whole = (run.id for run in store.runs())
    noted = sample.questions[-1].id
    JudgementStore(url).add(sample, [Judgement(noted, "note", NOTE, "Ada", datetime.now(UTC))])
    with running_server(ROOT / "app.py", (), Path(place)) as (_, address):
        yield Measured(address, store, whole, without, noted)


def open_page(page: Page, measured: Measured, name: str, **parameters: str) -> None:
    page.goto(f"{measured.address}/{name}?{urlencode({'run': measured.whole} | parameters)}")
    expect(page.get_by_role("button", name="Report")).to_be_visible(timeout=PATIENT)


def press(page: Page, button: Locator) -> Download:
    with page.expect_download(timeout=PATIENT) as download:
        button.click()
    return download.value


@pytest.fixture
def offline(browser: Browser) -> Iterator[Page]:
    """A page of a browser without a network; a test fails on whatever it asks for or complains of."""
    context = browser.new_context(viewport={"width": 1440, "height": 900}, offline=True)
    page = context.new_page()
    said: list[str] = []
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("console", lambda message: said.append(message.text))
    page.on(
        "request",
        lambda request: said.extend(
            [request.url] * (not request.url.startswith(("file:", "data:", "blob:")))
        ),
    )
    yield page
    context.close()
    assert not said


def kept(download: Download, folder: Path) -> Path:
    file = folder / download.suggested_filename
    download.save_as(file)
    return file


def test_a_report_opens_from_the_disk_with_charts_tables_and_notes(
    measured: Measured, browser_page: Page, offline: Page, tmp_path: Path
) -> None:
    open_page(browser_page, measured, "errors", slice="kpi-driven", cases="3")
    expect(browser_page.get_by_role("button", name="with 3 cases")).to_be_visible()
    file = kept(press(browser_page, browser_page.get_by_role("button", name="Report")), tmp_path)
    assert file.name == f"sample-lexical-base-{measured.whole}.html"

    offline.goto(file.as_uri())
    expect(offline.get_by_role("heading", name="Lexical on sample")).to_be_visible()
    for chart in offline.locator("figure.picture").all():
        assert chart.locator(".point").count() >= 1
        expect(chart.locator("details")).not_to_have_attribute("open", "")
    misses = offline.locator("figure", has_text="Misses by structural reason")
    counts = [int(text) for text in misses.locator(".bartext").all_text_contents()]
    summary = measured.store.summary(measured.whole)
    assert counts == sorted(filter(None, summary["misses"].values()), reverse=True)

    cases = offline.locator("article.case")
    expect(cases).to_have_count(3 + 1)
    kpi = measured.store.outcomes(measured.whole, slice="kpi-driven", correct=False)
    expect(cases.first.locator("h3")).to_have_text(f"1. {kpi[0].text}")
    expect(cases.first.locator("td[data-mark=gold] .badge").first).to_have_text("gold")
    expect(cases.last).to_contain_text(NOTE)
    expect(cases.last.locator(".ch-list b").first).to_have_text("note")


def test_a_table_of_a_report_has_the_marks_that_the_app_draws(
    measured: Measured, browser_page: Page, offline: Page, tmp_path: Path
) -> None:
    first, second = measured.whole, measured.without
    [lost, *_] = measured.store.paired_cases(first, second, change="lost")
    open_page(browser_page, measured, "compare", other=second, change="lost", case=lost.question_id)
    expect(browser_page.locator(".table-view [data-mark]").first).to_be_visible(timeout=PATIENT)
    drawn = marks(browser_page.locator(".table-view").last)
    file = kept(press(browser_page, browser_page.get_by_role("button", name="Report")), tmp_path)
    offline.goto(file.as_uri())
    assert marks(offline.locator(".case .table-view").first) == drawn
    assert len(drawn["marks"]) >= 2 and len(drawn["paths"]) >= 2


def marks(view: Locator) -> dict[str, Any]:
    """What is marked in a drawn table, and what its legend says."""
    found: dict[str, Any] = view.evaluate(
        """view => ({
            marks: [...view.querySelectorAll("table [data-mark]")].map((cell) =>
                [{...cell.dataset}, cell.querySelector(".badge").textContent]),
            paths: [...view.querySelectorAll("[data-path]")].map((header) =>
                [header.querySelector(".label").textContent, header.dataset.path]),
            legend: [...view.querySelectorAll(".legend > span")].map((entry) =>
                [entry.querySelector(".frame")?.dataset.mark, entry.textContent]),
        })"""
    )
    return found


def test_a_comparison_is_reported_with_its_counts(
    measured: Measured, browser_page: Page, offline: Page, tmp_path: Path
) -> None:
    open_page(browser_page, measured, "compare", other=measured.without)
    file = kept(press(browser_page, browser_page.get_by_role("button", name="Report")), tmp_path)
    offline.goto(file.as_uri())
    lost = len(measured.store.paired_cases(measured.whole, measured.without, change="lost"))
    expect(offline.locator("#difference")).to_contain_text(f"{lost} lost")
    expect(offline.locator("#changes tbody tr").first).to_contain_text(f"{lost}")
    expect(offline.locator("article.case")).to_have_count(20 + 1)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_report_reads_by_day_and_by_night_and_prints_each_case_on_a_page(
    scheme: Any, measured: Measured, browser_page: Page, browser: Browser, tmp_path: Path
) -> None:
    open_page(browser_page, measured, "errors", cases="5")
    file = kept(press(browser_page, browser_page.get_by_role("button", name="Report")), tmp_path)
    context = browser.new_context(viewport={"width": 1024, "height": 800}, color_scheme=scheme, offline=True)
    page = context.new_page()
    page.goto(file.as_uri())
    expect(page.locator("figure.picture .point").first).to_be_visible()
    ground = {"light": "rgb(255, 255, 255)", "dark": "rgb(21, 24, 28)"}
    ink = {"light": "rgb(27, 31, 36)", "dark": "rgb(232, 234, 237)"}
    expect(page.locator("body")).to_have_css("background-color", ground[scheme])
    for text in (page.locator(".ytick text").first, page.locator(".bartext-outside").first):
        expect(text).to_have_css("fill", ink[scheme])
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")

    page.emulate_media(media="print")
    expect(page.locator("figure.picture .point").first).to_be_visible()
    expect(page.locator("figure.picture button").first).to_be_hidden()
    expect(page.locator("article.case").nth(1)).to_have_css("break-before", "page")
    printed = page.pdf(prefer_css_page_size=True)
    assert len(PAGE_OF_A4.findall(printed)) >= 2 + 5
    context.close()


def test_a_chart_is_saved_as_png_and_as_svg_in_the_app_and_in_a_report(
    measured: Measured, browser_page: Page, offline: Page, tmp_path: Path
) -> None:
    open_page(browser_page, measured, "errors")
    expect(browser_page.locator(".js-plotly-plot .point").first).to_be_visible()
    report = kept(press(browser_page, browser_page.get_by_role("button", name="Report")), tmp_path)
    offline.goto(report.as_uri())
    expect(offline.locator("figure.picture .point").first).to_be_visible()
    for page in (browser_page, offline):
        for number in range(4):
            png, svg = (
                kept(press(page, page.get_by_role("button", name=name).nth(number)), tmp_path)
                for name in ("PNG", "SVG")
            )
            assert png.stem == svg.stem and png.stem.startswith(f"sample-lexical-base-{measured.whole}-")
            content = png.read_bytes()
            assert content.startswith(PNG) and int.from_bytes(content[16:20], "big") >= 1200
            root = ElementTree.parse(svg).getroot()
            assert root.tag == "{http://www.w3.org/2000/svg}svg"
            said = " ".join(root.itertext())
            assert "Lexical · Base · sample · n = 331" in said
    assert len(list(tmp_path.glob("*.svg"))) == 8 - 1  # one chart has the same name on both
    category = next(tmp_path.glob("*accuracy-by-question-category.svg"))
    assert "Row hierarchy not needed" in category.read_text(encoding="utf-8")


def test_all_predictions_come_in_three_formats(
    measured: Measured, browser_page: Page, tmp_path: Path
) -> None:
    open_page(browser_page, measured, "errors", slice="kpi-driven")
    browser_page.get_by_role("button", name="Predictions").click()
    files = {
        name: kept(press(browser_page, browser_page.get_by_role("button", name=name)), tmp_path)
        for name in ("CSV", "JSON Lines", "Parquet")
    }
    assert pq.read_table(files["Parquet"]).num_rows == 331
    assert len(files["JSON Lines"].read_text(encoding="utf-8").split("\n")) == 331 + 1
    assert files["CSV"].read_text(encoding="utf-8-sig").startswith("run,system,transformation,position,")


def test_the_number_of_cases_is_kept_in_the_link(measured: Measured, browser_page: Page) -> None:
    open_page(browser_page, measured, "errors")
    browser_page.get_by_role("button", name="with 20 cases").click()
    field = browser_page.get_by_label("Cases in the report", exact=True)
    field.fill("7")
    field.press("Enter")
    expect(browser_page).to_have_url(re.compile(r"[?&]cases=7(&|$)"))
    browser_page.reload()
    expect(browser_page.get_by_role("button", name="with 7 cases")).to_be_visible(timeout=PATIENT)
