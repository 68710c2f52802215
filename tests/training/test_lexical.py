"""Fitting the lexical weights: what is refused first, then what a fit is and how it is printed."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from qa_core.datasets.aitqa import load_folder
from qa_core.datasets.dataset import Dataset
from qa_core.errors import CrossheadError
from qa_core.question import Question
from qa_core.systems import lexical
from qa_core.systems.features import CELL_FEATURES, LINE_FEATURES, read_question
from qa_core.systems.view import read_table
from qa_core.table import Location, Table
from qa_core.training.lexical import (
    N_WEIGHTS,
    cross_validate,
    evaluate,
    fit,
    format_weights,
    main,
    read_examples,
)
from tests.systems.tables import STATISTICS

YEARS = ("2018", "2017")
LABELS = (
    ("Fuel", "Wages", "Landing fees"),
    ("Room revenue", "Food", "Parking"),
    ("Coal", "Gas", "Wind"),
    ("Births", "Deaths", "Moves"),
)


def dataset() -> Dataset:
    """Four tables of three rows and two years, and a question for each of their cells."""
    tables: dict[str, Table] = {}
    questions: list[Question] = []
    for number, labels in enumerate(LABELS):
        cells = tuple((f"{number}{row}.1", f"{number}{row}.2") for row in range(len(labels)))
        table = Table(f"t{number}", tuple((y,) for y in YEARS), tuple((label,) for label in labels), cells)
        tables[table.id] = table
        for at in table.locations():
            text = f"How much was {labels[at.row or 0].lower()} in {YEARS[at.column or 0]}?"
            name = f"{table.id}-q{len(questions)}"
            questions.append(Question(name, table.id, text, (table.text_at(at),), cell=at))
    return Dataset("tiny", tables, tuple(questions))


def with_cell(cell: Location | None) -> Dataset:
    whole = dataset()
    return Dataset("tiny", whole.tables, (Question("q", "t0", "Fuel in 2018?", ("00.1",), cell=cell),))


def write(folder: Path, data: Dataset) -> Path:
    tables = [
        {"id": t.id, "column_header": t.column_paths, "row_header": t.row_paths, "data": t.cells}
        for t in data.tables.values()
    ]
    questions = [
        {"id": q.id, "table_id": q.table_id, "question": q.text, "answers": q.answers}
        | ({"cell": q.cell.as_list()} if q.cell else {})
        for q in data.questions
    ]
    for name, records in (("tables", tables), ("questions", questions)):
        (folder / f"{name}.jsonl").write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
    return folder


def test_a_question_without_cell_is_refused_with_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = write(tmp_path, with_cell(None))
    assert main(["--data", str(folder)]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err == (
        f"crosshead: {folder.name}: question 'q' has no cell; annotate it with [row, column].\n"
    )


def test_a_cell_outside_its_table_is_refused() -> None:
    with pytest.raises(CrossheadError, match="cell of question 'q' is outside table 't0'; correct"):
        read_examples(with_cell(Location(3, 0)))


def test_an_answer_in_a_header_is_left_out_and_nothing_to_fit_is_said() -> None:
    examples = read_examples(with_cell(Location(0, None)))
    assert examples == []
    with pytest.raises(CrossheadError, match="no question to fit"):
        fit(examples)
    with pytest.raises(CrossheadError, match="need at least two tables"):
        list(cross_validate(examples))


def test_a_fit_improves_over_zero_weights_also_on_tables_it_has_not_seen() -> None:
    examples = read_examples(dataset())
    untrained = evaluate(examples, np.zeros(N_WEIGHTS))
    trained = evaluate(examples, fit(examples))
    assert untrained.log_likelihood == pytest.approx(-np.log(6))
    assert (trained.n, trained.accuracy) == (24, 1.0)
    assert trained.log_likelihood > -0.2
    held_out = list(cross_validate(examples))
    assert sum(quality.n for quality in held_out) == 24
    assert all(quality.accuracy == 1.0 for quality in held_out)


def test_a_fit_is_the_maximum_and_the_same_each_time() -> None:
    examples = read_examples(dataset())
    weights = fit(examples)
    assert np.array_equal(weights, fit(examples))

    def objective(at: np.ndarray) -> float:
        return evaluate(examples, at).log_likelihood - 2e-4 * float(at @ at)

    best = objective(weights)
    for index in range(N_WEIGHTS):
        nudge = 0.01 * np.eye(N_WEIGHTS)[index]
        assert max(objective(weights + nudge), objective(weights - nudge)) < best


def test_an_abbreviation_is_read_alike_in_every_process() -> None:
    """The order of features decides ties, so it must not be that of a set of strings."""
    table = Table("t", (("2018",),), (("Net operating cash flow margin",), ("Debt",)), (("1",), ("2",)))
    (word, *_) = read_question("NOCFM in 2018?", read_table(table)).words
    assert list(word.features) == ["nocfm", "cash", "flow", "margin", "net", "oper"]


def test_what_is_fitted_is_what_lexical_scores_with() -> None:
    """The shipped weights over the training features give the scores of ``lexical`` itself."""
    weights = np.array(
        [lexical.ROW_WEIGHTS.get(name, 0.0) for name in LINE_FEATURES]
        + [lexical.COLUMN_WEIGHTS.get(name, 0.0) for name in LINE_FEATURES]
        + [lexical.CELL_WEIGHTS.get(name, 0.0) for name in CELL_FEATURES]
    )
    text = "What was the consolidated passenger load factor in 2018?"
    asked = Question("q", STATISTICS.id, text, ("",), cell=Location(1, 0))
    (example,) = read_examples(Dataset("one", {STATISTICS.id: STATISTICS}, (asked,)))
    reading = lexical.score(text, read_table(STATISTICS))
    assert example.choices() @ weights == pytest.approx(reading.cells.ravel())
    assert example.answer == STATISTICS.n_columns


def test_the_weights_are_printed_as_lexical_holds_them() -> None:
    weights = np.zeros(N_WEIGHTS)
    weights[0], weights[1], weights[len(LINE_FEATURES)], weights[-1] = 1.005001, -0.004, -2.0, 0.5
    assert format_weights(weights) == (
        'ROW_WEIGHTS: dict[str, float] = {\n    "own_mass": 1.01,\n}  # fmt: skip\n'
        'COLUMN_WEIGHTS: dict[str, float] = {\n    "own_mass": -2.00,\n}  # fmt: skip\n'
        'CELL_WEIGHTS: dict[str, float] = {\n    "date_unwanted": 0.50,\n}  # fmt: skip'
    )


def test_the_command_tells_what_it_used_and_prints_three_weight_tables(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = write(tmp_path, dataset())
    assert load_folder(folder, "tiny").fingerprint == dataset().fingerprint
    assert main(["--data", str(folder)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"{folder.name}: 24 of 24 questions used"
    assert [line.partition(",")[0] for line in lines[1:4]] == ["fold 1", "fold 2", "all"]
    heads = [line for line in lines if line.endswith("{")]
    assert heads == [f"{name}_WEIGHTS: dict[str, float] = {{" for name in ("ROW", "COLUMN", "CELL")]
    assert all(line.endswith((",", "{", "}  # fmt: skip")) for line in lines[5:])
