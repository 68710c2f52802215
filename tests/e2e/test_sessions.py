"""Four browsers on one server, used at once: nobody sees a fault, nothing that one writes is lost."""

from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, Page, expect

from qa_core.annotation.store import AnnotationStore
from qa_core.datasets import load_dataset
from qa_core.evaluation.judgement_store import JudgementStore
from qa_core.evaluation.runner import run_evaluation
from qa_core.evaluation.store import RunStore
from qa_core.systems.registry import load_system
from tests.e2e.conftest import ROOT
from tests.e2e.running import running_server

pytestmark = pytest.mark.browser

PATIENT = 60_000
ROUNDS = 4
SAMPLE = load_dataset("sample")
QUESTION = SAMPLE.questions[0]


@dataclass
class Person:
    """Somebody with a browser of their own, and what they wrote by now."""

    name: str
    page: Page
    wrote: list[str] = field(default_factory=list)

    def next_text(self) -> str:
        self.wrote.append(f"{self.name} writes number {len(self.wrote)}?")
        return self.wrote[-1]

    def saw_nothing_amiss(self) -> None:
        expect(self.page.get_by_test_id("stAlertContentError")).to_have_count(0)
        expect(self.page.get_by_test_id("stException")).to_have_count(0)


@dataclass
class Judge(Person):
    """Writes notes about one question."""

    def open(self, address: str, run_id: str) -> None:
        self.page.goto(f"{address}/errors?{urlencode({'run': run_id, 'case': QUESTION.id})}")

    def write(self) -> None:
        self.page.get_by_role("textbox", name="Note").fill(self.next_text())

    def keep(self) -> None:
        self.page.get_by_role("button", name="Keep the note").click()

    def see(self) -> None:
        said = self.page.locator(".ch-list").filter(has_text=self.wrote[-1])
        expect(said).to_be_visible(timeout=PATIENT)
        expect(self.page.get_by_role("textbox", name="Note")).to_have_value("")

    def kept(self, url: str) -> Counter[str]:
        entries = JudgementStore(url).entries(SAMPLE, QUESTION.id)
        return Counter(entry.text for entry in entries if entry.author == self.name)


@dataclass
class Annotator(Person):
    """Writes questions for one table."""

    def open(self, address: str, run_id: str) -> None:
        self.page.goto(f"{address}/annotate?{urlencode({'table': QUESTION.table_id})}")

    def write(self) -> None:
        self.page.locator("td[data-row='0'][data-column='0']").first.click()
        self.page.get_by_role("textbox", name="Question").fill(self.next_text())

    def keep(self) -> None:
        self.page.get_by_role("button", name="Keep the question").click()

    def see(self) -> None:
        said = self.page.get_by_text(f"Kept for {self.name}: “{self.wrote[-1]}”")
        expect(said).to_be_visible(timeout=PATIENT)
        expect(self.page.get_by_role("textbox", name="Question")).to_have_value("", timeout=PATIENT)

    def kept(self, url: str) -> Counter[str]:
        held = AnnotationStore(url).held(SAMPLE, QUESTION.table_id).values()
        return Counter(each.draft.text for each in held if each.annotation.author == self.name)


@pytest.fixture
def people(browser: Browser) -> Iterator[list[Judge | Annotator]]:
    with ExitStack() as stack:

        def page() -> Page:
            context = browser.new_context(viewport={"width": 1280, "height": 900})
            stack.callback(context.close)
            return context.new_page()

        yield [
            Judge("Ada", page()),
            Annotator("Ben", page()),
            Judge("Cleo", page()),
            Annotator("Dan", page()),
        ]


def test_four_browsers_at_once_lose_and_double_nothing(
    people: list[Judge | Annotator], tmp_path: Path
) -> None:
    url = f"sqlite:///{tmp_path / 'runs.sqlite'}"
    run = run_evaluation(SAMPLE, load_system("lexical"), "base", RunStore(url), limit=5)
    with running_server(ROOT / "app.py", (), tmp_path) as (_, address):
        for person in people:
            person.open(address, run.id)
            person.page.get_by_role("textbox", name="Your name").fill(person.name, timeout=PATIENT)
        for _ in range(ROUNDS):
            for act in ("write", "keep", "see"):  # all click before anyone looks
                for person in people:
                    getattr(person, act)()
        for person in people:
            person.saw_nothing_amiss()

    assert [person.kept(url) for person in people] == [Counter(person.wrote) for person in people]
