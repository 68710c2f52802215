"""Programs as they run: every operator on ordinary and on odd cells, with exact values."""

from decimal import Decimal

import pytest

from qa_core.errors import CrossheadError
from qa_core.systems.program.code import from_code
from qa_core.systems.program.execute import Execution, execute
from qa_core.systems.program.typed_table import TypedTable
from qa_core.table import Location, Table
from qa_core.transform import flatten

# One of each odd cell: missing, negative in parentheses, percent, units that differ, ties, dates in four
# formats and of a year alone, footnotes, ranks, numbers in words.
NAMES = ("Nation", "Athlete", "Gold", "Profit", "Share", "Date", "Cost", "Rank", "Note")
ODD = Table(
    "odd",
    tuple((name,) for name in NAMES),
    ((),) * 7,
    (
        ("South Korea", "Kim", "3", "1,200", "12.5%", "March 5, 2018", "$1,200", "1st", "a"),
        ("Japan", "Abe", "1", "(300)", "40%", "6 April 2018", "€300", "2nd", "a"),
        ("South Korea", "Lee", "3", "—", "(2.5)%", "2019-01-02", "$50.50", "3rd", ""),
        ("China", "Li", "—", "2,000 (a)", "10 percent", "2020", "$1.5 million", "4th", "b"),
        ("Japan", "Ito", "2", "-45", "n/a", "12/31/2017", "$5", "5th", "None"),
        ("Cuba", "Sol", "", "0", "50%", "", "$ 5", "6th", "b"),
        ("korea, south", "Kim", "1[2]", "+10", "7%", "May 2018", "($7)", "7th", "–"),
    ),
)  # fmt: skip
FLAT = TypedTable(flatten(ODD, "base"))


def run(code: str, table: TypedTable = FLAT) -> Execution:
    return execute(from_code(code.replace(" ; ", "\n"), table.flat.header), table)


def texts(code: str) -> list[str]:
    return [value.text for value in run(code).values]


def names(rows: str) -> list[str]:
    """The athletes of the rows that a step leaves."""
    execution = run(f"x = {rows} ; count(x)" if ";" not in rows else f"{rows} ; count(x)")
    return [ODD.text_at(Location(row, 1)) for row in execution.outcomes[-2].rows]


