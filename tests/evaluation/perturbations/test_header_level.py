"""Drop a header level: the words for it go, or the question does not fit."""

import pytest

from qa_core.evaluation.gold import Gold
from qa_core.evaluation.perturbations.header_level import dropped_level, without_header_level
from qa_core.table import Location, Table
from tests.tables import AMAZON, FUEL, ROLL_FORWARD

OPERATIONS = Table(
    "operations",
    (("Year Ended December 31,", "2018"), ("Year Ended December 31,", "2017")),
    (
        ("Consolidated statistics", "Traffic", "Load factor"),
        ("Mainline statistics: (a)", "Traffic", "Load factor"),
        ("Regional statistics:", "Traffic", "Yield"),
    ),
    (("83.7%", "84.3%"), ("84.1%", "84.7%"), ("23.66", "24.96")),
)


def gold(*locations: Location) -> Gold:
    if len(locations) == 1:
        return Gold(locations, "unique", locations[0])
    return Gold(locations, "ambiguous")


def reworded(text: str, row: int = 1, table: Table = OPERATIONS) -> str | None:
    return without_header_level(text, table, gold(Location(row, 0)))


def test_the_level_is_that_which_tells_the_row_from_its_namesakes_else_the_one_above() -> None:
    assert dropped_level(OPERATIONS, gold(Location(1, 0))) == "Mainline statistics: (a)"
    assert dropped_level(OPERATIONS, gold(Location(2, 0))) == "Traffic"
    assert dropped_level(AMAZON, gold(Location(2, 1))) == "AWS"
    assert dropped_level(ROLL_FORWARD, gold(Location(0, 1))) == "Common Stock"


def test_without_a_level_above_the_leaf_or_with_golds_under_two_there_is_none() -> None:
    assert dropped_level(FUEL, gold(Location(0, 1))) is None
    assert dropped_level(ROLL_FORWARD, gold(Location(1, 2))) is None  # a period
    assert dropped_level(AMAZON, gold(Location(0, 0), Location(2, 0))) is None
    assert dropped_level(AMAZON, Gold((), "nowhere")) is None


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("What was the mainline load factor in 2018?", "What was the load factor in 2018?"),
        ("Mainline load factor, 2018", "Load factor, 2018"),
        ("What was Delta's mainline load factor?", "What was Delta's load factor?"),
        ("What was the load factor on the mainline in 2018?", "What was the load factor in 2018?"),
        ("What was the load factor of the mainline segment?", "What was the load factor?"),
        ("How full was a mainline load in 2018?", "How full was a load in 2018?"),
    ],
)
def test_the_words_for_the_level_go(text: str, left: str) -> None:
    assert reworded(text) == left


def test_a_possessive_leaves_an_article() -> None:
    asked = "What was AWS's operating income in 2024?"
    assert reworded(asked, 3, AMAZON) == "What was the operating income in 2024?"
    assert reworded("Sum of AWS net sales in 2024", 2, AMAZON) == "Sum of net sales in 2024"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "What was the load factor in 2018?",
        "How did the mainline do?",
        "What did the mainline report as load factor?",
        "Which of the mainline statistics was 84.1%?",
        "What was the load factor of Mainline Air Partners?",
        "What was the regional and mainline figure?",
        "Mainline?",
        "mainline <b>x</b> $5 to $6",
    ],
)
def test_where_no_sentence_would_be_left_the_rule_does_not_fit(text: str) -> None:
    assert reworded(text) is None
