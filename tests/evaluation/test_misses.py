"""Why a prediction misses, on an airline's statistics with every kind of header around it."""

import pytest

from qa_core.evaluation.gold import Gold
from qa_core.evaluation.misses import REASONS, miss_reason
from qa_core.prediction import Prediction, abstain
from qa_core.table import Location, Table

STATISTICS = Table(
    id="statistics",
    column_paths=(
        ("Year Ended December 31,", "2018"),
        ("Year Ended December 31,", "2017 (a)"),
        ("Year Ended December 31,", "Change"),
        ("First Quarter", "2018"),
    ),
    row_paths=(
        ("Operating revenue:", "Passenger"),  # 0
        ("Operating revenue:", "Cargo"),  # 1
        ("Operating revenue:", "Total operating revenue"),  # 2
        ("Operating expense:", "Fuel"),  # 3
        ("Operating expense:", "Cargo"),  # 4
        ("Operating expense:", "Total operating expense"),  # 5
        ("Operating income",),  # 6
        ("Mainline", "Passengers"),  # 7
        ("Consolidated (b)", "Passengers"),  # 8
        ("Balance at January 1, 2018",),  # 9
        ("Balance at December 31, 2018",),  # 10
        ("Total revenue per available seat mile",),  # 11
    ),
    cells=tuple(tuple(str(1000 + 10 * row + column) for column in range(4)) for row in range(12)),
)


def reason(predicted: tuple[int | None, int | None], *golds: tuple[int | None, int | None]) -> str:
    location = Location(*predicted)
    locations = tuple(Location(*gold) for gold in golds)
    gold = Gold(locations, "unique" if len(golds) == 1 else "ambiguous")
    return miss_reason(Prediction(STATISTICS.text_at(location), (location,)), gold, STATISTICS)


@pytest.mark.parametrize(
    ("predicted", "gold", "expected"),
    [
        ((0, 1), (0, 0), "neighbouring-period"),
        ((0, 3), (0, 0), "same-leaf-other-parent"),
        ((0, 2), (0, 0), "right-row-wrong-column"),
        ((9, 0), (10, 0), "neighbouring-period"),
        ((4, 0), (1, 0), "same-leaf-other-parent"),
        ((2, 0), (0, 0), "total-against-component"),
        ((0, 0), (2, 0), "total-against-component"),
        ((8, 0), (7, 0), "total-against-component"),
        ((5, 0), (0, 0), "right-column-wrong-row"),
        ((2, 0), (3, 0), "right-column-wrong-row"),
        ((2, 0), (5, 0), "right-column-wrong-row"),
        ((11, 0), (6, 0), "right-column-wrong-row"),
        ((3, 0), (6, 0), "right-column-wrong-row"),
        ((4, 1), (1, 0), "both-wrong"),
        ((2, 1), (0, 0), "both-wrong"),
        ((0, None), (0, 0), "header-against-body"),
        ((0, 0), (0, None), "header-against-body"),
        ((None, 0), (0, 0), "header-against-body"),
        ((4, None), (1, None), "right-value-other-cell"),
        ((3, None), (1, None), "right-column-wrong-row"),
        ((2, None), (1, None), "total-against-component"),
        ((None, 1), (3, None), "both-wrong"),
        ((99, 0), (0, 0), "right-column-wrong-row"),
    ],
)
def test_each_structural_reason(
    predicted: tuple[int | None, int | None], gold: tuple[int | None, int | None], expected: str
) -> None:
    if Location(*predicted) not in STATISTICS:
        prediction = Prediction("7", (Location(*predicted),))
        found = miss_reason(prediction, Gold((Location(*gold),), "unique"), STATISTICS)
    else:
        found = reason(predicted, gold)
    assert found == expected


def test_the_nearest_gold_candidate_gives_the_reason() -> None:
    assert reason((1, 0), (5, 3)) == "both-wrong"
    assert reason((1, 0), (5, 3), (3, 0)) == "right-column-wrong-row"
    assert reason((1, 0), (5, 3), (3, 0), (2, 0)) == "total-against-component"


def test_only_the_intended_candidate_counts_where_it_is_known() -> None:
    golds = (Location(0, 0), Location(3, 2))
    gold = Gold(golds, "ambiguous", intended=golds[1])
    assert miss_reason(Prediction("1001", (Location(0, 1),)), gold, STATISTICS) == "both-wrong"


