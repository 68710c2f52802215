"""The Paraphrases page: sets as small multiples, own wordings, and rules that make other wordings."""

import json
import re
from collections.abc import Iterator
from contextlib import redirect_stdout
from dataclasses import dataclass, replace
from io import StringIO
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Locator, Page, expect

from qa_core.__main__ import main
from qa_core.evaluation.store import RunStore
from qa_core.question import Question
from tests.e2e.conftest import ROOT, Server
from tests.e2e.running import running_server
from tests.e2e.test_errors import click_bar, metric, parameter, write_dataset
from tests.tables import AMAZON

pytestmark = pytest.mark.browser

PATIENT = 60_000
APP = ROOT / "app.py"
HOSTILE = "<img src=x onerror=alert(1)> from $663 to $622, **bold** مرحبا"


@dataclass(frozen=True)
class Measured:
    """A server over a run of the sample whose questions were asked in other words, and what was reported."""

    address: str
    url: str
    run: str
    summary: dict[str, Any]
    report: dict[str, Any]


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Measured]:
    place = tmp_path_factory.mktemp("paraphrases")
    url = f"sqlite:///{place / 'runs.sqlite'}"
    summary, report = StringIO(), StringIO()
    with redirect_stdout(summary):
        assert main(["evaluate", "--store", url, "--json"]) == 0
    run = RunStore(url).runs()[0].id
    with redirect_stdout(report):
        assert main(["robustness", "--store", url, "--run", run, "--json"]) == 0
    with running_server(APP, (), Path(place)) as (_, address):
        yield Measured(address, url, run, json.loads(summary.getvalue()), json.loads(report.getvalue()))


def open_page(page: Page, address: str, **parameters: str) -> None:
    page.goto(f"{address}/paraphrases?{urlencode(parameters)}")
    expect(page.get_by_role("heading", name="Asked in other words by rule")).to_be_visible(timeout=PATIENT)


def cards(page: Page) -> Locator:
    return page.locator(".ch-set")


def card(page: Page, name: str) -> Locator:
    return cards(page).filter(has=page.get_by_role("heading", name=re.compile(rf"^{name}\b")))


def opened(page: Page) -> Locator:
    return page.get_by_role("heading", name=re.compile("^The (set|question) "))


def ask(page: Page, text: str) -> None:
    field = page.get_by_label("Ask it in your own words")
    field.fill(text)
    field.press("Enter")
    expect(page.locator(".ch-card").filter(has_text="Your wording")).to_be_visible()


def test_the_sets_are_counted_as_the_command_counts_them_and_a_bar_lists_its_sets(
    measured: Measured, browser_page: Page
) -> None:
    page, sets = browser_page, measured.summary["paraphrase_sets"]
    open_page(page, measured.address)
    expect(page.get_by_role("figure", name="Paraphrase sets").locator(".bartext")).to_have_text(
        [str(sets[name]) for name in ("all", "some", "none")]
    )
    expect(page.get_by_text(f"1 to 12 of {sum(sets.values())}")).to_be_visible()
    expect(cards(page)).to_have_count(12)
    click_bar(page, "Paraphrase sets", -1)
    expect(page).to_have_url(parameter("sets", "none-right"))
    expect(cards(page)).to_have_count(sets["none"])
    for each in cards(page).all():
        expect(each.get_by_role("heading")).to_contain_text(re.compile("0 of [2-9] right"))


def test_a_card_says_where_each_failing_wording_points_and_why_and_leads_to_its_case(
    measured: Measured, browser_page: Page
) -> None:
    page = browser_page
    open_page(page, measured.address, sets="some-right")
    failing = cards(page).first.locator("li.no").first
    expect(failing).to_contain_text("✗")
    expect(failing).to_contain_text("→")
    expect(failing).to_contain_text(" | ")  # row path | column path
    expect(failing.locator("em")).to_have_text(re.compile("^[a-z ]+$"))
    number = (failing.locator("b").first.inner_text()).split()[1]
    marks = cards(page).first.locator(".ch-map .miss")
    expect(marks.filter(has_text=number).first).to_be_visible()
    expect(cards(page).first.locator(".ch-map .gold").first).to_be_visible()
    question = failing.get_by_role("link").inner_text()
    failing.get_by_role("link").click()
    expect(page).to_have_url(re.compile(r"/errors\?.*case="))
    expect(page.get_by_role("heading", name=question)).to_be_in_viewport(timeout=PATIENT)
    page.go_back()
    expect(cards(page).first).to_be_visible(timeout=PATIENT)


