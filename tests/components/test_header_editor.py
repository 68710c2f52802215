"""Corrections by hand: taking back what is shown, and saying what became of figures."""

from collections.abc import Callable

import pytest

from components.bringing.header_editor import Change, Edits, figures_gone, reset, undo
from qa_core.errors import CrossheadError
from qa_core.ingest.document import read_pasted
from qa_core.ingest.edit import Edit, edited

BODY, OUT = Edit("row", 2, "body"), Edit("row", 3, "left out")
(REGIONS,) = read_pasted(
    "Region\t2024\t2023\nEurope\t1,204\t1,148\nAsia\t893\t902\nPolar\t—\t—\n"
).extractions


def test_undo_and_reset_take_back_what_is_shown() -> None:
    shown = (BODY, OUT)
    assert undo(shown)(shown) == (BODY,)
    assert reset(shown)(shown) == ()


@pytest.mark.parametrize("take_back", [undo, reset])
def test_a_correction_made_in_another_tab_is_not_taken_back(take_back: Callable[[Edits], Change]) -> None:
    with pytest.raises(CrossheadError, match="corrected elsewhere meanwhile, so nothing was taken back"):
        take_back((BODY,))((BODY, OUT))


@pytest.mark.parametrize(
    ("edits", "said"),
    [
        ([Edit("row", 1, "crosshead")], "2 figures are no longer in the table"),
        ([Edit("row", 1, "left out"), Edit("row", 2, "left out")], "4 figures are no longer in the table"),
        ([Edit("row", 1, "header")], "2 figures are in the headers"),
        ([Edit("row", 1, "left out"), Edit("row", 1, "body")], ""),
        ([Edit("row", 3, "crosshead")], ""),
        ([Edit("column", 0, "body")], ""),
    ],
)
def test_figures_that_leave_the_body_are_counted(edits: list[Edit], said: str) -> None:
    assert figures_gone(edited(REGIONS.cleaned, edits), tuple(edits)) == said
