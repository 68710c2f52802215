"""lexical: odd tables first, then what it reads off headers."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from qa_core.prediction import MAX_CANDIDATES
from qa_core.systems import lexical
from qa_core.systems.lexical import LexicalSystem
from qa_core.systems.selection import BEST_IS_EMPTY, BLANK_QUESTION, NO_CELLS, NO_TEXT
from qa_core.table import HeaderPath, Location, Table
from qa_core.transform import TRANSFORMATIONS
from tests.systems.tables import FLEET, FUEL, OFFICERS, STATISTICS, YEARS, ask, table


@pytest.fixture(scope="module")
def system() -> LexicalSystem:
    return LexicalSystem()


@pytest.mark.parametrize("question", ["", "   ", "\n\t"])
def test_a_blank_question_is_not_answered(system: LexicalSystem, question: str) -> None:
    prediction = ask(system, question, STATISTICS)
    assert prediction.answer == ""
    assert prediction.locations == ()
    assert prediction.notes == (BLANK_QUESTION,)


@pytest.mark.parametrize(
    ("odd", "note"),
    [
        (Table("t", (), (), ()), NO_CELLS),
        (table(YEARS, [("Revenue",)], []), NO_CELLS),
        (table(YEARS, [("Revenue",)], [["", ""]]), NO_TEXT),
        (table([], [("Revenue",)], [[]]), NO_CELLS),
    ],
)
def test_a_table_without_values_is_not_answered(system: LexicalSystem, odd: Table, note: str) -> None:
    for transformation in TRANSFORMATIONS:
        prediction = ask(system, "What was revenue in 2018?", odd, transformation)
        assert (prediction.answer, prediction.notes) == ("", (note,))


def test_a_one_cell_table(system: LexicalSystem) -> None:
    one = table([("2018",)], [("Revenue",)], [["$5"]])
    assert ask(system, "revenue in 2018", one).answer == "$5"
    unrelated = ask(system, "colour of the sky", one)
    assert (unrelated.answer, unrelated.notes) == ("", (lexical.NOTHING_MATCHES,))


def test_a_table_without_any_header(system: LexicalSystem) -> None:
    bare = table([], [], [["", "2018", "2017"], ["Revenue", "$5", "$4"], ["Profit", "$2", "$1"]])
    assert ask(system, "How much was profit?", bare).location in {Location(2, 1), Location(2, 2)}


def test_a_ragged_table_keeps_its_shape(system: LexicalSystem) -> None:
    ragged = table(
        [("2018",), ("2017",), ("2016",)], [("Revenue",), ("Profit",), ("Surplus",)], [["1"], ["2", "3"]]
    )
    prediction = ask(system, "profit in 2017", ragged)
    assert (prediction.answer, prediction.location) == ("3", Location(1, 1))
    assert (len(prediction.row_scores), len(prediction.column_scores)) == (3, 3)


def test_the_last_row_of_a_long_table_is_found(system: LexicalSystem) -> None:
    rows: list[HeaderPath] = [*((f"Route {n}",) for n in range(299)), ("Harbour ferry",)]
    long = table(
        [("2018",), ("2017",), ("2016",), ("2015",)],
        rows,
        [[f"{n}.{c}" for c in range(4)] for n in range(300)],
    )
    prediction = ask(system, "How much did the harbour ferry earn in 2016?", long)
    assert prediction.location == Location(299, 2)
    assert len(prediction.candidates) == MAX_CANDIDATES


def test_an_entity_that_is_nowhere_gets_low_confidence_and_a_note(system: LexicalSystem) -> None:
    known = ask(system, "What was Skyward's consolidated passenger load factor in 2018?", STATISTICS)
    unknown = ask(system, "What was Lufthansa's consolidated passenger load factor in 2018?", STATISTICS)
    assert known.answer == unknown.answer == "82.6%"
    assert known.confidence > 0.6
    assert known.notes == ()
    assert unknown.confidence < 0.3
    assert unknown.notes == ("'Lufthansa' is not in this table.",)


def test_an_unknown_row_among_named_ones_gets_low_confidence(system: LexicalSystem) -> None:
    carriers = table(
        [("Passengers", "2018"), ("Passengers", "2017")],
        [("Delta",), ("United",), ("Alaska",)],
        [["10", "9"], ["8", "7"], ["6", "5"]],
    )
    prediction = ask(system, "How many passengers did Lufthansa carry in 2018?", carriers)
    assert prediction.confidence < 0.3
    assert prediction.notes[0].startswith("'Lufthansa' is not in this table")


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How many revenue passenger miles did the mainline fly in 2017?", "38,200"),
        ("regional revenue passenger miles 2018", "6,020"),
        ("regional traffic in 2017", "5,510"),
        ("mainline capacity 2018", "48,300"),
        ("What were mainline ASMs in 2017?", "45,900"),
        ("mainline CASM FY18", "11.21"),
        ("What was the mainline unit cost in 2017?", "10.84"),
        ("How full were regional planes in 2018?", "79.8%"),
        ("By what percentage did regional traffic grow?", "9.3%"),
        ("overall load factor in 2017", "82.8%"),
        ("regional load factor, latest year", "79.8%"),
        ("regional load factor a year earlier", "79.9%"),
        ("consolidated revenue passenger miles '17", "43,710"),
        ("reginal traffic 2018", "6,020"),
    ],
)
def test_parents_synonyms_and_periods_lead_to_the_cell(
    system: LexicalSystem, question: str, answer: str
) -> None:
    assert ask(system, question, STATISTICS).answer == answer


@pytest.mark.parametrize(
    ("question", "answer", "location"),
    [
        ("Who is the CFO?", "Tom Abara", Location(1, 0)),
        ("How old is Maria Keller?", "57", Location(0, 1)),
        ("What position does Ines Duval hold?", "General Counsel", Location(2, 2)),
    ],
)
def test_labels_in_the_body_name_rows_where_there_is_no_stub(
    system: LexicalSystem, question: str, answer: str, location: Location
) -> None:
    prediction = ask(system, question, OFFICERS)
    assert (prediction.answer, prediction.location) == (answer, location)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How much was spent on fuel in 2017?", "$690"),
        ("fuel price per gallon 2016", "$1.49"),
        ("gallons in 2018", "412"),
    ],
)
def test_a_column_of_years_names_rows(system: LexicalSystem, question: str, answer: str) -> None:
    assert ask(system, question, FUEL).answer == answer


def test_a_value_leads_to_its_row_header(system: LexicalSystem) -> None:
    prediction = ask(system, "Which aircraft type has 37 owned planes?", FLEET)
    assert (prediction.answer, prediction.location) == ("Airbus A320", Location(0, None))
    assert ask(system, "How many Airbus A320 are owned?", FLEET).answer == "37"


def test_a_unique_leaf_needs_no_parent_and_a_total_is_preferred_when_asked(system: LexicalSystem) -> None:
    costs = table(
        YEARS,
        [("Costs:", "Fuel"), ("Costs:", "Wages"), ("Costs:", "Total costs"), ("Revenue:", "Tickets")],
        [["1", "2"], ["3", "4"], ["5", "6"], ["7", "8"]],
    )
    assert ask(system, "tickets 2018", costs).answer == "7"
    assert ask(system, "What were costs in total in 2017?", costs).answer == "6"


def test_the_transformation_makes_no_difference(system: LexicalSystem) -> None:
    question = "mainline capacity 2018"
    base, *others = [ask(system, question, STATISTICS, name) for name in TRANSFORMATIONS]
    assert all(other == base for other in others)


def test_confidence_grows_with_what_the_question_says(system: LexicalSystem) -> None:
    vague = ask(system, "load factor", STATISTICS).confidence
    exact = ask(system, "regional passenger load factor in 2018", STATISTICS).confidence
    assert 0.0 <= vague < exact <= 1.0


def test_the_cache_of_tables_is_bounded() -> None:
    system = LexicalSystem()
    for n in range(lexical.MAX_TABLES + 10):
        ask(system, "revenue", table([(str(n),)], [("Revenue",)], [["1"]]))
    assert len(system._views) == lexical.MAX_TABLES


@pytest.mark.parametrize(
    "text", ["<img src=x onerror=alert(1)>", "((((", "$" * 5000, "٣ مليون", "\x00", "a" * 100_000]
)
def test_any_text_is_a_question_and_a_table(system: LexicalSystem, text: str) -> None:
    odd = table([(text,), (text, "2018")], [(text,), ()], [[text, "1"], ["2", text]])
    assert len(system.predict([])) == 0
    assert ask(system, text, odd).confidence <= 1.0
    assert ask(system, text, STATISTICS).confidence <= 1.0


def test_digits_that_are_no_decimals_are_words() -> None:
    for digit in ("➀", "፩", "⓵", "²"):
        assert (
            len(ask(LexicalSystem(), f"Load factor {digit} in 2018?", STATISTICS).row_scores)
            == STATISTICS.n_rows
        )


SMALL = table([("2018",), ("2017",)], [("Revenue",), ("Profit",)], [["1", "2"], ["3", "4"]])
LEVELS = tuple(f"Level {n} of costs" for n in range(1000))


@pytest.mark.parametrize(
    ("question", "of", "note"),
    [
        ("What was Acme and Bcme and Ccme revenue?", replace(SMALL, title="word " * 200_000), "each header"),
        ("What was Acme and Bcme and Ccme revenue?", replace(SMALL, company="A. " * 300_000), "each header"),
        ("Revenue of " + " ".join(f"Name{n}" for n in range(20_000)), SMALL, "characters of the question"),
        ("costs", table([LEVELS] * 10, [LEVELS] * 20, [["1"] * 10] * 20), "deepest 16 levels"),
        ("revenue", table(YEARS, [("Revenue",)], [["wo rd 2018 " * 100_000] * 2]), "each header, cell"),
        ("revenue", table([("2018 may be " * 80_000,)], [("Revenue",)], [["1"]]), "each header"),
    ],
    ids=["title", "company", "names", "levels", "cells", "header"],
)
def test_what_is_read_is_bounded_and_said(system: LexicalSystem, question: str, of: Table, note: str) -> None:
    start = time.monotonic()
    prediction = ask(system, question, of)
    assert time.monotonic() - start < 3
    assert any(note in each for each in prediction.notes)
    assert sum(map(len, prediction.notes)) < 500


def test_a_note_lists_few_of_many_names(system: LexicalSystem) -> None:
    question = "What was revenue of " + " ".join(f"Zq{letter}x" for letter in "abcdefgh") + " in 2018?"
    note = ask(system, question, SMALL).notes[0]
    assert note.startswith("'Zqax', 'Zqbx', 'Zqcx', 'Zqdx', 'Zqex' and 3 more are not in this table")


def test_an_empty_cell_is_neither_answer_nor_candidate(system: LexicalSystem) -> None:
    sparse = table(YEARS, [("Revenue",), ("Profit",)], [["", "7"], ["", ""]])
    prediction = ask(system, "What was profit in 2018?", sparse)
    assert [candidate.text for candidate in prediction.candidates] == ["7"]
    assert prediction.answer == "7"
    assert prediction.notes == (BEST_IS_EMPTY,)
    assert prediction.confidence < 0.3


def test_candidates_are_labelled_by_their_row(system: LexicalSystem) -> None:
    (first, *_) = ask(system, "How old is Maria Keller?", OFFICERS).candidates
    assert (first.text, first.row_label) == ("57", "Maria Keller")
    (first, *_) = ask(system, "mainline capacity 2018", STATISTICS).candidates
    assert first.row_label == 'Available seat miles ("ASMs") (millions)'


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who is the CFO?", "Tom Abara"),
        ("Who is the chief financial officer?", "Tom Abara"),
        ("Who is general counsel?", "Ines Duval"),
        ("How old is Tom Abara?", "49"),
    ],
)
def test_who_asks_for_the_name_that_heads_a_row(system: LexicalSystem, question: str, answer: str) -> None:
    cells = OFFICERS.body
    headed = table([("Age",), ("Position",)], [(row[0],) for row in cells], [list(row[1:]) for row in cells])
    assert ask(system, question, headed).answer == answer


@pytest.mark.parametrize(
    ("question", "note"),
    [
        ("regional load factor in 2031", "'2031' is not in this table."),
        ("regional load factor in the third quarter of 2018", "'Q3' is not in this table."),
        ("What was lufthansa's regional load factor in 2018?", "'lufthansa' is not in this table."),
        ("What was the regional load factor of Люфтганза in 2018?", "'Люфтганза' is not in this table."),
        ("WHAT WAS LUFTHANSA'S REGIONAL LOAD FACTOR IN 2018?", "'LUFTHANSA' is not in this table."),
    ],
)
def test_a_period_or_name_that_is_nowhere_is_noted(system: LexicalSystem, question: str, note: str) -> None:
    prediction = ask(system, question, STATISTICS)
    assert prediction.confidence < 0.3
    assert prediction.notes == (note,)


def test_a_year_within_a_span_or_a_title_is_known(system: LexicalSystem) -> None:
    spans = table([("2016 through 2018",)], [("Revenue",), ("Profit",)], [["1"], ["2"]], title="As of 2020")
    assert ask(system, "revenue in 2017", spans).notes == ()
    assert ask(system, "revenue in 2020", spans).notes == ()


def test_without_the_lexicon_only_the_same_words_match(system: LexicalSystem) -> None:
    without = LexicalSystem(use_lexicon=False)
    same = "regional passenger load factor in 2018"
    assert ask(without, same, STATISTICS).answer == ask(system, same, STATISTICS).answer == "79.8%"
    assert ask(system, "mainline traffic in 2017", STATISTICS).answer == "38,200"
    assert ask(without, "mainline traffic in 2017", STATISTICS).confidence < 0.5
    unheard = ask(without, "traffic", table([("2018",)], [("Revenue passenger miles",)], [["1"]]))
    assert (unheard.answer, unheard.notes) == ("", (lexical.NOTHING_MATCHES,))


def test_runs_with_and_without_the_lexicon_are_told_apart(system: LexicalSystem) -> None:
    without = LexicalSystem(use_lexicon=False)
    assert (system.name, without.name) == ("lexical", "lexical (no lexicon)")
    assert system.version.startswith(f"{lexical.VERSION}, lexicon ")
    assert without.version == f"{lexical.VERSION}, no lexicon"
