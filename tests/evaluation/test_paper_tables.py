"""The tables of the AIT-QA paper, from stored runs."""

from dataclasses import replace
from html.parser import HTMLParser
from typing import Any

from qa_core.evaluation.paper_tables import (
    Measured,
    Missing,
    PaperTable,
    Published,
    missing_runs,
    paper_tables,
)
from qa_core.evaluation.paper_text import as_html, as_markdown
from qa_core.evaluation.published import AIT_QA
from qa_core.evaluation.results import standing_runs
from qa_core.evaluation.runs import RunRecord
from qa_core.systems.registry import SYSTEMS
from tests.evaluation.runs import WHOLE_RUN

BASE = replace(WHOLE_RUN, system="tapas", weights=f"{SYSTEMS['tapas'].model}@1", strict=0.5)
ALL = replace(BASE, id="b", transformation="transpose-all", strict=0.7)
SLICES = {
    "kpi-driven": {"n": 4, "strict": 0.25},
    "table-driven": {"n": 6, "strict": 1.0},
    "row-hierarchy-needed": {"n": 0, "strict": None},
    "row-hierarchy-not-needed": {"n": 10, "strict": 0.7},
}


def summary(run: RunRecord) -> dict[str, Any]:
    assert run == ALL, "tables 3 and 4 are of the best transformation"
    return {"slices": SLICES, "paraphrase_sets": {"all": 1, "some": 0, "none": 3}}


def tables(*runs: RunRecord, published: bool = True) -> dict[str, PaperTable]:
    found = paper_tables(standing_runs(runs, "f"), AIT_QA if published else (), summary)
    return {table.name: table for table in found}


def test_a_system_without_a_run_is_missing_everywhere_and_the_published_figures_stand() -> None:
    found = tables()
    assert list(found) == ["Table 2", "Table 3 (a)", "Table 3 (b)", "Table 4"]
    assert found["Table 2"].ours["rci"] == [
        Missing("rci", name) for name in ("base", "transpose-all", "transpose-partial")
    ]
    assert found["Table 4"].ours["rci"] == [Missing("rci", "base")] * 3
    assert {title: [cell.share for cell in cells] for title, cells in found["Table 2"].published.items()} == {
        "TaBERT": [0.3320, 0.3339, 0.3398],
        "TaPas": [0.4932, 0.4388, 0.4680],
        "RCI": [0.4058, 0.4854, 0.5184],
    }
    assert [cell.share for cell in found["Table 4"].published["TaPas"]] == [0.3888, 0.3055, 0.3055]


def test_beside_another_dataset_there_are_no_published_figures() -> None:
    assert all(not table.published for table in tables(published=False).values())


def test_a_figure_says_its_share_of_how_many_which_run_and_which_questions() -> None:
    found = tables(BASE, ALL)
    assert found["Table 2"].ours["tapas"] == [
        Measured(0.5, 10, BASE),
        Measured(0.7, 10, ALL),
        Missing("tapas", "transpose-partial"),
    ]
    assert found["Table 3 (a)"].ours["tapas"] == [
        Measured(0.25, 4, ALL, {"slice": "kpi-driven"}),
        Measured(1.0, 6, ALL, {"slice": "table-driven"}),
    ]
    assert found["Table 3 (b)"].ours["tapas"][0] == Published(None), "no question is of this kind"
    assert found["Table 4"].ours["tapas"] == [
        Measured(0.25, 4, ALL, {"sets": "all-right"}),
        Measured(0.0, 4, ALL, {"sets": "some-right"}),
        Measured(0.75, 4, ALL, {"sets": "none-right"}),
    ]


def test_what_table_2_lacks_is_each_run_once() -> None:
    lacking = missing_runs(standing_runs([BASE, ALL], "f"))
    assert Missing("tapas", "transpose-partial") in lacking
    assert Missing("tapas", "base") not in lacking
    of_lexical = [each for each in lacking if each.system == "lexical"]
    assert of_lexical == [Missing("lexical", "base")], "it reads the header paths themselves"


def test_markdown_has_each_figure_with_interval_number_and_run() -> None:
    text = as_markdown(tables(BASE, ALL).values(), "a|b\n# c", 10)
    assert text.startswith("# Crosshead on a\\|b # c\n")
    assert (
        "| TaPas | 50.00 (23.7 – 76.3, n = 10, run a) | 70.00 (39.7 – 89.2, n = 10, run b) | not measured |"
        in text.splitlines()
    )
    assert "| TaBERT, published | 33.20 | 33.39 | 33.98 |" in text.splitlines()


class _Cells(HTMLParser):
    """The texts of all cells, and the tags in order."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.texts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def test_html_is_a_page_of_its_own_and_a_dataset_name_is_text() -> None:
    page = _Cells()
    page.feed(as_html(tables(BASE, ALL).values(), "<script>alert(1)</script>", 10))
    assert page.tags.count("table") == 4
    assert not {"script", "link", "img", "iframe"} & set(page.tags)
    assert "Crosshead on <script>alert(1)</script>" in page.texts
    assert {"70.00", "39.7 – 89.2, n = 10, run b", "not measured", "TaBERT, published"} <= set(page.texts)
