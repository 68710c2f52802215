"""The order in which cases and charts are turned."""

import pytest

from components.presenting.deck import Deck

ORDER = {name: place for place, name in enumerate("abcdef")}


def deck(here: str, *names: str) -> Deck:
    return Deck("case", names, here, ORDER)


@pytest.mark.parametrize(
    ("here", "around"),
    [
        ("c", (None, "a")),
        ("a", ("c", "e")),
        ("e", ("a", None)),
        ("b", ("a", "c")),
        ("d", ("a", "e")),
        ("f", ("e", None)),
    ],
)
def test_the_turns_are_those_of_the_list_shown(here: str, around: tuple[str | None, str | None]) -> None:
    assert deck(here, "c", "a", "e").beside(here) == around


def test_nothing_listed_cannot_be_turned() -> None:
    assert deck("a").beside("a") == (None, None)
    assert deck("a").place == "not among 0"
    assert deck("a", "c", "a").place == "2 of 2"
