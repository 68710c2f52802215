"""Predictions that are kept: what is asked anew and what is not."""

from collections.abc import Iterator, Sequence

import pytest

from components import remembered
from components.remembered import Remembered
from qa_core.prediction import Prediction
from qa_core.systems.interface import Request
from qa_core.transform import flatten
from tests.tables import AMAZON, FUEL


class Counting:
    """Answers with the number of the request."""

    name, version, weights = "counting", "1", ""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str]] = []

    def predict(self, requests: Sequence[Request]) -> list[Prediction]:
        self.asked += [(request.question, request.flat.transformation) for request in requests]
        return [Prediction(f"{request.question}!") for request in requests]


@pytest.fixture
def system(monkeypatch: pytest.MonkeyPatch) -> Iterator[Counting]:
    counting = Counting()
    monkeypatch.setattr(remembered, "load_system", lambda name, use_lexicon: counting)
    remembered._kept.clear()
    yield counting
    remembered._kept.clear()


def request(question: str, transformation: str = "base", table: object = AMAZON) -> Request:
    return Request(question, flatten(AMAZON if table is AMAZON else FUEL, transformation))


def test_only_what_is_new_is_asked_and_the_order_stays(system: Counting) -> None:
    asked = Remembered("tapas", use_lexicon=True)
    assert asked.recall(request("b")) is None
    asked.predict([request("b")])
    answers = asked.predict([request("a"), request("b"), request("c")])
    assert [answer.answer for answer in answers] == ["a!", "b!", "c!"]
    assert [question for question, _ in system.asked] == ["b", "a", "c"]


def test_another_table_transformation_or_system_is_asked_anew(system: Counting) -> None:
    Remembered("tapas", use_lexicon=True).predict([request("a")])
    for name, other in (
        ("tapas", request("a", table=FUEL)),
        ("tapas", request("a", "transpose-all")),
        ("blend", request("a")),
    ):
        assert Remembered(name, use_lexicon=True).recall(other) is None


def test_a_system_that_reads_the_hierarchy_is_asked_once_for_all_transformations(system: Counting) -> None:
    Remembered("rci", use_lexicon=True).predict([request("a")])
    Remembered("rci", use_lexicon=True).predict([request("a", "transpose-all")])
    assert system.asked == [("a", "base")]


def test_the_lexicon_is_no_matter_to_a_system_that_uses_none(system: Counting) -> None:
    Remembered("tapas", use_lexicon=True).predict([request("a")])
    Remembered("lexical", use_lexicon=True).predict([request("a")])
    assert Remembered("tapas", use_lexicon=False).recall(request("a")) is not None
    assert Remembered("lexical", use_lexicon=False).recall(request("a")) is None
