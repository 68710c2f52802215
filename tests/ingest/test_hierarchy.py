"""Which line heads which: drawings of stubs as filings print them, and the outline that they mean.

In a drawing the indentation is that of the page; in an outline it is the depth of the hierarchy.
"""

from hypothesis import given
from hypothesis import strategies as st

from qa_core.ingest.hierarchy import find_crossheads, find_parents
from qa_core.ingest.line import Line
from tests.ingest.drawings import lines, outline


def crossheads(drawn: str) -> list[str]:
    read = lines(drawn)
    return [read[place].label for place in sorted(find_crossheads(read))]


# Crossheads


def test_a_label_without_values_that_heads_nothing_adopts_nothing() -> None:
    assert (
        outline("""
        Total liabilities | 41
        Commitments and contingencies |
        Preferred stock | 1
        Common stock | 5
        Total liabilities and equity | 47
    """)
        == """
Total liabilities
Commitments and contingencies
Preferred stock
Common stock
Total liabilities and equity"""
    )


def test_not_even_one_in_bold_with_a_colon_or_above_deeper_lines() -> None:
    for label in (
        "**Commitments and contingencies (Note 9)**",
        "Commitments and contingencies:",
        "Contingencies",
    ):
        assert crossheads(f"""
            **Liabilities** |
            Debt | 5
            {label} |
              Common stock | 5
        """) == ["Liabilities"]


def test_one_without_values_above_deeper_lines_adopts_none_of_them() -> None:
    assert (
        outline("""
        Debt | 5
        Commitments and contingencies |
          Common stock | 5
          Retained earnings | 7
    """)
        == """
Debt
Commitments and contingencies
Common stock
Retained earnings"""
    )


def test_crossheads_by_indentation_alone() -> None:
    assert (
        outline("""
        Current assets |
          Cash | 5
          Receivables | 7
        Goodwill | 3
    """)
        == """
Current assets
  Cash
  Receivables
Goodwill"""
    )


def test_crossheads_by_weight_alone_some_without_a_colon() -> None:
    assert (
        outline("""
        **Revenues** |
        Passenger | 10
        Cargo | 2
        **Operating expenses:** |
        Fuel | 4
        Wages | 3
    """)
        == """
Revenues
  Passenger
  Cargo
Operating expenses:
  Fuel
  Wages"""
    )


def test_crossheads_by_a_colon_alone() -> None:
    assert (
        outline("""
        Revenues: |
        Passenger | 10
        Cargo | 2
        Expenses: |
        Fuel | 4
    """)
        == """
Revenues:
  Passenger
  Cargo
Expenses:
  Fuel"""
    )


def test_crossheads_by_an_underline_alone() -> None:
    assert (
        outline("""
        _North America_ |
        Net sales | 10
        Operating income | 2
        _International_ |
        Net sales | 4
        Operating income | 1
    """)
        == """
North America
  Net sales
  Operating income
International
  Net sales
  Operating income"""
    )


def test_crossheads_by_labels_that_repeat_below_them() -> None:
    assert (
        outline("""
        Income taxes | 9
        Current |
        U.S. | 1
        Foreign | 2
        Deferred |
        U.S. | 3
        Foreign | 4
    """)
        == """
Income taxes
Current
  U.S.
  Foreign
Deferred
  U.S.
  Foreign"""
    )


def test_a_crosshead_over_the_whole_table() -> None:
    read = [
        Line("Europe", across=True),
        Line("Rhine", values=("1,233",)),
        Line("Asia", across=True),
        Line("Ob", values=("3,650",)),
    ]
    assert find_parents(read, find_crossheads(read)) == [None, 0, None, 2]


def test_crossheads_in_crossheads() -> None:
    assert (
        outline("""
        **ASSETS** |
        Current assets: |
          Cash | 5
          Receivables | 7
            Total current assets | 12
        Goodwill | 3
            Total assets | 15
        **LIABILITIES** |
        Current liabilities: |
          Debt | 4
            Total current liabilities | 4
    """)
        == """
ASSETS
  Current assets:
    Cash
    Receivables
    Total current assets
  Goodwill
  Total assets
LIABILITIES
  Current liabilities:
    Debt
    Total current liabilities"""
    )


