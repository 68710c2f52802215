"""The last layer of tapas: one threshold selects the best cell of any question's column."""

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from qa_core.datasets import load_dataset
from qa_core.systems.rci_weights import load_scorer
from qa_core.systems.tapas_input import COLUMN, ROW, TapasInput
from qa_core.systems.tapas_model import TapasModel
from qa_core.systems.tapas_weights import base_tapas
from qa_core.training.tapas_choice import choose_best_cell
from qa_core.training.tapas_start import begin_as_rci
from qa_core.transform import base


@pytest.fixture(scope="module")
def read() -> tuple[TapasModel, list[TapasInput]]:
    torch.manual_seed(0)
    tapas = TapasModel(*base_tapas(), 512)
    sample = load_dataset("sample")
    inputs = [
        tapas.reader.read(each.text, base(sample.tables[each.table_id])) for each in sample.questions[::8]
    ]
    begin_as_rci(tapas, load_scorer().scorer, inputs)
    return tapas, inputs


@torch.no_grad()
def test_the_best_cells_of_different_questions_have_like_log_odds(
    read: tuple[TapasModel, list[TapasInput]],
) -> None:
    tapas, inputs = read
    model = tapas.model
    before = [best(tapas.states([each], last=False)[0] @ model.output_weights, each) for each in inputs]
    after = [best(tapas.states([each])[0] @ model.output_weights, each) for each in inputs]
    assert np.std(after) < np.std(before) / 2
    assert np.abs(after).max() < np.abs(before).max()


@torch.no_grad()
def test_columns_are_ordered_as_before(read: tuple[TapasModel, list[TapasInput]]) -> None:
    tapas, inputs = read
    of_columns = tapas.model.column_output_weights
    for each in inputs:
        before = tapas.states([each], last=False)[0] @ of_columns
        after = tapas.states([each])[0] @ of_columns
        assert np.corrcoef(before, after)[0, 1] > 0.99


@torch.no_grad()
def test_it_is_made_anew_for_other_weights(read: tuple[TapasModel, list[TapasInput]]) -> None:
    tapas, inputs = read
    weights = {name: weight.clone() for name, weight in tapas.model.state_dict().items()}
    choose_best_cell(tapas, inputs)
    assert all(
        torch.allclose(weight, weights[name], atol=1e-4) for name, weight in tapas.model.state_dict().items()
    )


def best(log_odds: torch.Tensor, read: TapasInput) -> float:
    body = (read.places[:, ROW] > 0) & (read.places[:, COLUMN] > 0)
    cells: NDArray[np.float64] = log_odds.double().numpy()[body]
    return float(cells.max())
