"""The Errors page: runs, charts that lead to questions, one question opened."""

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import FrameLocator, Locator, Page, expect

from qa_core.datasets import load_dataset
from qa_core.datasets.aitqa import question_to_record
from qa_core.question import Question
from qa_core.table import Table
from qa_core.table_format import table_to_record
from tests.e2e.conftest import ROOT, Server
from tests.e2e.waiting import drawn
from tests.tables import AMAZON

pytestmark = pytest.mark.browser

APP = ROOT / "app.py"
PATIENT = 60_000
HOSTILE = "<img src=x onerror=alert(1)> from $663 to $622, **bold** مرحبا"


@pytest.fixture(scope="module")
def address(server: Server) -> str:
    return server(APP)


def write_dataset(folder: Path, tables: Sequence[Table], questions: Sequence[Question]) -> str:
    """A dataset of its own, so that no other test has run anything over it; returns its folder."""
    for name, records in (
        ("tables", map(table_to_record, tables)),
        ("questions", map(question_to_record, questions)),
    ):
        lines = [json.dumps(record, ensure_ascii=False) for record in records]
        (folder / f"{name}.jsonl").write_text("\n".join(lines), encoding="utf-8")
    return str(folder)


@pytest.fixture
def folder(tmp_path: Path) -> str:
    """The shipped sample, marked with this test's name."""
    sample = load_dataset("sample")
    marked = Question(f"of {tmp_path.name}", AMAZON.id, "AWS net sales in 2024?", ("107,556",))
    return write_dataset(tmp_path, [*sample.tables.values(), AMAZON], [*sample.questions, marked])


def open_errors(page: Page, address: str, **parameters: str) -> None:
    page.goto(f"{address}/errors?{urlencode(parameters)}")
    expect(page.get_by_role("heading", name="Errors", exact=True)).to_be_visible(timeout=PATIENT)


def run_lexical(page: Page, n: int) -> None:
    page.get_by_role("button", name=re.compile("^.*Run Lexical over")).click()
    expect(metric(page, "Questions")).to_contain_text(f"{n}", timeout=PATIENT)


def metric(page: Page, label: str) -> Locator:
    return page.get_by_test_id("stMetric").filter(has_text=label)


def bars(page: Page, chart: str) -> Locator:
    return page.get_by_role("figure", name=chart).locator(".point path")


def click_bar(page: Page, chart: str, position: int = 0) -> None:
    bar = bars(page, chart).nth(position)
    drawn(bar)
    bar.click(force=True)


def listed(page: Page) -> Locator:
    # Until a rerun has ended, the line of the one before may stand below the new one.
    return page.get_by_text(re.compile(r"^\d+ of \d+ questions\. Select one")).first


def grid(page: Page) -> FrameLocator:
    return page.frame_locator("iframe").first


def parameter(name: str, value: str) -> re.Pattern[str]:
    return re.compile(rf"[?&]{name}={re.escape(value)}(&|$)")


def test_the_first_visit_says_what_is_to_come_and_runs_the_sample_at_one_click(
    server: Server, browser_page: Page
) -> None:
    page, address = browser_page, server(APP, "--server.runOnSave", "false")
    open_errors(page, address)
    expect(page.get_by_text("No system was run over sample yet.")).to_be_visible()
    run_lexical(page, 331)
    expect(page).to_have_url(re.compile(r"[?&]run=[0-9a-f]{12}"))
    expect(metric(page, "Strict")).to_contain_text("(95 %)")
    for chart in ("Accuracy by question category", "Strict misses", "Paraphrase sets", "Strict accuracy of"):
        expect(bars(page, chart).first).to_be_visible()


def test_a_bar_leads_to_its_questions_and_a_question_to_its_case(
    address: str, browser_page: Page, folder: str
) -> None:
    page = browser_page
    open_errors(page, address, dataset="aitqa", dir=folder)
    run_lexical(page, 332)

    chart = page.get_by_role("figure", name="Strict misses by structural reason")
    count = chart.locator(".bartext").first.text_content() or ""
    click_bar(page, "Strict misses")
    expect(page).to_have_url(re.compile(r"[?&]reason="))
    expect(listed(page)).to_have_text(f"{count} of 332 questions. Select one to open it.")
    expect(grid(page).locator("[role=treegrid], [role=grid]").first).to_have_attribute(
        "aria-rowcount", str(int(count) + 1)
    )

    grid(page).locator(".ag-center-cols-container .ag-row").first.click()
    expect(page).to_have_url(re.compile(r"[?&]case="))
    expect(page.get_by_text("Lexical answered")).to_be_in_viewport()
    expect(page.get_by_text("Gold answer", exact=True)).to_be_visible()
    opened = page.url

    page.reload()
    expect(page.get_by_text("Lexical answered")).to_be_in_viewport(timeout=PATIENT)
    expect(listed(page)).to_contain_text(f"{count} of 332")
    assert page.url == opened

    page.go_back()
    expect(page.get_by_text("Lexical answered")).to_have_count(0)
    expect(listed(page)).to_contain_text(f"{count} of 332")
    page.go_back()
    expect(listed(page)).to_contain_text("332 of 332")

    click_bar(page, "Strict misses")
    expect(listed(page)).to_contain_text(f"{count} of 332")
    click_bar(page, "Strict misses")
    expect(listed(page)).to_contain_text("332 of 332")


