"""Which wrong table a question is asked of."""

from dataclasses import replace

from qa_core.datasets import Dataset, load_dataset
from qa_core.evaluation.gold import find_gold
from qa_core.evaluation.wrong_tables import with_wrong_tables
from qa_core.question import Question
from qa_core.table import Location, Table

ASSETS = Table("assets", (("2024",),), (("Cash",), ("Total",)), (("$5",), ("$9",)), company="A")
SALES = Table("sales", (("2024",),), (("Europe",), ("Asia",)), (("1",), ("2",)), company="A")
OTHERS = Table("others", (("2024",),), (("Europe",), ("Asia",)), (("3",), ("4",)), company="B")
CASH = Question("q", "assets", "How much cash?", ("$5",), cell=Location(0, 0))


def asked_of(question: Question, *tables: Table) -> list[str]:
    dataset = Dataset("d", {table.id: table for table in tables}, (question,))
    return [asked.table_id for asked in with_wrong_tables(dataset).questions]


def test_a_question_goes_to_another_table_of_its_company_as_it_stands() -> None:
    dataset = Dataset("d", {table.id: table for table in (ASSETS, SALES, OTHERS)}, (CASH,))
    wrong = with_wrong_tables(dataset)
    assert wrong.questions == (replace(CASH, table_id="sales", cell=None),)
    assert wrong.tables == dataset.tables
    assert wrong.fingerprint != dataset.fingerprint


def test_a_table_that_holds_the_gold_otherwise_written_does_not_fit() -> None:
    assert asked_of(CASH, ASSETS, replace(SALES, cells=(("5",), ("2",)))) == []


def test_a_table_that_holds_the_gold_in_a_header_does_not_fit() -> None:
    region = replace(CASH, answers=("asia",))
    assert asked_of(region, ASSETS, SALES) == []


def test_without_a_company_the_filing_counts_and_without_either_the_dataset() -> None:
    unnamed = [replace(table, company="") for table in (ASSETS, SALES, OTHERS)]
    assert asked_of(CASH, *unnamed)[0] in ("sales", "others")
    filed = [replace(t, extra={"filing": name}) for t, name in zip(unnamed, ("x", "y", "x"), strict=True)]
    assert asked_of(CASH, *filed) == ["others"]


def test_questions_that_cannot_be_asked_of_a_wrong_table_are_left_out() -> None:
    assert asked_of(CASH, ASSETS, OTHERS) == []
    assert asked_of(replace(CASH, table_id="lost"), ASSETS, SALES) == []
    assert asked_of(replace(CASH, answers=()), ASSETS, SALES) == []
    assert asked_of(replace(CASH, answers=(" ",)), ASSETS, SALES) == []


def test_the_choice_depends_on_the_seed_and_not_on_the_order_of_the_files() -> None:
    sample = load_dataset("sample")
    chosen = {q.id: q.table_id for q in with_wrong_tables(sample).questions}
    turned = Dataset("turned", dict(reversed(sample.tables.items())), tuple(reversed(sample.questions)))
    assert {q.id: q.table_id for q in with_wrong_tables(turned).questions} == chosen
    assert {q.id: q.table_id for q in with_wrong_tables(sample, seed=2).questions} != chosen


def test_no_question_of_the_sample_finds_its_gold_in_the_wrong_table() -> None:
    sample = load_dataset("sample")
    wrong = with_wrong_tables(sample)
    assert len(wrong.questions) > 200
    for question in wrong.questions:
        table = wrong.table(question.table_id)
        assert table.company == sample.table(sample.question(question.id).table_id).company
        assert find_gold(question, table).status == "nowhere"
