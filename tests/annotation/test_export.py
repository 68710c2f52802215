"""Annotations out of the store as a folder in the AIT-QA format, and back."""

import io
import zipfile
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qa_core.annotation.annotation import Annotation, Draft
from qa_core.annotation.checks import as_kept
from qa_core.annotation.export import as_dataset, to_zip
from qa_core.annotation.folder import import_folder
from qa_core.annotation.questions import questions_of_table
from qa_core.annotation.review import Held, Review, State
from qa_core.annotation.store import AnnotationStore
from qa_core.datasets import Dataset, load_dataset
from qa_core.datasets.aitqa import load_folder, save_folder
from qa_core.errors import CrossheadError
from qa_core.question import KPI_DRIVEN, TABLE_DRIVEN, Question
from qa_core.table import Location, Table
from tests.strategies import tables, texts
from tests.tables import AMAZON, FUEL

NOW = datetime(2026, 1, 2, 3, 4, 5, 678, UTC)
OWN = Question("q-1", AMAZON.id, "AWS revenue in 2024?", ("107,556",), KPI_DRIVEN, True, "", Location(2, 1))
FURTHER = Question("q-2", FUEL.id, "Gallons in 2018?", ("4,137",), TABLE_DRIVEN, False, "p-9", Location(0, 1))
DATASET = Dataset("two tables", {AMAZON.id: AMAZON, FUEL.id: FUEL}, (OWN, FURTHER))
DRAFT = Draft("What were net sales of AWS in 2024?", Location(2, 1), ("107,556",), KPI_DRIVEN, True)


def written(
    draft: Draft = DRAFT, state: State = "accepted", table: Table = AMAZON, author: str = "Ada"
) -> Held:
    return Held(Annotation(table.fingerprint, table.id, draft, author, NOW), draft, author, state)


def by_id(*subjects: Held) -> dict[str, Held]:
    return {subject.id: subject for subject in subjects}


def back(dataset: Dataset, folder: Path) -> Dataset:
    save_folder(dataset, folder)
    return load_folder(folder, dataset.name)


def test_what_was_accepted_or_mended_loads_back_as_it_stands(tmp_path: Path) -> None:
    mended = replace(written(), draft=replace(DRAFT, text="How much did AWS sell in 2024?"), state="mended")
    header = Draft("Which year is the last?", Location(None, 1), ("2024",), TABLE_DRIVEN, None)
    subjects = by_id(mended, written(header), written(replace(DRAFT, text="No?"), "rejected"),
                     written(replace(DRAFT, text="Not yet?"), "unreviewed"))  # fmt: skip
    loaded = back(as_dataset(DATASET, subjects), tmp_path / "written")
    assert loaded.tables == {AMAZON.id: AMAZON}
    assert loaded.questions == (
        Question(mended.id, AMAZON.id, "How much did AWS sell in 2024?", ("107,556",), KPI_DRIVEN, True, "",
                 Location(2, 1)),
        Question(written(header).id, AMAZON.id, "Which year is the last?", ("2024",), TABLE_DRIVEN, None, "",
                 Location(None, 1)),
    )  # fmt: skip
    assert loaded.questions[0].extra == {"author": "Ada", "review": "mended", "reviewers": []}


def test_those_without_a_review_only_where_they_are_asked_for() -> None:
    subjects = by_id(written(state="unreviewed"), written(replace(DRAFT, text="No?"), "withdrawn"))
    with pytest.raises(CrossheadError, match="No question for the dataset two tables was accepted yet"):
        as_dataset(DATASET, subjects)
    assert [q.text for q in as_dataset(DATASET, subjects, unreviewed=True).questions] == [DRAFT.text]


def test_paraphrases_are_one_set_through_what_was_rejected_and_with_the_datasets_question() -> None:
    first = written(replace(DRAFT, paraphrase_of="q-1"), "rejected")
    second = written(replace(DRAFT, text="Sales of AWS in 2024?", paraphrase_of=first.id))
    third = written(replace(DRAFT, text="Net sales, AWS, 2024?", paraphrase_of=second.id))
    subjects = by_id(first, second, third)
    groups = {q.id: q.paraphrase_group for q in as_dataset(DATASET, subjects).questions}
    assert groups == dict.fromkeys((second.id, third.id), "paraphrases-of-q-1")
    whole = {q.id: q.paraphrase_group for q in as_dataset(DATASET, subjects, with_own=True).questions}
    assert whole == groups | {"q-1": "paraphrases-of-q-1", "q-2": "p-9"}


