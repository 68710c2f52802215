"""Train the embedded tapas: ``python -m qa_core.training.tapas --out FOLDER``, then ``--export FILE``.

A question is asked of the base transformation of its table, or of the rows worth learning from where the
table is long. The column is learned as a choice among columns, by the mean of their cells' column logits, and
the row as a choice among the cells of the right column. Both are learned from headers too, which can be
matched with the question: the column among column headers, the row among row headers. That a cell beyond the
threshold is the answer, and none where the table has none, is learned beside.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import Any

if __name__ == "__main__":  # before the libraries, which take seconds to load
    from qa_core.training.interrupts import exit_when_interrupted

    exit_when_interrupted("the same command goes on from the last checkpoint, if one was kept")

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.functional import log_softmax, softplus

from qa_core.systems.encoder import batched
from qa_core.systems.line_scorer import LineScorer
from qa_core.systems.line_texts import ROW as ROW_SIDE
from qa_core.systems.own_weights import check_target
from qa_core.systems.rci_weights import load_scorer
from qa_core.systems.tapas_input import COLUMN, ROW, TapasInput
from qa_core.systems.tapas_model import TapasModel
from qa_core.systems.tapas_weights import base_tapas, save_tapas
from qa_core.training.checkpoint import Run
from qa_core.training.examples import Axes, Example, hard_lines
from qa_core.training.loop import run_command, shares
from qa_core.training.tapas_start import begin_as_rci
from qa_core.transform import base

MOST_TOKENS = 256
"""Tokens of a sequence in training, where some rows suffice to fill them."""
LEAST_ROWS = 4
MEASURED = 60
"""Questions on which is measured what there is to begin with."""
SELECTED = 1.0
"""Weight of the loss that the threshold has."""
STUB = 1
"""Column id of row headers."""
_TOKENS_AT_ONCE = 1024
_UNCUT = 4096
_SCALES = tuple(np.geomspace(0.2, 5.0, 25).tolist())
"""What logits are multiplied by, each tried where confidence is fitted."""
_TINY = 1e-6


@dataclass(frozen=True)
class Cells:
    """Logits of the cells that a sequence shows (header row 0 among them) and of its columns.

    ``rows`` and ``columns`` hold the ids of each cell, ``column_ids`` those of the columns in ``of_columns``;
    ``header_ids`` hold those of the column headers shown, with the column logits of each in ``of_headers``.
    """

    rows: NDArray[np.int64]
    columns: NDArray[np.int64]
    logits: Tensor
    column_ids: NDArray[np.int64]
    of_columns: Tensor
    header_ids: NDArray[np.int64]
    of_headers: Tensor

    def in_column(self, column: int) -> tuple[NDArray[np.int64], Tensor]:
        """Row ids and logits of the cells of a column, its header left out."""
        inside = (self.columns == column) & (self.rows > 0)
        return self.rows[inside], self.logits[torch.from_numpy(inside)]


Logits = NDArray[np.float64]


@dataclass(frozen=True)
class Choice:
    """Logits of a table's columns, those of the cells of the likeliest column, and the place of the right one
    among these, None where the column is another."""

    columns: Logits
    cells: Logits
    right: int | None


class Trainer:
    """A TAPAS and the tables it learns on."""

    added_rate = 1.0

    def __init__(self, tokenizer: Any, model: Any, axes: Mapping[str, Axes]) -> None:
        self.model: nn.Module = model
        self.axes = axes
        self._tapas = TapasModel(tokenizer, model, _UNCUT)
        self._flats = {name: base(each.view.table) for name, each in axes.items()}

    def begin(self, scorer: LineScorer, examples: Sequence[Example]) -> None:
        """Take over what a trained scorer knows, measured on some questions; see ``begin_as_rci``."""
        chance = random.Random(1)
        some = chance.sample(examples, min(MEASURED, len(examples)))
        inputs = [self._read(e.question, e.table, e.row, chance) for e in some]
        begin_as_rci(self._tapas, scorer, inputs)

    def loss(
        self, batch: Sequence[Example], elsewhere: Sequence[tuple[Example, str]], chance: random.Random
    ) -> Tensor:
        """Mean loss of questions over their tables, and of some asked of a table that has no answer."""
        asked: list[tuple[TapasInput, tuple[int, int] | None]] = [
            (self._read(e.question, e.table, e.row, chance), self._place(e)) for e in batch
        ]
        asked += [(self._read(e.question, table, None, chance), None) for e, table in elsewhere]
        losses = [
            _loss(cells, asked[i][1])
            for part in _parts([len(read.ids) for read, _ in asked])
            for i, cells in zip(part, self._cells([asked[i][0] for i in part]), strict=True)
        ]
        return torch.stack(losses).mean()

    @torch.inference_mode()
    def accuracy(self, examples: Sequence[Example]) -> dict[str, float]:
        """Shares of questions whose cell, row and column are chosen among all of their table."""
        hits = []
        for example, chosen, rows, logits, _ in self._chosen_columns(examples):
            row = int(rows[int(logits.argmax())]) if len(rows) else 0
            right = tuple(np.equal((row, chosen), self._place(example)).tolist())
            hits.append((all(right), *right))
        return shares(hits)

    @torch.inference_mode()
    def choices(self, examples: Sequence[Example]) -> list[Choice]:
        """What the model makes of each question over its whole table."""
        found = []
        for example, chosen, rows, logits, columns in self._chosen_columns(examples):
            row, column = self._place(example)
            right = np.flatnonzero((rows == row) & (chosen == column))
            found.append(Choice(columns, logits, int(right[0]) if len(right) else None))
        return found

    def _chosen_columns(
        self, examples: Sequence[Example]
    ) -> Iterator[tuple[Example, int, NDArray[np.int64], Logits, Logits]]:
        """Of each question over its whole table the column chosen, row ids and logits of its cells, and the
        logits of all columns."""
        self.model.eval()
        for example in examples:
            [cells] = self._cells([self._tapas.reader.read(example.question, self._flats[example.table])])
            chosen = int(cells.column_ids[int(cells.of_columns.argmax())])
            rows, logits = cells.in_column(chosen)
            yield example, chosen, rows, logits.double().numpy(), cells.of_columns.double().numpy()
        self.model.train()

    def _place(self, example: Example) -> tuple[int, int]:
        """Row and column id of the answer."""
        flat = self._flats[example.table]
        n_columns = flat.table.n_columns
        return example.row + 1, STUB if example.column == n_columns else example.column + 1 + flat.has_stub

    def _read(self, question: str, table: str, right: int | None, chance: random.Random) -> TapasInput:
        flat, axes = self._flats[table], self.axes[table]
        read = self._tapas.reader.read(question, flat)
        if len(read.ids) <= MOST_TOKENS:
            return read
        rows = read.places[:, ROW]
        body = int((rows > 0).sum())
        most = max(LEAST_ROWS, (MOST_TOKENS - len(rows) + body) * flat.n_rows // max(body, 1))
        kept = hard_lines(axes.texts.rows, axes.evidence(question)[ROW_SIDE], right, most, chance)
        inside = (rows == 0) | np.isin(rows - 1, kept)
        return replace(
            read, ids=read.ids[inside], places=read.places[inside], positions=read.positions[inside]
        )

    def _cells(self, inputs: Sequence[TapasInput]) -> list[Cells]:
        tokens, columns, _ = self._tapas.logits(inputs)
        return [_cells(read, tokens[i], columns[i]) for i, read in enumerate(inputs)]


def _cells(read: TapasInput, tokens: Tensor, columns: Tensor) -> Cells:
    row_ids, column_ids = read.places[:, ROW], read.places[:, COLUMN]
    of_table = np.flatnonzero(column_ids > 0)
    width = int(column_ids.max()) + 1
    cells, index = np.unique(row_ids[of_table] * width + column_ids[of_table], return_inverse=True)
    places = torch.from_numpy(of_table)
    distinct, of_column = np.unique(cells % width, return_inverse=True)
    by_cell = _means(columns[places], index)
    headers = cells < width
    return Cells(
        cells // width,
        cells % width,
        _means(tokens[places], index),
        distinct,
        _means(by_cell, of_column),
        cells[headers],
        by_cell[torch.from_numpy(headers)],
    )


def _loss(cells: Cells, right: tuple[int, int] | None) -> Tensor:
    if right is None:
        rows, logits = cells.in_column(int(cells.column_ids[int(cells.of_columns.argmax())]))
        return SELECTED * softplus(logits).sum()
    row, column = right
    rows, logits = cells.in_column(column)
    place = int(np.flatnonzero(rows == row)[0])
    signs = torch.ones(len(rows))
    signs[place] = -1.0
    chosen = (
        _chosen(cells.column_ids, cells.of_columns, column)
        + _chosen(rows, logits, row)
        + _chosen(cells.header_ids, cells.of_headers, column)
        + _chosen(*cells.in_column(STUB), row)
    )
    return SELECTED * softplus(signs * logits).sum() - chosen


def _chosen(ids: NDArray[np.int64], logits: Tensor, right: int) -> Tensor:
    """Log-probability of the right one among all; 0 where it is missing."""
    place = np.flatnonzero(ids == right)
    return log_softmax(logits, 0)[int(place[0])] if len(place) else logits.new_zeros(())


def _means(values: Tensor, groups: NDArray[np.int64]) -> Tensor:
    index = torch.from_numpy(groups)
    totals = torch.zeros(int(groups.max()) + 1).index_add(0, index, values)
    return totals / torch.bincount(index)


def _parts(lengths: Sequence[int]) -> list[list[int]]:
    """Places of sequences of like length, some for each time that the model reads."""
    order = sorted(range(len(lengths)), key=lengths.__getitem__)
    return batched(order, lengths, _TOKENS_AT_ONCE)


def main(arguments: Sequence[str] | None = None) -> int:
    """Train, or export what was trained; see ``run_command``."""
    return run_command("qa_core.training.tapas", arguments, _trainer, export)


def _trainer(examples: Sequence[Example], axes: Mapping[str, Axes]) -> Trainer:
    tokenizer, model = base_tapas()
    trainer = Trainer(tokenizer, model, axes)
    trainer.begin(load_scorer().scorer, examples)
    return trainer


def export(run: Run, path: Path, apart: Sequence[Example], axes: Mapping[str, Axes]) -> None:
    """Write a run's weights, with what is fitted on the examples held apart: the bias that selects the right
    cell alone most often, and the scales of logits at which confidence says how often an answer is right."""
    tokenizer, model = base_tapas()
    weights = run.weights(model)
    check_target(path, weights)
    model.load_state_dict(weights, strict=False)
    choices = Trainer(tokenizer, model, axes).choices(apart)
    bias = fitted_bias(choices)
    of_columns, of_cells = fitted_scales(choices, bias)
    weights["output_bias"] = of_cells * (weights["output_bias"] + bias)
    weights["output_weights"] *= of_cells
    for name in ("column_output_weights", "column_output_bias"):
        weights[name] *= of_columns
    save_tapas(weights, path)


def fitted_bias(choices: Sequence[Choice]) -> float:
    """What is to be added to the log-odds of all cells, so that most often the right one alone is above zero;
    the least of several, and 0 where no cell is right."""
    found = [(each.cells, each.right) for each in choices if each.right is not None]
    margins = [(cells[right], np.delete(cells, right).max(initial=-np.inf)) for cells, right in found]
    ends = sorted({-other for right, other in margins if right > other and np.isfinite(other)} | {0.0})
    return float(
        max(ends, key=lambda bias: sum(right + bias > 0 >= other + bias for right, other in margins))
    )


def fitted_scales(choices: Sequence[Choice], bias: float) -> tuple[float, float]:
    """Scales of the logits of columns and of cells, which change no answer, at which confidence has the least
    log loss; 1 and 1 where there is no answer."""
    answers = [each for each in choices if (each.cells + bias > 0).any()]
    if not answers:
        return 1.0, 1.0
    right = [
        each.right is not None and np.array_equal(np.flatnonzero(each.cells + bias > 0), [each.right])
        for each in answers
    ]

    def loss(scales: tuple[float, float]) -> float:
        of_columns, of_cells = scales
        sure = np.array([_confidence(each, bias, of_columns, of_cells) for each in answers])
        return -float(np.log(np.where(right, sure, 1 - sure).clip(_TINY)).mean())

    return min(product(_SCALES, _SCALES), key=loss)


def _confidence(choice: Choice, bias: float, of_columns: float, of_cells: float) -> float:
    """As TapasSystem has it."""
    columns = np.exp(of_columns * (choice.columns - choice.columns.max()))
    odds = of_cells * (choice.cells + bias)
    return float((1 / (1 + np.exp(-odds[odds > 0]))).mean() / columns.sum())


if __name__ == "__main__":
    sys.exit(main())
