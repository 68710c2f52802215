"""What people say about cases: entries that stay, and what follows from them."""

import threading
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from qa_core.errors import CrossheadError
from qa_core.evaluation.judgement_store import JudgementStore
from qa_core.evaluation.judgements import (
    MOST_CHARACTERS,
    Judged,
    Judgement,
    checked,
    from_json,
    from_records,
    is_right,
    judged,
    to_json,
)
from qa_core.question import Question
from qa_core.table import Location, Table
from tests.evaluation.evaluation_fakes import airline_dataset

DATASET = airline_dataset(12)
NOW = datetime(2026, 1, 2, 3, 4, 5, 678, UTC)
FIRST_CELL = Location(0, 0)
TABLE = Table("t", (("2018",), ("2017",)), (("Leased A321s",), ("Leased A320s",)), (("54", "50"), ("48", "")))
QUESTION = Question("q", "t", "How many leased A321s in 2018?", ("48",))


def entry(kind: Any = "note", text: str = "Reads the total.", **about: Any) -> Judgement:
    values = {"question_id": "q-1", "author": "Ada", "made": NOW} | about
    return Judgement(kind=kind, text=text, **values)


def gold(verdict: str = "wrong", better: Location | None = FIRST_CELL, **about: Any) -> Judgement:
    return entry("gold", about.pop("text", "Another row."), verdict=verdict, better=better, **about)


@pytest.fixture
def store(store_url: str) -> Iterator[JudgementStore]:
    store = JudgementStore(store_url)
    yield store
    store.close()


def test_all_notes_stay_a_tag_can_be_taken_off_and_the_last_verdict_holds() -> None:
    first, second, verdict = entry(), entry(text="No, the row.", author="Ben"), gold()
    found = judged(
        [
            first,
            entry("tag", "unit"),
            second,
            entry("tag", "unit"),
            entry("tag", "row"),
            verdict,
            entry("untag", "unit"),
        ]
    )
    assert found == {"q-1": Judged((first, second), ("row",), verdict)}


def test_a_gold_that_stands_after_all_is_not_disputed() -> None:
    assert judged([gold(), gold("stands", None)])["q-1"].gold is None
    assert judged([gold(), gold("stands", None), gold("unanswerable", None)])["q-1"].gold is not None


def test_a_name_that_shows_nothing_is_none() -> None:
    assert checked(entry(author=" \u200b\u00ad"), QUESTION, TABLE).author == ""


@pytest.mark.parametrize("verdict", ["stands", "unanswerable"])
@pytest.mark.parametrize("better", [FIRST_CELL, Location(-5, 99_999), Location(10**30, 0)], ids=str)
def test_a_verdict_that_names_no_better_cell_keeps_none(verdict: str, better: Location) -> None:
    assert checked(gold(verdict, better), QUESTION, TABLE).better is None


@pytest.mark.parametrize(
    ("verdict", "right"), [("wrong", {"54"}), ("alternative", {"54", "48"}), ("unanswerable", {""})]
)
def test_a_verdict_says_which_answers_are_right(verdict: str, right: set[str]) -> None:
    better = None if verdict == "unanswerable" else Location(0, 0)
    kept = checked(gold(verdict, better), QUESTION, TABLE)
    assert {
        answer for answer in ("54", "48", "50", "") if is_right(kept, QUESTION, answer, bool(answer))
    } == right


def test_where_no_cell_answers_only_an_answer_that_rests_on_none_is_right() -> None:
    verdict = gold("unanswerable", None)
    assert is_right(verdict, QUESTION, "about 50", located=False)
    assert not is_right(verdict, QUESTION, "50", located=True)


