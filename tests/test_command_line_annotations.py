"""``python -m qa_core annotations``: out of the store, into a folder, and back in."""

import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from qa_core.__main__ import main
from qa_core.annotation.annotation import Draft
from qa_core.annotation.review import Review
from qa_core.annotation.store import AnnotationStore
from qa_core.collection import Collection
from qa_core.datasets import load_dataset
from qa_core.datasets.aitqa import load_folder, save_folder
from qa_core.question import TABLE_DRIVEN
from qa_core.table import Location
from tests.tables import AMAZON

SAMPLE = load_dataset("sample")
TABLE = SAMPLE.tables["s-air-is-1"]
NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AnnotationStore:
    url = f"sqlite:///{tmp_path / 'runs.sqlite'}"
    monkeypatch.setenv("CROSSHEAD_STORE", url)
    return AnnotationStore(url)


def write(store: AnnotationStore) -> tuple[str, str]:
    """Two questions for a table of the sample, of which the first is accepted."""
    first, second = store.add(
        SAMPLE,
        TABLE.id,
        [Draft("What stands first?", Location(0, 0), (), TABLE_DRIVEN), Draft("And next?", Location(0, 1))],
        "Ada",
        NOW,
    )
    store.review(SAMPLE, Review(first.id, first.draft.key, "accept", "Good.", "Ben", NOW))
    return first.id, second.id


def test_they_are_listed_with_their_state(store: AnnotationStore, capsys: pytest.CaptureFixture[str]) -> None:
    first, _ = write(store)
    assert main(["annotations"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "accepted   s-air-is-1           What stands first?",
        "unreviewed s-air-is-1           And next?",
    ]
    assert main(["annotations", "--json"]) == 0
    said = json.loads(capsys.readouterr().out.splitlines()[0])
    assert (said["id"], said["cell"], said["author"], said["state"]) == (first, [0, 0], "Ada", "accepted")
    assert said["reviews"] == [
        {"reviewer": "Ben", "verdict": "accept", "reason": "Good.", "made": "2026-01-02T03:04:05+00:00"}
    ]


def test_what_was_accepted_is_exported_and_the_folder_is_a_dataset(
    store: AnnotationStore, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = write(store)
    out = str(tmp_path / "out")
    assert main(["annotations", "--export", out]) == 0
    assert capsys.readouterr().err == f"1 questions on 1 tables were written to {out}.\n"
    assert [q.id for q in load_folder(Path(out), "aitqa").questions] == [first]
    assert main(["annotations", "--export", out, "--unreviewed", "--with-own"]) == 0
    whole = load_folder(Path(out), "aitqa")
    assert [q.id for q in whole.questions] == [*(q.id for q in SAMPLE.questions), first, second]
    assert whole.tables == SAMPLE.tables
    assert main(["evaluate", "--dataset", "aitqa", "--data-dir", out]) == 0


def test_where_nothing_was_accepted_a_sentence_says_what_to_do(
    store: AnnotationStore, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["annotations", "--export", str(tmp_path / "out")]) == 2
    assert "crosshead: No question for the dataset sample was accepted yet" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_a_folder_is_imported_once(
    store: AnnotationStore, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = replace(SAMPLE, questions=SAMPLE.questions[:5])
    save_folder(given, tmp_path / "in")
    for said in ("5 of 5 questions are new and were kept.\n", "0 of 5 questions are new and were kept.\n"):
        assert main(["annotations", "--import", str(tmp_path / "in"), "--author", "Cem"]) == 0
        assert capsys.readouterr().err == said
    assert {each.annotation.author for each in store.held(SAMPLE).values()} == {"Cem"}


def test_brought_tables_have_annotations_too(
    store: AnnotationStore, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    collection = Collection()
    kept = collection.add(AMAZON, "Segments")
    store.add(collection.as_dataset(), kept.id, [Draft("What did AWS sell?", Location(2, 1))], "Ada", NOW)
    collection.add(TABLE, "Another")
    assert (
        main(["annotations", "--dataset", "brought", "--export", str(tmp_path / "out"), "--unreviewed"]) == 0
    )
    [question] = load_folder(tmp_path / "out", "aitqa").questions
    assert (question.table_id, question.answers) == (kept.id, ("107,556",))