def test_a_crosshead_after_a_total_begins_at_the_level_of_the_group_that_was_closed() -> None:
    assert (
        outline("""
        Current assets: |
          Cash | 5
            Total current assets | 5
        Current liabilities: |
          Debt | 4
            Total current liabilities | 4
    """)
        == """
Current assets:
  Cash
  Total current assets
Current liabilities:
  Debt
  Total current liabilities"""
    )


def test_a_crosshead_stands_in_the_one_whose_sum_is_still_to_come() -> None:
    assert (
        outline("""
        Cash flows from operating activities: |
        Net income | 5
        Adjustments to reconcile net income: |
        Depreciation | 2
        Changes in assets and liabilities: |
        Receivables | (1)
        Net cash provided by operating activities | 6
        Cash flows from investing activities: |
        Purchases of equipment | (3)
        Net cash used in investing activities | (3)
        Net increase in cash | 3
    """)
        == """
Cash flows from operating activities:
  Net income
  Adjustments to reconcile net income:
    Depreciation
  Changes in assets and liabilities:
    Receivables
  Net cash provided by operating activities
Cash flows from investing activities:
  Purchases of equipment
  Net cash used in investing activities
Net increase in cash"""
    )


def test_a_sum_of_more_than_a_crosshead_or_of_another_keeps_nothing_open() -> None:
    assert (
        outline("""
        Assets with definite lives: |
        Patents | 5
        Assets with indefinite lives: |
        Trademarks | 2
        Total assets with indefinite lives | 2
        Revenues: |
        Products | 5
        Gains: |
        Sales of plants | 1
        Total gains | 1
        Total revenues and gains | 6
    """)
        == """
Assets with definite lives:
  Patents
Assets with indefinite lives:
  Trademarks
  Total assets with indefinite lives
Revenues:
  Products
Gains:
  Sales of plants
  Total gains
Total revenues and gains"""
    )


def test_a_last_label_without_values_heads_nothing() -> None:
    assert (
        crossheads("""
        Cash | 5
        **Notes** |
    """)
        == []
    )


# Totals


def test_a_total_belongs_to_its_group_however_deep_it_stands() -> None:
    for indent in range(0, 9, 2):
        assert (
            outline(f"""
        Current assets:  |
          Cash | 5
          Receivables | 7
        {" " * indent}Total current assets | 12
        Goodwill | 3
        """)
            == """
Current assets:
  Cash
  Receivables
  Total current assets
Goodwill"""
        ), indent


def test_a_bare_total_sums_the_open_group() -> None:
    assert (
        outline("""
        Payments due: |
          2025 | 5
          2026 | 7
            Total | 12
        Interest | 3
    """)
        == """
Payments due:
  2025
  2026
  Total
Interest"""
    )


def test_a_grand_total_is_at_the_root() -> None:
    assert (
        outline("""
        Passenger: |
          Domestic | 5
          Atlantic | 7
            Total passenger | 12
        Cargo | 3
            Total operating revenue | 15
    """)
        == """
Passenger:
  Domestic
  Atlantic
  Total passenger
Cargo
Total operating revenue"""
    )


def test_a_second_total_goes_one_level_up() -> None:
    assert (
        outline("""
        **LIABILITIES AND EQUITY** |
        Current liabilities: |
          Payables | 5
          Debt | 7
            Total current liabilities | 12
        Stockholders' equity: |
          Common stock | 3
          Retained earnings | 4
            Total stockholders' equity | 7
              Total liabilities and equity | 19
    """)
        == """
LIABILITIES AND EQUITY
  Current liabilities:
    Payables
    Debt
    Total current liabilities
  Stockholders' equity:
    Common stock
    Retained earnings
    Total stockholders' equity
  Total liabilities and equity"""
    )


def test_a_sum_without_a_label_belongs_to_its_group() -> None:
    assert (
        outline("""
        Inventories: |
          Raw materials | 5
          Finished goods | 7
           | 12
        Other | 3
    """)
        == """
Inventories:
  Raw materials
  Finished goods
  …
Other"""
    )