def test_the_list_turns_in_parts_and_a_link_lands_on_the_part_of_its_set(
    measured: Measured, browser_page: Page
) -> None:
    page = browser_page
    open_page(page, measured.address)
    first = cards(page).first.get_by_role("heading").inner_text()
    page.get_by_role("button", name="Later").first.click()
    expect(page.get_by_text("13 to 24 of")).to_be_visible()
    expect(cards(page).first.get_by_role("heading")).not_to_have_text(first)
    name = cards(page).first.get_by_role("heading").inner_text().split()[0]
    href = cards(page).first.get_by_role("link", name="Open the set").get_attribute("href") or ""
    question = re.search("set=([^&#]+)", href)
    assert question
    open_page(page, measured.address, set=question[1])
    expect(page.get_by_text("13 to 24 of")).to_be_visible()
    expect(page.get_by_role("heading", name=f"The set {name}")).to_be_visible()


def test_an_opened_set_marks_every_wording_by_its_number_in_one_table(
    measured: Measured, browser_page: Page
) -> None:
    page = browser_page
    open_page(page, measured.address, sets="some-right")
    cards(page).first.get_by_role("link", name="Open the set").click()
    expect(opened(page)).to_be_in_viewport(timeout=PATIENT)
    badges = page.locator("table .badge")
    expect(badges.filter(has_text=re.compile(r"^gold = predicted \d")).first).to_be_attached()
    expect(badges.filter(has_text=re.compile(r"^predicted \d")).first).to_be_attached()
    link = page.url
    page.reload()
    expect(opened(page)).to_be_visible(timeout=PATIENT)
    assert page.url == link
    page.get_by_role("button", name="Close").click()
    expect(opened(page)).to_have_count(0)


def test_an_own_wording_is_answered_kept_once_listed_and_removed(
    measured: Measured, browser_page: Page
) -> None:
    page, text = browser_page, "ALK unit cost on the main network without fuel, 2017?"
    open_page(page, measured.address)
    page.get_by_text("Ask any question of the dataset").click()
    find = page.get_by_label("Find a question")
    find.fill("alk casm-ex 2017")
    find.press("Enter")
    expect(page.get_by_text("1 question found.")).to_be_visible()
    page.get_by_role("button", name="What was ALK's mainline CASM-ex in 2017?").click()
    expect(page.get_by_role("heading", name="The question s-air-op-2-q3")).to_be_visible()

    ask(page, text)
    expect(page).to_have_url(re.compile("wording=ALK"))
    answered = page.locator(".ch-card").filter(has_text="Your wording")
    expect(answered).to_contain_text("strict match")
    expect(page.locator("table .badge").filter(has_text="(new)")).to_be_attached()
    page.get_by_label("Your name", exact=True).fill("Ada")
    page.get_by_role("button", name="Keep it as a case").click()
    kept = page.locator(".ch-wordings li").filter(has_text=text)
    expect(kept.last).to_contain_text("own · Ada, 20")
    expect(page.get_by_label("Ask it in your own words")).to_have_value("")

    ask(page, text)  # the same again is no second case
    page.get_by_role("button", name="Keep it as a case").click()
    expect(page.get_by_label("Ask it in your own words")).to_have_value("")
    open_page(page, measured.address, sets="own")
    expect(card(page, "s-air-op-2-q3")).to_contain_text(text)
    expect(card(page, "s-air-op-2-q3").locator("li")).to_have_count(2)
    card(page, "s-air-op-2-q3").get_by_role("link", name="Open the set").click()
    page.get_by_role("button", name=re.compile("Remove “")).click()
    expect(kept).to_have_count(0)
    open_page(page, measured.address, sets="own")
    expect(page.get_by_text("No set is of this kind.")).to_be_visible()


