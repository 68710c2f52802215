"""Reports: one valid HTML file, small, with nothing outside it, and every text as text."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import lxml.html
import pytest

from components.report.__main__ import main
from components.report.comparison_report import comparison_report
from components.report.document import MOST_BYTES, document
from components.report.run_report import run_report
from components.report.sources import Sources
from qa_core.errors import CrossheadError
from qa_core.evaluation.comparison import compare
from qa_core.evaluation.corrected import accuracies
from qa_core.evaluation.filters import Filters
from qa_core.evaluation.runner import run_evaluation
from qa_core.evaluation.runs import RunRecord
from qa_core.evaluation.slices import SLICES
from qa_core.systems.registry import load_system
from tests.components.report_runs import HOSTILE, WORDS, N, evaluated
from tests.html_checker import html_faults

Evaluated = tuple[Sources, RunRecord, RunRecord]
# What stands where HTML cannot hold a sign, and as a reader sees it.
SHOWN = re.sub(r"[\x00\x1b\x85\ufffe]", "\ufffd", HOSTILE)


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Evaluated:
    return evaluated(tmp_path_factory.mktemp("store"))


@pytest.fixture(scope="module")
def report(stored: Evaluated) -> str:
    sources, run, _ = stored
    return run_report(sources, run.id)


@pytest.fixture(scope="module")
def comparison(stored: Evaluated) -> str:
    sources, first, second = stored
    return comparison_report(sources, first.id, second.id)


@pytest.fixture(params=["report", "comparison"])
def either(request: pytest.FixtureRequest) -> str:
    made: str = request.getfixturevalue(request.param)
    return made


def cases(report: str) -> list[Any]:
    return lxml.html.fromstring(report).xpath("//article[@class='case']")


def facts(report: str) -> dict[str, str]:
    terms = lxml.html.fromstring(report).xpath("//dl[@class='facts']/dt")
    return {term.text_content(): term.getnext().text_content() for term in reversed(terms)}


def line(report: str, section: str, title: str) -> list[str]:
    """The figures of a line in a table of a section."""
    rows = lxml.html.fromstring(report).xpath(f"//section[@id='{section}']//tr[th[@scope='row']]")
    found = next(row for row in rows if row.find("th").find("bdi").text_content() == title)
    return [cell.find(".//bdi").text_content() for cell in found.findall("td")]


def test_the_checker_refuses_what_is_not_html(tmp_path: Path) -> None:
    broken = tmp_path / "broken.html"
    broken.write_text('<!DOCTYPE html><html lang="en"><title>x</title><p><div></p><b><td id="a" id="b">')
    assert len([fault for fault in html_faults(broken) if fault.startswith(("error", "fatal"))]) >= 4


def test_a_report_of_500_questions_is_valid_and_small(either: str, tmp_path: Path) -> None:
    file = tmp_path / "report.html"
    file.write_text(either, encoding="utf-8")
    assert file.stat().st_size <= MOST_BYTES == 8_000_000
    assert html_faults(file) == []


def test_it_refers_to_nothing_outside_itself(either: str) -> None:
    page = lxml.html.fromstring(either)
    assert not page.xpath("//link | //img | //iframe | //object | //embed | //base | //form")
    assert not page.xpath("//@src | //@srcset | //@action | //@background | //@poster | //@ping")
    assert all(target.startswith("#") for target in page.xpath("//@href"))
    styles = "".join(page.xpath("//style/text()"))
    assert "url(" not in styles and "@import" not in styles
    assert "default-src 'none'" in page.xpath("//meta[@http-equiv]/@content")[0]


def test_no_script_is_in_it_but_its_own(report: str, comparison: str) -> None:
    scripts = lxml.html.fromstring(report).xpath("//script/text()")
    assert len(scripts) == 2 and "plotly.js v" in scripts[0][:100] and "figure.picture" in scripts[1]
    assert not lxml.html.fromstring(comparison).xpath("//script")
    for page in map(lxml.html.fromstring, (report, comparison)):
        assert not page.xpath("//@*[starts-with(name(), 'on')]")


def test_hostile_text_is_text(either: str) -> None:
    hostile = [case for case in cases(either) if WORDS in case.find("h3").text_content()]
    assert hostile
    for case in hostile:
        table = case.find(".//table")
        texts = [cell.text for cell in table.xpath(".//td[@data-row]")]
        assert texts == ["$1", SHOWN, SHOWN, "$2"]
        assert {label.text for label in table.xpath(".//thead//span[@class='label']")} == {
            SHOWN,
            "2018",
            "2017",
        }
        squeezed = " ".join(SHOWN.split())
        assert squeezed[:60] in case.find("h3").text_content()
    assert f"{SHOWN} \ufffd" not in either  # nowhere as it stands


def test_no_sign_is_in_it_that_html_cannot_hold(either: str) -> None:
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]", either)


def test_it_says_what_was_run_and_how_accurate_it_is(stored: Evaluated, report: str) -> None:
    sources, run, _ = stored
    summary = sources.store.summary(run.id)
    assert facts(report) == facts(report) | {
        "Dataset": "hard",
        "Questions": f"all {N}",
        "System": f"Lexical, version {run.system_version}",
        "Transformation": "Base",
        "Run": f"{run.id}, {run.updated:%Y-%m-%d %H:%M} UTC",
    }
    found = accuracies(sources.store, run.id, sources.dataset, sources.judged)
    for title, share in (
        ("Strict", found.published),
        ("Strict, without disputed golds (1)", found.undisputed),
        ("Strict, against corrected golds", found.corrected),
    ):
        assert line(report, "accuracy", title)[::2] == [
            f"{100 * share.hits / share.n:.2f}",
            f"{share.hits} of {share.n}",
        ]
    low, high = summary["intervals"]["normalised"]
    assert line(report, "accuracy", "Normalised")[1] == f"{100 * low:.1f} – {100 * high:.1f}"
    assert line(report, "charts", "KPI-driven")[0] == f"{100 * summary['slices']['kpi-driven']['strict']:.2f}"
    assert line(report, "charts", "Both wrong") == [str(summary["misses"]["both-wrong"])]
    assert line(report, "matrix", "Lexical")[0] == f"{100 * (run.strict or 0):.2f}"


def test_a_comparison_says_what_the_library_says(stored: Evaluated, comparison: str) -> None:
    sources, first, second = stored
    whole = compare(sources.store.paired(first.id, second.id), SLICES).whole
    counts = [str(n) for n in (whole.gained, whole.lost, whole.both_right, whole.both_wrong)]
    assert line(comparison, "changes", "All questions")[-4:] == counts
    low, high = whole.interval
    assert f"{100 * low:+.1f} to {100 * high:+.1f} (95 %" in facts(comparison)["Second less first"]
    assert f"{whole.gained} gained, {whole.lost} lost" in facts(comparison)["McNemar's exact test"]


def test_its_cases_are_the_first_misses_of_the_list_and_those_with_a_judgement(stored: Evaluated) -> None:
    sources, run, _ = stored
    noted = ["hostile-1", sources.dataset.questions[-1].id]
    kpi = [case.question_id for case in sources.store.outcomes(run.id, slice="kpi-driven", correct=False)]
    assert ids(run_report(sources, run.id, Filters({"slice": "kpi-driven"}), most_cases=3)) == [
        *kpi[:3],
        *noted,
    ]
    right = [case.question_id for case in sources.store.outcomes(run.id, correct=True)]
    assert ids(run_report(sources, run.id, Filters({"right": "yes"}), most_cases=2)) == [*right[:2], *noted]
    nothing = run_report(sources, run.id, Filters({"size": "vast", "right": "yes", "reason": "no-answer"}))
    assert ids(nothing) == noted


def test_cases_of_a_comparison_are_those_that_changed_unless_a_change_is_named(stored: Evaluated) -> None:
    sources, first, second = stored
    noted = ["hostile-1", sources.dataset.questions[-1].id]
    paired = sources.store.paired_cases(first.id, second.id)
    changed = [case.question_id for case in paired if case.change in ("gained", "lost")]
    assert ids(comparison_report(sources, first.id, second.id, most_cases=4)) == [*changed[:4], *noted]
    both = [case.question_id for case in paired if case.change == "both-right"]
    made = comparison_report(sources, first.id, second.id, {"change": "both-right"}, most_cases=4)
    assert ids(made) == [*both[:4], *noted]


def ids(report: str) -> list[str]:
    return [case.find("p/bdi").text_content() for case in cases(report)]


def test_a_case_has_both_paths_its_verdict_and_what_people_said(report: str) -> None:
    case = next(each for each in cases(report) if f"{WORDS} 1" in each.find("h3").text_content())
    said = case.find_class("ch-list")[0].text_content()
    assert SHOWN.split()[0] in said and "2026-01-02" in said
    assert [head.text_content() for head in case.findall(".//h4")] == [
        "Lexical answered",
        "Gold answer",
        "What people say",
    ]
    assert case.xpath(".//dl[@class='ch-path']/dt/text()")[:2] == ["row", "column"]


def test_however_much_is_asked_for_it_stays_small_and_says_what_was_left_out(stored: Evaluated) -> None:
    sources, _, _ = stored
    long = "x" * 3_000
    tables = {
        name: replace(table, cells=tuple(tuple(long for _ in row) for row in table.cells))
        for name, table in sources.dataset.tables.items()
    }
    large = replace(sources, dataset=replace(sources.dataset, name="large", tables=tables))
    run = run_evaluation(large.dataset, load_system("lexical"), "base", large.store, limit=40)
    made = run_report(large, run.id, most_cases=N)
    assert len(made.encode()) <= MOST_BYTES
    left_out = re.search(r"Left out, to keep this file small: (\d+) more cases", made)
    assert left_out and len(cases(made)) + int(left_out[1]) == 40


def test_a_run_that_is_not_over_the_dataset_is_refused(stored: Evaluated) -> None:
    sources, run, _ = stored
    other = replace(sources, dataset=replace(sources.dataset, questions=sources.dataset.questions[:3]))
    with pytest.raises(CrossheadError, match="is over another dataset, hard, or another state of it"):
        run_report(other, run.id)


@pytest.fixture
def quiet() -> Iterator[None]:
    """What a command silences is heard again behind the test."""
    import logging

    yield
    logging.disable(logging.NOTSET)


@pytest.mark.usefixtures("quiet")
def test_the_command_writes_either(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from qa_core.datasets import load_dataset
    from qa_core.evaluation.store import RunStore

    url = f"sqlite:///{tmp_path / 'runs.sqlite'}"
    store, sample = RunStore(url), load_dataset("sample")
    runs = [
        run_evaluation(sample, load_system("lexical", use_lexicon=use), "base", store, limit=30)
        for use in (True, False)
    ]
    out = tmp_path / "report.html"
    asked = ["--store", url, "--run", runs[0].id, "--out", str(out), "--cases", "2"]
    assert main(asked) == 0
    assert len(cases(out.read_text(encoding="utf-8"))) == 2
    assert main([*asked, "--other", runs[1].id, "--list", "change=both-right"]) == 0
    assert "that both answered" in out.read_text(encoding="utf-8")
    for wrong, said in (
        (["--list", "colour=red"], "Questions are not listed by 'colour'; choose one of slice"),
        (["--list", "slice=red"], "slice is none of kpi-driven"),
        (["--run", "0123"], "has no run '0123'"),
        (["--out", str(tmp_path / "no" / "x.html")], "cannot be written"),
    ):
        assert main([*asked, *wrong]) == 2
        assert said in capsys.readouterr().err


def test_a_title_is_text_too() -> None:
    from datetime import datetime

    made = document(HOSTILE, HOSTILE, [], datetime(2026, 1, 1), charts=False)
    page = lxml.html.fromstring(made)
    assert page.find(".//title").text == page.find(".//h1").text_content() == SHOWN
