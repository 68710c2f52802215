"""Annotations and reviews in the store: nothing is lost, nothing is there twice."""

import threading
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

import qa_core.annotation.store as store_module
from qa_core.annotation.annotation import Draft
from qa_core.annotation.review import Reading, Review
from qa_core.annotation.store import AnnotationStore
from qa_core.datasets import Dataset
from qa_core.errors import CrossheadError
from qa_core.question import KPI_DRIVEN, Question
from qa_core.table import Location, Table
from tests.tables import AMAZON, FUEL, SURPLUS

NOW = datetime(2026, 1, 2, 3, 4, 5, 678, UTC)
DATASET = Dataset(
    "two tables",
    {AMAZON.id: AMAZON, FUEL.id: FUEL},
    (Question("q-1", AMAZON.id, "AWS sales?", ("107,556",)),),
)
DRAFT = Draft("What were net sales of AWS in 2024?", Location(2, 1), (), KPI_DRIVEN, True)
KEPT = replace(DRAFT, answers=("107,556",))


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/runs.sqlite"


@pytest.fixture
def store(url: str) -> AnnotationStore:
    return AnnotationStore(url)


def add(store: AnnotationStore, *drafts: Draft, author: str = "Ada", made: datetime = NOW) -> list[str]:
    return [kept.id for kept in store.add(DATASET, AMAZON.id, drafts, author, made)]


def at_once(*work: Sequence[object]) -> None:
    """Call each (function, argument …) in a thread of its own."""
    threads = [threading.Thread(target=each[0], args=tuple(each[1:])) for each in work]  # type: ignore[arg-type]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def test_what_is_kept_comes_back_in_the_order_of_writing(store: AnnotationStore) -> None:
    later = replace(DRAFT, text="AWS net sales in 2024?", paraphrase_of="q-1")
    ids = add(store, DRAFT, later) + add(store, replace(later, text="And AWS?", paraphrase_of="q-1"))
    found = store.held(DATASET)
    assert list(found) == ids
    first = found[ids[0]]
    assert (first.draft, first.annotation.author, first.annotation.made) == (KEPT, "Ada", NOW)
    assert first.annotation.table_fingerprint == AMAZON.fingerprint
    assert list(store.held(DATASET, AMAZON.id)) == ids
    assert store.held(DATASET, FUEL.id) == {}


def test_an_annotation_may_paraphrase_one_that_was_kept_before(store: AnnotationStore) -> None:
    [first] = add(store, DRAFT)
    [second] = add(store, replace(DRAFT, text="AWS net sales, 2024?", paraphrase_of=first))
    assert store.held(DATASET)[second].draft.paraphrase_of == first


def test_a_second_click_keeps_nothing_more_and_says_when_it_was_kept(store: AnnotationStore) -> None:
    [first] = store.add(DATASET, AMAZON.id, [DRAFT], "Ada", NOW)
    [again] = store.add(DATASET, AMAZON.id, [DRAFT], " ada", NOW + timedelta(seconds=1))
    assert again == first
    assert len(store.held(DATASET)) == 1
    assert len({*add(store, DRAFT, author="Ben"), first.id}) == 2


def test_what_nobody_signed_is_somebodys(store: AnnotationStore) -> None:
    [name] = add(store, DRAFT, author=" ")
    assert store.held(DATASET)[name].annotation.author == "somebody"


def test_of_a_batch_with_a_fault_nothing_is_kept(store: AnnotationStore) -> None:
    with pytest.raises(CrossheadError, match="The question is empty"):
        add(store, DRAFT, replace(DRAFT, text=""))
    with pytest.raises(CrossheadError, match="has no table 'none'"):
        store.add(DATASET, "none", [DRAFT], "Ada", NOW)
    assert store.held(DATASET) == {}


def test_annotations_stay_with_their_table_when_others_come_and_go(store: AnnotationStore) -> None:
    [name] = add(store, DRAFT)
    wider = Dataset(
        "brought", {SURPLUS.id: SURPLUS, "renamed": replace(AMAZON, id="renamed", title="Other")}, ()
    )
    found = store.held(wider)
    assert list(found) == [name]
    assert found[name].table_id == "renamed"
    review = Review(name, KEPT.key, "accept", "", "Ben", NOW)
    assert store.review(wider, review).state == "accepted"
    assert store.held(DATASET)[name].table_id == AMAZON.id
    assert store.held(Dataset("other", {FUEL.id: FUEL}, ())) == {}


def test_those_of_an_earlier_state_of_a_table_are_found_by_its_id(store: AnnotationStore) -> None:
    [name] = add(store, DRAFT)
    corrected = replace(AMAZON, row_paths=AMAZON.row_paths[:-1])
    assert list(store.earlier(corrected)) == [name]
    assert store.earlier(AMAZON) == {}


def test_reviews_come_back_whole(store: AnnotationStore) -> None:
    [name] = add(store, DRAFT)
    mended = replace(KEPT, text="How much did AWS sell in 2024?")
    reading = Reading(Location(None, 1), KPI_DRIVEN, False)
    review = Review(name, KEPT.key, "mend", "Clearer.", "Ben", NOW, mended, reading)
    after = store.review(DATASET, review)
    assert after.reviews == (review,)
    assert store.held(DATASET) == {name: after}
    assert store.review(DATASET, Review(name, mended.key, "accept", "", "Ada", NOW)).state == "accepted"


