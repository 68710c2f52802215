"""The last layer of the embedded tapas, where its training begins: of the cells of a column, the best one.

TAPAS selects each cell whose log-odds are above zero. How high they are depends on question and table, so one
threshold for all selects several cells here and none there. In this layer a token sees the cells with the
highest log-odds in the likeliest column, and these are taken off its own: the best cell is left near zero,
and the others below.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor

from qa_core.systems.tapas_input import COLUMN, ROW, TapasInput
from qa_core.systems.tapas_model import TapasModel
from qa_core.training.ridge import ridge

_SHARP, _COLUMN = 2.0, 1.0
"""What log-odds of a cell and of its column add to those of being seen."""
_BODY = 20.0
"""What being a body cell adds."""
_RIDGE = 1e-3


@torch.no_grad()
def choose_best_cell(tapas: TapasModel, inputs: Sequence[TapasInput]) -> None:
    """Make a model's last layer, of which attention alone is used, the one described above.

    ``inputs`` show how cells are told from headers and from the question.
    """
    model = tapas.model
    *layers, last = model.tapas.encoder.layer
    attention, dense = last.attention.self, last.attention.output.dense
    first_heads(attention, layers[-1].attention.self)
    for norm in (last.attention.output.LayerNorm, last.output.LayerNorm):
        norm.reset_parameters()
    of_cells, of_columns = model.output_weights, model.column_output_weights
    # The norm takes a mean away, so that nothing may depend on one.
    for weights in (of_cells, of_columns):
        weights.sub_(weights.mean())
    states = torch.cat([tapas.states([read], last=False)[0] for read in inputs])
    body = _body(inputs)
    is_body = ridge(states - states.mean(0), body - body.mean(), _RIDGE)
    size = attention.attention_head_size
    unit = size**0.25
    for linear in (attention.query, attention.key):
        linear.weight[:size], linear.bias[:size] = 0.0, 0.0
    attention.query.bias[0] = unit
    attention.key.weight[0] = unit * (_SHARP * of_cells + _COLUMN * of_columns + _BODY * is_body)
    attention.value.weight[0], attention.value.bias[0] = of_cells, 0.0
    dense.weight.zero_()
    dense.bias.zero_()
    dense.weight[:, 0] = -_apart(of_cells, of_columns)


@torch.no_grad()
def first_heads(attention: Any, other: Any) -> None:
    """Give an attention the first heads of another that has as many or more."""
    of_other = other.state_dict()
    for name, weight in attention.state_dict().items():
        weight.copy_(of_other[name][: len(weight)])


def _apart(of_cells: Tensor, of_columns: Tensor) -> Tensor:
    """What raises the log-odds of a cell by 1 and leaves those of columns alone."""
    direction = of_cells - of_columns * (of_cells @ of_columns) / (of_columns @ of_columns)
    raised: Tensor = direction / (direction @ of_cells)
    return raised


def _body(inputs: Sequence[TapasInput]) -> Tensor:
    """1 for each token of a body cell or row header, 0 for the question and column headers."""
    places = np.concatenate([read.places for read in inputs])
    return torch.from_numpy((places[:, ROW] > 0) & (places[:, COLUMN] > 0)).float()