def test_a_right_answer_that_stands_in_no_cell_is_written_out() -> None:
    kept = checked(gold(better=None, answer=" 102 "), QUESTION, TABLE)
    assert (kept.answer, kept.better) == ("102", None)
    assert is_right(kept, QUESTION, "102", located=True)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (entry(text=" \n"), "The note on question 'q' is empty"),
        (entry("tag", ""), "The tag on question 'q' is empty"),
        (entry("tag", "x" * 61), "has 61 characters, and at most 60 are kept"),
        (entry(text="x" * 2001), "has 2,001 characters, and at most 2,000 are kept"),
        (
            gold("perhaps"),
            "The verdict 'perhaps' on question 'q' is none of wrong, alternative, unanswerable",
        ),
        (gold(better=None), "nothing says what is right; name a cell"),
        (gold(better=Location(1, 1)), "nothing says what is right; name a cell"),
        (
            gold(better=Location(9, 0)),
            r"The better cell \[9, 0\] of question 'q' lies outside its table of 2 × 2",
        ),
    ],
)
def test_what_cannot_be_kept_is_refused_in_a_sentence(wrong: Judgement, said: str) -> None:
    with pytest.raises(CrossheadError, match=said):
        checked(wrong, QUESTION, TABLE)


def test_a_note_of_the_greatest_length_is_kept_whole() -> None:
    assert checked(entry(text="x" * MOST_CHARACTERS), QUESTION, TABLE).text == "x" * MOST_CHARACTERS


def test_what_is_kept_comes_out_in_the_order_of_writing(store: JudgementStore) -> None:
    entries = [entry(), entry("tag", "unit", question_id="q-0"), gold("alternative", Location(1, 1))]
    assert store.add(DATASET, entries[:2]) == 2
    assert store.add(DATASET, entries[2:]) == 1
    kept = store.entries(DATASET)
    assert kept[:2] == entries[:2]
    assert kept[2] == checked(entries[2], DATASET.question("q-1"), DATASET.table("tab-1"))
    assert store.entries(DATASET, "q-0") == entries[1:2]
    assert set(store.judged(DATASET)) == {"q-0", "q-1"}


def test_the_same_entry_twice_is_one_and_a_later_one_of_the_same_words_another(store: JudgementStore) -> None:
    assert store.add(DATASET, [entry(), entry()]) == 1
    revision = store.revision(DATASET)
    assert store.add(DATASET, [entry()]) == 0
    assert store.revision(DATASET) == revision
    later = entry(made=NOW + timedelta(seconds=1))
    assert store.add(DATASET, [later], undated=later.made) == 0
    assert store.add(DATASET, [later], undated=NOW) == 1
    assert store.revision(DATASET) > revision


def test_what_was_said_taken_back_and_said_again_comes_whole_into_another_store(
    store: JudgementStore, tmp_path: Path
) -> None:
    other = JudgementStore(f"sqlite:///{tmp_path / 'other.sqlite'}")
    try:
        for number, said in enumerate([entry("tag", "unit"), entry("untag", "unit"), entry("tag", "unit")]):
            store.add(DATASET, [replace(said, made=NOW + timedelta(days=number))])
            records = [("line", to_json(each)) for each in store.entries(DATASET)]
            now = datetime.now(UTC)
            assert other.add(DATASET, from_records(records, "imported", now), undated=now) == 1
        assert other.entries(DATASET) == store.entries(DATASET)
        assert other.judged(DATASET)["q-1"].tags == ("unit",)
    finally:
        other.close()


def test_an_older_verdict_that_comes_in_later_does_not_hold(store: JudgementStore) -> None:
    store.add(DATASET, [gold("stands", None)])
    store.add(DATASET, [gold(made=NOW - timedelta(days=300))])
    assert store.judged(DATASET)["q-1"].gold is None


def test_of_a_batch_with_a_fault_nothing_is_kept(store: JudgementStore) -> None:
    with pytest.raises(CrossheadError, match="has no question 'q-99'"):
        store.add(DATASET, [entry(), entry(question_id="q-99")])
    assert store.entries(DATASET) == []


def test_another_dataset_has_judgements_of_its_own(store: JudgementStore) -> None:
    store.add(DATASET, [entry()])
    assert store.entries(airline_dataset(3)) == []
    assert store.revision(airline_dataset(3)) == 0