def test_columns_have_the_type_of_most_of_their_cells() -> None:
    assert FLAT.types == (
        "text", "text", "number", "number", "number", "date", "number", "number", "text",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("rows", "left"),
    [
        ('equal(all, [Nation], "South Korea")', "Kim Lee"),
        ('equal(all, [Nation], "south  KOREA")', "Kim Lee"),
        ('equal(all, [Nation], "Korea")', ""),
        ('equal(all, [Nation], "")', ""),
        ('equal(all, [Gold], "3")', "Kim Lee"),
        ('equal(all, [Gold], "3.0")', "Kim Lee"),
        ('equal(all, [Gold], "1")', "Abe Kim"),
        ('equal(all, [Gold], "—")', ""),
        ('equal(all, [Profit], "-300")', "Abe"),
        ('equal(all, [Profit], "(45)")', "Ito"),
        ('equal(all, [Profit], "2000")', "Li"),
        ('equal(all, [Profit], "10")', "Kim"),
        ('equal(all, [Share], "12.5")', "Kim"),
        ('equal(all, [Share], "10%")', "Li"),
        ('equal(all, [Share], "-2.5%")', "Lee"),
        ('equal(all, [Share], "$40")', ""),
        ('equal(all, [Cost], "1500000")', "Li"),
        ('equal(all, [Cost], "$5")', "Ito Sol"),
        ('equal(all, [Cost], "€300")', "Abe"),
        ('equal(all, [Cost], "$300")', ""),
        ('equal(all, [Cost], "-7")', "Kim"),
        ('equal(all, [Rank], "2")', "Abe"),
        ('equal(all, [Date], "2018-03-05")', "Kim"),
        ('equal(all, [Date], "5 March 2018")', "Kim"),
        ('equal(all, [Date], "03/05/2018")', "Kim"),
        ('equal(all, [Date], "2018")', "Kim Abe Kim"),
        ('equal(all, [Date], "April 2018")', "Abe"),
        ('equal(all, [Date], "March 5")', "Kim"),
        ('equal(all, [Date], "Dec 31, 2017")', "Ito"),
        ('equal(all, [Note], "none")', ""),
        ('not_equal(all, [Nation], "Japan")', "Kim Lee Li Sol Kim"),
        ('not_equal(all, [Gold], "3")', "Abe Ito Kim"),
        ('not_equal(all, [Note], "a")', "Li Sol"),
        ('not_equal(all, [Date], "2018")', "Lee Li Ito"),
        ('contains(all, [Nation], "korea")', "Kim Lee Kim"),
        ('contains(all, [Nation], "South")', "Kim Lee Kim"),
        ('contains(all, [Nation], "")', ""),
        ('contains(all, [Profit], "(a)")', "Li"),
        ('contains(all, [Date], "2018")', "Kim Abe Kim"),
        ('contains(all, [Share], "%")', "Kim Abe Lee Sol Kim"),
        ('greater(all, [Gold], "1")', "Kim Lee Ito"),
        ('greater(all, [Gold], "3")', ""),
        ('greater(all, [Profit], "-100")', "Kim Li Ito Sol Kim"),
        ('greater(all, [Share], "12")', "Kim Abe Sol"),
        ('greater(all, [Cost], "$100")', "Kim Li"),
        ('greater(all, [Cost], "100")', "Kim Abe Li"),
        ('greater(all, [Date], "2018")', "Lee Li"),
        ('greater(all, [Date], "March 2018")', "Abe Lee Li Kim"),
        ('greater(all, [Rank], "5th")', "Sol Kim"),
        ('at_least(all, [Gold], "3")', "Kim Lee"),
        ('at_least(all, [Profit], "0")', "Kim Li Sol Kim"),
        ('at_least(all, [Date], "2018")', "Kim Abe Lee Li Kim"),
        ('at_least(all, [Share], "50%")', "Sol"),
        ('less(all, [Gold], "2")', "Abe Kim"),
        ('less(all, [Profit], "0")', "Abe Ito"),
        ('less(all, [Date], "2018")', "Ito"),
        ('less(all, [Share], "0%")', "Lee"),
        ('less(all, [Cost], "€400")', "Abe"),
        ('at_most(all, [Gold], "1")', "Abe Kim"),
        ('at_most(all, [Date], "2018")', "Kim Abe Ito Kim"),
        ('at_most(all, [Profit], "(300)")', "Abe"),
        ('at_most(all, [Rank], "1")', "Kim"),
        ("largest(all, [Gold])", "Kim Lee"),
        ("largest(all, [Profit])", "Li"),
        ("largest(all, [Share])", "Sol"),
        ("largest(all, [Date])", "Li"),
        ("largest(all, [Cost])", "Li"),
        ("smallest(all, [Gold])", "Abe Kim"),
        ("smallest(all, [Profit])", "Abe"),
        ("smallest(all, [Share])", "Lee"),
        ("smallest(all, [Date])", "Ito"),
        ("smallest(all, [Cost])", "Kim"),
        ("first(all)", "Kim"),
        ("last(all)", "Kim"),
    ],
)
def test_what_a_step_leaves_of_all_rows(rows: str, left: str) -> None:
    assert names(rows) == left.split()


