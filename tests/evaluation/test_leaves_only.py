"""What is left of a table without its header hierarchy."""

from dataclasses import replace

from hypothesis import given

from qa_core.datasets import Dataset, load_dataset
from qa_core.evaluation.gold import find_gold
from qa_core.evaluation.leaves_only import leaves_only
from qa_core.question import Question
from qa_core.table import Location, Table, leaf
from tests.strategies import tables
from tests.tables import AMAZON, DEPTH_8


def without_hierarchy(table: Table) -> Table:
    return leaves_only(Dataset("d", {table.id: table}, ())).tables[table.id]


def test_of_each_path_the_last_level_that_is_not_blank_stays() -> None:
    assert without_hierarchy(AMAZON).row_paths == (("Net sales",), ("Operating income",)) * 2
    assert without_hierarchy(AMAZON).column_paths == (("2023",), ("2024",))
    assert without_hierarchy(DEPTH_8).column_paths == (("Domestic",), ("Total",), ("Total",))
    trailing = replace(AMAZON, row_paths=(("AWS", " "), ("", ""), ()))
    assert without_hierarchy(trailing).row_paths == (("AWS",), (), ())


@given(tables())
def test_only_the_upper_levels_go(table: Table) -> None:
    flat = without_hierarchy(table)
    assert all(len(path) <= 1 for path in (*flat.row_paths, *flat.column_paths))
    assert (flat.body, flat.title, flat.id) == (table.body, table.title, table.id)
    assert [*flat.locations()] == [*table.locations()]
    headers = [Location(row, None) for row in range(table.n_rows)]
    headers += [Location(None, column) for column in range(table.n_columns)]
    assert [flat.text_at(header) for header in headers] == [table.text_at(header) for header in headers]
    assert without_hierarchy(flat) == flat


def test_it_is_a_dataset_of_its_own_with_the_same_questions() -> None:
    sample = load_dataset("sample")
    flat = leaves_only(sample)
    assert (flat.name, flat.questions) == ("sample, leaves only", sample.questions)
    assert flat.fingerprint != sample.fingerprint
    annotated = [question for question in flat.questions if question.cell]
    assert annotated
    for question in annotated:
        assert find_gold(question, flat.table(question.table_id)).targets == (question.cell,)


def test_a_gold_that_names_a_parent_is_no_longer_in_the_header() -> None:
    question = Question("q", AMAZON.id, "Which segment sold 107,556?", ("AWS",), cell=Location(2, None))
    assert find_gold(question, AMAZON).intended == Location(2, None)
    assert find_gold(question, without_hierarchy(AMAZON)).status == "nowhere"
    assert leaf(AMAZON.row_path(2)) == "Net sales"
