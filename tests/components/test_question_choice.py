import pytest
from streamlit.testing.v1 import AppTest

from components.question_choice import asked_question, is_of_lost_table, option_titles
from qa_core.datasets import Dataset
from qa_core.question import Question
from tests.tables import AMAZON

FIRST = Question("q1", "t", "AWS net sales in 2024?", ("107,556",))
SECOND = Question("q2", "t", "Net sales?", ("1",))
SAME_WORDS = Question("q3", "t", "Net sales?", ("2",))
QUESTIONS = (FIRST, SECOND, SAME_WORDS)


@pytest.mark.parametrize(
    ("question_id", "text", "asked", "known"),
    [
        ("", "", "AWS net sales in 2024?", FIRST),
        ("q3", "", "Net sales?", SAME_WORDS),
        ("q3", "Net sales?", "Net sales?", SAME_WORDS),
        ("", " Net sales? ", " Net sales? ", SECOND),
        ("", "Something else?", "Something else?", None),
        ("gone", "Something else?", "Something else?", None),
        ("gone", "", "AWS net sales in 2024?", FIRST),
        ("", " ", " ", None),
    ],
)
def test_the_id_comes_before_the_text(
    question_id: str, text: str, asked: str, known: Question | None
) -> None:
    assert asked_question(QUESTIONS, question_id, text) == (asked, known)


def test_a_table_without_questions_is_asked_nothing() -> None:
    assert asked_question((), "", "") == ("", None)


def test_questions_with_the_same_words_are_told_apart_in_the_list() -> None:
    assert option_titles((*QUESTIONS, Question("q4", "t", " ", ()))) == {
        "q1": "AWS net sales in 2024?",
        "q2": "Net sales? (q2)",
        "q3": "Net sales? (q3)",
        "q4": "  (q4)",
    }


def choosing() -> None:
    import streamlit as st

    from components.question_choice import goes_with_table, pick_question
    from tests.components.test_question_choice import QUESTIONS

    text, known = pick_question(QUESTIONS)
    st.text(f"{text} | {known.id if known else 'own'} | {' '.join(goes_with_table(QUESTIONS))}")


def test_a_typed_question_is_kept_by_its_words_and_the_datasets_by_its_id() -> None:
    app = AppTest.from_function(choosing).run()
    assert app.text[0].value == "AWS net sales in 2024? | q1 | question q"
    app.text_input[0].set_value("Something else?").run()
    assert app.text[0].value == "Something else? | own | question"
    assert app.query_params == {"q": "Something else?"}
    app.text_input[0].set_value("Net sales?").run()
    assert app.text[0].value == "Net sales? | q2 | question q"
    assert app.query_params == {"question": "q2"}
    app.selectbox[0].select("q3").run()
    assert app.text[0].value == "Net sales? | q3 | question q"
    assert app.query_params == {"question": "q3"}
    app.selectbox[0].select("").run()
    assert app.text[0].value.endswith("| own | question q")
    assert app.query_params == {"q": " "}


def test_a_question_that_is_not_on_the_table_is_said_to_be_stale() -> None:
    app = AppTest.from_function(choosing)
    app.query_params["question"] = "q9"
    app.run()
    assert "asks for question “q9”, which is not here" in app.warning[0].value
    assert app.text[0].value == "AWS net sales in 2024? | q1 | question q"


@pytest.mark.parametrize(
    ("table_id", "text", "lost"),
    [
        (AMAZON.id, "AWS in 2024?", False),
        ("deleted-0-abcdef", "AWS in 2024?", True),
        ("deleted-0-abcdef", " ", False),
        ("", "AWS in 2024?", False),
    ],
)
def test_an_own_question_on_a_table_that_is_gone_is_told(table_id: str, text: str, lost: bool) -> None:
    assert is_of_lost_table(Dataset("brought", {AMAZON.id: AMAZON}, ()), table_id, text) == lost
