"""Where a gold string stands, on tables as ragged as real ones."""

import json

import pytest

from qa_core.evaluation.gold import Gold, find_gold
from qa_core.evaluation.slices import SLICES, slices_of
from qa_core.question import KPI_DRIVEN, TABLE_DRIVEN, Question
from qa_core.table import Location, Table

FLEET = Table(
    id="fleet",
    column_paths=(("At December 31,", "Owned"), ("At December 31,", "Leased"), ("Average  Age",)),
    row_paths=(
        ("Mainline", "Airbus A320"),
        ("Mainline", "Boeing 737"),
        ("Regional", "Boeing 737"),
        ("Regional", "", "Total"),
        ("Surplus label",),
    ),
    cells=(("737", "—", "8.50"), ("$1,204", "12"), ("12", "—", "8.5"), ("5", "(3)", "")),
)


def gold(*answers: str, cell: Location | None = None, table: Table = FLEET) -> Gold:
    return find_gold(Question("q-1", table.id, "How many?", answers, cell=cell), table)


def test_an_answer_in_one_cell_is_unique_and_intended() -> None:
    assert gold("$1,204") == Gold((Location(1, 0),), "unique", Location(1, 0))


def test_an_answer_in_several_cells_is_ambiguous_and_keeps_them_all() -> None:
    assert gold("12") == Gold((Location(1, 1), Location(2, 0)), "ambiguous")


def test_the_normalised_rule_serves_only_where_the_strict_one_finds_nothing() -> None:
    assert gold("8.5").locations == (Location(2, 2),)
    assert gold("1204").locations == (Location(1, 0),)
    assert gold("8.500").locations == (Location(0, 2), Location(2, 2))


def test_a_model_name_is_not_found_by_its_digits() -> None:
    assert gold("737").locations == (Location(0, 0),)
    assert gold("Boeing 737").locations == (Location(1, None), Location(2, None))


def test_a_dash_is_an_answer_but_never_an_empty_cell() -> None:
    assert gold("—").locations == (Location(0, 1), Location(2, 1))
    assert gold("-").locations == (Location(0, 1), Location(2, 1))
    assert gold("") == Gold((), "nowhere")


@pytest.mark.parametrize(
    ("answer", "locations"),
    [
        ("Airbus A320", (Location(0, None),)),
        ("mainline airbus a320", (Location(0, None),)),
        ("Regional", (Location(2, None), Location(3, None))),
        ("Leased", (Location(None, 1),)),
        ("Average Age", (Location(None, 2),)),
        ("At December 31,", (Location(None, 0), Location(None, 1))),
        ("Surplus label", (Location(4, None),)),
    ],
)
def test_an_answer_in_no_cell_is_looked_for_in_the_headers(
    answer: str, locations: tuple[Location, ...]
) -> None:
    found = gold(answer)
    assert (found.status, found.locations) == ("header", locations)
    assert found.intended == (locations[0] if len(locations) == 1 else None)


def test_an_answer_may_stand_nowhere() -> None:
    assert gold("Delta") == Gold((), "nowhere")
    assert gold() == Gold((), "nowhere")
    assert gold("1", table=Table("empty", (), (), ())) == Gold((), "nowhere")


def test_any_accepted_answer_counts() -> None:
    assert gold("Delta", "(3)").locations == (Location(3, 1),)


def test_an_annotation_settles_an_ambiguous_answer() -> None:
    found = gold("12", cell=Location(2, 0))
    assert (found.status, found.intended, found.targets) == ("ambiguous", Location(2, 0), (Location(2, 0),))


def test_an_annotated_header_wins_over_body_cells() -> None:
    table = Table("names", (("Captain",),), (("Dana",),), (("dana",),))
    found = find_gold(Question("q-1", "names", "Who?", ("dana",), cell=Location(0, None)), table)
    assert found == Gold((Location(0, None), Location(0, 0)), "header", Location(0, None))


def test_an_annotation_that_does_not_hold_the_answer_is_ignored_and_said() -> None:
    found = gold("$1,204", cell=Location(0, 0))
    assert found.intended == Location(1, 0)
    assert found.warning == "The annotated cell in row 1, column 1 does not hold the answer; it was ignored."


def test_an_annotation_outside_the_table_is_ignored_and_said() -> None:
    found = gold("12", cell=Location(9, 0))
    assert found.intended is None
    assert found.warning == "The annotated cell in row 10, column 1 lies outside the table; it was ignored."


@pytest.mark.parametrize("found", [gold("12"), gold("12", cell=Location(9, 0)), gold("Leased"), gold()])
def test_json_round_trip(found: Gold) -> None:
    assert Gold.from_json(json.loads(json.dumps(found.to_json()))) == found


def slices(answer: str, table: Table = FLEET, **annotations: object) -> tuple[str, ...]:
    question = Question("q-1", table.id, "How many?", (answer,), **annotations)  # type: ignore[arg-type]
    return slices_of(question, table, find_gold(question, table))


def test_annotated_slices() -> None:
    annotated = slices("Delta", kind=KPI_DRIVEN, row_hierarchy_needed=True, paraphrase_group="p-1")
    assert annotated == ("kpi-driven", "row-hierarchy-needed", "paraphrased")
    annotated = slices("Delta", kind=TABLE_DRIVEN, row_hierarchy_needed=False)
    assert annotated == ("table-driven", "row-hierarchy-not-needed", "original")
    assert slices("Delta") == ("original",)


def test_a_leaf_repeats_where_it_stands_under_another_parent() -> None:
    assert slices("$1,204") == ("original", "leaf-repeats")
    assert slices("(3)") == ("original", "leaf-unique")


def test_candidates_that_disagree_belong_to_neither_leaf_slice() -> None:
    assert slices("—") == ("original",)
    assert slices("—", cell=Location(2, 1)) == ("original", "leaf-repeats")
    assert slices("12") == ("original", "leaf-repeats")


def test_a_whole_path_that_repeats_has_no_other_parent() -> None:
    table = Table("twice", (("2018",),), (("Fuel", "Cost"), ("Fuel", "Cost")), (("1",), ("2",)))
    assert slices("1", table) == ("original", "leaf-unique")


def test_a_row_without_a_label_is_unique_and_a_column_header_has_no_row() -> None:
    assert slices("b", Table("bare", (), (), (("a",), ("b",)))) == ("original", "leaf-unique")
    assert slices("Leased") == ("original",)


def test_slices_come_in_the_order_in_which_they_are_shown() -> None:
    found = slices("12", kind=KPI_DRIVEN, row_hierarchy_needed=True, paraphrase_group="p-1")
    assert list(found) == [name for name in SLICES if name in found]
