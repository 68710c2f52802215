"""What a second person says, and what holds then."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from qa_core.annotation.agreement import agreements
from qa_core.annotation.annotation import Annotation, Draft, draft_from_json, draft_to_json
from qa_core.annotation.review import Held, Reading, Review, checked_review, held
from qa_core.errors import CrossheadError
from qa_core.question import KPI_DRIVEN, TABLE_DRIVEN
from qa_core.table import Location

NOW = datetime(2026, 1, 2, 3, 4, 5, 678, UTC)
DRAFT = Draft("AWS net sales?", Location(2, 1), ("107,556",), KPI_DRIVEN, True)
MENDED = replace(DRAFT, text="What were net sales of AWS in 2024?")
WRITTEN = Annotation("f" * 64, "amazon", DRAFT, "Ada", NOW)
SUBJECT = Held(WRITTEN, DRAFT, "Ada")


def review(verdict: Any = "accept", reviewer: str = "Ben", of: Draft = DRAFT, **about: Any) -> Review:
    reason = about.pop("reason", "Another row." if verdict == "reject" else "")
    return Review(WRITTEN.id, of.key, verdict, reason, reviewer, NOW, **about)


def after(*reviews: Review) -> Held:
    return held([WRITTEN], reviews)[WRITTEN.id]


def test_what_nobody_reviewed_is_unreviewed() -> None:
    assert after() == SUBJECT
    assert (SUBJECT.state, SUBJECT.stands, SUBJECT.is_open) == ("unreviewed", False, True)


@pytest.mark.parametrize(
    ("verdicts", "state"),
    [
        (["accept"], "accepted"),
        (["reject"], "rejected"),
        (["accept", "reject"], "rejected"),
        (["reject", "accept"], "accepted"),
        (["accept", "withdraw"], "withdrawn"),
    ],
)
def test_the_last_verdict_on_a_version_holds(verdicts: list[str], state: str) -> None:
    found = after(*map(review, verdicts))
    assert found.state == state
    assert len(found.reviews) == len(verdicts)


def test_a_mended_version_holds_and_is_the_reviewers() -> None:
    found = after(review("mend", mended=MENDED))
    assert (found.draft, found.drafted_by, found.state, found.stands) == (MENDED, "Ben", "mended", True)
    assert found.annotation.author == "Ada"


def test_a_mended_version_is_reviewed_by_anybody_but_who_mended_it() -> None:
    found = after(review("mend", mended=MENDED))
    with pytest.raises(CrossheadError, match=r"^ben wrote this version of the question"):
        checked_review(review(reviewer=" ben ", of=MENDED), found)
    assert checked_review(review(reviewer="Ada", of=MENDED), found).reviewer == "Ada"
    accepted = found.with_review(review(reviewer="Cem", of=MENDED))
    assert (accepted.state, accepted.draft) == ("accepted", MENDED)


def test_a_review_of_a_version_that_was_mended_meanwhile_is_kept_and_changes_nothing() -> None:
    found = after(review("mend", mended=MENDED), review("reject", "Cem"))
    assert (found.state, found.draft, len(found.reviews)) == ("mended", MENDED, 2)
    other = replace(DRAFT, text="Net sales of AWS, 2024?")
    assert after(review("mend", mended=MENDED), review("mend", "Cem", mended=other)).draft == MENDED


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (review(reviewer=" \n"), "A review needs the name of its reviewer"),
        (review(reviewer="ADA"), "ADA wrote this version of the question; a review is a second person's"),
        (review(reviewer=" ada "), "ada wrote this version"),
        (review(reviewer="A\u200bd\u00ad\u00e1."), "wrote this version"),
        (review(reviewer="\u200b"), "A review needs the name of its reviewer"),
        (review("reject", reason=" "), "A rejection needs a reason"),
        (review("reject", reason="x" * 2001), "has 2,001 characters, and at most 2,000 are kept"),
        (review("mend"), "Nothing of the question was changed"),
        (review("mend", mended=DRAFT), "Nothing of the question was changed"),
        (review("accept", mended=MENDED), "Nothing of the question was changed"),
        (review("perhaps"), "The verdict 'perhaps' is none of accept, mend, reject, withdraw"),
        (review("withdraw"), "Only its author withdraws a question"),
    ],
)
def test_what_is_no_review_is_refused_in_a_sentence(wrong: Review, said: str) -> None:
    with pytest.raises(CrossheadError, match=said):
        checked_review(wrong, SUBJECT)


def test_the_author_withdraws_what_he_wrote() -> None:
    kept = checked_review(review("withdraw", "ada"), SUBJECT)
    assert SUBJECT.with_review(kept).is_open is False


def test_reviews_of_what_is_not_there_are_passed_over() -> None:
    assert held([], [review()]) == {}


def test_the_id_follows_from_table_draft_and_author_and_not_from_the_time() -> None:
    assert replace(WRITTEN, made=datetime(2027, 1, 1, tzinfo=UTC), author="ADA").id == WRITTEN.id
    others = [
        replace(WRITTEN, author="Ben"),
        replace(WRITTEN, draft=MENDED),
        replace(WRITTEN, table_fingerprint="0" * 64),
    ]
    assert len({WRITTEN.id, *(each.id for each in others)}) == 4


@pytest.mark.parametrize("draft", [DRAFT, MENDED, Draft("", None, (), "", None, "q-1")])
def test_json_says_all_of_a_draft(draft: Draft) -> None:
    assert draft_from_json(draft_to_json(draft)) == draft


def read(cell: Location | None = None, kind: str = "", needed: bool | None = None) -> Reading:
    return Reading(cell, kind, needed)


def test_agreement_counts_what_was_said_unseen_by_both() -> None:
    second = replace(WRITTEN, draft=replace(MENDED, kind=TABLE_DRIVEN, row_hierarchy_needed=None))
    third = replace(WRITTEN, draft=replace(DRAFT, text="Which row?", cell=Location(0, None)))
    found = held(
        [WRITTEN, second, third],
        [
            review(reading=read(Location(2, 1), KPI_DRIVEN, False)),
            replace(
                review(of=second.draft, reading=read(Location(2, 0), TABLE_DRIVEN, True)),
                annotation_id=second.id,
            ),
            replace(review(of=third.draft, reading=read(kind=TABLE_DRIVEN)), annotation_id=third.id),
        ],
    )
    cell, kind, hierarchy = agreements(found.values()).values()
    assert (cell.n, cell.agreed, cell.differing) == (2, 1, (second.id,))
    assert (kind.n, kind.agreed, kind.differing) == (3, 2, (third.id,))
    assert (hierarchy.n, hierarchy.agreed, hierarchy.differing) == (1, 0, (WRITTEN.id,))
    # author: KPI, table, KPI; reviewer: KPI, table, table. Agreed 2/3, by chance 2/3·1/3 + 1/3·2/3 = 4/9.
    assert kind.kappa == pytest.approx((2 / 3 - 4 / 9) / (1 - 4 / 9))
    assert (cell.share, hierarchy.kappa) == (0.5, 0.0)


def test_without_readings_there_is_no_agreement() -> None:
    cell = agreements([SUBJECT, after(review())])["cell"]
    assert (cell.n, cell.share, cell.kappa, cell.differing) == (0, None, None, ())


def test_a_reviewer_counts_once_for_a_question_and_against_the_version_that_was_read() -> None:
    moved = replace(MENDED, cell=Location(0, 1))
    found = after(
        review("mend", mended=moved, reading=read(Location(0, 1))),
        review(reviewer="Cem", of=moved, reading=read(Location(0, 1))),
        review("reject", reviewer="cem", of=moved, reading=read(Location(1, 1))),
    )
    cell = agreements([found])["cell"]
    assert (cell.n, cell.agreed) == (2, 1)


def test_the_same_cell_of_two_tables_is_not_one_value() -> None:
    other = replace(WRITTEN, table_fingerprint="0" * 64)
    found = held(
        [WRITTEN, other],
        [
            review(reading=read(Location(2, 1))),
            replace(review(reading=read(Location(2, 1))), annotation_id=other.id),
        ],
    )
    assert agreements(found.values())["cell"].kappa == 1.0
