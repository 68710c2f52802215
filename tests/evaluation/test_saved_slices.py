"""Saved slices: names for combinations of filters, which nobody loses to somebody else."""

import threading
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import insert

from qa_core.errors import CrossheadError
from qa_core.evaluation.filters import FILTERS, Filters, known_filters
from qa_core.evaluation.saved_slices import MOST_OF_A_NAME, MOST_SLICES, SavedSlices
from qa_core.storage.schema import saved_slices

DEEP = Filters({"row-depth": "4-up", "right": "no"})
MONEY = Filters({"answer": "money"})


@pytest.fixture
def store(tmp_path: Path) -> SavedSlices:
    return SavedSlices(f"sqlite:///{tmp_path}/runs.sqlite")


def names(store: SavedSlices) -> list[str]:
    return [each.name for each in store.all()]


def test_a_slice_comes_back_as_it_was_saved_and_slices_stand_by_name(store: SavedSlices) -> None:
    store.save("money", MONEY)
    deep = store.save("Deep rows", DEEP)
    assert names(store) == ["Deep rows", "money"]
    assert store.all()[0] == deep
    assert store.all()[0].filters == DEEP


def test_the_same_slice_twice_is_one_and_another_of_its_name_is_refused(store: SavedSlices) -> None:
    first = store.save("money", MONEY)
    assert store.save(" money\n", Filters(dict(MONEY.values))).id == first.id
    with pytest.raises(CrossheadError, match="There is another slice of the name “money”"):
        store.save("money", DEEP)
    assert [each.filters for each in store.all()] == [MONEY]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("", "needs a name"),
        (" \n\t\0\u200b", "needs a name"),
        ("x" * 61, "has 61 characters, and at most 60"),
    ],
)
def test_a_name_that_cannot_be_kept_is_refused(store: SavedSlices, name: str, said: str) -> None:
    with pytest.raises(CrossheadError, match=said):
        store.save(name, MONEY)
    kept = store.save("money", MONEY)
    with pytest.raises(CrossheadError, match=said):
        store.rename(kept.id, name)
    assert names(store) == ["money"]


def test_a_name_is_kept_as_it_stands_whatever_it_holds(store: SavedSlices) -> None:
    for name in ("<img src=x onerror=alert(1)>", "'; DROP TABLE crosshead_runs; --", "$x$ مرحبا", "x" * 60):
        assert store.save(name, MONEY).name == name
    assert len(names(store)) == 4


@pytest.mark.parametrize("filters", [Filters({}), Filters({"answer": "gold"}), Filters({"colour": "red"})])
def test_what_chooses_nothing_or_is_unknown_is_not_saved(store: SavedSlices, filters: Filters) -> None:
    with pytest.raises(CrossheadError, match="choose a bar or a facet first"):
        store.save("mine", filters)


def test_a_slice_is_renamed_but_not_to_the_name_of_another(store: SavedSlices) -> None:
    money, deep = store.save("money", MONEY), store.save("deep", DEEP)
    store.rename(money.id, "Answers in money")
    assert names(store) == ["Answers in money", "deep"]
    with pytest.raises(CrossheadError, match="There is another slice of the name “deep”"):
        store.rename(money.id, "deep")
    store.rename(deep.id, "deep")
    assert names(store) == ["Answers in money", "deep"]


def test_what_somebody_deleted_can_be_deleted_again_but_not_renamed(store: SavedSlices) -> None:
    money = store.save("money", MONEY)
    store.delete(money.id)
    again = store.save("money", DEEP)
    store.delete(money.id)
    assert store.all() == [again]
    with pytest.raises(CrossheadError, match="not kept any more"):
        store.rename(money.id, "mine")


def test_there_is_an_end_to_how_many_are_kept(store: SavedSlices) -> None:
    for number in range(MOST_SLICES):
        store.save(f"slice {number}", MONEY)
    with pytest.raises(CrossheadError, match="delete one first"):
        store.save("one more", MONEY)
    assert len(names(store)) == MOST_SLICES
    store.save("slice 7", MONEY)


def test_a_slice_of_unknown_filters_is_listed_and_can_be_deleted(store: SavedSlices) -> None:
    kept = store.save("money", MONEY)
    for number, text in enumerate(('{"colour": "red"}', '{"answer": "gold"}', "[1]")):
        row = {"id": f"old{number}", "name": f"old {number}", "filters": text, "made": kept.made}
        with store._database.writing() as connection:
            connection.execute(insert(saved_slices).values(row))
    assert [each.filters for each in store.all()] == [MONEY, None, None, None]
    store.delete("old1")
    assert names(store) == ["money", "old 0", "old 2"]


def test_of_several_who_take_one_name_at_once_one_gets_it_and_the_others_are_told(tmp_path: Path) -> None:
    values = list(FILTERS["answer"].values)
    outcomes: list[str] = []

    def save(value: str) -> None:
        own = SavedSlices(f"sqlite:///{tmp_path}/runs.sqlite")
        own.save(f"only {value}", Filters({"answer": value}))
        try:
            own.save("ours", Filters({"answer": value}))
            outcomes.append("kept")
        except CrossheadError as fault:
            outcomes.append(str(fault))

    SavedSlices(f"sqlite:///{tmp_path}/runs.sqlite")
    people = [threading.Thread(target=save, args=(value,)) for value in values]
    for each in people:
        each.start()
    for each in people:
        each.join()
    told = "There is another slice of the name “ours”; write another name."
    assert sorted(outcomes) == sorted(["kept"] + [told] * (len(values) - 1))
    kept = names(SavedSlices(f"sqlite:///{tmp_path}/runs.sqlite"))
    assert kept == sorted([f"only {value}" for value in values] + ["ours"])


@given(
    st.dictionaries(st.sampled_from([*FILTERS, "run", ""]), st.sampled_from(["no", "money", "x", ""])),
)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_known_filters_are_those_that_a_frame_can_be_asked_for(values: dict[str, str]) -> None:
    found = known_filters(values).values
    assert found.items() <= values.items()
    assert all(FILTERS[name].values[value] for name, value in found.items())
    assert not any(values[name] in FILTERS[name].values for name in set(values) & set(FILTERS) - set(found))


def test_names_are_bounded_as_the_column_is() -> None:
    assert saved_slices.c.name.type.length == MOST_OF_A_NAME