def test_a_net_line_is_a_total_where_a_crosshead_has_its_words() -> None:
    assert (
        outline("""
        Cash flows from operating activities: |
          Net income | 5
          Depreciation | 7
            Net cash provided by operating activities | 12
        Cash flows from investing activities: |
          Purchases of equipment | (3)
            Net cash used in investing activities | (3)
        Net change in cash | 9
    """)
        == """
Cash flows from operating activities:
  Net income
  Depreciation
  Net cash provided by operating activities
Cash flows from investing activities:
  Purchases of equipment
  Net cash used in investing activities
Net change in cash"""
    )


def test_a_total_in_a_flat_group_closes_it() -> None:
    assert (
        outline("""
        **Revenues:** |
        Passenger | 10
        Cargo | 2
        Total revenues | 12
        Operating income | 3
    """)
        == """
Revenues:
  Passenger
  Cargo
  Total revenues
Operating income"""
    )


# Line items that head others


def test_a_line_item_with_its_breakdown_heads_it() -> None:
    assert (
        outline("""
        Revenue | 12
          Products | 7
          Services | 5
        Cost of revenue | 4
    """)
        == """
Revenue
  Products
  Services
Cost of revenue"""
    )


def test_of_which_is_a_part() -> None:
    assert (
        outline("""
        Employees | 120
          of which part-time | 30
        Offices | 4
    """)
        == """
Employees
  of which part-time
Offices"""
    )


def test_a_share_of_a_total_is_a_part_and_no_total() -> None:
    assert (
        outline("""
        Passenger | 10
          % of total | 50%
        Cargo | 10
          Percent of total | 50%
    """)
        == """
Passenger
  % of total
Cargo
  Percent of total"""
    )


def test_the_steps_of_a_statement_are_no_breakdown() -> None:
    assert (
        outline("""
        Operating income | 20
          Interest expense | (5)
          Other income | 2
        Income before taxes | 17
    """)
        == """
Operating income
Interest expense
Other income
Income before taxes"""
    )


def test_a_total_is_never_a_parent() -> None:
    assert (
        outline("""
        Segments: |
          North | 5
          South | 7
        Total | 12
          Corporate | (2)
        Net | 10
    """).count("    ")
        == 0
    )


def test_a_total_that_begins_a_group_heads_nothing() -> None:
    assert (
        outline("""
        Employees: |
          Total | 120
            Women | 70
            Men | 50
    """)
        == """
Employees:
  Total
  Women
  Men"""
    )


def test_a_roll_forward_stays_in_its_group() -> None:
    assert (
        outline("""
        Allowance for doubtful accounts: |
          Balance at beginning of year | 5
            Additions | 2
            Write-offs | (1)
          Balance at end of year | 6
        Valuation allowance: |
          Balance at beginning of year | 9
            Additions | 1
          Balance at end of year | 10
    """)
        == """
Allowance for doubtful accounts:
  Balance at beginning of year
  Additions
  Write-offs
  Balance at end of year
Valuation allowance:
  Balance at beginning of year
  Additions
  Balance at end of year"""
    )


# Nothing to go by


def test_a_flat_list_is_flat() -> None:
    assert (
        outline("""
        Cash | 5
        Debt | 7
    """)
        == """
Cash
Debt"""
    )


def test_no_lines() -> None:
    assert find_parents([], find_crossheads([])) == []


def test_rows_without_label_or_values_end_nothing() -> None:
    assert (
        outline("""
        Current assets: |
          Cash | 5
         |
          Receivables | 7
    """)
        == """
Current assets:
  Cash
  …
  Receivables"""
    )


labels = st.sampled_from(
    [
        "",
        "Cash",
        "Total",
        "Total assets",
        "Assets:",
        "Net assets",
        "Commitments",
        "Balance at end of year",
        "of which old",
    ]
)
some_lines = st.lists(
    st.builds(
        Line,
        labels,
        st.sampled_from([0.0, 5.0, 10.0, 15.0]),
        st.booleans(),
        st.booleans(),
        st.booleans(),
        st.lists(st.sampled_from(["", "5", "(7)", "12", "—", "n/a", "text"]), max_size=2).map(tuple),
    ),
    max_size=12,
)


