"""Where spanners and crossheads stand, on shapes taken from filings."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from qa_core.header import RowLine, Span, column_spans, repeated_leaves, row_lines
from qa_core.table import HeaderPath, Table


def with_columns(*paths: HeaderPath) -> Table:
    return Table("t", paths, (), (("",) * len(paths),))


def with_rows(*paths: HeaderPath) -> Table:
    return Table("t", (("2018",),), paths, (("1",),) * len(paths))


def outline(table: Table) -> list[str]:
    """Lines as an indented text, crossheads marked with #."""
    return ["  " * line.level + ("# " if line.row is None else "") + line.label for line in row_lines(table)]


def test_a_spanner_stands_over_the_columns_that_share_it() -> None:
    table = with_columns(("Year Ended", "2018"), ("Year Ended", "2017"), ("Change", "%"))
    assert column_spans(table) == [
        [Span("Year Ended", 0, 2), Span("Change", 2, 3)],
        [Span("2018", 0, 1), Span("2017", 1, 2), Span("%", 2, 3)],
    ]


def test_equal_labels_under_different_spanners_stay_apart() -> None:
    table = with_columns(("2018", "Gross", "a"), ("2017", "Gross", "b"))
    assert column_spans(table)[1] == [Span("Gross", 0, 1), Span("Gross", 1, 2)]


def test_equal_leaves_side_by_side_stay_apart() -> None:
    table = with_columns(("2018",), ("2018",))
    assert column_spans(table) == [[Span("2018", 0, 1), Span("2018", 1, 2)]]


def test_a_short_path_reaches_down_to_the_body() -> None:
    table = with_columns(("Common Stock", "Shares"), ("Common Stock", "Amount"), ("Total",))
    assert column_spans(table) == [
        [Span("Common Stock", 0, 2), Span("Total", 2, 3, depth=2)],
        [Span("Shares", 0, 1), Span("Amount", 1, 2)],
    ]


def test_a_column_whose_path_is_a_spanners_stays_outside_of_it() -> None:
    table = with_columns(("2018",), ("2018", "Q1"), ("2018", "Q2"))
    assert column_spans(table) == [
        [Span("2018", 0, 1, depth=2), Span("2018", 1, 3)],
        [Span("Q1", 1, 2), Span("Q2", 2, 3)],
    ]


def test_blank_levels_are_not_drawn() -> None:
    table = with_columns(("Quarter", "March", ""), ("Quarter", "June", ""), ("", "Total"))
    assert column_spans(table) == [
        [Span("Quarter", 0, 2), Span("Total", 2, 3, depth=2)],
        [Span("March", 0, 1), Span("June", 1, 2)],
    ]


def test_a_column_without_labels_gets_one_blank_cell() -> None:
    assert column_spans(with_columns((), ("2018", "Q1"))) == [
        [Span("", 0, 1, depth=2), Span("2018", 1, 2)],
        [Span("Q1", 1, 2)],
    ]


def test_no_labels_no_levels() -> None:
    assert column_spans(with_columns((), ("", ""))) == []
    assert column_spans(Table("t", (), (), ())) == []


def test_depth_eight_beside_depth_two() -> None:
    deep = ("", "Change", "", "Domestic", "Atlantic", "Pacific", "Latin", "Total")
    table = with_columns(("Change", "Domestic"), ("Change", "Total"), deep)
    spans = column_spans(table)
    assert [len(level) for level in spans] == [2, 3, 1, 1, 1, 1]
    assert [level[-1].label for level in spans] == [
        "Change",
        "Domestic",
        "Atlantic",
        "Pacific",
        "Latin",
        "Total",
    ]
    assert spans[1][0] == Span("Domestic", 0, 1, depth=5)


def test_surplus_headers_are_drawn() -> None:
    table = Table("t", (("a",), ("b",), ("c",)), (("x",), ("y",)), (("1", "2"),))
    assert [span.label for span in column_spans(table)[0]] == ["a", "b", "c"]
    assert outline(table) == ["x", "y"]


