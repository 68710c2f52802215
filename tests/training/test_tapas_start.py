"""Where the training of tapas begins: a small encoder that sees lines of a table."""

import random

import torch

from qa_core.datasets import load_dataset
from qa_core.systems.rci_weights import load_scorer
from qa_core.systems.tapas_weights import base_tapas
from qa_core.training.examples import Example, read_examples
from qa_core.training.tapas import STUB, Cells, Trainer


@torch.no_grad()
def test_before_anything_is_learnt_cells_have_the_scores_that_rci_gives_to_their_headers() -> None:
    examples, axes = read_examples(load_dataset("sample"))
    asked = examples[::4]
    trainer = Trainer(*base_tapas(), axes)
    trainer.begin(load_scorer().scorer, examples)
    assert all(each > len(asked) / 3 for each in found(trainer, asked))


def found(trainer: Trainer, examples: list[Example]) -> tuple[int, int, int]:
    """Questions whose row leads among row headers, whose row leads among the cells of the right column, and
    whose column leads."""
    hits = [0, 0, 0]
    for example in examples:
        row, column = trainer._place(example)
        [cells] = trainer._cells(
            [trainer._read(example.question, example.table, example.row, random.Random(0))]
        )
        hits[0] += leading_row(cells, STUB) == row
        hits[1] += leading_row(cells, column) == row
        hits[2] += int(cells.column_ids[int(cells.of_columns.argmax())]) == column
    return hits[0], hits[1], hits[2]


def leading_row(cells: Cells, column: int) -> int:
    rows, log_odds = cells.in_column(column)
    return int(rows[int(log_odds.argmax())])
