import re
from collections import Counter

from qa_core.question import Question
from qa_core.training.corpus import PARTS, load_corpus, parts_of, split

CORPUS = load_corpus()


def text_of(question: Question) -> str:
    assert question.cell is not None
    return CORPUS.table(question.table_id).text_at(question.cell)


def test_every_answer_is_the_text_of_its_cell_or_header_and_none_is_empty() -> None:
    wrong = [q.id for q in CORPUS.questions if q.answers != (text_of(q),) or not text_of(q).strip()]
    assert wrong == []


def test_no_question_is_asked_twice_of_one_table() -> None:
    asked = [(q.table_id, q.text.lower()) for q in CORPUS.questions]
    assert len(asked) == len(set(asked))


def test_it_is_large_and_its_tables_are_hierarchical() -> None:
    hierarchical = [
        table
        for table in CORPUS.tables.values()
        if any(len(path) > 1 for path in (*table.row_paths, *table.column_paths))
    ]
    assert len(CORPUS.questions) >= 8000
    assert len(hierarchical) >= 800


def test_no_table_of_a_company_of_the_measuring_sets_is_in_it() -> None:
    """AIT-QA's airlines and the six companies whose filings measure extraction and answers."""
    measured = re.compile(
        r"adobe|amazon|home depot|netflix|nvidia|union pacific|alaska air|american airlines|delta air|"
        r"jetblue|southwest airlines|spirit airlines|united airlines|allegiant|skywest|"
        r"hawaiian (?:air|holdings)",
        re.IGNORECASE,
    )
    assert [
        t.id for t in CORPUS.tables.values() if measured.search(f"{t.company} {t.source} {t.title}")
    ] == []


def test_the_split_keeps_tables_apart_and_is_the_same_each_time() -> None:
    train, apart = split(CORPUS)
    assert {q.table_id for q in train}.isdisjoint(q.table_id for q in apart)
    assert len(train) + len(apart) == len(CORPUS.questions)
    assert split(CORPUS) == (train, apart)
    assert len(apart) > 500


def test_each_table_is_of_a_filing_or_of_an_invented_organisation_and_some_of_these_are_airlines() -> None:
    tables = Counter(parts_of(table) for table in CORPUS.tables.values())
    assert tables == {
        frozenset({"written"}): 589,
        frozenset({"invented"}): 448,
        frozenset({"invented", "airlines"}): 135,
    }
    questions = Counter(part for q in CORPUS.questions for part in parts_of(CORPUS.table(q.table_id)))
    assert questions == {"written": 6526, "invented": 6142, "airlines": 1467}
    assert set(questions) == set(PARTS)


def test_airlines_are_told_by_what_their_tables_are_about() -> None:
    def of_airline(table_id: str) -> bool:
        return "airlines" in parts_of(CORPUS.table(table_id))

    assert all(map(of_airline, ("air-1", "inv-air-1", "inv-dair-9", "tra-18")))
    assert not any(map(of_airline, ("tra-7", "inv-capt-2", "inv-dlease-1", "inv-ship-1", "aapl-12")))
    named = re.compile(r"\b(?:airlines?|airways)\b", re.IGNORECASE)
    others = [t for t in CORPUS.tables.values() if not of_airline(t.id)]
    counts_passengers_of_an_airport_by_airline = "tra-28"
    assert [t.id for t in others if named.search(f"{t.company} {t.title}")] == [
        counts_passengers_of_an_airport_by_airline
    ]
