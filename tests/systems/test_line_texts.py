"""What a model reads of each row and column of a table."""

import pytest

from qa_core.systems.line_texts import MAX_CHARACTERS, line_texts
from qa_core.systems.view import read_table
from qa_core.table import Table

OFFICERS = Table(
    "officers",
    (("Age",), ("Title",), ("Since",)),
    (("Executive officers", "A. Vance"), ("Executive officers", "B. Ode")),
    (("51", "Chief Executive Officer", "May 2021"), ("47", "General Counsel", "2019")),
)
FARES = Table(
    "fares",
    (("Revenue", "2019"), ("Revenue", "2018"), ("Revenue", "2017"), ("Change", "2019 vs. 2018")),
    (("Passenger",), ("Cargo",)),
    (("$ 41", "$ 40", "$ 38", "2.5%"), ("3", "—", "2", "50.0%")),
)


def test_a_row_names_its_texts_and_dates_and_not_its_numbers() -> None:
    assert line_texts(read_table(OFFICERS)).rows == (
        "row; Executive officers > A. Vance; Chief Executive Officer, May 2021",
        "row; Executive officers > B. Ode; General Counsel, 2019",
    )


def test_a_column_says_what_it_holds_and_how_recent_its_year_is() -> None:
    assert line_texts(read_table(OFFICERS)).columns == (
        "column; Age",
        "column; Title; text",
        "column; Since; date",
    )
    assert line_texts(read_table(FARES)).columns == (
        "column; Revenue > 2019; money; latest",
        "column; Revenue > 2018; money; previous",
        "column; Revenue > 2017; money; earliest",
        "column; Change > 2019 vs. 2018; percent; latest",
    )


def test_the_stub_is_a_last_column_where_there_is_one() -> None:
    texts = line_texts(read_table(OFFICERS))
    assert texts.stub == "column; name; A. Vance, B. Ode"
    assert texts.choices == (texts.rows, (*texts.columns, texts.stub))


def test_lines_without_headers_are_named_by_their_first_cells() -> None:
    table = Table("bare", ((), ()), (), (("Oslo", "12"), ("", "9"), ("", "")))
    texts = line_texts(read_table(table))
    assert texts.rows == ("row; Oslo, 12", "row; 9", "row")
    assert texts.columns == ("column; text, Oslo", "column; 12, 9")
    assert texts.choices == (texts.rows, texts.columns)


@pytest.mark.parametrize("long", ["x" * 10_000, "word " * 3_000])
def test_no_text_is_longer_than_the_bound(long: str) -> None:
    table = Table("long", ((long,),), ((long,), (long, long)), ((long,), ("1",)))
    rows, columns = line_texts(read_table(table)).choices
    assert max(map(len, (*rows, *columns))) <= MAX_CHARACTERS