def test_a_stored_wording_and_an_empty_one_are_refused_in_a_sentence(
    measured: Measured, browser_page: Page
) -> None:
    page = browser_page
    open_page(page, measured.address, set="s-air-op-2-q2")
    ask(page, "How fast did traffic on Alaska's regional network grow in 2018?")
    page.get_by_role("button", name="Keep it as a case").click()
    expect(page.get_by_text("Question 's-air-op-2-q1' has this wording already")).to_be_visible()


def test_hostile_wordings_are_text_go_out_and_come_in_again(
    measured: Measured, browser_page: Page, tmp_path: Path
) -> None:
    page = browser_page
    open_page(page, measured.address, set="s-air-op-2-q4")
    ask(page, HOSTILE)
    page.get_by_role("button", name="Keep it as a case").click()
    expect(page.locator(".ch-wordings li").filter(has_text=HOSTILE).last).to_be_visible()
    page.get_by_text("Take wordings out or in").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Download the 1 kept").click()
    file = tmp_path / "own.jsonl"
    download.value.save_as(file)
    record = json.loads(file.read_text(encoding="utf-8"))
    assert (record["question"], record["paraphrase_group"]) == (HOSTILE, "s-air-op-2-q4")
    page.get_by_role("button", name=re.compile("Remove “")).click()
    expect(page.locator(".ch-wordings li").filter(has_text=HOSTILE)).to_have_count(0)
    page.locator("input[type=file]").set_input_files(file)
    expect(page.get_by_text("1 of 1 wordings are new and were kept.")).to_be_visible()
    expect(page.locator(".ch-wordings li").filter(has_text=HOSTILE).last).to_be_visible()
    assert page.locator("img[src=x], .katex").count() == 0
    file.write_text("{", encoding="utf-8")
    open_page(page, measured.address, set="s-air-op-2-q4")
    page.get_by_text("Take wordings out or in").click()
    page.locator("input[type=file]").set_input_files(file)
    expect(page.get_by_text("own.jsonl, line 1: not valid JSON")).to_be_visible()
    page.get_by_role("button", name=re.compile("Remove “")).click()


def test_the_figures_of_the_rules_are_those_of_the_command_and_open_their_cases(
    measured: Measured, browser_page: Page
) -> None:
    page, report = browser_page, measured.report
    open_page(page, measured.address)
    right, low = report["stay_right"], report["stay_right"]["interval"][0]
    expect(metric(page, "Right answers that stay right")).to_contain_text(f"{right['share']:.1%}")
    expect(metric(page, "Right answers that stay right")).to_contain_text(f"{100 * low:.1f} –")
    expect(metric(page, "Wordings of these")).to_contain_text(f"{right['n']}")
    for title, name in (("Reorder", "reorder"), ("Drop a header level", "drop-level"), ("Expand", "expand")):
        row = report["perturbations"][name]
        cells = page.get_by_role("row").filter(has=page.get_by_role("rowheader", name=title)).locator("td")
        expect(cells.nth(0)).to_have_text(str(row["fits"]))
        expect(cells.nth(1)).to_have_text(str(row["does_not_fit"]))
        expect(cells.nth(2)).to_have_text(f"{100 * row['before']:.2f}")
        expect(cells.nth(3)).to_have_text(f"{100 * row['after']:.2f}")
        expect(cells.nth(4)).to_contain_text(f"{100 * row['same']:.2f}")
        expect(cells.nth(6)).to_have_text(str(row["lost"]))

    lost = report["perturbations"]["drop-level"]["lost"]
    drop = page.get_by_role("row").filter(has=page.get_by_role("rowheader", name="Drop a header level"))
    drop.get_by_role("link", name=str(lost), exact=True).click()
    expect(page).to_have_url(re.compile(r"perturbation=drop-level&change=lost"))
    expect(page.get_by_text(f"{lost} wordings. Select one to open it.")).to_be_visible(timeout=PATIENT)
    page.frame_locator("iframe").last.locator(".ag-center-cols-container .ag-row").first.click()
    wordings = page.locator(".ch-two-wordings")
    expect(wordings).to_contain_text("Original")
    expect(wordings).to_contain_text("Drop a header level")
    expect(page.locator(".ch-card").filter(has_text="Original wording")).to_contain_text("✓ strict match")
    expect(page.locator(".ch-card").filter(has_text="Drop a header level")).to_contain_text("✗ strict match")
    expect(page.locator("table .badge").filter(has_text="in other words").first).to_be_attached()
    page.get_by_role("button", name="Next").click()
    expect(page.get_by_text(f"2 of {lost}", exact=True)).to_be_visible()
    link = page.url
    page.reload()
    expect(page.get_by_text(f"2 of {lost}", exact=True)).to_be_visible(timeout=PATIENT)
    assert page.url == link


