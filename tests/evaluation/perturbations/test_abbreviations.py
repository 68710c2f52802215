"""Abbreviate and expand, by what the lexicon knows."""

import pytest

from qa_core.evaluation.perturbations.abbreviations import abbreviate, abbreviations, expand
from qa_core.lexicon import load_lexicon


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "?",
        "What was the number of parking spaces in 2018?",
        "What were revenue passenger-mile-like units in 2018?",
        "What were non-operating expenses in 2018?",
        "Revenue passenger miles (RPMs) in 2018?",
        "How much was earned per share in 2018?",
        "How much Humira was sold in the United States?",
        "<img src=x onerror=alert(1)> $663 مرحبا",
        "revenue. passenger. miles",
    ],
)
def test_where_no_term_has_an_abbreviation_the_rule_does_not_fit(text: str) -> None:
    assert abbreviate(text) is None


@pytest.mark.parametrize(
    ("text", "abbreviated"),
    [
        ("What were revenue passenger miles in 2018?", "What were RPMs in 2018?"),
        ("What did a revenue passenger mile yield?", "What did an RPM yield?"),
        ("What was the passenger load factor in 2018?", "What was the PLF in 2018?"),
        ("Earnings per share, 2018", "EPS, 2018"),
        ("What were diluted earnings per share?", "What were diluted EPS?"),
        ("Operating expenses in 2018", "Opex in 2018"),
        ("What share of operating expenses was fuel?", "What share of opex was fuel?"),
        ("How many full-time equivalent employees?", "How many FTE employees?"),
        ("What were property, plant and equipment in 2018?", "What were PP&E in 2018?"),
        ("Who is the Chief Executive Officer's deputy?", "Who is the CEO's deputy?"),
        (
            "What was the cost per available seat mile against revenue per available seat mile?",
            "What was the CASM against RASM?",
        ),
    ],
)
def test_terms_give_way_to_their_abbreviations(text: str, abbreviated: str) -> None:
    assert abbreviate(text) == abbreviated


@pytest.mark.parametrize(
    "text",
    [
        "",
        "What was ALK's mainline CASM-ex in 2017?",
        "I ask for the total of 2018.",
        "Give us the total.",
        "What was unit cost in 2018?",
        "Revenue passenger miles (RPMs) in 2018?",
        "What were the EPSON sales?",
        "<b>$5</b>",
    ],
)
def test_where_no_abbreviation_stands_alone_the_rule_does_not_fit(text: str) -> None:
    assert expand(text) is None


@pytest.mark.parametrize(
    ("text", "expanded"),
    [
        ("What was diluted EPS in 2018?", "What was diluted earnings per share in 2018?"),
        ("EPS in 2018?", "Earnings per share in 2018?"),
        ("What were RPMs in 2018?", "What were revenue passenger miles in 2018?"),
        ("What did an RPM yield?", "What did a revenue passenger mile yield?"),
        ("Regional ASMs, 2017", "Regional available seat miles, 2017"),
        ("How many FTEs in 2015?", "How many full-time equivalents in 2015?"),
        ("What was Alphabet’s capex in 2023?", "What was Alphabet’s capital expenditure in 2023?"),
        ("Stock comp within G&A, 2022", "Stock comp within general and administrative, 2022"),
        ("Who is the CEO's deputy?", "Who is the chief executive officer's deputy?"),
        ("ASK in 2018?", "Available seat kilometre in 2018?"),
    ],
)
def test_abbreviations_are_written_out(text: str, expanded: str) -> None:
    assert expand(text) == expanded


def test_an_abbreviation_is_made_of_initials_or_of_two_beginnings() -> None:
    known = abbreviations(load_lexicon())
    assert known.shorts[("revenue", "passenger", "mile")] == "rpm"
    assert known.shorts[("capital", "expenditure")] == "capex"
    assert known.longs["ebitda"] == "earnings before interest tax depreciation and amortization"
    assert not {"us", "buyback", "payout", "pretax", "traffic"} & set(known.longs)


def test_a_lexicon_without_meanings_knows_no_abbreviation() -> None:
    bare = load_lexicon().without_meanings()
    assert abbreviate("What were revenue passenger miles?", bare) is None
    assert expand("What was EPS?", bare) is None