@pytest.mark.parametrize(
    ("rows", "left"),
    [
        ('a = equal(all, [Nation], "Japan") ; x = equal(a, [Gold], "2")', "Ito"),
        ('a = equal(all, [Nation], "Japan") ; x = largest(a, [Profit])', "Ito"),
        ('a = equal(all, [Nation], "Cuba") ; x = largest(a, [Gold])', ""),
        ('a = equal(all, [Nation], "Peru") ; x = largest(a, [Gold])', ""),
        ('a = equal(all, [Nation], "Peru") ; x = first(a)', ""),
        ('a = equal(all, [Nation], "Peru") ; x = next(a)', ""),
        ('a = equal(all, [Nation], "Japan") ; x = first(a)', "Abe"),
        ('a = equal(all, [Nation], "Japan") ; x = last(a)', "Ito"),
        ('a = equal(all, [Nation], "China") ; x = previous(a)', "Lee"),
        ('a = equal(all, [Nation], "China") ; x = next(a)', "Ito"),
        ("a = first(all) ; x = previous(a)", ""),
        ("a = last(all) ; x = next(a)", ""),
        ("a = largest(all, [Gold]) ; x = next(a)", "Abe Li"),
        ("a = largest(all, [Gold]) ; x = previous(a)", "Abe"),
        ('a = greater(all, [Gold], "9") ; x = less(a, [Gold], "9")', ""),
    ],
)
def test_what_a_step_leaves_of_others(rows: str, left: str) -> None:
    assert names(rows) == left.split()


@pytest.mark.parametrize(
    ("code", "answer"),
    [
        ("hop(all, [Nation])", ["South Korea", "Japan", "China", "Cuba", "korea, south"]),
        ("hop(all, [Note])", ["a", "b"]),
        ('a = equal(all, [Gold], "3") ; hop(a, [Athlete])', ["Kim", "Lee"]),
        ('a = equal(all, [Nation], "Cuba") ; hop(a, [Gold])', []),
        ('a = equal(all, [Nation], "Peru") ; hop(a, [Gold])', []),
        ('a = equal(all, [Nation], "China") ; hop(a, [Profit])', ["2,000 (a)"]),
        ("count(all)", ["7"]),
        ('a = equal(all, [Nation], "Peru") ; count(a)', ["0"]),
        ('a = contains(all, [Nation], "korea") ; count(a)', ["3"]),
        ("sum(all, [Gold])", ["10"]),
        ("sum(all, [Profit])", ["2,865"]),
        ("sum(all, [Share])", ["117.0%"]),
        ('a = contains(all, [Cost], "$") ; sum(a, [Cost])', ["$1,501,253.50"]),
        ('a = equal(all, [Nation], "Cuba") ; sum(a, [Gold])', []),
        ('a = equal(all, [Profit], "-300") ; sum(a, [Profit])', ["-300"]),
        ('a = equal(all, [Cost], "-7") ; sum(a, [Cost])', ["-$7"]),
        ("average(all, [Gold])", ["2"]),
        ("average(all, [Profit])", ["477.5"]),
        ("average(all, [Share])", ["19.5%"]),
        ('a = at_least(all, [Gold], "2") ; average(a, [Gold])', ["2.67"]),
        ('a = equal(all, [Nation], "Peru") ; average(a, [Gold])', []),
        ("maximum(all, [Gold])", ["3"]),
        ("maximum(all, [Profit])", ["2,000 (a)"]),
        ("maximum(all, [Date])", ["2020"]),
        ("maximum(all, [Share])", ["50%"]),
        ('a = equal(all, [Nation], "Cuba") ; maximum(a, [Gold])', []),
        ("minimum(all, [Gold])", ["1"]),
        ("minimum(all, [Profit])", ["(300)"]),
        ("minimum(all, [Date])", ["12/31/2017"]),
        ("minimum(all, [Share])", ["(2.5)%"]),
        ("a = first(all) ; b = next(a) ; difference(a, b, [Gold])", ["2"]),
        ("a = first(all) ; b = next(a) ; difference(b, a, [Gold])", ["-2"]),
        ("a = first(all) ; b = next(a) ; difference(a, b, [Profit])", ["1,500"]),
        ("a = first(all) ; b = next(a) ; difference(a, b, [Share])", ["-27.5%"]),
        ("a = first(all) ; difference(a, a, [Gold])", ["0"]),
        ('a = first(all) ; b = equal(all, [Nation], "Cuba") ; difference(a, b, [Gold])', []),
        ('a = first(all) ; b = equal(all, [Nation], "Peru") ; difference(a, b, [Gold])', []),
        ("most_frequent(all, [Nation])", ["South Korea", "Japan"]),
        ("most_frequent(all, [Athlete])", ["Kim"]),
        ("most_frequent(all, [Gold])", ["3"]),
        ("most_frequent(all, [Note])", ["a", "b"]),
        ('a = equal(all, [Nation], "Peru") ; most_frequent(a, [Note])', []),
    ],
)
def test_what_is_answered(code: str, answer: list[str]) -> None:
    assert texts(code) == answer


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        ("", "The program has no step; write one, such as count"),
        ("first(all)", "Step 1: the last step leaves rows; end with hop"),
        (
            "largest(all, [Nation])",
            r"Step 1: largest takes a column of numbers or dates, and \[Nation\] holds texts",
        ),
        ("sum(all, [Date])", r"Step 1: sum takes a column of numbers, and \[Date\] holds dates"),
        ("sum(all, [Cost])", r"Step 1: \[Cost\] holds figures in \$ and in € here"),
        (
            "difference(all, all, [Gold])",
            "Step 1: a difference is that of two rows, and here it is between 7 and 7",
        ),
        ('x = greater(all, [Gold], "many") ; count(x)', "Step 1: 'many' is no number that"),
        ('x = less(all, [Date], "soon") ; count(x)', "Step 1: 'soon' is no date that"),
        ("x = count(all) ; hop(x, [Gold])", "Step 2: step 1 leaves no rows that hop could take"),
        ("count(all, all)", "Step 1: count takes rows; 2 were given"),
        ("double(all)", "Step 1: there is no operator 'double'; choose one of equal,"),
        ('hop(all, "Gold")', "Step 1: hop takes a column here; the text 'Gold' was given"),
        ("hop([Gold], [Gold])", "Step 1: hop takes rows here; column 3 was given"),
    ],
)
def test_what_does_not_suit_the_table_is_said_with_its_step(code: str, sentence: str) -> None:
    with pytest.raises(CrossheadError, match=sentence):
        run(code)


