"""The Results page: figures beside published ones, the ways from them to their questions, confidence."""

import json
import re
from collections.abc import Iterator
from contextlib import redirect_stdout
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Locator, Page, expect

from qa_core.__main__ import main
from qa_core.datasets import load_dataset
from tests.e2e.conftest import ROOT, Server
from tests.e2e.running import running_server
from tests.e2e.test_errors import listed, metric, write_dataset

pytestmark = pytest.mark.browser

PATIENT = 60_000
N = 331


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The shipped sample under names like those of AIT-QA."""
    sample = load_dataset("sample")
    ids = {table_id: f"tab-{place}" for place, table_id in enumerate(sample.tables)}
    tables = [replace(table, id=ids[table.id]) for table in sample.tables.values()]
    questions = [
        replace(question, id=f"q-{place}", table_id=ids[question.table_id])
        for place, question in enumerate(sample.questions)
    ]
    return write_dataset(tmp_path_factory.mktemp("dataset"), tables, questions)


@pytest.fixture(scope="module")
def measured(folder: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, dict[str, Any]]]:
    """A server over a store in which ``calibrate`` has kept its runs, and what that command said."""
    place = tmp_path_factory.mktemp("measured")
    store = f"sqlite:///{place / 'runs.sqlite'}"
    said = StringIO()
    with redirect_stdout(said):
        assert (
            main(["calibrate", "--dataset", "aitqa", "--data-dir", folder, "--store", store, "--json"]) == 0
        )
    with running_server(ROOT / "app.py", (), Path(place)) as (_, address):
        yield address, json.loads(said.getvalue())


def open_results(page: Page, address: str, **parameters: str) -> None:
    page.goto(f"{address}/results?{urlencode(parameters)}")
    expect(page.get_by_role("heading", name="What the weights learned from")).to_be_visible(timeout=PATIENT)


def line(page: Page, table: int, title: str) -> Locator:
    heading = page.get_by_role("rowheader", name=title, exact=True)
    return page.locator(".ch-tables").nth(table).get_by_role("row").filter(has=heading)


def test_figures_stand_beside_the_published_ones_and_lead_to_their_questions(
    measured: tuple[str, dict[str, Any]], folder: str, browser_page: Page
) -> None:
    page, (address, report) = browser_page, measured
    open_results(page, address, dataset="aitqa", dir=folder)
    figure = f"{100 * report['accuracy']:.2f}"
    expect(line(page, 0, "Lexical").get_by_role("link", name=figure)).to_have_count(3)
    expect(page.locator(".ch-tables").first).to_contain_text("RCI40.5848.5451.84")
    expect(page.locator(".ch-tables").nth(3)).to_contain_text("None right")

    page.locator(".ch-tables").nth(4).get_by_role("row", name="KPI-driven").get_by_role("link").click()
    expect(page).to_have_url(re.compile(rf"/errors\?.*run={report['run']}&slice=kpi-driven"))
    expect(listed(page)).to_be_visible(timeout=PATIENT)
    expect(page.get_by_role("heading", name="Errors", exact=True)).to_be_visible()


def test_what_is_not_measured_says_so_and_leads_to_where_it_is_run(
    measured: tuple[str, dict[str, Any]], folder: str, browser_page: Page
) -> None:
    page, (address, _) = browser_page, measured
    open_results(page, address, dataset="aitqa", dir=folder)
    missing = line(page, 0, "RCI (representation)").get_by_role("link", name="not measured")
    expect(missing).to_have_count(3)
    expect(line(page, 0, "RCI (representation)").get_by_role("cell").nth(1)).to_have_attribute(
        "title",
        f"python -m qa_core evaluate --dataset aitqa --data-dir {folder} --system rci-representation "
        "--transformation transpose-all",
    )
    page.get_by_text("The commands that make these figures").first.click()
    expect(page.get_by_text("--system blend --transformation transpose-partial")).to_be_visible()
    missing.nth(1).click()
    expect(page).to_have_url(
        re.compile(r"/errors\?.*system=rci-representation&transformation=transpose-all"), timeout=PATIENT
    )


def test_confidence_is_what_the_command_says(
    measured: tuple[str, dict[str, Any]], folder: str, browser_page: Page
) -> None:
    page, (address, report) = browser_page, measured
    open_results(page, address, dataset="aitqa", dir=folder)
    expect(metric(page, "Expected calibration error")).to_contain_text(
        f"{report['expected_calibration_error']:.3f}"
    )
    expect(metric(page, "Wrong tables refused")).to_contain_text(f"{report['refused']:.1%}")
    chart = page.get_by_role("figure", name="Right answers by confidence")
    expect(chart.locator(".point")).to_have_count(len(report["bins"]))
    open_results(page, address, dataset="aitqa", dir=folder, run="gone")
    expect(page.get_by_text("This link asks for run “gone”, which is not here.")).to_be_visible()


def test_without_a_run_the_page_says_what_is_to_be_run(server: Server, browser_page: Page) -> None:
    page, address = browser_page, server(ROOT / "app.py", "--server.runOnSave", "false")
    open_results(page, address)
    expect(page.locator(".ch-tables").first).to_contain_text("not measured")
    expect(page.get_by_role("heading", name="Confidence")).to_be_visible()
    expect(page.get_by_text("Published figures stand beside AIT-QA")).to_be_visible()
    expect(page.locator(".ch-tables").last).to_contain_text("without the header hierarchy")