def test_a_crosshead_stands_over_its_rows() -> None:
    table = with_rows(
        ("Assets", "Current", "Cash"), ("Assets", "Current", "Receivables"), ("Assets", "Goodwill")
    )
    assert row_lines(table) == [
        RowLine("Assets", 0, None, 0, 3),
        RowLine("Current", 1, None, 0, 2),
        RowLine("Cash", 2, 0, 0, 1),
        RowLine("Receivables", 2, 1, 1, 2),
        RowLine("Goodwill", 1, 2, 2, 3),
    ]


def test_equal_groups_under_different_parents_open_again() -> None:
    table = with_rows(("Mainline", "Cost", "Fuel"), ("Regional", "Cost", "Fuel"))
    assert outline(table) == ["# Mainline", "  # Cost", "    Fuel", "# Regional", "  # Cost", "    Fuel"]


def test_a_closing_balance_that_has_its_groups_path_closes_the_group() -> None:
    balance = "Balance at December 31, 2016"
    table = with_rows((balance, "Net income"), (balance, "Other"), (balance,), ("Next",))
    assert outline(table) == [f"# {balance}", "  Net income", "  Other", balance, "Next"]
    assert row_lines(table)[0].stop == 2


def test_a_line_item_heads_its_own_breakdown() -> None:
    table = with_rows(("Revenue",), ("Revenue", "Cargo"), ("Revenue", "Passenger"), ("Expense",))
    assert row_lines(table) == [
        RowLine("Revenue", 0, 0, 0, 3),
        RowLine("Cargo", 1, 1, 1, 2),
        RowLine("Passenger", 1, 2, 2, 3),
        RowLine("Expense", 0, 3, 3, 4),
    ]


def test_blank_row_levels_open_nothing() -> None:
    table = with_rows(("", "Cash"), ("Investments", "Bonds"), ("Investments", ""), (), ("Total",))
    assert outline(table) == ["Cash", "# Investments", "  Bonds", "  ", "", "Total"]


def test_whole_paths_that_repeat_are_both_drawn() -> None:
    table = with_rows(("Mainline", "TWU"), ("Mainline", "TWU"))
    assert outline(table) == ["# Mainline", "  TWU", "  TWU"]


def test_repeated_leaves() -> None:
    assert repeated_leaves([("A", "Federal"), ("B", "Federal"), ("B", "State"), ()]) == {"Federal"}


ragged_paths = st.lists(st.lists(st.sampled_from(["", "a", "b"]), max_size=4).map(tuple), max_size=7)


@given(ragged_paths)
def test_spans_cover_the_header_once(paths: Sequence[HeaderPath]) -> None:
    levels = column_spans(with_columns(*paths))
    covered = sorted(
        (level + down, column)
        for level, spans in enumerate(levels)
        for span in spans
        for down in range(span.depth)
        for column in range(span.start, span.stop)
    )
    assert covered == [(level, column) for level in range(len(levels)) for column in range(len(paths))]


@given(ragged_paths)
def test_the_spans_over_a_column_are_the_labels_of_its_path(paths: Sequence[HeaderPath]) -> None:
    levels = column_spans(with_columns(*paths))
    for column, path in enumerate(paths):
        over = [span.label for spans in levels for span in spans if span.start <= column < span.stop]
        assert [label for label in over if label] == [label for label in path if label]


@given(ragged_paths)
def test_the_lines_over_a_row_are_the_labels_of_its_path(paths: Sequence[HeaderPath]) -> None:
    table = with_rows(*paths)
    lines = row_lines(table)
    assert [line.row for line in lines if line.row is not None] == list(range(len(paths)))
    for row, path in enumerate(paths):
        over = [line.label for line in lines if line.start <= row < line.stop]
        assert [label for label in over if label] == [label for label in path if label]
