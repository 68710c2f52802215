"""Fit the weights of the lexical system: ``python -m qa_core.training.lexical --data DIR --tatqa FILE``.

The choice of a body cell is log-linear: a cell's score is a weighted sum of the features of its row, its
column and itself, and the softmax over the table's cells is the probability of each (a conditional logit,
McFadden 1974). The fit maximises the mean log-likelihood of the annotated cells less an L2 penalty. That
function is concave with one maximum, which Newton's method reaches from zero; nothing is random, so the
same data give the same weights.

The weights in ``qa_core/systems/lexical.py`` were fitted on natural questions over tables of companies'
filings and of invented organisations, and on the spans of TAT-QA; no shown data set has any of these tables.
They come from an optimiser that stopped a little short: this module prints the same within 0.02.
"""

from __future__ import annotations

import argparse
import sys
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

if __name__ == "__main__":  # before the libraries, which take seconds to load
    from qa_core.training.interrupts import exit_when_interrupted

    exit_when_interrupted("nothing was fitted")

import numpy as np

from qa_core.datasets.aitqa import load_folder
from qa_core.datasets.dataset import Dataset
from qa_core.errors import CrossheadError
from qa_core.question import Question
from qa_core.systems.features import (
    CELL_FEATURES,
    LINE_FEATURES,
    Scores,
    body_matches,
    cell_features,
    line_features,
    match,
    read_question,
)
from qa_core.systems.view import TableView, read_table
from qa_core.training.tatqa import load_tatqa

PENALTY = 2e-4
"""Factor of the squared weights, against the mean log-likelihood of a question."""
N_WEIGHTS = 2 * len(LINE_FEATURES) + len(CELL_FEATURES)

_MAX_STEPS = 50
_TOLERANCE = 1e-10
"""Newton decrement, in log-likelihood, below which the maximum counts as reached."""
_LINE_LENGTH = 108
_INDENT = " " * 4


@dataclass(frozen=True)
class Example:
    """One question's features, and the answer's place among the cells counted row by row.

    ``rows`` is rows × ``LINE_FEATURES``, ``columns`` columns × ``LINE_FEATURES``, ``cells`` all cells ×
    ``CELL_FEATURES``.
    """

    table_id: str
    rows: Scores
    columns: Scores
    cells: Scores
    answer: int

    def choices(self) -> Scores:
        """All cells × ``N_WEIGHTS``: the features of each cell's row, column and own text."""
        of_rows = np.repeat(self.rows, len(self.columns), axis=0)
        of_columns = np.tile(self.columns, (len(self.rows), 1))
        return np.concatenate([of_rows, of_columns, self.cells], axis=1)


@dataclass(frozen=True)
class Quality:
    """How weights do on examples: mean log-likelihood of the right cell (nats), share of right best cells."""

    n: int
    log_likelihood: float
    accuracy: float


def read_examples(dataset: Dataset) -> list[Example]:
    """The questions of a dataset whose answer is a body cell; those answered by a header are left out.

    Raises CrossheadError for a question without cell, over an unknown table or with a cell outside of it.
    """
    views: dict[str, TableView] = {}
    examples = []
    for question in dataset.questions:
        table = dataset.table(question.table_id)
        if question.cell is None:
            raise CrossheadError(
                f"{dataset.name}: question {question.id!r} has no cell; annotate it with [row, column]."
            )
        if question.cell not in table:
            raise CrossheadError(
                f"{dataset.name}: the cell of question {question.id!r} is outside table {table.id!r}; "
                "correct its [row, column]."
            )
        if not question.cell.is_cell:
            continue
        if table.id not in views:
            views[table.id] = read_table(table)
        examples.append(read_example(question, views[table.id]))
    return examples


def read_example(question: Question, view: TableView) -> Example:
    """The features that ``lexical`` scores, for a question with a body cell."""
    ask = read_question(question.text, view)
    in_body, own_text = body_matches(ask, view)
    in_rows, in_columns = match(ask, view.rows), match(ask, view.columns)
    by_name = cell_features(ask, view, own_text)
    cells = np.stack([by_name[name].ravel() for name in CELL_FEATURES], axis=1)
    cell = question.cell
    if cell is None or cell.row is None or cell.column is None:
        raise ValueError(f"question {question.id} has no body cell")
    return Example(
        view.table.id,
        line_features(ask, view.rows, in_rows, in_columns, in_body),
        line_features(ask, view.columns, in_columns, in_rows),
        cells,
        cell.row * view.table.n_columns + cell.column,
    )


def fit(examples: Sequence[Example]) -> Scores:
    """The ``N_WEIGHTS`` of highest penalised likelihood: those of rows, of columns, of cells.

    Raises CrossheadError where there are no examples.
    """
    if not examples:
        raise CrossheadError("There is no question to fit; name a folder whose questions have cells.")
    weights = np.zeros(N_WEIGHTS)
    for _ in range(_MAX_STEPS):
        loss, gradient, hessian = _derivatives(examples, weights)
        step = np.linalg.solve(hessian, gradient)
        decrement = float(gradient @ step)
        if decrement < _TOLERANCE:
            break
        scale = 1.0
        while _loss(examples, weights - scale * step) > loss - 0.25 * scale * decrement:
            scale /= 2
        weights = weights - scale * step
    return weights