def test_an_answer_rests_on_the_cells_that_it_comes_from() -> None:
    [most, _] = run("most_frequent(all, [Nation])").values
    assert most.locations == (Location(0, 0), Location(2, 0))
    [total] = run("sum(all, [Gold])").values
    assert (total.number, total.is_computed) == (Decimal(10), True)
    assert total.locations == tuple(Location(row, 2) for row in (0, 1, 2, 4, 6))
    [largest] = run("maximum(all, [Gold])").values
    assert (largest.locations, largest.is_computed) == ((Location(0, 2), Location(2, 2)), False)


def test_of_a_turned_table_the_places_are_those_of_the_table() -> None:
    table = Table("t", (("2017",), ("2018",)), (("Net sales",), ("Costs",)), (("10", "30"), ("7", "8")))
    turned = TypedTable(flatten(table, "transpose-all"))
    execution = run("x = largest(all, [Net sales]) ; hop(x, [Costs])", turned)
    assert [(value.text, value.locations) for value in execution.values] == [("8", (Location(1, 1),))]


def test_ten_thousand_steps_are_refused_before_one_is_run() -> None:
    lines = [
        "v0 = first(all)",
        *(f"v{number} = next(v{number - 1})" for number in range(1, 10_000)),
        "count(v9999)",
    ]
    with pytest.raises(CrossheadError, match=r"has \d+,\d+ (?:steps, and at most 50 are run|characters)"):
        run("\n".join(lines))


def test_a_hundred_thousand_rows_end_in_their_time_or_with_a_word() -> None:
    cells = tuple((f"name {row}", str(row % 977)) for row in range(100_000))
    table = TypedTable(flatten(Table("long", (("Name",), ("Score",)), ((),) * len(cells), cells), "base"))
    program = from_code("x = largest(all, [Score])\ncount(x)", table.flat.header)
    assert execute(program, table, seconds=60).values[0].text == "102"
    with pytest.raises(
        CrossheadError, match="Step 1 was stopped, as the program ran for 0 seconds on a table of 100,000"
    ):
        execute(program, table, seconds=0)
