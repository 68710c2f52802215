"""How the rows and columns of a clean grid are read."""

import pytest

from qa_core.ingest.clean import clean
from qa_core.ingest.layout import Layout, identify, lines_of
from tests.ingest.drawings import cleaned, only_grid

STATEMENT = (
    "Net Sales by Segment | < | <",
    " | 2024 | 2023",
    "North America",
    "   Net sales | 10 | 9",
    "   Operating income | 2 | 1",
    "(1) Amounts of the year before were reclassified to the form of this year. | < | <",
)


def test_a_title_headers_a_crosshead_and_a_note() -> None:
    layout = identify(cleaned(*STATEMENT).grid)
    assert layout == Layout(
        header_rows=frozenset([1]),
        crossheads=frozenset([2]),
        left_out=frozenset([0, 5]),
        stub=(0,),
        parents=(None, None, None, 2, 2, None),
        confidence=layout.confidence,
    )
    assert [layout.is_body(row) for row in range(6)] == [False, False, False, True, True, False]
    assert layout.path(4) == (2,)
    assert layout.path(2) == ()


@pytest.mark.parametrize(
    "note",
    [
        "(1) Includes amounts that were reclassified.",
        "* Not meaningful, as the base is small or less than nothing.",
        "Note: figures may not add up because of rounding.",
        "Source: annual reports of the years shown here.",
    ],
)
def test_notes_at_the_end_are_left_out(note: str) -> None:
    layout = identify(cleaned(" | 2024 | 2023", "Sales | 10 | 9", "Costs | 4 | 3", f"{note} | < | <").grid)
    assert layout.left_out == {3}


def test_a_mark_with_its_note_beside_it_is_left_out() -> None:
    rows = (" | 2024 | 2023", "Sales | 10 | 9", "Costs | 4 | 3", "(1) | Includes rounding. | <")
    assert identify(cleaned(*rows).grid).left_out == {3}


def test_a_list_whose_rows_all_begin_with_marks_is_no_note() -> None:
    assert identify(cleaned("Mark | Meaning", "* | Not audited", "† | Restated").grid).left_out == frozenset()


def test_a_remark_between_the_rows_is_left_out() -> None:
    remark = "Amounts of continuing operations only, as the others were sold during the year."
    layout = identify(cleaned(" | 2024 | 2023", "Sales | 10 | 9", f"{remark} | < | <", "Costs | 4 | 3").grid)
    assert layout.left_out == {2}


def test_a_long_label_with_figures_is_a_row() -> None:
    label = "(1) " + "Deferred tax assets that are more likely than not to be realised " * 3
    layout = identify(cleaned(" | 2024 | 2023", "Sales | 10 | 9", f"{label} | 4 | 3").grid)
    assert layout.left_out == frozenset()


def test_a_heading_that_stands_over_the_figures_is_a_crosshead() -> None:
    rows = (
        " | 2024 | 2023 | 2022",
        " | Predecessor | < | <",
        "Sales | 10 | 9 | 8",
        "Costs | 4 | 3 | 2",
        " | Successor | < | <",
        "Sales | 1 | 2 | 3",
        "Costs | 4 | 5 | 6",
    )
    made = cleaned(*rows).grid
    layout = identify(made)
    assert [line.label for line in lines_of(made, (0,))][4] == "Successor"
    assert 4 in layout.crossheads
    assert layout.parents[5:] == (4, 4)


def test_a_centred_label_is_not_indented() -> None:
    made = only_grid(
        "<table><tr><td style='text-align:center;padding-left:40pt'>Assets<td>"
        "<tr><td style='padding-left:9pt'>Cash<td>5</table>"
    )
    assert [line.indent for line in lines_of(made, (0,))] == [0, 9]


def test_levels_by_empty_columns_are_levels() -> None:
    layout = identify(
        clean(
            only_grid(
                "<table><tr><td colspan=3><td>2024<td>2023<tr><td colspan=3>Assets:<td><td>"
                "<tr><td><td colspan=2>Cash<td>5<td>4<tr><td><td colspan=2>Stocks<td>6<td>5"
                "<tr><td><td><td>Total assets<td>11<td>9</table>"
            )
        ).grid
    )
    assert layout.crossheads == {1}
    assert layout.parents == (None, None, 1, 1, 1)


def test_confidence_falls_where_less_is_told() -> None:
    def confidence(*rows: str) -> float:
        return identify(cleaned(*rows).grid).confidence

    whole = confidence(" | 2024 | 2023", "Sales | 10 | 9", "Costs | 4 | 3")
    without_header = confidence("Sales | 10 | 9", "Costs | 4 | 3")
    without_labels = confidence(" | 2024 | 2023", "Sales | 10 | 9", " | 4 | 3", " | 5 | 4")
    mixed = confidence(" | 2024 | 2023", "Sales | 10 | none of it", "Costs | some | 3")
    assert whole == pytest.approx(0.98)
    assert max(without_header, without_labels, mixed) < whole
    assert confidence() == 0.1
