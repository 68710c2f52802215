"""What holds of every perturbation, whatever the question."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qa_core.datasets import load_dataset
from qa_core.evaluation.gold import find_gold
from qa_core.evaluation.perturbations import LONGEST, PERTURBATIONS, perturb, rules
from qa_core.evaluation.perturbed_runner import wordings
from qa_core.transform import base
from tests.tables import AMAZON

SAMPLE = load_dataset("sample")
QUESTIONS = SAMPLE.questions
WORDS = [
    "What", "was", "were", "did", "does", "the", "a", "an", "of", "in", "for", "at", "by", "and", "EPS",
    "RPMs", "load", "factor", "revenue", "passenger", "miles", "Delta's", "AWS", "North", "America", "net",
    "sales", "operating", "income", "2018", "fiscal", "Q3", "December", "31,", "reported", "report", "spent",
    "spend", "as", "$5", "<b>", "’s", "-", ",", "?", "(", ")", "مرحبا", "mainline", "regional",
]  # fmt: skip
names = pytest.mark.parametrize("name", PERTURBATIONS)
questions = st.sampled_from(QUESTIONS)
texts = st.one_of(st.text(max_size=80), st.lists(st.sampled_from(WORDS), max_size=14).map(" ".join))


@names
@given(texts)
def test_any_text_gets_another_wording_or_none_and_never_a_third_when_asked_again(
    name: str, text: str
) -> None:
    gold = find_gold(QUESTIONS[0], SAMPLE.table(QUESTIONS[0].table_id))
    table = SAMPLE.table(QUESTIONS[0].table_id)
    reworded = perturb(name, text, table, gold)
    assert perturb(name, text, table, gold) == reworded
    if reworded is not None:
        assert reworded.strip() and len(reworded) <= LONGEST
        assert perturb(name, reworded, table, gold) in (None, reworded)


@names
def test_of_the_sample_a_second_time_changes_nothing(name: str) -> None:
    fits = 0
    for question in QUESTIONS:
        table = SAMPLE.table(question.table_id)
        gold = find_gold(question, table)
        reworded = perturb(name, question.text, table, gold)
        if reworded is not None:
            fits += 1
            assert reworded[0] == reworded[0].upper()  # every question of the sample begins with a capital
            assert perturb(name, reworded, table, gold) is None
    assert fits or name == "active"


@given(questions)
def test_the_gold_stays_what_it_is(question: object) -> None:
    table = SAMPLE.table(question.table_id)  # type: ignore[attr-defined]
    before = find_gold(question, table)  # type: ignore[arg-type]
    wordings(question, base(table))  # type: ignore[arg-type]
    assert find_gold(question, table) == before  # type: ignore[arg-type]


@names
def test_each_example_is_what_the_rule_makes(name: str) -> None:
    before, after = PERTURBATIONS[name].example
    if name == "drop-level":
        question = SAMPLE.question("s-air-op-1-q1")
        table = SAMPLE.table(question.table_id)
        assert perturb(name, before, table, find_gold(question, table)) == after
    else:
        assert perturb(name, before, AMAZON, find_gold(QUESTIONS[0], AMAZON)) == after


@names
@pytest.mark.parametrize("text", ["", " \n ", "?" * 10, "What did Delta report in 2018? " * 30])
def test_nothing_and_too_much_fit_no_rule(name: str, text: str) -> None:
    assert perturb(name, text, AMAZON, find_gold(QUESTIONS[0], AMAZON)) is None


def test_white_space_is_no_other_wording() -> None:
    assert perturb("reorder", "What  was net\nincome?", AMAZON, find_gold(QUESTIONS[0], AMAZON)) is None


def test_the_rules_have_a_name_that_the_lexicon_is_part_of() -> None:
    version, lexicon = rules().split()
    assert version == "1"
    assert len(lexicon) == 8