def evaluate(examples: Sequence[Example], weights: Scores) -> Quality:
    """Log-likelihood and accuracy of weights on examples, of which there must be one."""
    probabilities = [(example.answer, _log_softmax(example.choices() @ weights)) for example in examples]
    return Quality(
        len(examples),
        float(np.mean([logs[answer] for answer, logs in probabilities])),
        float(np.mean([logs.argmax() == answer for answer, logs in probabilities])),
    )


def cross_validate(examples: Sequence[Example]) -> Iterator[Quality]:
    """How the weights fitted on every other table do on the tables between, and the reverse.

    Raises CrossheadError where there are fewer than two tables.
    """
    order = {name: number for number, name in enumerate(dict.fromkeys(e.table_id for e in examples))}
    folds: tuple[list[Example], list[Example]] = ([], [])
    for example in examples:
        folds[order[example.table_id] % 2].append(example)
    if not all(folds):
        raise CrossheadError("Two folds need at least two tables; name data with more tables.")
    for held_out, rest in (folds, folds[::-1]):
        yield evaluate(held_out, fit(rest))


def format_weights(weights: Scores) -> str:
    """The three weight tables as ``qa_core/systems/lexical.py`` holds them, without those that round to 0."""
    n = len(LINE_FEATURES)
    return "\n".join(
        _format_table(name, dict(zip(features, values, strict=True)))
        for name, features, values in (
            ("ROW_WEIGHTS", LINE_FEATURES, weights[:n]),
            ("COLUMN_WEIGHTS", LINE_FEATURES, weights[n : 2 * n]),
            ("CELL_WEIGHTS", CELL_FEATURES, weights[2 * n :]),
        )
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Fit and print; returns the exit code: 0, or 2 for bad input."""
    parser = argparse.ArgumentParser(
        prog="python -m qa_core.training.lexical",
        description="Fit the weights of the lexical system and print them as its source holds them.",
    )
    parser.add_argument(
        "--data", type=Path, action="append", required=True, metavar="DIR",
        help="a folder in the AIT-QA format whose questions have cells; may be repeated",
    )  # fmt: skip
    parser.add_argument(
        "--tatqa", type=Path, action="append", default=[], metavar="FILE",
        help="tables of TAT-QA with their questions, one table a line; may be repeated",
    )  # fmt: skip
    options = parser.parse_args(arguments)
    try:
        datasets = [load_folder(folder, folder.name) for folder in options.data]
        _report([*datasets, *map(load_tatqa, options.tatqa)])
    except CrossheadError as fault:
        print(f"crosshead: {fault}", file=sys.stderr)
        return 2
    return 0


def _report(datasets: Sequence[Dataset]) -> None:
    examples = []
    for dataset in datasets:
        read = read_examples(dataset)
        print(f"{dataset.name}: {len(read):,} of {len(dataset.questions):,} questions used")
        examples += read
    for number, quality in enumerate(cross_validate(examples), start=1):
        print(f"fold {number}, fitted on the other: {_format_quality(quality)}")
    weights = fit(examples)
    print(f"all, fitted on all: {_format_quality(evaluate(examples, weights))}\n")
    print(format_weights(weights))


def _format_quality(quality: Quality) -> str:
    return (
        f"{quality.n:,} questions, log-likelihood {quality.log_likelihood:.4f} each, "
        f"accuracy {quality.accuracy:.1%}"
    )


def _log_softmax(scores: Scores) -> Scores:
    shifted: Scores = scores - scores.max()
    return shifted - float(np.log(np.exp(shifted).sum()))


def _loss(examples: Sequence[Example], weights: Scores) -> float:
    """Mean negative log-likelihood plus penalty."""
    logs = [_log_softmax(example.choices() @ weights)[example.answer] for example in examples]
    return float(PENALTY * weights @ weights - np.mean(logs))


def _derivatives(examples: Sequence[Example], weights: Scores) -> tuple[float, Scores, Scores]:
    """The loss, its gradient and its Hessian: the features' expectation less the answer's, and covariance."""
    loss = 0.0
    gradient, hessian = np.zeros(N_WEIGHTS), np.zeros((N_WEIGHTS, N_WEIGHTS))
    for example in examples:
        choices = example.choices()
        logs = _log_softmax(choices @ weights)
        weighted = choices * np.exp(logs)[:, None]
        expected = weighted.sum(axis=0)
        loss -= float(logs[example.answer])
        gradient += expected - choices[example.answer]
        hessian += weighted.T @ choices - np.outer(expected, expected)
    n = len(examples)
    return (
        loss / n + PENALTY * float(weights @ weights),
        gradient / n + 2 * PENALTY * weights,
        hessian / n + 2 * PENALTY * np.eye(N_WEIGHTS),
    )


def _format_table(name: str, weights: dict[str, float]) -> str:
    # A feature and its weight stay on one line: the space between them is no place to break.
    items = [f'"{feature}":\u00a0{value:.2f},' for feature, value in weights.items() if round(value, 2)]
    lines = textwrap.wrap(
        " ".join(items),
        _LINE_LENGTH,
        initial_indent=_INDENT,
        subsequent_indent=_INDENT,
        break_on_hyphens=False,
    )
    text = "\n".join([f"{name}: dict[str, float] = {{", *lines, "}  # fmt: skip"])
    return text.replace("\u00a0", " ")


if __name__ == "__main__":
    sys.exit(main())
