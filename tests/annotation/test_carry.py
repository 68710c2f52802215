"""Questions of a table that was corrected after they were written."""

from dataclasses import replace
from datetime import UTC, datetime

from qa_core.annotation.annotation import Annotation, Draft
from qa_core.annotation.carry import carried
from qa_core.annotation.review import Held
from qa_core.question import KPI_DRIVEN
from qa_core.table import Location, Table
from tests.tables import AMAZON

NOW = datetime(2026, 1, 2, 3, 4, 5, 678, UTC)
# The first row was a header all along, so every other row moved up.
CORRECTED = replace(AMAZON, row_paths=AMAZON.row_paths[1:], cells=AMAZON.cells[1:])


def written(draft: Draft, author: str = "Ada", **about: object) -> Held:
    annotation = Annotation(AMAZON.fingerprint, AMAZON.id, draft, author, NOW)
    return Held(annotation, draft, author, **about)  # type: ignore[arg-type]


def over(*subjects: Held, table: Table = CORRECTED, there: tuple[str, ...] = ()) -> list[Annotation]:
    return carried({each.id: each for each in subjects}, table, there, NOW)


MOVED = Draft("What were net sales of AWS in 2024?", Location(2, 1), ("107,556",), KPI_DRIVEN, True)
GONE = Draft("What were net sales in North America in 2023?", Location(0, 0), ("$352,828",))


def test_an_answer_that_moved_is_followed_and_one_that_is_gone_is_left_out() -> None:
    [annotation] = over(written(MOVED), written(GONE))
    assert annotation.draft == replace(MOVED, cell=Location(1, 1))
    assert (annotation.table_fingerprint, annotation.author) == (CORRECTED.fingerprint, "Ada")


def test_an_answer_that_still_stands_in_its_cell_stays_there_though_it_stands_elsewhere_too() -> None:
    relabelled = replace(AMAZON, row_paths=(), cells=(*AMAZON.cells, ("107,556", "107,556")))
    [annotation] = over(written(MOVED), table=relabelled)
    assert annotation.draft == MOVED
    moved = replace(relabelled, cells=relabelled.cells[1:])
    assert over(written(MOVED), table=moved) == []


def test_the_version_that_holds_is_taken_over_and_what_was_turned_down_is_not() -> None:
    mended = replace(MOVED, text="How much did AWS sell in 2024?")
    subject = replace(written(MOVED), draft=mended, drafted_by="Ben", state="mended")
    assert [(a.draft.text, a.author) for a in over(subject)] == [(mended.text, "Ben")]
    assert over(written(MOVED, state="rejected")) == over(written(MOVED, state="withdrawn")) == []


def test_paraphrases_follow_and_a_second_time_nothing_is_new() -> None:
    first = written(MOVED)
    second = written(replace(MOVED, text="AWS, 2024?", paraphrase_of=first.id))
    lost = written(replace(MOVED, text="Sales of AWS?", paraphrase_of=written(GONE).id))
    found = over(written(GONE), first, second, lost)
    assert [a.draft.paraphrase_of for a in found] == ["", found[0].id, ""]
    assert over(first, second, lost, there=tuple(a.id for a in found)) == []
