"""Wordings of one's own: kept, removed, kept again, taken out and in, and by several at once."""

import threading
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from qa_core.datasets.aitqa import question_from_record, question_to_record
from qa_core.errors import CrossheadError
from qa_core.evaluation.rewording_store import RewordingStore
from qa_core.evaluation.rewordings import Rewording, as_question, checked, export, from_record, standing
from tests.evaluation.evaluation_fakes import airline_dataset

DATASET = airline_dataset(12)
NOW = datetime(2026, 1, 2, 3, 4, 5, 678, UTC)
HOSTILE = "<img src=x onerror=alert(1)> from $663 to $622, **bold** مرحبا"


def entry(text: str = "How much was item 1?", **about: Any) -> Rewording:
    return Rewording(text=text, **{"question_id": "q-1", "author": "Ada", "made": NOW} | about)


@pytest.fixture
def store(tmp_path: Path) -> RewordingStore:
    return RewordingStore(f"sqlite:///{tmp_path}/runs.sqlite")


def test_a_wording_that_was_removed_is_not_kept_and_one_that_was_kept_again_is_last() -> None:
    first, second = entry(), entry("Item 1, please?")
    again = entry(author="Ben")
    assert standing([first, second]) == [first, second]
    assert standing([first, second, entry(kept=False)]) == [second]
    assert standing([first, second, entry(kept=False), again]) == [second, again]


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (entry(" \n\t"), "The wording for question 'q-1' is empty"),
        (entry("\u200b \ufffd"), "is empty"),
        (entry("x" * 501), "has 501 characters, and at most 500 are kept"),
        (entry("Item 1  in 2018?"), "Question 'q-1' has this wording already"),
        (entry(question_id="q-99"), "has no question 'q-99'"),
    ],
)
def test_what_cannot_be_kept_is_refused_in_a_sentence(wrong: Rewording, said: str) -> None:
    with pytest.raises(CrossheadError, match=said):
        checked(wrong, DATASET)


def test_hostile_text_and_the_greatest_length_are_kept_as_they_are(store: RewordingStore) -> None:
    assert store.add(DATASET, [entry(HOSTILE), entry("x" * 500)]) == 2
    assert [kept.text for kept in store.standing(DATASET)] == [HOSTILE, "x" * 500]


def test_a_second_click_keeps_nothing_twice_whoever_clicks(store: RewordingStore) -> None:
    assert store.add(DATASET, [entry(), entry()]) == 1
    assert store.add(DATASET, [entry(author="Ben"), entry("How  much was item 1?")]) == 0
    assert store.entries(DATASET) == [entry()]


def test_removing_is_an_entry_of_its_own(store: RewordingStore) -> None:
    removed, again = entry(kept=False, author="Ben"), entry(author="Cem")
    assert store.add(DATASET, [removed]) == 0  # there is nothing to remove
    assert store.add(DATASET, [entry()]) == store.add(DATASET, [removed]) == 1
    assert store.standing(DATASET) == []
    assert store.add(DATASET, [removed]) == 0
    assert store.add(DATASET, [again]) == 1
    assert store.entries(DATASET) == [entry(), removed, again]
    assert store.standing(DATASET) == [again]


def test_of_a_batch_with_a_fault_nothing_is_kept(store: RewordingStore) -> None:
    with pytest.raises(CrossheadError):
        store.add(DATASET, [entry(), entry("")])
    assert store.entries(DATASET) == []


def test_another_dataset_has_wordings_of_its_own(store: RewordingStore) -> None:
    store.add(DATASET, [entry()])
    assert store.entries(airline_dataset(3)) == []


def test_two_who_write_at_once_lose_nothing_and_double_nothing(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/runs.sqlite"
    RewordingStore(url).close()
    written: list[int] = []

    def write(author: str) -> None:
        store = RewordingStore(url)
        for number in range(15):
            written.append(store.add(DATASET, [entry(f"Own {author} {number}?", author=author)]))
            written.append(store.add(DATASET, [entry(f"Both {number}?", author=author)]))

    writers = [threading.Thread(target=write, args=(name,)) for name in ("Ada", "Ben", "Cem")]
    for each in writers:
        each.start()
    for each in writers:
        each.join()
    texts = [kept.text for kept in RewordingStore(url).standing(DATASET)]
    assert len(texts) == len(set(texts)) == sum(written) == 3 * 15 + 15


def test_a_wording_goes_out_as_a_question_of_its_set_and_comes_in_again(store: RewordingStore) -> None:
    alone = entry("Item eleven?", question_id="q-11")
    store.add(DATASET, [entry(HOSTILE), alone])
    records = list(export(store.standing(DATASET), DATASET))
    questions = [question_from_record(record) for record in records]
    assert [question.paraphrase_group for question in questions] == ["p-0", "q-11"]
    assert [question.answers for question in questions] == [
        DATASET.question(each).answers for each in ("q-1", "q-11")
    ]
    assert len({question.id for question in questions} | {q.id for q in DATASET.questions}) == 14
    back = [from_record(record, DATASET, "here", "nobody", datetime.min) for record in records]
    assert back == [entry(HOSTILE), alone]


def test_a_question_of_another_file_goes_to_its_paraphrase_set() -> None:
    question = DATASET.question("q-3")
    record = question_to_record(question) | {"id": "x", "question": "Third?"}
    assert from_record(record, DATASET, "line 1", "Ada", NOW) == entry("Third?", question_id="q-3")
    assert as_question(entry(), DATASET.question("q-1")).cell is None


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"paraphrase_group": ""}, "line 3: the question 'x' asks for no question of airline"),
        ({"paraphrase_group": "p-77"}, "asks for no question"),
        ({"table_id": "tab-9"}, "asks for no question"),
        ({"rewording_of": "q-99"}, "asks for no question"),
        ({"rewording_of": 7}, "asks for no question"),
        ({"author": 7}, "line 3: the author has to be a string"),
        ({"made": "yesterday"}, "line 3: 'yesterday' is no time"),
        ({"answers": "7"}, "line 3: field 'answers' must be a list"),
    ],
)
def test_a_record_that_is_none_is_refused_with_its_place(change: dict[str, Any], said: str) -> None:
    record = question_to_record(DATASET.question("q-3")) | {"id": "x", "question": "Third?"} | change
    with pytest.raises(CrossheadError, match=said):
        from_record(record, DATASET, "line 3", "", NOW)
