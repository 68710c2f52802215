"""What counts as the same answer, under each of the two rules."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qa_core.evaluation.matching import MATCHING_RULES, matches_any, normalised_match, strict_match

# predicted, gold, strict, normalised
CASES = [
    # Blank and garbled answers match nothing.
    ("", "", False, False),
    ("", "—", False, False),
    ("", "0", False, False),
    (" \t\u00a0", "—", False, False),
    ("\u200b", "\u200b", False, False),
    ("\ufffd\ufffd", "\ufffd\ufffd", False, False),
    ("$", "$—", False, False),
    ("%", "—%", False, False),
    ("()", "(—)", False, False),
    (",", "—", False, False),
    ("(", "(12)", False, False),
    # White space.
    ("  Net   income ", "Net income", True, True),
    ("5,813\u00a0", "5,813", True, True),
    ("$ 5,813", "$5,813", False, True),
    # Currency and thousands separators.
    ("$5,813", "$5,813", True, True),
    ("$5,813", "5813", False, True),
    ("5,813", "5813", False, True),
    ("USD 5,813", "$5,813", False, True),
    ("US$5,813", "$5,813", False, True),
    ("5,813 EUR", "€5,813", False, True),
    ("€5,813", "$5,813", False, False),
    ("C$12", "$12", False, False),
    ("5,81", "581", False, False),
    ("58,13", "5813", False, False),
    ("1,2,3", "123", False, False),
    ("1.234,50", "1234.50", False, False),
    ("1,234,567.80", "1234567.8", False, True),
    # Parentheses and minus signs.
    ("(12)", "-12", False, True),
    ("(12)", "12", False, False),
    ("−12", "-12", False, True),
    ("–12", "(12)", False, True),
    ("( 1,151 )", "(1,151)", False, True),
    ("$ ( 5,461 )", "-5461", False, True),
    ("$(144)", "(144)", False, True),
    ("$(144)", "-144", False, True),
    ("($144)", "-$144", False, True),
    ("$-144", "$(144)", False, True),
    ("-(12)", "12", False, False),
    ("(12", "-12", False, False),
    ("12)", "12", False, False),
    ("+12", "12", False, True),
    ("(0)", "0", False, True),
    # Percent, cents, points.
    ("12%", "12", False, True),
    ("60%", "60", False, True),
    ("60%", "0.6", False, False),
    ("60%", "$60", False, False),
    ("4.4 %", "4.4%", False, True),
    ("4.4 percent", "4.4%", False, True),
    ("(4.4)%", "(4.4%)", False, True),
    ("5.27¢", "5.27", False, True),
    ("5.27 cents", "5.27¢", False, True),
    ("5.27¢", "5.27%", False, False),
    ("0.2pts", "0.2", False, True),
    ("(0.6) pts", "-0.6", False, True),
    ("0.2pts", "0.2%", False, False),
    ("$12%", "12", False, False),
    # Decimals are exact.
    ("1.0", "1.00", False, True),
    ("1.0", "1", False, True),
    ("100", "1", False, False),
    ("100", "1.00", False, False),
    ("0.1", "1", False, False),
    (".5", "0.5", False, True),
    ("10", "1", False, False),
    ("0.30000000000000004", "0.3", False, False),
    ("123456789012345678901234567890.1", "123456789012345678901234567890.2", False, False),
    ("(123456789012345678901234567890.1)", "-123456789012345678901234567890.2", False, False),
    ("007", "7", False, False),
    ("1e3", "1000", False, False),
    ("nan", "NaN", False, True),
    ("inf", "1", False, False),
    # A dash is "nothing reported": not zero, not empty.
    ("—", "—", True, True),
    ("-", "—", False, True),
    ("–", "—", False, True),
    ("--", "—", False, True),
    ("$—", "—", False, True),
    ("—%", "—", False, True),
    ("—%", "$—", False, False),
    ("—", "0", False, False),
    ("—", "", False, False),
    # Text stays text.
    ("Boeing 737", "737", False, False),
    ("737-800", "737", False, False),
    ("737-800", "737–800", False, True),
    ("10:45", "10:45", True, True),
    ("10:45", "1045", False, False),
    ("10:45", "10.45", False, False),
    ("124-178", "124", False, False),
    ("233 a/c", "233", False, False),
    ("December 31, 2018", "2018", False, False),
    ("December 31, 2018", "december 31, 2018", False, True),
    ("Stockholders’ equity", "Stockholders' equity", False, True),
    ("12 (a)", "12", False, False),
    ("12 (1)", "12", False, False),
    ("12*", "12", False, False),
    ("813²", "8132", False, False),
    ("5½", "51/2", False, False),
    ("NM", "—", False, False),
    ("5,813 million", "5,813", False, False),
    ("ALPA", "AFA", False, False),
]


@pytest.mark.parametrize(("predicted", "gold", "strict", "normalised"), CASES)
def test_each_rule_on_answers_as_filings_write_them(
    predicted: str, gold: str, strict: bool, normalised: bool
) -> None:
    assert strict_match(predicted, gold) is strict
    assert normalised_match(predicted, gold) is normalised


AMOUNTS = st.from_regex(
    r"[-(]?[$€]? ?\(?[0-9]{1,4}(,[0-9]{3})?(\.[0-9]{1,3})?\)? ?(%|¢|pts)?", fullmatch=True
)
ANSWERS = st.one_of(st.text(max_size=12), AMOUNTS, st.sampled_from([case[0] for case in CASES]))


@given(ANSWERS, ANSWERS)
def test_both_rules_are_symmetric(a: str, b: str) -> None:
    assert strict_match(a, b) == strict_match(b, a)
    assert normalised_match(a, b) == normalised_match(b, a)


@given(ANSWERS, ANSWERS, st.sampled_from(["", " ", "\u00a0\n"]))
def test_strict_implies_normalised(a: str, b: str, padding: str) -> None:
    assert not strict_match(a, b) or normalised_match(a, b)
    assert not strict_match(a, padding + a) or normalised_match(a, padding + a)


@given(ANSWERS, st.sampled_from(["", " ", "\u200b", "\ufffd", "\x00"]))
def test_a_blank_answer_matches_nothing(answer: str, blank: str) -> None:
    for rule in MATCHING_RULES.values():
        assert not rule.match(blank, answer)
        assert not rule.match(answer, blank)


@given(st.decimals(min_value=0, max_value=10**9, places=2))
def test_an_amount_matches_itself_however_it_is_written(amount: object) -> None:
    for writing in (f"${amount:,}", f"$ {amount}", f"{amount:,} USD"):
        assert normalised_match(writing, f"{amount}")
    assert normalised_match(f"$({amount:,})", f"-{amount}")


def test_any_of_several_accepted_answers_will_do() -> None:
    assert matches_any(strict_match, "IBT", ("International Brotherhood of Teamsters", "IBT"))
    assert not matches_any(strict_match, "IBT", ())


@pytest.mark.parametrize(
    ("name", "says"), [("strict", "`60%` does not match `60`"), ("normalised", "`60%` matches `60`")]
)
def test_the_explanation_shown_to_the_user_is_true(name: str, says: str) -> None:
    rule = MATCHING_RULES[name]
    assert says in rule.explanation
    assert rule.match("60%", "60") is ("does not" not in says)
