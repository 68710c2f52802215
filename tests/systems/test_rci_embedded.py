"""rci with weights of its own, over a tiny scorer: what it reads, what it adds up, what it says."""

import numpy as np
import pytest
from hypothesis import given, settings

from qa_core.datasets import load_dataset
from qa_core.systems import rci_embedded
from qa_core.systems.interface import Request
from qa_core.systems.lexical import LexicalSystem
from qa_core.systems.rci_embedded import NOT_HERE, RciEmbeddedSystem
from qa_core.systems.rci_weights import TrainedScorer
from qa_core.table import Location, Table
from qa_core.transform import TRANSFORMATIONS, flatten
from tests.strategies import tables
from tests.systems.tiny_scorer import tiny_scorer

SAMPLE = load_dataset("sample")


@pytest.fixture(scope="module")
def rci() -> RciEmbeddedSystem:
    return RciEmbeddedSystem(TrainedScorer(*tiny_scorer()), LexicalSystem(), "tiny@0")


def request(question: str, table: Table) -> Request:
    return Request(question, flatten(table, "base"))


def test_an_empty_question_and_an_empty_table_are_abstentions_that_say_why(rci: RciEmbeddedSystem) -> None:
    table = Table("t", (("2018",),), (("Seats",),), (("3",),))
    empty = Table("e", (("2018",),), (("Seats",),), (("",),))
    blank, nothing = rci.predict([request("  ", table), request("Seats?", empty)])
    assert (blank.answer, blank.locations) == ("", ())
    assert blank.notes == ("The question is empty; type one.",)
    assert nothing.notes == ("All body cells of the table are empty, so there is nothing to answer from.",)


def test_a_cell_scores_as_its_row_and_its_column(rci: RciEmbeddedSystem) -> None:
    question = SAMPLE.questions[0]
    [judged] = rci.judge([request(question.text, SAMPLE.tables[question.table_id])])
    reading = LexicalSystem().read(request(question.text, SAMPLE.tables[question.table_id]))
    sums = judged.rows[:, None] + judged.columns[None, :]
    of_cells_alone = reading.cells - reading.rows[:, None] - reading.columns[None, :]
    np.testing.assert_allclose(judged.cells - sums, of_cells_alone, atol=1e-9)


def test_without_a_say_of_its_own_it_answers_as_the_words_do(monkeypatch: pytest.MonkeyPatch) -> None:
    scorer, tokenizer = tiny_scorer()
    for head in scorer.heads:
        head.weight.data.zero_()
        head.bias.data.zero_()
    silent, lexical = RciEmbeddedSystem(TrainedScorer(scorer, tokenizer), LexicalSystem()), LexicalSystem()
    requests = [request(q.text, SAMPLE.tables[q.table_id]) for q in SAMPLE.questions[:40]]
    body = [
        (one, other)
        for one, other in zip(silent.predict(requests), lexical.predict(requests), strict=True)
        if one.location and one.location.is_cell and other.location and other.location.is_cell
    ]
    assert len(body) >= 30
    assert all(one.location == other.location for one, other in body)


@pytest.mark.parametrize("transformation", TRANSFORMATIONS)
def test_the_transformation_makes_no_difference(rci: RciEmbeddedSystem, transformation: str) -> None:
    for question in SAMPLE.questions[::40]:
        table = SAMPLE.tables[question.table_id]
        (flat,) = rci.predict([Request(question.text, flatten(table, transformation))])
        assert flat == rci.predict([request(question.text, table)])[0]


@given(tables())
@settings(max_examples=25, deadline=None)
def test_any_table_gets_a_bounded_prediction(rci: RciEmbeddedSystem, table: Table) -> None:
    (prediction,) = rci.predict([request("How many seats in 2018?", table)])
    assert 0 <= prediction.confidence <= 1
    if prediction.location is not None:
        assert prediction.answer == table.text_at(prediction.location) != ""
        assert (len(prediction.row_scores), len(prediction.column_scores)) == (table.n_rows, table.n_columns)
        assert np.isfinite([*prediction.row_scores, *prediction.column_scores]).all()


