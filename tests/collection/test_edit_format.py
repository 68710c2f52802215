"""Corrections as short text."""

from hypothesis import given
from hypothesis import strategies as st

from qa_core.collection.edit_format import edits_from_text, edits_to_text
from qa_core.ingest.edit import COLUMN_ROLES, ROW_ROLES, Edit

places = st.integers(0, 999_999)
edits = st.one_of(
    st.builds(Edit, st.just("row"), places, st.sampled_from(ROW_ROLES)),
    st.builds(Edit, st.just("column"), places, st.sampled_from(COLUMN_ROLES)),
    st.builds(Edit, st.just("parent"), places, st.none() | places),
)


@given(st.lists(edits))
def test_corrections_come_back_in_their_order(some: list[Edit]) -> None:
    assert edits_from_text(edits_to_text(some)) == tuple(some)


def test_they_read_as_letters() -> None:
    some = (
        Edit("row", 6, "crosshead"),
        Edit("column", 0, "stub"),
        Edit("parent", 7, 6),
        Edit("parent", 8, None),
    )
    assert edits_to_text(some) == "r6x.c0s.p7-6.p8-"


def test_what_is_no_correction_is_passed_over() -> None:
    assert edits_from_text("r6x.q.r6.c0h.<img>.p1-2-3.r١x.c1b") == (
        Edit("row", 6, "crosshead"),
        Edit("column", 1, "body"),
    )
