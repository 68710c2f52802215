"""Reorder: the period moves to the front."""

import pytest

from qa_core.evaluation.perturbations.order import reorder


@pytest.mark.parametrize(
    "text",
    [
        "",
        "?",
        "Net income of United in 2018",  # no sentence: a fragment has no order to change
        "State taxes net of the federal benefit in fiscal 2024",
        "In 2018, what was net income?",
        "What was net income in 2018 and in 2017?",
        "What was net income in 2018 against 2017?",
        "How much more did Delta spend on fuel in 2017 than in 2016?",
        "Which payments are due in 2021?",
        "What is the rate of the notes maturing in May 2034?",
        "Which security did Mastercard hold at the end of 2024 but not a year before?",
        "What was net income?",
        "How much did Delta invest in Aeromexico?",
        "<script>alert(1)</script> in 2018?",
        "What in 2018?",
    ],
)
def test_where_nothing_can_move_the_rule_does_not_fit(text: str) -> None:
    assert reorder(text) is None


@pytest.mark.parametrize(
    ("text", "reordered"),
    [
        ("What was net income in 2018?", "In 2018, what was net income?"),
        ("What was net income in 2018", "In 2018, what was net income"),
        ("Give the yield for the third quarter of 2018.", "For the third quarter of 2018, give the yield."),
        (
            "By how many points did the load factor slip between 2017 and 2018?",
            "Between 2017 and 2018, by how many points did the load factor slip?",
        ),
        (
            "What top line did Southwest report for the three months to September 2017?",
            "For the three months to September 2017, what top line did Southwest report?",
        ),
        ("How large was debt at the end of 2018?", "At the end of 2018, how large was debt?"),
        ("What was equity as of December 31, 2017?", "As of December 31, 2017, what was equity?"),
        ("How full were flights in 2017, in percent?", "In 2017, how full were flights, in percent?"),
        ("What did it sell in the most recent year?", "In the most recent year, what did it sell?"),
        ("Did Delta pay $5 to $6 a share in 2018?", "In 2018, did Delta pay $5 to $6 a share?"),
        (
            "Who is the chief commercial officer at Alaska Airlines?",
            "At Alaska Airlines, who is the chief commercial officer?",
        ),
        ("What was the yield in the Pacific?", "In the Pacific, what was the yield?"),
    ],
)  # fmt: skip
def test_the_period_or_else_the_place_moves_to_the_front(text: str, reordered: str) -> None:
    assert reorder(text) == reordered
