"""What is said of a question while it is written."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qa_core.annotation.annotation import MOST_OF_A_QUESTION, Draft
from qa_core.annotation.checks import as_kept, findings, needs_row_hierarchy
from qa_core.annotation.finding import said_place
from qa_core.datasets import load_dataset
from qa_core.errors import CrossheadError
from qa_core.question import KPI_DRIVEN, TABLE_DRIVEN, Question
from qa_core.table import Location, Table
from tests.strategies import tables
from tests.tables import AMAZON, DEPTH_8, FUEL, HEADERS_ONLY, SURPLUS

GOOD = Draft("What were net sales of AWS in 2024?", Location(2, 1), (), KPI_DRIVEN, True)
HOSTILE = "<img src=x onerror=alert(1)> from $663 to $622, **bold** مرحبا \x00 \ud800?"


def said(draft: Draft, table: Table = AMAZON, *others: Question) -> dict[str, str]:
    return {finding.check: finding.sentence for finding in findings(draft, table, others)}


def test_of_a_good_question_nothing_is_said() -> None:
    assert said(GOOD) == {}
    assert as_kept(GOOD, AMAZON) == replace(GOOD, answers=("107,556",))


@pytest.mark.parametrize("text", ["", "  \n\t", "\u200b\ufffd"])
def test_without_text_it_is_no_question(text: str) -> None:
    assert said(replace(GOOD, text=text)) == {"no-text": "The question is empty; write one."}
    with pytest.raises(CrossheadError, match="The question is empty"):
        as_kept(replace(GOOD, text=text), AMAZON)


def test_without_an_answer_it_is_no_question() -> None:
    for draft in (replace(GOOD, cell=None), replace(GOOD, cell=None, answers=(" ", "\u200b"))):
        assert said(draft) == {"no-answer": "The question has no answer; click its cell, or write it."}
        with pytest.raises(CrossheadError, match="The question has no answer"):
            as_kept(draft, AMAZON)


def test_a_question_of_a_hundred_thousand_characters_is_refused_in_one_sentence() -> None:
    long = replace(GOOD, text="What " + "x" * 99_994 + "?")
    assert said(long) == {
        "too-long": "The question has 100,000 characters, and at most 2,000 are kept; shorten it."
    }
    with pytest.raises(CrossheadError, match="shorten it"):
        as_kept(long, AMAZON)
    longest = replace(GOOD, text="What " + "x" * (MOST_OF_A_QUESTION - 6) + "?")
    assert said(longest) == {"long": "The question is long, 2,000 characters."}
    assert as_kept(longest, AMAZON).text == longest.text


def test_hostile_text_is_kept_as_text_without_what_no_encoder_takes() -> None:
    kept = as_kept(replace(GOOD, text=HOSTILE), AMAZON)
    assert kept.text == "<img src=x onerror=alert(1)> from $663 to $622, **bold** مرحبا \ufffd \ufffd?"


@pytest.mark.parametrize(
    ("text", "check"),
    [
        ("2018?", {"no-question": "The question holds no word."}),
        (
            "AWS net sales 2024",
            {"no-question": "This reads as no question: it begins with no word that asks, and ends with no "
                            "question mark."},
        ),
        ("AWS net sales 2024?", {}),
        ("Give me the net sales of AWS in 2024.", {}),
        ("For 2024, what did AWS sell", {}),
    ],
)  # fmt: skip
def test_what_reads_as_no_question(text: str, check: dict[str, str]) -> None:
    assert said(replace(GOOD, text=text)) == check


@pytest.mark.parametrize(
    ("cell", "check", "sentence"),
    [
        (Location(9, 0), "outside", "The answer cell [9, 0] lies outside the table of 4 × 2 cells"),
        (Location(None, 2), "outside", "The answer cell [None, 2] lies outside"),
    ],
)
def test_an_answer_cell_outside_the_table_is_refused(cell: Location, check: str, sentence: str) -> None:
    assert said(replace(GOOD, cell=cell))[check].startswith(sentence)
    with pytest.raises(CrossheadError, match="lies outside the table"):
        as_kept(replace(GOOD, cell=cell), AMAZON)


def test_an_empty_cell_is_no_answer() -> None:
    empty = replace(GOOD, cell=Location(0, 2), row_hierarchy_needed=None)
    assert said(empty, DEPTH_8) == {
        "empty-cell": "The answer cell is empty; choose one that holds the answer."
    }


def test_an_answer_in_a_header_is_noted_and_kept_at_the_header() -> None:
    draft = Draft("Which segment row comes first?", Location(0, None), (), TABLE_DRIVEN)
    assert said(draft) == {"header": "The answer “Net sales” is a header, not a body cell."}
    assert as_kept(draft, AMAZON).answers == ("Net sales",)
    year = Draft("Which year comes last?", Location(None, 1), (), TABLE_DRIVEN)
    assert as_kept(year, AMAZON).answers == ("2024",)
    written = replace(year, cell=None, answers=("2024",))
    assert said(written) == {"header": "The answer “2024” is a header, not a body cell."}
    assert as_kept(written, AMAZON).cell == Location(None, 1)


def test_an_answer_that_stands_in_several_cells_is_ambiguous_and_all_are_listed() -> None:
    draft = Draft("How many shares were received in total?", Location(1, 0), (), TABLE_DRIVEN, False)
    assert said(draft, SURPLUS) == {
        "ambiguous": "The answer “36.75” also stands in another cell: Total, Shares received. Exact match "
        "cannot tell them apart."
    }
    written = replace(draft, cell=None, answers=("36.75",))
    [found] = findings(written, SURPLUS)
    assert found.sentence == (
        "The answer “36.75” stands in 2 cells: Total, Shares received; Total, Shares received. Click the one "
        "that is meant."
    )
    assert found.locations == (Location(1, 0), Location(2, 0))
    assert as_kept(written, SURPLUS).cell is None


def test_of_many_cells_some_are_named_and_the_rest_counted() -> None:
    table = Table("t", (("2018",),), tuple((f"Item {row}",) for row in range(9)), (("—",), *[("7",)] * 8))
    sentence = said(Draft("How many?", Location(1, 0), (), TABLE_DRIVEN), table)["ambiguous"]
    assert (
        "also stands in 7 other cells: Item 2, 2018; Item 3, 2018; Item 4, 2018; Item 5, 2018; and 3 more."
        in (sentence)
    )


def test_an_answer_that_stands_nowhere_is_said_and_kept_without_a_cell() -> None:
    draft = replace(GOOD, cell=None, answers=("107,557",))
    assert said(draft) == {"nowhere": "The answer “107,557” stands in no cell and no header of the table."}
    assert as_kept(draft, AMAZON) == draft


def test_a_written_answer_takes_the_cell_and_the_words_of_the_table() -> None:
    draft = replace(GOOD, cell=None, answers=("$107556",))
    assert said(draft) == {"written-otherwise": "The table writes the answer “$107556” as “107,556”."}
    kept = as_kept(draft, AMAZON)
    assert (kept.cell, kept.answers) == (Location(2, 1), ("107,556",))


def test_a_cell_that_holds_another_answer_is_said() -> None:
    assert said(replace(GOOD, answers=("90,757",)))["differs"] == (
        "The answer cell holds “107,556”, not “90,757”."
    )


def test_a_question_that_the_table_has_already_is_a_duplicate_however_it_is_written() -> None:
    there = Question("q-7", AMAZON.id, "what were  NET sales of AWS in 2024 ", ("107,556",))
    duplicate = {"duplicate": "The table has this question already: q-7."}
    assert said(GOOD, AMAZON, there) == duplicate
    for text in (
        "What were “net sales” of AWS, in 2024?!",
        "What were net\u200b sa\u00adles of AWS in 2024?",
    ):
        assert said(GOOD, AMAZON, replace(there, text=text)) == duplicate
    for apostrophe in "'\u2019\u02bc`":
        text = f"What were AWS{apostrophe}s net sales in 2024?"
        assert "duplicate" in said(
            replace(GOOD, text="What were AWS's net sales in 2024?"), AMAZON, replace(there, text=text)
        )
    assert said(GOOD, AMAZON, replace(there, text="What were net sales of AWS in 2023?")) == {}


def test_the_hierarchy_flag_is_held_against_the_labels_of_the_table() -> None:
    assert said(replace(GOOD, row_hierarchy_needed=False)) == {
        "hierarchy": "The row label “Net sales” also stands under other headers, so the row hierarchy is "
        "needed."
    }
    unique = Draft("How much cash was paid in the first quarter?", Location(0, 1), (), TABLE_DRIVEN, True)
    assert said(unique, SURPLUS) == {
        "hierarchy": "The row label “First Quarter” stands under no other header, so the row hierarchy is "
        "not needed."
    }
    assert said(replace(unique, row_hierarchy_needed=None), SURPLUS) == {}


def test_a_table_without_row_headers_needs_no_hierarchy() -> None:
    draft = Draft("What did a gallon cost in 2017?", Location(1, 2), (), KPI_DRIVEN, True)
    assert said(draft, FUEL) == {
        "hierarchy": "The row has no label, so there is no row hierarchy that could be needed."
    }


@pytest.mark.parametrize(
    ("table", "cell", "needed"),
    [
        (AMAZON, Location(0, 0), True),
        (AMAZON, Location(0, None), True),
        (AMAZON, Location(None, 0), None),
        (SURPLUS, Location(1, 0), False),  # "Total" stands twice, but under no other parent
        (FUEL, Location(0, 0), False),
        (HEADERS_ONLY, Location(None, 0), None),
        (AMAZON, Location(7, 0), None),
        (AMAZON, None, None),
    ],
)
def test_what_the_table_says_of_the_hierarchy(
    table: Table, cell: Location | None, needed: bool | None
) -> None:
    assert needs_row_hierarchy(table, cell) is needed


def test_a_paraphrase_has_the_answer_of_its_set() -> None:
    same = Question(
        "q-1", AMAZON.id, "AWS revenue in 2024?", ("107556",), KPI_DRIVEN, True, "p", Location(2, 1)
    )
    other = Question(
        "q-2", AMAZON.id, "What did AWS earn?", ("39,834",), KPI_DRIVEN, True, "p", Location(3, 1)
    )
    draft = replace(GOOD, paraphrase_of="q-1")
    assert said(draft, AMAZON, same) == {}
    assert said(draft, AMAZON, same, other) == {
        "other-answer": "“What did AWS earn?” of the same paraphrase set is answered by “39,834”."
    }
    assert said(draft, AMAZON, same, replace(other, paraphrase_group="")) == {}
    assert said(draft, AMAZON, replace(same, row_hierarchy_needed=False))["other-flag"] == (
        "“AWS revenue in 2024?” of the same paraphrase set is marked as not needing the row hierarchy."
    )


def test_a_paraphrase_whose_answer_stands_in_another_cell_of_the_same_text_is_said() -> None:
    other = Question("q-1", SURPLUS.id, "Shares in total?", ("36.75",), cell=Location(2, 0))
    draft = Draft("How many shares in total?", Location(1, 0), (), TABLE_DRIVEN, None, "q-1")
    assert said(draft, SURPLUS, other)["other-answer"] == (
        "“Shares in total?” of the same paraphrase set is answered in another cell, Total, Shares received."
    )


def test_a_paraphrase_of_a_question_that_is_not_there_is_refused() -> None:
    with pytest.raises(
        CrossheadError, match="'q-9' that this one paraphrases is not one of table 'amazon-segments'"
    ):
        as_kept(replace(GOOD, paraphrase_of="q-9"), AMAZON, known=["q-1"])


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("Is it true that AWS sold 107,556 in 2024?", True),
        ("Is it true that AWS sold $107,556?", True),
        ("What were net sales of AWS beyond 1,107,556?", False),
    ],
)
def test_a_question_that_holds_its_own_answer(text: str, holds: bool) -> None:
    assert ("own-answer" in said(replace(GOOD, text=text))) == holds


def test_a_dash_is_in_no_question_as_its_answer() -> None:
    table = Table("t", (("2018",),), (("Other",),), (("—",),))
    assert said(Draft("Other — in 2018, what was it?", Location(0, 0), (), TABLE_DRIVEN), table) == {}


def test_an_open_kind_is_noted_and_a_wrong_one_refused() -> None:
    assert said(replace(GOOD, kind="")) == {
        "no-kind": "Say whether the question is KPI-driven or Table-driven."
    }
    with pytest.raises(CrossheadError, match="'invented' of the question is neither KPI-driven nor"):
        as_kept(replace(GOOD, kind="invented"), AMAZON)


def test_places_without_headers_are_counted_as_people_count() -> None:
    assert said_place(FUEL, Location(1, 2)) == "row 2, Average Price Per Gallon"
    assert said_place(AMAZON, Location(3, None)) == "the header AWS › Operating income"


@given(tables(), st.data())
def test_every_cell_and_header_of_any_table_is_kept_or_refused_in_a_sentence(
    table: Table, data: st.DataObject
) -> None:
    places = [None, *range(max(table.n_rows, table.n_columns) + 1)]
    row, column = data.draw(st.sampled_from(places)), data.draw(st.sampled_from(places))
    if row is None and column is None:
        return
    draft = Draft("What is it?", Location(row, column))
    refused = [finding for finding in findings(draft, table) if finding.severity == "refusal"]
    if refused:
        with pytest.raises(CrossheadError):
            as_kept(draft, table)
    else:
        assert as_kept(draft, table).answers == (table.text_at(Location(row, column)),)


def test_no_question_of_the_sample_is_refused() -> None:
    dataset = load_dataset("sample")
    for question in dataset.questions:
        table = dataset.table(question.table_id)
        draft = Draft(question.text, question.cell, question.answers, question.kind)
        assert as_kept(draft, table).answers == question.answers