def test_a_set_that_the_dataset_has_keeps_its_name_and_a_set_of_one_is_none() -> None:
    draft = Draft("How much fuel in 2018?", Location(0, 1), ("4,137",), TABLE_DRIVEN, False, "q-2")
    subjects = by_id(written(draft, table=FUEL))
    assert [q.paraphrase_group for q in as_dataset(DATASET, subjects).questions] == [""]
    whole = as_dataset(DATASET, subjects, with_own=True)
    assert [(q.paraphrase_group, q.table_id) for q in whole.questions][1:] == [("p-9", FUEL.id)] * 2
    assert list(whole.tables) == [AMAZON.id, FUEL.id]


def test_two_that_were_mended_into_paraphrases_of_each_other_are_one_set() -> None:
    first, second = written(), written(replace(DRAFT, text="Sales of AWS in 2024?"))
    circle = by_id(
        replace(first, draft=replace(first.draft, paraphrase_of=second.id)),
        replace(second, draft=replace(second.draft, paraphrase_of=first.id)),
    )
    assert len({q.paraphrase_group for q in as_dataset(DATASET, circle).questions}) == 1


def test_what_was_exported_before_and_is_loaded_again_is_not_there_twice(tmp_path: Path) -> None:
    subject = written()
    loaded = back(as_dataset(DATASET, by_id(subject)), tmp_path)
    mended = replace(subject, draft=replace(DRAFT, text="How much did AWS sell in 2024?"), state="mended")
    assert [q.text for q in questions_of_table(loaded, AMAZON.id, by_id(mended))] == [mended.draft.text]
    again = as_dataset(loaded, by_id(mended), with_own=True)
    assert [(q.id, q.text) for q in again.questions] == [(subject.id, mended.draft.text)]


def test_the_archive_holds_the_two_files_and_is_the_same_each_time(tmp_path: Path) -> None:
    exported = as_dataset(DATASET, by_id(written()))
    packed = to_zip(exported)
    assert packed == to_zip(exported)
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        assert archive.namelist() == ["aitqa_tables.jsonl", "aitqa_questions.jsonl"]
        archive.extractall(tmp_path)
    assert load_folder(tmp_path, "annotations") == exported


def test_a_folder_that_cannot_be_written_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(CrossheadError, match=r"cannot be written: .*; name another folder"):
        save_folder(DATASET, tmp_path / "file" / "folder")


@st.composite
def written_datasets(draw: st.DrawFn) -> tuple[Dataset, dict[str, Held]]:
    """Ragged tables, and annotations of their cells and headers that paraphrase each other."""
    given = {f"t-{n}": replace(draw(tables()), id=f"t-{n}") for n in range(2)}
    places = [
        (table, place)
        for table in given.values()
        for place in (
            *table.locations(),
            *(Location(row, None) for row in range(table.n_rows)),
            *(Location(None, column) for column in range(table.n_columns)),
        )
    ]
    subjects: dict[str, Held] = {}
    for table, place in draw(st.lists(st.sampled_from(places), max_size=5)) if places else []:
        earlier = [name for name, each in subjects.items() if each.table_id == table.id]
        draft = Draft(
            draw(texts) + " what?",
            place,
            (),
            draw(st.sampled_from(["", KPI_DRIVEN, TABLE_DRIVEN])),
            draw(st.sampled_from([None, True, False])),
            draw(st.sampled_from(["", *earlier])),
        )
        try:
            kept = as_kept(draft, table, earlier)
        except CrossheadError:
            continue  # an empty cell
        subject = written(kept, draw(st.sampled_from(["accepted", "mended", "unreviewed"])), table)
        subjects.setdefault(subject.id, subject)
    return Dataset("annotations", given, ()), subjects


