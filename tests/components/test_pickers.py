from dataclasses import replace

from components.pickers import table_title
from tests.tables import AMAZON


def test_a_table_is_named_by_company_title_and_id() -> None:
    table = replace(AMAZON, company="Amazon.com, Inc.", title="Net sales by segment")
    assert table_title(table) == f"Amazon.com, Inc.: Net sales by segment ({AMAZON.id})"


def test_long_titles_are_cut_before_the_id_so_that_no_two_tables_share_a_name() -> None:
    titles = {table_title(replace(AMAZON, id=f"t{n}", title="Consolidated " * 40)) for n in range(3)}
    assert len(titles) == 3
    assert max(map(len, titles)) <= 110
