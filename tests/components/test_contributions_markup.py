"""What contributed, as markup: hostile text first, then what it says."""

import re

import pytest

from components.why.contributions_markup import (
    cell_in_words,
    contributions_markup,
    has_effect,
    signed,
    summary,
    words_markup,
)
from qa_core.attribution import Attribution, Contribution, HeaderPart, Lead, WordPart
from qa_core.prediction import Prediction
from qa_core.table import Location, Table
from tests.tables import AMAZON, FUEL, ROLL_FORWARD

QUESTION = "AWS sales, 2024?"
HERE = Location(2, 1)
NOW = Prediction("107,556", (HERE,), confidence=0.8)
ELSEWHERE = Prediction("$387,497", (Location(0, 1),), confidence=0.5)


def without(part: HeaderPart | WordPart, prediction: Prediction, drop: float | None) -> Contribution:
    return Contribution(part, prediction, Lead(1.0, 2.0), prediction is not NOW, drop)


def attribution(*parts: Contribution, prediction: Prediction = NOW) -> Attribution:
    words = tuple(each for each in parts if isinstance(each.part, WordPart))
    headers = tuple(each for each in parts if isinstance(each.part, HeaderPart))
    return Attribution(HERE, prediction, Lead(3.0, 4.0), headers, words, (0, 0))


FOUND = attribution(
    without(WordPart(0, 3, "AWS"), ELSEWHERE, 4.0),
    without(WordPart(4, 9, "sales"), NOW, -1.0),
    without(WordPart(11, 15, "2024"), NOW, 0.0),
    without(HeaderPart("row", Location(2, None), 0, "AWS", 2), ELSEWHERE, 2.0),
    without(HeaderPart("column", Location(None, 1), 1, "2024", 1), NOW, 0.001),
)


def no_link(part: HeaderPart | WordPart) -> str:
    return ""


def text_of(markup: str) -> str:
    return re.sub("<[^>]+>", "", markup)


def test_questions_answers_headers_and_links_are_text() -> None:
    hostile = "<img src=x onerror=alert(1)>\"'&"
    evil = Prediction(hostile, (HERE,), operator=hostile)
    table = Table("t", (("2023",), (hostile,)), ((hostile,),) * 3, (("1", hostile),) * 3)
    found = attribution(
        without(WordPart(0, len(hostile), hostile), evil, 1.0),
        without(HeaderPart("row", Location(2, None), 0, hostile, 3), evil, 1.0),
        prediction=evil,
    )
    for markup in (
        words_markup(hostile, found, lambda part: f'why?q="><script>{hostile}'),
        contributions_markup(table, found, lambda part: f'why?q="><script>{hostile}', words=True),
        contributions_markup(table, found, lambda part: f'why?q="><script>{hostile}', words=False),
    ):
        assert "<img" not in markup and "<script" not in markup
        assert "alert(1)" in text_of(markup)


def test_the_question_stands_there_whole_with_a_number_below_each_word() -> None:
    markup = words_markup(QUESTION, FOUND, no_link)
    assert text_of(markup) == "AWS+4.00 sales−1.00, 20240.00?"


def test_a_word_is_shaded_by_how_much_the_lead_falls_and_framed_where_the_answer_changes() -> None:
    aws, sales, year = re.findall(
        r"<a .*?</a>", words_markup(QUESTION, FOUND, lambda part: f"why?{part.text}&x")
    )
    assert 'style="--tint: #b9572f; --shade: 60%"' in aws and "class=changes" in aws
    assert 'href="why?AWS&amp;x"' in aws
    assert 'title="Without it: $387,497, confidence 0.50"' in aws
    assert 'style="--tint: #2f6fb9; --shade: 15%"' in sales and "class=changes" not in sales
    assert "--shade: 0%" in year


def test_without_scores_no_number_stands_below_a_word() -> None:
    found = attribution(without(WordPart(0, 3, "AWS"), Prediction(""), None))
    markup = words_markup("AWS", found, no_link)
    assert text_of(markup) == "AWS"
    assert "Without it: no answer" in markup and "class=changes" in markup


def test_the_table_says_what_is_answered_then_and_leaves_out_what_makes_no_difference() -> None:
    markup = contributions_markup(AMAZON, FOUND, no_link, words=False)
    assert "Headers of the row" in markup and "Headers of the column" not in markup
    said = text_of(markup)
    assert "AWSover 2 rows" in said
    assert "$387,497North America › Net sales | Year Ended December 31, › 2024" in said
    assert "0.50−0.30" in said
    assert "+1.00falls by\u00a02.00" in said
    assert "now 107,556" in said and "now +3.00" in said
    assert 'title="row +1.00, column +2.00"' in markup
    assert contributions_markup(AMAZON, attribution(), no_link, words=True) == ""


@pytest.mark.parametrize(
    ("prediction", "drop", "there_is"),
    [
        (NOW, 0.0, False),
        (NOW, None, False),
        (NOW, 0.004, False),
        (NOW, -0.006, True),
        (Prediction("107,556", (HERE,), confidence=0.79), 0.0, True),
        (ELSEWHERE, None, True),
    ],
)
def test_what_two_digits_do_not_tell_is_no_difference(
    prediction: Prediction, drop: float | None, there_is: bool
) -> None:
    part = WordPart(0, 3, "AWS")
    changes = prediction.locations != NOW.locations
    assert has_effect(NOW, Contribution(part, prediction, Lead(), changes, drop)) == there_is


def test_the_summary_names_what_is_needed() -> None:
    needed = [without(WordPart(0, 1, name), ELSEWHERE, 1.0) for name in ("AWS", "sales", "2024")]
    idle = without(WordPart(0, 1, "in"), NOW, 0.0)
    assert summary([], "word") == ""
    assert summary([idle], "word") == "The answer stays the same without any single word."
    assert summary(needed, "word") == "The answer changes without any single word."
    assert summary([needed[0], idle], "word") == (
        "The answer changes without “AWS”; not without any other single word."
    )
    assert summary([*needed, idle], "header") == (
        "The answer changes without “AWS”, “sales” or “2024”; not without any other single header."
    )


def test_cells_are_named_by_their_headers_else_by_their_number() -> None:
    assert cell_in_words(AMAZON, None) == cell_in_words(AMAZON, Location(9, 0)) == "no cell"
    assert cell_in_words(FUEL, Location(1, 2)) == "row 2 | Average Price Per Gallon"
    assert cell_in_words(ROLL_FORWARD, Location(1, None)) == "Balance at December 31, 2017 › Net income"


def test_a_difference_that_rounds_to_nothing_has_no_sign() -> None:
    assert [signed(value) for value in (0.0, -0.004, 0.004, -0.005001, 1.5)] == [
        "0.00",
        "0.00",
        "0.00",
        "−0.01",
        "+1.50",
    ]