@given(some_lines)
def test_parents_stand_above_and_are_crossheads_or_lines_with_values(read: list[Line]) -> None:
    heads = find_crossheads(read)
    parents = find_parents(read, heads)
    assert len(parents) == len(read)
    assert all(read[place].label and not read[place].has_values for place in heads)
    for place, parent in enumerate(parents):
        if parent is not None:
            assert parent < place
            assert parent in heads or (read[parent].has_values and not read[parent].says_total)


@given(some_lines, st.floats(0, 3))
def test_moving_the_whole_table_to_the_right_changes_nothing(read: list[Line], indent: float) -> None:
    moved = [
        Line(
            line.label, line.indent + 10 * round(indent), line.bold, line.emphasised, line.across, line.values
        )
        for line in read
    ]
    assert find_crossheads(moved) == find_crossheads(read)
    assert find_parents(moved, find_crossheads(moved)) == find_parents(read, find_crossheads(read))


# Levels told apart by style, by later totals, by sections


def test_of_two_crossheads_in_a_row_the_one_without_a_colon_holds_those_with_one() -> None:
    assert (
        outline("""
        **Assets** |
        **Cash equivalents:** |
          Money market funds | 5
        **Investment securities:** |
          Bonds | 7
        **Total** | 12
        **Liabilities** |
        **Accrued compensation:** |
          Deferred plan | 3
        **Total** | 3
    """)
        == """
Assets
  Cash equivalents:
    Money market funds
  Investment securities:
    Bonds
  Total
Liabilities
  Accrued compensation:
    Deferred plan
  Total"""
    )


def test_without_indentation_the_last_total_of_a_group_ends_it() -> None:
    assert (
        outline("""
        **Deferred tax assets** |
        Reserves | 9
        Leases | 4
        Total deferred tax assets | 13
        Valuation allowance | (3)
        Total net deferred tax assets | 10
        Net deferred taxes | 8
    """)
        == """
Deferred tax assets
  Reserves
  Leases
  Total deferred tax assets
  Valuation allowance
  Total net deferred tax assets
Net deferred taxes"""
    )


def test_a_sum_that_shares_a_word_with_a_group_without_indentation_ends_it() -> None:
    assert (
        outline("""
        **Costs and other items** |
        Purchases | 8
        Depreciation | 2
        **Total costs and deductions** | 10
        **Income before taxes** | 5
    """)
        == """
Costs and other items
  Purchases
  Depreciation
  Total costs and deductions
Income before taxes"""
    )


def test_a_year_is_a_word_of_a_total() -> None:
    assert (
        outline("""
        **2024 Plan** |
        Severance | 4
        Contracts | 2
        Total 2024 plan | 6
        Total plans | 9
    """)
        == """
2024 Plan
  Severance
  Contracts
  Total 2024 plan
Total plans"""
    )


def test_a_single_deeper_line_of_percentages_is_a_rate_of_the_line_above() -> None:
    assert (
        outline("""
        Corporate debt | $50 | $51
          Average rate | 4.5% | 4.4%
        Treasuries | $20 | $19
          Average rate | 3.1% | 3.0%
    """)
        == """
Corporate debt
  Average rate
Treasuries
  Average rate"""
    )


def test_new_headers_end_every_group() -> None:
    read = lines("""
        Income: |
        Sales | 5
        Rent | 7
    """)
    assert find_parents(read, {0}, section_starts={2}) == [None, 0, None]


def test_in_a_table_without_row_headers_a_line_across_heads_the_rows_below() -> None:
    read = [
        Line("", values=("17", "Saints", "W 25–13")),
        Line("1998 Playoffs", across=True),
        Line("", values=("Divisional", "Broncos", "L 10–14")),
        Line("", values=("21", "7", "14")),
    ]
    assert find_crossheads(read) == {1}
    assert find_parents(read, {1}) == [None, None, 1, 1]
