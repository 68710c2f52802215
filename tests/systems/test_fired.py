"""Which entries of the lexicon fired: odd cases first, then each kind of entry."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qa_core.systems.fired import MAX_MATCHES
from qa_core.systems.lexical import LexicalSystem
from qa_core.table import Table
from qa_core.text import fold
from tests.systems.tables import FLEET, ODD_TABLES, OFFICERS, STATISTICS, ask, table

QUARTERS = table(
    [("2018", "First Quarter"), ("2018", "Second Quarter"), ("2017", "Q1"), ("2017", "Q2")],
    [("Net sales",), ("Cost of sales",)],
    [["1", "2", "3", "4"], ["5", "6", "7", "8"]],
)


@pytest.fixture(scope="module")
def system() -> LexicalSystem:
    return LexicalSystem()


def fired(system: LexicalSystem, question: str, of: Table) -> list[tuple[str, str, str]]:
    return [(match.entry, match.asked, match.found) for match in ask(system, question, of).lexicon]


@pytest.mark.parametrize("question", ["", "colour of the sky"])
def test_an_abstention_rests_on_no_entry(system: LexicalSystem, question: str) -> None:
    assert fired(system, question, table([("2018",)], [("Revenue",)], [["$5"]])) == []


def test_the_same_words_need_no_entry(system: LexicalSystem) -> None:
    assert fired(system, "Mainline passenger load factors in 2018?", STATISTICS) == []
    assert fired(system, "mainline load factor in 2018?", STATISTICS) == []


@pytest.mark.parametrize(
    ("question", "of", "entries"),
    [
        ("Regional traffic in 2017?", STATISTICS, [("rpm", "traffic", "Revenue passenger miles")]),
        ("mainline CASM 2018", STATISTICS, [("casm", "CASM", "Cost per available seat mile")]),
        (
            "How full were regional planes in 2018?",
            STATISTICS,
            [("load_factor", "How full", "Passenger load factor")],
        ),
        ("How old are the rented A320?", FLEET, [("leased", "rented", "Leased")]),
        ("first quarter 2017 net sales", QUARTERS, [("quarter 1", "first quarter", "Q1")]),
        ("2Q18 net sales", QUARTERS, [("quarter 2", "Q2", "Second Quarter")]),
        ("second quarter of 2018, net sales", QUARTERS, []),
        ("regional load factor a year earlier", STATISTICS, [("years back 1", "a year earlier", "2017")]),
        ("regional load factor, latest year", STATISTICS, [("years back 0", "latest", "2018")]),
        ("regional load factor in 2018, the latest year", STATISTICS, []),
    ],
)
def test_entries_are_named_with_both_wordings(
    system: LexicalSystem, question: str, of: Table, entries: list[tuple[str, str, str]]
) -> None:
    assert fired(system, question, of) == entries


def test_text_cells_of_the_row_count_as_its_headers(system: LexicalSystem) -> None:
    assert fired(system, "How old is the CFO?", OFFICERS)[0] == ("cfo", "CFO", "Chief Financial Officer")


def test_wordings_are_shown_once_and_cut(system: LexicalSystem) -> None:
    many = ", ".join(["traffic", "capacity", "how full", "unit cost", "headcount", "turnover", "capex"] * 9)
    long = table([("2018 " * 300,)], [(f"RPMs ASMs CASM employees sales LF {'x' * 300}",)], [["1"]])
    shown = fired(system, f"{many} latest", long)
    assert 0 < len(shown) <= MAX_MATCHES
    assert len(set(shown)) == len(shown)
    assert max(len(text) for match in shown for text in match) <= 60


def test_nothing_fires_where_the_lexicon_is_left_out() -> None:
    without = LexicalSystem(use_lexicon=False)
    for question in ("How full were regional planes in 2018?", "first quarter 2017 net sales", "CFO"):
        for of in (STATISTICS, QUARTERS, OFFICERS):
            assert fired(without, question, of) == []


WORDS = ["traffic", "RPMs", "fuel", "price", "per gallon", "how full", "CFO", "prior year", "first quarter"]


@settings(max_examples=40, deadline=None)
@given(st.lists(st.sampled_from([*WORDS, "(a)", "1,234", "ﬁrm", "\x00", "ß"])), st.sampled_from(ODD_TABLES))
def test_what_is_asked_stands_in_the_question(words: list[str], of: Table) -> None:
    question = " ".join(words)
    for _, asked, _ in fired(LexicalSystem(), question, of):
        assert set(fold(asked).split()) <= set(fold(question).split())
