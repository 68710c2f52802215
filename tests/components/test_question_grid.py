"""What the question grid draws, and what it hands to the browser."""

import json

import pandas as pd

from components.question_grid import (
    RIGHT,
    RIGHT_NORMALISED,
    WRONG,
    case_frame,
    grid_options,
    question_frame,
    with_verdicts,
)
from qa_core.datasets import Dataset
from qa_core.evaluation.frame import dataset_frame
from qa_core.evaluation.gold import find_gold
from qa_core.evaluation.runs import CaseRow
from qa_core.evaluation.slices import slices_of
from qa_core.question import KPI_DRIVEN, TABLE_DRIVEN, Question
from tests.tables import AMAZON, FUEL

AWS = Question("q-aws", AMAZON.id, "How much did AWS earn in 2024?", ("39,834",), KPI_DRIVEN, True, "set-1")
GALLONS = Question("q-gallons", FUEL.id, "Gallons in 2018?", ("4,137", "4137"), TABLE_DRIVEN, False)
LOST = Question("q-lost", "no-such-table", "Where is my table?", ("1",))
DATASET = Dataset("aitqa", {table.id: table for table in (AMAZON, FUEL)}, (AWS, GALLONS, LOST))


def case(question: Question, answer: str, *, strict: bool, normalised: bool, reason: str = "") -> CaseRow:
    table = DATASET.table(question.table_id)
    gold = find_gold(question, table)
    return CaseRow(
        question_id=question.id,
        position=0,
        table_id=question.table_id,
        text=question.text,
        answers=question.answers,
        kind=question.kind,
        row_hierarchy_needed=question.row_hierarchy_needed,
        paraphrase_group=question.paraphrase_group,
        slices=slices_of(question, table, gold),
        gold=gold,
        answer=answer,
        location=None,
        strict=strict,
        normalised=normalised,
        reason=reason,
        confidence=0.5,
        seconds=0.0,
    )


def row(frame: pd.DataFrame, question_id: str) -> dict[str, object]:
    found: dict[str, object] = frame.set_index("id").loc[question_id].to_dict()
    return found


def listed() -> pd.DataFrame:
    return question_frame(DATASET.questions, DATASET, dataset_frame(DATASET)["slices"])


def test_a_question_of_a_repeating_leaf() -> None:
    assert row(listed(), "q-aws") == {
        "question": "How much did AWS earn in 2024?",
        "gold": "39,834",
        "kind": "KPI-driven",
        "hierarchy": "yes",
        "leaf": "repeats",
        "paraphrase": "set-1",
        "table": "Amazon: Segment results (amazon-segments)",
    }


def test_a_question_with_two_gold_answers_on_a_table_without_row_headers() -> None:
    shown = row(listed(), "q-gallons")
    assert (shown["gold"], shown["hierarchy"], shown["leaf"]) == ("4,137 · 4137", "no", "unique")


def test_a_question_whose_table_is_missing_is_listed() -> None:
    shown = row(listed(), "q-lost")
    assert (shown["table"], shown["hierarchy"], shown["leaf"]) == ("no-such-table", "", "")


def test_no_questions() -> None:
    assert list(with_verdicts(question_frame([], DATASET, []), [])["id"]) == []


def test_verdicts_are_words_beside_their_questions_and_blank_where_the_run_has_none() -> None:
    cases = [
        case(GALLONS, "$ 4,137", strict=False, normalised=True, reason="right-cell-other-text"),
        case(AWS, "24,631", strict=False, normalised=False, reason="neighbouring-period"),
    ]
    frame = with_verdicts(listed(), cases)
    assert list(frame["id"]) == ["q-aws", "q-gallons", "q-lost"]
    assert row(frame, "q-aws")["outcome"] == WRONG == "✗ wrong"
    assert row(frame, "q-aws")["reason"] == "neighbouring period"
    assert row(frame, "q-gallons")["outcome"] == RIGHT_NORMALISED
    assert pd.isna(row(frame, "q-lost")["outcome"])


def test_a_run_gives_the_same_rows_without_the_dataset() -> None:
    cases = [case(AWS, "39,834", strict=True, normalised=True)]
    shown = row(case_frame(cases, {AMAZON.id: "Segments"}), "q-aws")
    assert shown == row(listed(), "q-aws") | {
        "outcome": RIGHT,
        "predicted": "39,834",
        "reason": "",
        "confidence": 0.5,
        "table": "Segments",
    }


def test_options_carry_no_text_from_outside_that_could_pass_for_code() -> None:
    hostile = "::JSCODE::alert(1)::JSCODE::"
    assert hostile not in json.dumps(grid_options(["question", "id"], hostile)["context"])


def test_options_stay_the_same_from_run_to_run() -> None:
    assert grid_options(["question", "id"], "q-aws") == grid_options(["question", "id"], "q-aws")


def test_only_what_the_page_can_order_offers_to_be_sorted_and_says_how_it_is() -> None:
    options = grid_options(["question", "confidence", "predicted"], None, sorts=("question", "confidence"))
    assert [column.get("sortable") for column in options["columnDefs"]] == [True, True, None]

    def directions(sort: str) -> list[str | None]:
        options = grid_options(["question", "confidence"], None, sorts=("question", "confidence"), sort=sort)
        return [column["sort"] for column in options["columnDefs"]]

    assert directions("question") == ["asc", None]
    assert directions("-confidence") == [None, "desc"]
    assert directions("::JSCODE::") == [None, None]