def test_a_total_further_up_sums_the_groups_that_it_names() -> None:
    assets = Table(
        "assets",
        (("2018",),),
        (
            ("Current assets:", "Cash"),
            ("Current assets:", "Total current assets"),
            ("Current liabilities:", "Accounts payable"),
            ("Total assets",),
        ),
        (("10",), ("20",), ("30",), ("40",)),
    )
    cash, current, payable, total = (Location(row, 0) for row in range(4))

    def between(predicted: Location, gold: Location) -> str:
        return miss_reason(
            Prediction(assets.text_at(predicted), (predicted,)), Gold((gold,), "unique"), assets
        )

    assert between(total, cash) == "total-against-component"
    assert between(total, current) == "total-against-component"
    assert between(current, cash) == "total-against-component"
    assert between(total, payable) == "right-column-wrong-row"


def test_a_unit_under_every_column_is_no_shared_leaf() -> None:
    paths = tuple((level, "(in millions)") for level in ("Level 1", "Level 2"))
    table = Table("levels", paths, (("Bonds",),), (("5", "6"),))
    prediction = Prediction("6", (Location(0, 1),))
    assert miss_reason(prediction, Gold((Location(0, 0),), "unique"), table) == "right-row-wrong-column"


def test_an_abstention_is_no_answer_even_where_the_gold_stands_nowhere() -> None:
    nowhere = Gold((), "nowhere")
    assert miss_reason(abstain("No such entity."), nowhere, STATISTICS) == "no-answer"
    assert miss_reason(Prediction("7", (Location(0, 0),)), nowhere, STATISTICS) == "gold-nowhere"


def test_an_operator_without_cells_is_no_answer() -> None:
    gold = Gold((Location(0, 0),), "unique")
    assert miss_reason(Prediction("950", operator="SUM"), gold, STATISTICS) == "no-answer"


def test_an_empty_cell_is_no_answer() -> None:
    gold = Gold((Location(0, 0),), "unique")
    assert miss_reason(Prediction(" ", (Location(0, 1),)), gold, STATISTICS) == "no-answer"


def test_the_right_value_in_other_places_and_in_other_writing() -> None:
    table = Table("fares", (("2018",), ("2017",)), (("Fares",), ("Fees",)), (("$5,813", "7"), ("8", "5813")))
    gold = Gold((Location(0, 0),), "unique", Location(0, 0))
    elsewhere = Prediction("5813", (Location(1, 1),))
    rewritten = Prediction("5813 dollars", (Location(0, 0),))
    assert miss_reason(elsewhere, gold, table) == "right-value-other-cell"
    assert miss_reason(rewritten, gold, table) == "right-cell-other-text"


@pytest.mark.parametrize("places", [[(0, 0), (0, 1)], [(1, 0), (0, 0)]])
def test_several_cells_with_the_right_one_among_them(places: list[tuple[int, int]]) -> None:
    gold = Gold((Location(0, 0),), "unique", Location(0, 0))
    several = Prediction("5,813, 7", tuple(Location(*place) for place in places))
    assert miss_reason(several, gold, STATISTICS) == "right-cell-among-others"


def test_a_table_without_headers_gives_plain_reasons() -> None:
    table = Table("bare", (), (), (("a", "b"), ("c", "d")))
    gold = Gold((Location(0, 0),), "unique")
    assert miss_reason(Prediction("b", (Location(0, 1),)), gold, table) == "right-row-wrong-column"
    assert miss_reason(Prediction("c", (Location(1, 0),)), gold, table) == "right-column-wrong-row"


def test_every_reason_is_described() -> None:
    assert all(description.endswith(".") for description in REASONS.values())


@pytest.mark.parametrize(
    ("first", "second", "same_but_for_period"),
    [
        ("2018", "2017", True),
        ("FY2018", "FY2017", True),
        ("March 31", "Sept. 30", True),
        ("December 31, 2018", "2017", True),
        ("First Quarter 2019 Program", "Second Quarter 2019 Program", True),
        ("Q1 2019", "Q2 2019", True),
        ("Three months ended June 30", "Six months ended June 30", True),
        ("2017 (a)", "2016 (b)", True),
        ("2018", "Change", False),
        ("2018 Mainline", "2017 Regional", False),
        ("Mainline", "Regional", False),
        ("737-800", "737-900", False),
    ],
)
def test_what_differs_only_in_its_period(first: str, second: str, same_but_for_period: bool) -> None:
    table = Table("periods", ((first,), (second,)), (("Fuel",),), (("1", "2"),))
    found = miss_reason(Prediction("2", (Location(0, 1),)), Gold((Location(0, 0),), "unique"), table)
    assert found == ("neighbouring-period" if same_but_for_period else "right-row-wrong-column")


def test_a_blank_header_between_a_total_and_its_component_is_passed_over() -> None:
    rows = (("Total",), ("",), ("Cash",), ("Debt",))
    table = Table("t", (("2018",),), rows, (("9",), ("",), ("3",), ("6",)))
    gold = Gold((Location(2, 0),), "unique", None)
    assert miss_reason(Prediction("9", (Location(0, 0),)), gold, table) == "total-against-component"