def test_two_doors_narrow_the_list_and_show_all_opens_it(
    address: str, browser_page: Page, folder: str
) -> None:
    page = browser_page
    open_errors(page, address, dataset="aitqa", dir=folder)
    run_lexical(page, 332)
    click_bar(page, "Accuracy by question category")
    expect(page).to_have_url(parameter("slice", "kpi-driven"))
    click_bar(page, "Paraphrase sets", -1)
    expect(page).to_have_url(parameter("sets", "none-right"))
    expect(page.get_by_text("KPI-driven · None right", exact=True)).to_be_visible()
    page.get_by_role("button", name="Show all").click()
    expect(listed(page)).to_contain_text("332 of 332")
    expect(page).not_to_have_url(re.compile("slice=|sets="))


def test_a_bar_counts_what_its_click_lists_under_the_other_choices(
    address: str, browser_page: Page, folder: str
) -> None:
    page = browser_page
    page.set_viewport_size({"width": 1440, "height": 900})
    open_errors(page, address, dataset="aitqa", dir=folder)
    run_lexical(page, 332)
    page.locator("iframe").first.scroll_into_view_if_needed()
    expect(grid(page).get_by_role("columnheader", name="Question id")).to_be_in_viewport(ratio=1)

    everywhere = page.get_by_role("figure", name="Strict misses").locator(".bartext").first.text_content()
    open_errors(page, address, dataset="aitqa", dir=folder, slice="kpi-driven")
    expect(page.get_by_text("Counted among: KPI-driven.").first).to_be_visible()
    count = page.get_by_role("figure", name="Strict misses").locator(".bartext").first.text_content()
    assert count != everywhere
    click_bar(page, "Strict misses")
    expect(listed(page)).to_contain_text(f"{count} of 332")

    grid(page).locator(".ag-center-cols-container .ag-row").first.click()
    expect(page.get_by_text("Lexical answered")).to_be_in_viewport()
    page.locator('td[data-row="0"][data-column="0"]').click()
    selected = page.locator(".ch-card").filter(has_text="Selected")
    expect(selected).to_contain_text("row")
    expect(selected).to_contain_text("column")


def test_every_stale_choice_is_said_in_sight(address: str, browser_page: Page, folder: str) -> None:
    page = browser_page
    open_errors(page, address, dataset="aitqa", dir=folder)
    run_lexical(page, 332)
    wrong = {"slice": "zzz", "system": "yyy", "transformation": "xxx"}
    open_errors(page, address, dataset="aitqa", dir=folder, **wrong)
    for label, value in (("slice", "zzz"), ("system", "yyy"), ("transformation", "xxx")):
        expect(
            page.get_by_text(f"This link asks for {label} “{value}”, which is not here.")
        ).to_be_in_viewport()
    expect(listed(page)).to_contain_text("332 of 332")
    for left in (2, 1, 0):
        page.get_by_role("button", name="Forget it").first.click()
        expect(page.get_by_text("This link asks for")).to_have_count(left)
    expect(page.get_by_text("Run a system here")).to_be_visible()


def test_stop_keeps_what_is_finished_and_continue_goes_on(
    address: str, browser_page: Page, tmp_path: Path
) -> None:
    page, n = browser_page, 6000
    question = Question("q", AMAZON.id, "AWS net sales in 2024?", ("107,556",))
    many = [replace(question, id=f"q{number}") for number in range(n)]
    open_errors(page, address, dataset="aitqa", dir=write_dataset(tmp_path, [AMAZON], many))
    page.get_by_role("button", name="Run Lexical over aitqa").click()
    progress = page.get_by_test_id("stProgress")
    expect(progress).to_contain_text(re.compile(rf"[1-9]\d* of {n} questions, \d+ a second"))

    page.reload()
    expect(progress).to_contain_text(re.compile(rf"[1-9]\d* of {n} questions"), timeout=PATIENT)
    page.get_by_role("button", name="Stop", exact=False).click()
    expect(metric(page, "Questions")).to_contain_text(f"of {n}, stopped", timeout=PATIENT)
    kept = int(re.search(r"(\d+)\s*of", metric(page, "Questions").inner_text().replace("Questions", ""))[1])
    assert 0 < kept < n
    expect(progress).to_have_count(0)

    page.get_by_role("button", name="Continue").click()
    expect(progress).to_contain_text(f" of {n} questions")
    assert int(re.search(r"(\d+) of", progress.inner_text())[1]) >= kept
    page.get_by_role("button", name="Stop", exact=False).click()
    expect(progress).to_have_count(0, timeout=PATIENT)