def test_two_who_write_at_once_lose_nothing(store: JudgementStore) -> None:
    def write(author: str) -> None:
        for number in range(20):
            store.add(DATASET, [entry(text=f"Note {number}", author=author)])

    writers = [threading.Thread(target=write, args=(name,)) for name in ("Ada", "Ben", "Cem")]
    for each in writers:
        each.start()
    for each in writers:
        each.join()
    kept = store.entries(DATASET)
    assert len({(each.author, each.text) for each in kept}) == len(kept) == 60


@pytest.mark.parametrize(
    "kept", [entry(), entry("tag", "unit"), entry("untag", "unit"), gold(), gold(better=None, answer="7")]
)
def test_json_says_all_of_it(kept: Judgement) -> None:
    assert from_json(to_json(kept), "here", "nobody", datetime.min) == kept


def test_a_record_of_a_second_reading_is_a_verdict() -> None:
    record = {"id": "q-7", "verdict": "wrong", "better": [2, 3], "why": "Asks for leased A321s."}
    assert from_json(record, "line 1", "second reading", NOW) == gold(
        "wrong", Location(2, 3), text="Asks for leased A321s.", question_id="q-7", author="second reading"
    )


@pytest.mark.parametrize(
    ("record", "said"),
    [
        ({"note": "x"}, "line 3: a judgement needs the id"),
        ({"id": "q"}, "line 3: a judgement needs the id"),
        ({"id": "q", "note": "x", "tag": "y"}, "line 3: a judgement needs the id"),
        ({"id": "q", "note": 5}, "line 3: text, verdict, answer and author"),
        ({"id": "q", "verdict": "wrong", "better": [1]}, r"line 3: better has to be \[row, column\]"),
        ({"id": "q", "verdict": "wrong", "better": [True, 0]}, r"line 3: better has to be \[row, column\]"),
        ({"id": "q", "verdict": "wrong", "better": [None, None]}, r"line 3: better has to be"),
        ({"id": "q", "note": "x", "made": "yesterday"}, "line 3: 'yesterday' is no time"),
        # In UTC these are before the first year and after the last one.
        ({"id": "q", "note": "x", "made": "0001-01-01T00:00:00+14:00"}, "line 3: '0001-.* is no time"),
        ({"id": "q", "note": "x", "made": "9999-12-31T23:59:59-10:00"}, "line 3: '9999-.* is no time"),
        ({"id": "q", "note": "x", "made": "2999-01-01"}, "line 3: the time '2999-01-01' is still to come"),
    ],
)
def test_a_record_that_is_none_is_refused_with_its_place(record: dict[str, Any], said: str) -> None:
    with pytest.raises(CrossheadError, match=said):
        from_json(record, "line 3", "", NOW)


def test_signs_that_no_database_keeps_become_one_that_shows(store: JudgementStore) -> None:
    odd = "a\0b\ud800c"
    store.add(DATASET, [entry(text=odd, author=odd), gold(better=None, answer=odd, text=odd, author=odd)])
    for kept in store.entries(DATASET):
        assert (kept.text, kept.author) == ("a\ufffdb\ufffdc",) * 2
        assert kept.answer in ("", "a\ufffdb\ufffdc")


def test_a_note_says_nothing_of_the_gold() -> None:
    kept = checked(entry(verdict="x" * 100, better=Location(9, 9), answer="7"), QUESTION, TABLE)
    assert (kept.verdict, kept.better, kept.answer) == ("", None, "")


def test_a_right_answer_is_not_longer_than_a_note() -> None:
    with pytest.raises(CrossheadError, match="The right answer to question 'q' has 2,001 characters"):
        checked(gold(better=None, answer="x" * 2001), QUESTION, TABLE)


def test_many_entries_at_once_are_told_from_those_that_are_there(store: JudgementStore) -> None:
    many = [entry(text=f"Note {number}") for number in range(40_000)]
    assert store.add(DATASET, many[:30_000]) == 30_000
    assert store.add(DATASET, many) == 10_000
