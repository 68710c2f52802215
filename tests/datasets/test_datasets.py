import json
import os
from pathlib import Path

import pytest

from qa_core.datasets import Dataset, load_dataset, looks_like_aitqa, statistics
from qa_core.datasets.aitqa import question_from_record, question_to_record
from qa_core.errors import CrossheadError
from qa_core.header import header_depth
from qa_core.table import Location, leaf
from qa_core.table_format import table_from_record, table_to_record

TABLE = '{"id": "t1", "column_header": [["2018"]], "row_header": [["Revenue"]], "data": [["$1"]]}\n'
QUESTION = '{"id": "q1", "table_id": "t1", "question": "Revenue in 2018?", "answers": ["$1"]}\n'


def folder(path: Path, tables: str = TABLE, questions: str = QUESTION) -> Path:
    (path / "aitqa_tables.jsonl").write_text(tables, encoding="utf-8")
    (path / "aitqa_questions.jsonl").write_text(questions, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("tables", "questions", "fault"),
    [
        (TABLE + "{broken\n", QUESTION, "aitqa_tables.jsonl, line 2: not valid JSON"),
        (
            TABLE,
            QUESTION + '\n{"id": "q2"}\n',
            "aitqa_questions.jsonl, line 3: the question has no field 'table_id'",
        ),
        (TABLE + TABLE, QUESTION, "line 2: the table id 't1' stands twice"),
        (TABLE, QUESTION + QUESTION, "line 2: the question id 'q1' stands twice"),
        (TABLE, QUESTION.replace('"q1"', '" "'), "line 1: the question's id must be a non-empty string"),
        (TABLE, QUESTION.replace('"q1"', "[1]"), "line 1: the question's id must be a non-empty string"),
        (TABLE, QUESTION.replace("}", ', "id": "q2"}'), "line 1: the field 'id' stands twice in one object"),
        (TABLE.replace("}", ', "x": {"a": 1, "a": 2}}'), QUESTION, "line 1: the field 'a' stands twice"),
        (
            "\n",
            QUESTION,
            "aitqa_tables.jsonl holds no line; a dataset needs at least one table and one question",
        ),
        (TABLE, "", "aitqa_questions.jsonl holds no line; a dataset needs at least one table"),
        (TABLE, QUESTION.replace('["$1"]', '"$1"'), "'answers' must be a list of strings"),
        (TABLE, QUESTION.replace("}", ', "cell": [null, null]}'), "'cell' must be"),
        (TABLE, QUESTION.replace("}", ', "cell": [-1, 0]}'), "'cell' must be"),
        (TABLE, QUESTION.replace("}", ', "cell": [true, 0]}'), "'cell' must be"),
    ],
)
def test_a_broken_line_is_told_by_file_and_line(
    tmp_path: Path, tables: str, questions: str, fault: str
) -> None:
    with pytest.raises(CrossheadError, match=fault):
        load_dataset("aitqa", folder(tmp_path, tables, questions))


def test_what_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(CrossheadError, match="no dataset 'squad'; choose one of sample, aitqa"):
        load_dataset("squad")
    with pytest.raises(CrossheadError, match="read from a folder; name it with --data-dir"):
        load_dataset("aitqa")
    with pytest.raises(CrossheadError, match="There is no folder"):
        load_dataset("aitqa", tmp_path / "none")
    file = tmp_path / "tables.jsonl"
    file.touch()
    with pytest.raises(
        CrossheadError, match=r"jsonl is a file, not a folder; give the folder that holds aitqa"
    ):
        load_dataset("aitqa", file)
    file.unlink()
    with pytest.raises(CrossheadError, match="holds no aitqa_tables"):
        load_dataset("aitqa", tmp_path)
    dataset = load_dataset("aitqa", folder(tmp_path))
    with pytest.raises(CrossheadError, match="no table 'zz'"):
        dataset.table("zz")
    with pytest.raises(CrossheadError, match="no question 'zz'"):
        dataset.question("zz")


def test_a_question_over_an_unknown_table_is_kept_and_said(tmp_path: Path) -> None:
    dataset = load_dataset("aitqa", folder(tmp_path, questions=QUESTION.replace('"t1"', '"t9"')))
    assert dataset.warnings == ("Some questions name tables that are not in the folder: t9.",)
    assert [question.table_id for question in dataset.questions] == ["t9"]


def test_fingerprint_changes_with_any_cell_or_question(tmp_path: Path) -> None:
    prints = set()
    for tables, questions in (
        (TABLE, QUESTION),
        (TABLE.replace("$1", "$2"), QUESTION),
        (TABLE, QUESTION.replace("Revenue", "Sales")),
        (TABLE, QUESTION.replace("}", ', "cell": [0, 0]}')),
    ):
        prints.add(load_dataset("aitqa", folder(tmp_path, tables, questions)).fingerprint)
    assert len(prints) == 4