def test_a_mended_version_gets_the_text_of_its_cell_and_is_checked_like_any(store: AnnotationStore) -> None:
    [name] = add(store, DRAFT)
    mended = replace(DRAFT, cell=Location(2, 0))
    after = store.review(DATASET, Review(name, KEPT.key, "mend", "", "Ben", NOW, mended))
    assert after.draft.answers == ("90,757",)
    with pytest.raises(CrossheadError, match="The question is empty"):
        store.review(DATASET, Review(name, after.draft.key, "mend", "", "Cem", NOW, replace(mended, text="")))
    with pytest.raises(CrossheadError, match="that this one paraphrases is not one of"):
        itself = replace(mended, paraphrase_of=name)
        store.review(DATASET, Review(name, after.draft.key, "mend", "", "Cem", NOW, itself))


def test_a_second_click_is_no_second_review_but_a_change_of_mind_is(store: AnnotationStore) -> None:
    [name] = add(store, DRAFT)
    accept = Review(name, KEPT.key, "accept", "", "Ben", NOW)
    store.review(DATASET, accept)
    assert (
        len(store.review(DATASET, replace(accept, made=NOW + timedelta(seconds=1), reviewer="ben")).reviews)
        == 1
    )
    reject = replace(accept, verdict="reject", reason="No.", made=NOW + timedelta(seconds=2))
    store.review(DATASET, reject)
    after = store.review(DATASET, replace(accept, made=NOW + timedelta(seconds=3)))
    assert [each.verdict for each in after.reviews] == ["accept", "reject", "accept"]
    assert after.state == "accepted"


def test_who_wrote_it_does_not_review_it(store: AnnotationStore) -> None:
    [name] = add(store, DRAFT)
    with pytest.raises(CrossheadError, match="a review is a second person's"):
        store.review(DATASET, Review(name, KEPT.key, "accept", "", "ADA", NOW))
    assert store.held(DATASET)[name].reviews == ()


def test_what_is_not_there_is_not_reviewed(store: AnnotationStore) -> None:
    with pytest.raises(CrossheadError, match="The dataset two tables has no annotation 'a-0'"):
        store.review(DATASET, Review("a-0", KEPT.key, "accept", "", "Ben", NOW))
    [name] = add(store, DRAFT)
    elsewhere = Dataset("other", {FUEL.id: FUEL}, ())
    with pytest.raises(CrossheadError, match="The dataset other has no annotation"):
        store.review(elsewhere, Review(name, KEPT.key, "accept", "", "Ben", NOW))


def test_many_who_write_at_once_lose_nothing_and_get_different_ids(url: str) -> None:
    def write(author: str) -> None:
        mine = AnnotationStore(url)
        for number in range(15):
            add(mine, replace(DRAFT, text=f"What were net sales, {number}?"), author=author)
        mine.close()

    AnnotationStore(url)
    at_once(*[(write, name) for name in ("Ada", "Ben", "Cem", "Dan")])
    found = AnnotationStore(url).held(DATASET)
    assert len(found) == 60
    assert len({(each.annotation.author, each.draft.text) for each in found.values()}) == 60


def test_the_same_question_and_the_same_review_at_once_are_one(url: str) -> None:
    def write(_: int) -> None:
        mine = AnnotationStore(url)
        [name] = add(mine, DRAFT)
        mine.review(DATASET, Review(name, KEPT.key, "accept", "", "Ben", datetime.now(UTC)))

    AnnotationStore(url)
    at_once(*[(write, number) for number in range(8)])
    [subject] = AnnotationStore(url).held(DATASET).values()
    assert len(subject.reviews) == 1


def test_two_who_mend_at_once_are_both_kept_and_one_version_holds(url: str) -> None:
    [name] = add(AnnotationStore(url), DRAFT)

    def mend(reviewer: str) -> None:
        mended = replace(KEPT, text=f"As {reviewer} asks: AWS sales?")
        AnnotationStore(url).review(DATASET, Review(name, KEPT.key, "mend", "", reviewer, NOW, mended))

    at_once((mend, "Ben"), (mend, "Cem"))
    subject = AnnotationStore(url).held(DATASET)[name]
    assert {review.reviewer for review in subject.reviews} == {"Ben", "Cem"}
    assert subject.drafted_by == subject.reviews[0].reviewer
    assert subject.draft == subject.reviews[0].mended


def test_what_another_process_keeps_a_moment_before_is_found_and_not_kept_twice(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on a database server, where two look before either has written."""
    first, second = AnnotationStore(url), AnnotationStore(url)
    [name] = add(first, DRAFT)
    accept = Review(name, KEPT.key, "accept", "", "Ben", NOW)
    first.review(DATASET, accept)

    def unseen(read: Any, times: int) -> Any:
        blind = iter([True] * times)
        return lambda *arguments: [] if next(blind, False) else read(*arguments)

    monkeypatch.setattr(store_module, "_annotations", unseen(store_module._annotations, 2))
    assert add(second, DRAFT) == [name]
    monkeypatch.setattr(store_module, "_reviews", unseen(store_module._reviews, 1))
    assert len(second.review(DATASET, replace(accept, made=datetime.now(UTC))).reviews) == 1
    assert len(second.held(DATASET)) == 1


def test_more_tables_than_one_query_takes(store: AnnotationStore) -> None:
    tables = {f"t-{n}": Table(f"t-{n}", (("2018",),), ((f"Item {n}",),), ((f"{n}",),)) for n in range(1_203)}
    dataset = Dataset("many", tables, ())
    for n in (0, 700, 1_202):
        store.add(dataset, f"t-{n}", [Draft("How many?", Location(0, 0))], "Ada", NOW)
    assert [each.table_id for each in store.held(dataset).values()] == ["t-0", "t-700", "t-1202"]
