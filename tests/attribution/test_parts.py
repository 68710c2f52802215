"""What can be left out: odd questions and tables first."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qa_core.attribution.parts import HeaderPart, header_parts, word_parts
from qa_core.table import Location, Table
from tests.strategies import tables
from tests.tables import AMAZON, DEPTH_8, FUEL, SURPLUS


def words(question: str) -> list[str]:
    return [part.text for part in word_parts(question)]


@pytest.mark.parametrize("question", ["", " ", "???", "— … $ %"])
def test_a_question_without_words_has_no_parts(question: str) -> None:
    assert word_parts(question) == []


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        ("Revenue", ["Revenue"]),
        ("Yield?", ["Yield"]),
        (
            "What was Alaska Air Group's yield in 2018?",
            ["What", "was", "Alaska Air Group's", "yield", "in", "2018"],
        ),
        ("cost on December 31, 2018 and Q2 2017", ["cost", "on", "December 31, 2018", "and", "Q2 2017"]),
        ("from $663 to $1,622.50, up 12 %", ["from", "$663", "to", "$1,622.50", "up", "12 %"]),
        ("passengers (000) in FY18", ["passengers", "(000)", "in", "FY18"]),
        ("CASM-ex of R&D, U.S. only.", ["CASM-ex", "of", "R&D", "U.S", "only"]),
        ("7.50¢ in May", ["7.50¢", "in", "May"]),
        ("Umsatz für Köln 2018", ["Umsatz", "für", "Köln", "2018"]),
        ("売上高は？", ["売上高は"]),
        ("2018and 5G", ["2018and", "5G"]),
    ],
)
def test_a_number_a_date_and_a_name_are_each_one_part(question: str, parts: list[str]) -> None:
    assert words(question) == parts


def test_a_word_is_left_out_with_its_space() -> None:
    question = "How fast, in 2018, did it grow?"
    left = [part.left_out_of(question) for part in word_parts(question)]
    assert left[0] == "fast, in 2018, did it grow?"
    assert left[1] == "How, in 2018, did it grow?"
    assert left[3] == "How fast, in, did it grow?"
    assert left[-1] == "How fast, in 2018, did it?"
    assert word_parts("Yield?")[0].left_out_of("Yield?") == "?"


@given(st.text(max_size=80))
def test_the_parts_of_any_text_are_stretches_of_it_in_order(question: str) -> None:
    end = 0
    for part in word_parts(question):
        assert end <= part.start < part.stop <= len(question)
        assert question[part.start : part.stop] == part.text
        end = part.stop


def said(parts: list[HeaderPart]) -> list[tuple[str, str, int]]:
    return [(part.axis, part.text, part.lines) for part in parts]


def test_headers_run_from_root_to_leaf_the_rows_first_and_count_what_they_stand_over() -> None:
    assert said(header_parts(AMAZON, Location(3, 1))) == [
        ("row", "AWS", 2),
        ("row", "Operating income", 1),
        ("column", "Year Ended December 31,", 2),
        ("column", "2024", 1),
    ]


def test_blank_levels_are_no_parts() -> None:
    texts = [part.text for part in header_parts(DEPTH_8, Location(0, 2))]
    assert texts[0] == "Passenger revenue"
    assert texts[2:] == ["Domestic", "Atlantic", "Pacific", "Latin", "Total"]
    assert [part.level for part in header_parts(DEPTH_8, Location(0, 2))] == [0, 1, 3, 4, 5, 6, 7]


def test_a_header_answer_is_led_to_by_its_own_path() -> None:
    assert said(header_parts(AMAZON, Location(3, None))) == [
        ("row", "AWS", 2),
        ("row", "Operating income", 1),
    ]
    assert said(header_parts(AMAZON, Location(None, 0))) == [
        ("column", "Year Ended December 31,", 2),
        ("column", "2023", 1),
    ]


def test_in_a_table_without_row_headers_the_first_text_of_the_row_stands_in_for_them() -> None:
    first, column = header_parts(FUEL, Location(1, 2))
    assert (first.text, first.level, first.location) == ("2017", None, Location(1, 0))
    assert column.text == "Average Price Per Gallon"
    assert first.left_out_of(FUEL).cells == (("2018", "4,137", "$2.25"), ("", "3,978", "$1.74"))
    assert said(header_parts(FUEL, Location(1, 0))) == [("column", "Year", 1)]


def test_a_row_without_a_path_among_rows_with_one_has_no_header() -> None:
    ragged = Table("t", (("2018",),), (("Revenue",),), (("1",), ("2",)))
    assert said(header_parts(ragged, Location(1, 0))) == [("column", "2018", 1)]


def test_a_header_is_blank_for_all_its_lines_and_no_cell_moves() -> None:
    crosshead, leaf = header_parts(AMAZON, Location(3, 1))[:2]
    assert crosshead.left_out_of(AMAZON).row_paths[2:] == (("", "Net sales"), ("", "Operating income"))
    assert leaf.left_out_of(AMAZON).row_paths[2:] == (("AWS", "Net sales"), ("AWS", ""))
    assert leaf.left_out_of(AMAZON).cells == AMAZON.cells
    total = header_parts(SURPLUS, Location(2, 0))[0]
    assert total.left_out_of(SURPLUS).row_paths == (("First Quarter",), ("",), ("",), ("See note",))


@given(tables())
def test_every_part_of_any_table_can_be_left_out(table: Table) -> None:
    for location in table.locations():
        for part in header_parts(table, location):
            left = part.left_out_of(table)
            assert part.text.strip()
            assert (left.n_rows, left.n_columns) == (table.n_rows, table.n_columns)
            assert left != table