def test_a_link_to_an_unknown_run_says_so_and_offers_the_way_back(
    address: str, browser_page: Page, folder: str
) -> None:
    page = browser_page
    open_errors(page, address, dataset="aitqa", dir=folder)
    run_lexical(page, 332)
    open_errors(page, address, dataset="aitqa", dir=folder, run="0123456789ab")
    expect(page.get_by_text("This link asks for run “0123456789ab”, which is not here.")).to_be_visible()
    expect(metric(page, "Questions")).to_contain_text("332")
    page.get_by_role("button", name="Forget it").click()
    expect(page.get_by_text("This link asks for")).to_have_count(0)


def test_hostile_text_is_text_in_the_grid_and_in_the_case(
    address: str, browser_page: Page, tmp_path: Path
) -> None:
    page = browser_page
    table = replace(AMAZON, title=HOSTILE, cells=((HOSTILE, HOSTILE), *AMAZON.cells[1:]))
    questions = [Question("hostile", AMAZON.id, HOSTILE, (HOSTILE,)), Question("q", AMAZON.id, "?", ("x",))]
    open_errors(page, address, dataset="aitqa", dir=write_dataset(tmp_path, [table], questions))
    run_lexical(page, 2)
    expect(grid(page).get_by_text(HOSTILE).first).to_be_visible()
    grid(page).get_by_text(HOSTILE).first.click()
    expect(page.get_by_role("heading", name=HOSTILE)).to_be_visible()
    expect(page.locator(".ch-answer").filter(has_text=HOSTILE).first).to_be_visible()
    for where in (page, *page.frames[1:]):
        assert where.locator("img[src=x], .katex").count() == 0


def test_a_weak_slice_and_a_crossing_lead_to_their_questions(
    address: str, browser_page: Page, folder: str
) -> None:
    page = browser_page
    open_errors(page, address, dataset="aitqa", dir=folder)
    run_lexical(page, 332)
    weak, crossed = page.locator(".ch-tables").nth(0), page.locator(".ch-tables").nth(1)
    for table in (weak, crossed):
        cell = table.locator("td", has=page.get_by_role("link")).first
        n = re.search(r"of (\d+)$", cell.inner_text())
        assert n
        cell.get_by_role("link").click()
        expect(listed(page)).to_have_text(f"{n[1]} of 332 questions. Select one to open it.", timeout=PATIENT)
        page.go_back()
        expect(page.get_by_text("332 of 332 questions. Select one to open it.")).to_be_visible(
            timeout=PATIENT
        )
        expect(listed(page)).to_have_count(1)


def test_a_note_a_tag_and_a_dispute_are_kept_with_who_said_it(
    address: str, browser_page: Page, folder: str
) -> None:
    page = browser_page
    open_errors(page, address, dataset="aitqa", dir=folder)
    run_lexical(page, 332)
    grid(page).locator(".ag-center-cols-container .ag-row").first.click()
    expect(page.get_by_text("Nobody has said anything")).to_be_visible()
    page.get_by_label("Your name", exact=True).fill("Ada")
    page.get_by_role("textbox", name="Note").fill(HOSTILE)
    page.get_by_role("button", name="Keep the note").click()
    expect(page.locator(".ch-list").last).to_contain_text(HOSTILE)
    expect(page.locator(".ch-list").last).to_contain_text("Ada, 20")
    expect(page.get_by_role("textbox", name="Note")).to_have_value("")

    page.get_by_role("tab", name="Tag").click()
    page.get_by_role("textbox", name="Tag").fill("wrong unit")
    page.get_by_role("button", name="Add the tag").click()
    expect(page.get_by_role("button", name="wrong unit")).to_be_visible()

    page.get_by_role("tab", name="The gold is wrong").click()
    page.get_by_role("textbox", name="The right answer").fill("42")
    page.get_by_label("Why").fill("The other year is asked for.")
    page.get_by_role("button", name="Dispute the gold").click()
    expect(page.get_by_text("without the 1 disputed gold")).to_be_visible()
    page.reload()
    said = page.locator(".ch-list").last
    expect(said).to_contain_text("right is 42. The other year is asked for.", timeout=PATIENT)
    page.get_by_role("tab", name="The gold is wrong").click()
    page.get_by_role("button", name="The gold stands after all").click()
    expect(page.get_by_text("without the 1 disputed gold")).to_have_count(0)
