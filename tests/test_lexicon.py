"""The lexicon: stems, concepts, cues, and a broken file."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from qa_core.errors import CrossheadError
from qa_core.lexicon import LEXICON_PATH, cues, load_lexicon, parse_lexicon, read, stem, tokens


@pytest.mark.parametrize(
    "forms",
    [
        ("mile", "miles"),
        ("expense", "expenses"),
        ("lease", "leases", "leased", "leasing"),
        ("operate", "operating", "operated"),
        ("liability", "liabilities"),
        ("acquisition", "acquisitions"),
        ("u.s.", "us"),
    ],
)
def test_forms_of_a_word_share_a_stem(forms: tuple[str, ...]) -> None:
    assert len({stem(form.strip(".")) for form in forms}) == 1


@pytest.mark.parametrize("word", ["loss", "gas", "tax", "was"])
def test_short_words_stay(word: str) -> None:
    assert stem(word) == word


def test_tokens_lose_footnotes_separators_and_possessives() -> None:
    assert tokens("Skyward's revenues (a) of $1,234.5") == ["skyward", "revenues", "of", "1234.5"]


def features(text: str) -> set[str]:
    return {feature for word in read(text) for feature in word.features}


@pytest.mark.parametrize(
    ("a", "b", "concept"),
    [
        ("traffic", "Revenue passenger miles", "=rpm"),
        ("capacity", 'Available seat miles ("ASMs")', "=asm"),
        ("buyback", "Repurchases of common stock", "=repurchase"),
        ("SG&A", "Selling, general and administrative", "=sga"),
        ("headcount", "Number of employees", "=employees"),
        ("CFO", "Chief Financial Officer", "=cfo"),
    ],
)
def test_two_wordings_share_a_concept(a: str, b: str, concept: str) -> None:
    assert concept in features(a) & features(b)


def test_a_phrase_inside_a_longer_one_does_not_count() -> None:
    assert "=revenue" not in features("revenue passenger miles")


def test_words_of_time_and_without_content_are_left_out() -> None:
    assert [word.text for word in read("What was the revenue of 2018 in the quarter of March?")] == [
        "revenue",
        "2018",
    ]
    assert [word.text for word in read("payments due within a year")] == [
        "payments",
        "due",
        "within",
        "a",
        "year",
    ]


def test_cues() -> None:
    assert {"person"} <= cues("Who runs it?")
    assert {"percent", "change"} <= cues("By what percentage did sales grow?")
    assert "change" not in cues("How many employees are there?")
    assert "percent" in cues("% of total")


def test_the_shipped_lexicon_is_whole() -> None:
    lexicon = load_lexicon()
    assert len(lexicon.concepts.names) > 500
    assert lexicon is load_lexicon()


SECTIONS = {
    "stop_words": "a the",
    "period_words": "year",
    "concepts": "{rpm: [traffic, rpm]}",
    "quarters": "{1: [first quarter]}",
    "years_back": "{0: [latest]}",
    "cues": "{total: [total]}",
}


def written(folder: Path, more: str = "", **sections: str) -> Path:
    """A lexicon file of few words, some sections of it other than they should be."""
    lines = [f"{name}: {content}" for name, content in (SECTIONS | sections).items()]
    path = folder / "lexicon.yaml"
    path.write_text("\n".join([*lines, more]), encoding="utf-8")
    return path


def test_a_lexicon_of_few_words_is_one(tmp_path: Path) -> None:
    lexicon = parse_lexicon(written(tmp_path))
    assert lexicon.concepts.names == {("traffic",): ("rpm",), ("rpm",): ("rpm",)}
    assert lexicon.quarters.names == {("first", "quart"): ("1",)}


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "the file has to hold stop_words, period_words"),
        ("[1, 2]", "the file has to hold stop_words, period_words"),
        ("concepts: {a: [b]}", "the file has no section stop_words"),
        ("stop_words: a\n\x00: 1", "not allowed"),
        ("a: [", "did not find expected node content in line 2"),
        ("a: &x [b]\nb: *x", "an alias stands .* in line 1"),
        ("a: !!python/object/apply:os.system [id]", "could not determine a constructor .* in line 1"),
        ("[" * 5_000, "nested too deep|in line 1"),
    ],
)
def test_a_broken_lexicon_is_one_sentence(tmp_path: Path, content: str, said: str) -> None:
    path = tmp_path / "lexicon.yaml"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(CrossheadError, match=f"The lexicon .*lexicon.yaml cannot be used: .*{said}"):
        parse_lexicon(path)


@pytest.mark.parametrize(
    ("sections", "said"),
    [
        ({"stop_words": "[a, b]"}, "stop_words has to be words with spaces between them"),
        ({"concepts": "3"}, "concepts has to hold names, each with phrases in brackets"),
        (
            {"concepts": "{no: [order intake]}"},
            "a name in concepts is read as False and not as a word; quote it",
        ),
        ({"concepts": "{2018: [order intake]}"}, "a name in concepts is read as 2018 and not as a word"),
        ({"concepts": "{zz: []}"}, "concepts, zz has no phrase"),
        ({"concepts": "{zz: bookings}"}, "concepts, zz has to have its phrases in brackets"),
        (
            {"concepts": "{zz: [on, bookings]}"},
            "concepts, zz has a phrase that is read as True and not as words",
        ),
        ({"concepts": "{a: [b], c: [d], a: [e]}"}, "the name 'a' stands twice in line 3"),
        ({"cues": "{total: [7]}"}, "cues, total has a phrase that is read as 7"),
        ({"quarters": "[first quarter]"}, "quarters has to hold numbers"),
        ({"quarters": "{one: [first quarter]}"}, "quarters holds 'one', and has to hold numbers from 1 to 4"),
        ({"quarters": "{0: [first quarter]}"}, "quarters holds 0, and has to hold numbers from 1 to 4"),
        ({"quarters": "{true: [first quarter]}"}, "quarters holds True"),
        ({"years_back": "{-1: [next year]}"}, "years_back holds -1, and has to hold numbers from 0 to 100"),
        ({"years_back": "{1.9: [last year]}"}, "years_back holds 1.9"),
        ({"years_back": "{.inf: [long ago]}"}, "years_back holds inf"),
        ({"more": "concept: {a: [b]}"}, "the file has a section 'concept', and there are stop_words"),
        ({"more": "concepts: {a: [b]}"}, "the name 'concepts' stands twice in line 7"),
    ],
)
def test_what_is_wrong_with_a_lexicon_is_said_with_its_place(
    tmp_path: Path, sections: dict[str, str], said: str
) -> None:
    with pytest.raises(CrossheadError, match=said):
        parse_lexicon(written(tmp_path, **sections))


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "lexicon.yaml")
    with pytest.raises(CrossheadError, match="it is not a file"):
        parse_lexicon(tmp_path / "lexicon.yaml")


def test_without_meanings_words_match_by_their_stems_alone() -> None:
    lexicon = load_lexicon().without_meanings()
    assert [dict(word.features) for word in read("how full in 2018", lexicon)] == [
        {"full": 1.0},
        {"2018": 1.0},
    ]
    assert [word.text for word in read("What was the traffic of the year?", lexicon)] == ["traffic"]
    assert cues("By what percentage did it grow?", lexicon) == cues("By what percentage did it grow?")
    assert lexicon.vocabulary == frozenset()


VARIANTS = {
    "mainline": ["mainline", "Mainline Operating Statistics"],
    "regional": ["regional", "Regional Operating Statistics", "express", "capacity purchase"],
    "consolidated": ["consolidated", "Consolidated Operating Statistics", "systemwide"],
}
KPIS = {
    "rpm": ["RPMs", "revenue passenger miles", "traffic"],
    "asm": ["ASMs", "available seat miles", "capacity"],
    "load_factor": ["load factor", "LF", "how full"],
    "yield": ["yield", "revenue per passenger mile"],
    "rasm": ["RASM", "unit revenue", "total revenue per available seat mile"],
    "prasm": ["PRASM", "passenger revenue per ASM", "passenger unit revenue"],
    "casm": ["CASM", "unit cost", "operating expense per ASM", "CASMex"],
    "stage_length": ["stage length", "average flight distance", "average stage length"],
    "block_hours": ["block hours", "hours flown"],
    "departures": ["departures", "flights"],
    "enplaned": ["revenue passengers", "enplanements", "passengers boarded"],
    "fuel_price": ["fuel price per gallon", "cost of fuel per gallon"],
    "fuel_gallons": ["fuel gallons", "gallons consumed"],
    "employees": ["FTEs", "full-time equivalent employees", "headcount"],
}


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("kpi", KPIS)
def test_a_figure_of_airlines_is_known_by_its_names_in_every_variant(kpi: str, variant: str) -> None:
    for words in KPIS[kpi]:
        for scope in VARIANTS[variant]:
            assert {f"={kpi}", f"={variant}"} <= features(f"{scope} {words}"), (scope, words)


def test_an_edit_of_the_file_is_seen_in_its_fingerprint(tmp_path: Path) -> None:
    path = tmp_path / "lexicon.yaml"
    path.write_text(LEXICON_PATH.read_text(encoding="utf-8") + "# edited\n", encoding="utf-8")
    assert parse_lexicon(path).fingerprint != load_lexicon().fingerprint
