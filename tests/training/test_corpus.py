import re

from qa_core.question import Question
from qa_core.training.corpus import load_corpus, split

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