@given(written_datasets())
def test_every_export_loads_back_with_the_same_questions_cells_kinds_flags_and_sets(
    given: tuple[Dataset, dict[str, Held]],
) -> None:
    dataset, subjects = given
    if not subjects:
        return
    exported = as_dataset(dataset, subjects, unreviewed=True)
    with TemporaryDirectory() as folder:
        loaded = back(exported, Path(folder))
    assert loaded == exported
    assert [q.extra for q in loaded.questions] == [q.extra for q in exported.questions]
    assert {q.id: (q.text, q.answers, q.cell, q.kind, q.row_hierarchy_needed) for q in loaded.questions} == {
        name: (
            each.draft.text,
            each.draft.answers,
            each.draft.cell,
            each.draft.kind,
            each.draft.row_hierarchy_needed,
        )
        for name, each in subjects.items()
    }
    sets = {q.id: q.paraphrase_group for q in loaded.questions}
    for name, each in subjects.items():
        if each.draft.paraphrase_of:
            assert sets[name] == sets[each.draft.paraphrase_of] != ""


def test_the_sample_goes_in_as_annotations_and_comes_out_as_the_sample(tmp_path: Path) -> None:
    sample = load_dataset("sample")
    save_folder(sample, tmp_path / "sample")
    store = AnnotationStore(f"sqlite:///{tmp_path}/runs.sqlite")
    blank = replace(sample, questions=())
    found = import_folder(store, blank, tmp_path / "sample", "the sample", NOW)
    assert (found.questions, found.left_out) == (331, [])
    assert import_folder(store, blank, tmp_path / "sample", "the sample", NOW).left_out == []
    exported = as_dataset(blank, store.held(blank), unreviewed=True)

    def told(dataset: Dataset) -> list[tuple[object, ...]]:
        first = {q.paraphrase_group: q.text for q in reversed(dataset.questions)}
        return [
            (q.table_id, q.text, q.answers, q.cell, q.kind, q.row_hierarchy_needed,
             q.paraphrase_group and first[q.paraphrase_group])
            for q in dataset.questions
        ]  # fmt: skip

    assert told(exported) == told(sample)


def test_an_export_that_comes_back_into_its_own_store_adds_nothing(tmp_path: Path) -> None:
    store = AnnotationStore(f"sqlite:///{tmp_path}/runs.sqlite")
    paraphrase, other = store.add(
        DATASET,
        AMAZON.id,
        [replace(DRAFT, paraphrase_of="q-1"), Draft("And in 2023?", Location(2, 0))],
        "Ada",
        NOW,
    )
    mended = replace(other.draft, text="What were they in 2023?")
    store.review(DATASET, Review(other.id, other.draft.key, "mend", "", "Ben", NOW, mended))
    exported = as_dataset(DATASET, store.held(DATASET), unreviewed=True)
    assert [question.extra["author"] for question in exported.questions] == ["Ada", "Ben"]
    save_folder(exported, tmp_path / "out")
    assert import_folder(store, DATASET, tmp_path / "out", "imported", NOW).left_out == []
    assert list(store.held(DATASET)) == [paraphrase.id, other.id]


def test_questions_of_other_tables_and_without_an_answer_are_left_out_with_a_sentence(tmp_path: Path) -> None:
    lost = Question("q-3", "gone", "Where?", ("here",))
    empty = Question("q-4", AMAZON.id, "What?", ())
    other = Question("q-5", "fuel", "What?", ("4,137",))
    folder = Dataset("folder", {AMAZON.id: AMAZON, "fuel": FUEL}, (OWN, lost, empty, other))
    save_folder(folder, tmp_path / "folder")
    store = AnnotationStore(f"sqlite:///{tmp_path}/runs.sqlite")
    found = import_folder(store, Dataset("one", {AMAZON.id: AMAZON}, ()), tmp_path / "folder", "Ada", NOW)
    assert found.left_out == [
        "Left out q-3: no table of one says the same as its table gone.",
        "Left out q-4: The question has no answer; click its cell, or write it.",
        "Left out q-5: no table of one says the same as its table fuel.",
    ]