def test_questions_asked_together_are_answered_as_alone(
    rci: RciEmbeddedSystem, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rci_embedded, "_LINES_AT_ONCE", 40)
    empty = Table("e", (("2018",),), (("Seats",),), (("",),))
    requests = [request(q.text, SAMPLE.tables[q.table_id]) for q in SAMPLE.questions[::30]]
    requests.insert(3, request("Seats?", empty))
    together = rci.predict(requests)
    for one, asked in zip(together, requests, strict=True):
        (alone,) = rci.predict([asked])
        assert (one.locations, one.notes) == (alone.locations, alone.notes)
        assert one.confidence == pytest.approx(alone.confidence, abs=2e-4)


def test_a_row_header_can_be_the_answer() -> None:
    scorer, tokenizer = tiny_scorer()
    scorer.heads[1].weight.data.zero_()
    scorer.heads[1].bias.data.zero_()
    rci = RciEmbeddedSystem(TrainedScorer(scorer, tokenizer), LexicalSystem())
    officers = Table("o", (("Title",),), (("A. Vance",), ("B. Ode",)), (("Chief Executive",), ("Counsel",)))
    (prediction,) = rci.predict([request("Who is the chief executive?", officers)])
    assert prediction.location == Location(0, None)
    assert prediction.answer == "A. Vance"


def test_lines_beyond_the_bound_are_judged_by_their_words_and_said(
    rci: RciEmbeddedSystem, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rci_embedded, "MAX_LINES", 3)
    monkeypatch.setattr(rci_embedded, "MAX_BEHIND", 1_000.0)
    table = Table("t", (("A",), ("B",)), tuple((f"Row {n}",) for n in range(8)), (("1", "2"),) * 8)
    (prediction,) = rci.predict([request("Row 6 in B?", table)])
    assert prediction.location == Location(6, 1)
    assert prediction.notes[-1] == (
        "5 of 8 rows that the words allow for were judged by their words alone; the model reads 3."
    )


def test_what_the_words_rule_out_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    scorer, tokenizer = tiny_scorer()
    read = []
    forward = scorer.forward
    monkeypatch.setattr(scorer, "forward", lambda asked: read.append(len(asked[0].lines)) or forward(asked))
    rci = RciEmbeddedSystem(TrainedScorer(scorer, tokenizer), LexicalSystem())
    table = Table("t", (("A",), ("B",)), tuple((f"Row {n}",) for n in range(8)), (("1", "2"),) * 8)
    [judged] = rci.judge([request("Row 6 in B?", table)])
    words = LexicalSystem().read(request("Row 6 in B?", table)).rows
    assert (words < words.max() - rci_embedded.MAX_BEHIND).sum() == 7
    assert read == [rci_embedded.LEAST_LINES + 3]
    assert np.isfinite(judged.cells).all() and judged.notes == ()


def test_a_question_that_was_cut_says_so(rci: RciEmbeddedSystem) -> None:
    table = Table("t", (("2018",),), (("Seats",),), (("3",),))
    (prediction,) = rci.predict([request("seats " * 100, table)])
    assert "The question's last 438 tokens were not read." in prediction.notes


def test_what_is_not_in_the_table_is_said() -> None:
    scorer, tokenizer = tiny_scorer()
    scorer.absent.data.fill_(1_000.0)
    table = Table("t", (("2018",),), (("Seats",),), (("3",),))
    rci = RciEmbeddedSystem(TrainedScorer(scorer, tokenizer, refusal=0.1), LexicalSystem())
    (prediction,) = rci.predict([request("Seats?", table)])
    assert (prediction.answer, prediction.confidence) == ("3", 0.0)
    assert NOT_HERE in prediction.notes


def test_the_temperature_moves_the_confidence_and_no_answer() -> None:
    scorer, tokenizer = tiny_scorer()
    cold, warm = (
        RciEmbeddedSystem(TrainedScorer(scorer, tokenizer, temperature=t), LexicalSystem())
        for t in (0.5, 4.0)
    )
    requests = [request(q.text, SAMPLE.tables[q.table_id]) for q in SAMPLE.questions[::30]]
    for sharp, soft in zip(cold.predict(requests), warm.predict(requests), strict=True):
        assert sharp.locations == soft.locations
        assert sharp.confidence != soft.confidence
