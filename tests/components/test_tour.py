"""The tour says of its stops what is so."""

import re
from pathlib import Path

import pytest

from components.tour.stops import SECURITIES, STOPS, TRAFFIC, address, stop_at
from qa_core.datasets import load_dataset
from qa_core.evaluation.outcome import Outcome, judge
from qa_core.systems.interface import Request
from qa_core.systems.registry import SYSTEMS, load_system
from qa_core.transform import flatten

ROOT = Path(__file__).parents[2]
SAMPLE = load_dataset("sample")


def asked(at: dict[str, str]) -> Outcome:
    question, table = SAMPLE.question(at["question"]), SAMPLE.table(at["table"])
    assert question.table_id == table.id
    predicted = load_system("lexical").predict([Request(question.text, flatten(table, "base"))])[0]
    return judge(question, table, predicted)


def test_there_are_five_stops_on_pages_that_there_are() -> None:
    assert len(STOPS) == 5
    assert all((ROOT / "pages" / f"{stop.page}.py").is_file() for stop in STOPS)
    assert {system for stop in STOPS for system in stop.runs.values()} <= set(SYSTEMS)


@pytest.mark.parametrize("number", ["", "0", "6", "-1", "one", "1.0", "²", "11111111111111111111"])
def test_an_address_that_names_no_stop_has_none(number: str) -> None:
    assert stop_at(number) is None


def test_an_address_has_the_runs_as_far_as_there_are_any() -> None:
    assert address(STOPS[4], {}) == {"tour": "5"}
    assert address(STOPS[4], {"lexical": "a", "rci": "b", "tapas": "c"}) == {
        "run": "a", "other": "b", "tour": "5",
    }  # fmt: skip
    for number, stop in enumerate(STOPS, 1):
        assert stop_at(str(number)) is stop
        assert address(stop, {})["tour"] == str(number)


def test_the_first_stop_is_right_and_its_row_stands_under_three_crossheads() -> None:
    outcome = asked(TRAFFIC)
    assert outcome.strict
    assert outcome.prediction.answer == "19.3%"
    assert "19.3%" in STOPS[0].seen
    assert outcome.prediction.locations == outcome.gold.targets
    label = re.search("“(.+)”", STOPS[0].matters)
    assert label
    paths = SAMPLE.table(TRAFFIC["table"]).row_paths
    assert sum(path[-1] == label[1] for path in paths if path) == 3
    assert len({path[:-1] for path in paths if path and path[-1] == label[1]}) == 3


def test_the_third_stop_is_the_miss_that_it_speaks_of() -> None:
    outcome = asked(SECURITIES)
    assert (outcome.strict, outcome.reason) == (False, "same-leaf-other-parent")
    assert (outcome.prediction.answer, outcome.question.answers) == ("35,228", ("91,479",))
    assert all(text in STOPS[2].seen for text in ("35,228", "91,479"))
    table = SAMPLE.table(SECURITIES["table"])
    predicted, gold = outcome.prediction.location, outcome.gold.targets[0]
    assert predicted
    assert table.row_path(predicted.row)[-1] == table.row_path(gold.row)[-1] == "Marketable securities"
    assert [path[-2].rstrip(":") for path in map(table.row_path, (predicted.row, gold.row))] == [
        "Current assets", "Non-current assets",
    ]  # fmt: skip
    assert gold in [candidate.location for candidate in outcome.prediction.candidates[:5]]


def test_the_fourth_stop_counts_all_questions() -> None:
    assert f"all {len(SAMPLE.questions)} questions" in STOPS[3].seen
