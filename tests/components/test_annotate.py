"""What the Annotate page does without a browser: names, links, and what a review carries along."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from components import resources
from components.annotating.kept import annotation_list_markup
from components.annotating.reading import reading_from_text, reading_to_text
from components.plain import plain
from qa_core.annotation.annotation import Annotation, Draft
from qa_core.annotation.review import Held, Reading, Review
from qa_core.annotation.store import AnnotationStore
from qa_core.collection import Collection
from qa_core.datasets import load_dataset
from qa_core.question import KPI_DRIVEN, TABLE_DRIVEN
from qa_core.table import Location
from tests.tables import AMAZON

ROOT = Path(__file__).parents[2]
SAMPLE = load_dataset("sample")
TABLE = next(iter(SAMPLE.tables.values()))
NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[AnnotationStore]:
    monkeypatch.setenv("CROSSHEAD_STORE", f"sqlite:///{tmp_path / 'runs.sqlite'}")
    resources.annotation_store.clear()
    resources.collection.clear()
    yield AnnotationStore()
    resources.annotation_store.clear()
    resources.collection.clear()


def opened(**parameters: str) -> AppTest:
    app = AppTest.from_file(ROOT / "app.py", default_timeout=30)
    app.switch_page("pages/annotate.py")
    app.query_params.update(parameters)
    app.run()
    assert not app.exception
    return app


def drawn(app: AppTest) -> str:
    return "".join(element.proto.body for element in app.get("html"))


def button(app: AppTest, label: str):  # type: ignore[no-untyped-def]
    return next(each for each in app.button if each.label == label)


def test_a_link_holds_the_whole_draft_and_keep_empties_it(store: AnnotationStore) -> None:
    app = opened(q="How many passengers?", cell="0,0", kind="kpi", needed="no")
    app.text_input(key="author").set_value("Ada").run()
    button(app, "Keep the question").click().run()
    [subject] = store.held(SAMPLE).values()
    assert subject.draft == Draft(
        "How many passengers?", Location(0, 0), (TABLE.cell(0, 0),), KPI_DRIVEN, False
    )
    assert subject.annotation.author == "Ada"
    assert app.text_input(key="text-q").value == ""
    assert "cell" not in app.query_params
    assert app.query_params["kind"] == "kpi"


@pytest.mark.parametrize("cell", ["9999,0", "x", "0,0,0", "-1,0", ","])
def test_a_cell_that_is_none_is_no_answer(store: AnnotationStore, cell: str) -> None:
    app = opened(q="How many?", cell=cell)
    assert "The question has no answer" in drawn(app)
    assert button(app, "Keep the question").disabled


def test_nonsense_in_a_link_is_left_open(store: AnnotationStore) -> None:
    app = opened(q="x" * 100_000, kind="invented", needed="perhaps", like="q-none", view="nowhere")
    assert len(app.text_input(key="text-q").value) == 2_000
    assert any("which is not here" in warning.value for warning in app.warning)


def test_the_name_goes_along_to_another_page(store: AnnotationStore) -> None:
    app = opened()
    app.text_input(key="author").set_value("Ada").run()
    app.switch_page("pages/data.py").run()
    app.switch_page("pages/annotate.py").run()
    assert app.text_input(key="author").value == "Ada"


def test_who_has_no_name_reads_and_does_not_judge(store: AnnotationStore) -> None:
    store.add(SAMPLE, TABLE.id, [Draft("How many?", Location(0, 0))], "Ada", NOW)
    app = opened(view="review", seen="-")
    assert button(app, "Accept").disabled and button(app, "Reject").disabled
    app.text_input(key="author").set_value("Ben").run()
    button(app, "Accept").click().run()
    [subject] = store.held(SAMPLE).values()
    assert [(each.reviewer, each.reading) for each in subject.reviews] == [("Ben", None)]


def test_a_verdict_on_a_version_that_was_mended_meanwhile_is_said_to_be_late(store: AnnotationStore) -> None:
    [kept] = store.add(SAMPLE, TABLE.id, [Draft("How many?", Location(0, 0))], "Ada", NOW)
    app = opened(view="review", seen="-")
    app.text_input(key="author").set_value("Ben").run()
    mended = replace(kept.draft, text="How many passengers?")
    store.review(SAMPLE, Review(kept.id, kept.draft.key, "mend", "", "Cem", NOW, mended))
    button(app, "Accept").click().run()
    assert any("somebody mended" in success.value for success in app.success)
    [subject] = store.held(SAMPLE).values()
    assert (subject.state, len(subject.reviews)) == ("mended", 2)


def test_what_one_wrote_oneself_can_be_withdrawn(store: AnnotationStore) -> None:
    [kept] = store.add(SAMPLE, TABLE.id, [Draft("How many?", Location(0, 0))], "Ada", NOW)
    app = opened(view="review", case=kept.id)
    app.text_input(key="author").set_value("ada").run()
    assert not [each for each in app.button if each.label == "Accept"]
    button(app, "Withdraw it").click().run()
    assert [each.state for each in store.held(SAMPLE).values()] == ["withdrawn"]


def test_a_mend_keeps_all_accepted_answers_where_the_answer_is_left(store: AnnotationStore) -> None:
    text = TABLE.cell(0, 0)
    draft = Draft("How many?", Location(0, 0), (text, "45.8 million"), TABLE_DRIVEN, True)
    [kept] = store.add(SAMPLE, TABLE.id, [draft], "Ada", NOW)
    app = opened(view="review", case=kept.id, seen="-")
    app.text_input(key="author").set_value("Ben").run()
    button(app, "Mend").click().run()
    button(app, "Keep the mended version").click().run()
    assert any(plain("Nothing of the question was changed") in error.value for error in app.error)
    app.text_input(key="text-q").set_value("How many passengers?").run()
    button(app, "Keep the mended version").click().run()
    [subject] = store.held(SAMPLE).values()
    assert subject.draft == replace(draft, text="How many passengers?")


def test_what_was_written_before_a_brought_table_was_corrected_is_taken_over(store: AnnotationStore) -> None:
    wider = replace(AMAZON, column_paths=(*AMAZON.column_paths, ("2025",)))
    kept = Collection().add(AMAZON, "Segments")
    brought = resources.collection().as_dataset()
    earlier = replace(brought, tables={kept.id: replace(wider, id=kept.id)})
    store.add(earlier, kept.id, [Draft("What did AWS sell in 2024?", Location(2, 1))], "Ada", NOW)
    app = opened(dataset="brought", table=kept.id)
    assert any("1 question written before this table was corrected" in each.value for each in app.caption)
    button(app, "Take them over").click().run()
    assert not [each for each in app.button if each.label == "Take them over"]
    [subject] = store.held(brought).values()
    assert (subject.draft.cell, subject.annotation.author) == (Location(2, 1), "Ada")


@pytest.mark.parametrize(
    "reading",
    [
        Reading(),
        Reading(Location(3, 1), KPI_DRIVEN, True),
        Reading(Location(None, 1)),
        Reading(None, TABLE_DRIVEN),
    ],
)
def test_a_reading_goes_through_the_link_unchanged(reading: Reading) -> None:
    assert reading_from_text(reading_to_text(reading), AMAZON) == reading


@pytest.mark.parametrize("text", ["", ";;;;", "99,99;kpi", "x;y;z"])
def test_a_reading_that_is_nonsense_is_left_open(text: str) -> None:
    assert reading_from_text(text, AMAZON).cell is None


def test_the_list_escapes_all_that_people_wrote() -> None:
    hostile = "<img src=x onerror=alert(1)>"
    draft = Draft(hostile, Location(0, 0), (hostile,))
    written = Annotation(AMAZON.fingerprint, hostile, draft, hostile, NOW)
    review = Review(written.id, draft.key, "reject", hostile, hostile, NOW)
    markup = annotation_list_markup([Held(written, draft, hostile).with_review(review)])
    assert "<img" not in markup
    assert markup.count("&lt;img src=x onerror=alert(1)&gt;") == 5