def test_the_page_asks_in_the_background_stops_and_goes_on(
    server: Server, browser_page: Page, tmp_path: Path
) -> None:
    page, address, n = browser_page, server(APP), 4000
    question = Question("q", AMAZON.id, "What were AWS's net sales in 2024?", ("107,556",))
    folder = write_dataset(tmp_path, [AMAZON], [replace(question, id=f"q{number}") for number in range(n)])
    page.goto(f"{address}/paraphrases?{urlencode({'dataset': 'aitqa', 'dir': folder})}")
    expect(page.get_by_text("No system was run over this dataset yet.")).to_be_visible(timeout=PATIENT)
    page.get_by_test_id("stMain").get_by_role("link", name="Errors").click()
    page.get_by_role("button", name=re.compile("Run Lexical over")).click()
    expect(metric(page, "Questions")).to_contain_text(f"{n}", timeout=3 * PATIENT)
    page.get_by_role("link", name="Paraphrases").click()
    page.get_by_role("button", name="Ask its questions in other words").click()
    progress = page.get_by_test_id("stProgress")
    expect(progress).to_contain_text(re.compile(rf"[1-9][\d,]* of {n:,} questions, \d+ a second"))
    page.reload()
    expect(progress).to_contain_text(re.compile(rf"[1-9][\d,]* of {n:,} questions"), timeout=PATIENT)
    page.get_by_role("button", name="Stop", exact=False).click()
    expect(metric(page, "Looked at")).to_contain_text(f"of {n:,} questions of the run", timeout=PATIENT)
    expect(progress).to_have_count(0)
    page.get_by_role("button", name="Ask the rest in other words").click()
    expect(progress).to_contain_text(f" of {n:,} questions")
    page.get_by_role("button", name="Stop", exact=False).click()
    expect(progress).to_have_count(0, timeout=PATIENT)


def test_stale_links_are_said_and_lead_back(measured: Measured, browser_page: Page) -> None:
    page = browser_page
    open_page(page, measured.address, set="gone", sets="zzz", perturbation="yyy")
    for label, value in (("set", "gone"), ("sets", "zzz"), ("rule", "yyy")):
        expect(page.get_by_text(f"This link asks for {label} “{value}”, which is not here.")).to_be_visible()
    for left in (2, 1, 0):
        page.get_by_role("button", name="Forget it").first.click()
        expect(page.get_by_text("This link asks for")).to_have_count(left)


def test_a_dataset_without_sets_says_so(server: Server, browser_page: Page, tmp_path: Path) -> None:
    page, address = browser_page, server(APP)
    question = Question(f"of {tmp_path.name}", AMAZON.id, HOSTILE, ("107,556",))
    folder = write_dataset(tmp_path, [AMAZON], [question])
    page.goto(f"{address}/errors?{urlencode({'dataset': 'aitqa', 'dir': folder})}")
    page.get_by_role("button", name=re.compile("Run Lexical over")).click()
    expect(metric(page, "Questions")).to_contain_text("1", timeout=PATIENT)
    open_page(page, address, dataset="aitqa", dir=folder, set=question.id)
    expect(page.get_by_text("No two questions of this run ask for the same answer")).to_be_visible()
    expect(opened(page)).to_be_visible()
    expect(page.locator(".ch-wordings li")).to_contain_text(HOSTILE)
    assert page.locator("img[src=x], .katex").count() == 0