def test_question_records_round_trip() -> None:
    record = {
        "id": "q",
        "table_id": "t",
        "question": "Which group is represented by AFA?",
        "answers": ["Flight Attendants"],
        "type": "Table-driven",
        "row_hierarchy_needed": "No",
        "paraphrase_group": "para-1",
        "cell": [3, None],
        "note": "kept",
    }
    question = question_from_record(record)
    assert question.cell == Location(3, None)
    assert question.row_hierarchy_needed is False
    assert question_to_record(question) == record


@pytest.fixture(scope="module")
def sample() -> Dataset:
    return load_dataset("sample")


def test_sample_is_large_enough_and_fully_annotated(sample: Dataset) -> None:
    counts = statistics(sample)
    assert (counts.tables, counts.questions) == (43, 331)
    assert counts.kpi_driven + counts.table_driven == counts.questions
    assert counts.row_hierarchy_needed + counts.row_hierarchy_not_needed == counts.questions
    assert (counts.kpi_driven, counts.row_hierarchy_needed, counts.paraphrase_sets) == (82, 114, 54)
    assert max(counts.column_depths) == 8


def test_the_papers_figures_stand_beside_aitqa_only(sample: Dataset, tmp_path: Path) -> None:
    assert not looks_like_aitqa(sample)
    assert not looks_like_aitqa(load_dataset("aitqa", folder(tmp_path)))


def test_sample_annotations_hold_their_answers(sample: Dataset) -> None:
    for question in sample.questions:
        table, cell = sample.table(question.table_id), question.cell
        assert cell is not None and cell in table, question.id
        if cell.row is None:
            assert question.answers[0] in table.column_path(cell.column or 0), question.id
        elif cell.column is None:
            assert question.answers[0] in table.row_path(cell.row), question.id
        else:
            assert question.answers[0] == table.text_at(cell), question.id


def test_sample_has_every_oddity(sample: Dataset) -> None:
    tables = list(sample.tables.values())
    assert any(not table.row_paths for table in tables)
    assert any(len(table.row_paths) > len(table.cells) for table in tables)
    assert any(len(table.column_paths) > len(table.cells[0]) for table in tables)
    assert any(header_depth(table.column_paths) == 8 for table in tables)
    assert any(len(set(map(len, table.row_paths))) > 1 for table in tables)
    assert any(len(set(table.row_paths)) < len(table.row_paths) for table in tables)
    assert any("" in path for table in tables for path in table.column_paths)
    assert any("(a)" in leaf(path) for table in tables for path in table.row_paths)
    assert any(question.cell and question.cell.is_row_header for question in sample.questions)


def test_search_looks_into_titles_companies_headers_and_cells(sample: Dataset) -> None:
    assert "s-air-op-2" in sample.search("alaska MAINLINE load factor")
    assert "s-amazon-stock-compensation" in sample.search("amazon")
    assert sample.search("no such words anywhere") == ()
    assert len(sample.search("")) == len(sample.tables)


AITQA = Path(os.environ.get("CROSSHEAD_AITQA_DIR") or "aitqa")


@pytest.mark.skipif(not AITQA.is_dir(), reason="AIT-QA is not shipped; set CROSSHEAD_AITQA_DIR to its folder")
def test_published_tables_load_whole_and_save_unchanged() -> None:
    dataset = load_dataset("aitqa", AITQA)
    records = [json.loads(line) for line in (AITQA / "aitqa_tables.jsonl").read_text().splitlines()]
    assert len(dataset.tables) == len(records)
    for record in records:
        assert table_to_record(table_from_record(record)) == record
    assert looks_like_aitqa(dataset)
    assert any("surplus headers" in warning for t in dataset.tables.values() for warning in t.warnings)


def test_a_folder_name_that_no_disk_takes_is_a_sentence() -> None:
    with pytest.raises(CrossheadError, match="cannot be read"):
        load_dataset("aitqa", Path("x" * 5000))


def test_a_title_is_part_of_what_a_run_depends_on(tmp_path: Path) -> None:
    plain = load_dataset("aitqa", folder(tmp_path)).fingerprint
    titled = folder(tmp_path, TABLE.replace("}", ', "company": "Acme"}'))
    assert load_dataset("aitqa", titled).fingerprint != plain


def test_a_sentence_quotes_a_long_id_in_part(tmp_path: Path) -> None:
    long = QUESTION.replace("q1", "9" * 5000)
    with pytest.raises(CrossheadError) as fault:
        load_dataset("aitqa", folder(tmp_path, questions=long + long))
    assert len(str(fault.value)) <= 500
    assert str(fault.value).endswith("99' stands twice; ids must differ.")
    lost = load_dataset("aitqa", folder(tmp_path, questions=QUESTION.replace("t1", "9" * 5000)))
    assert len(lost.warnings[0]) < 600
