"""Least squares that keep their weights small."""

from __future__ import annotations

import torch
from torch import Tensor


def ridge(inputs: Tensor, wanted: Tensor, share: float) -> Tensor:
    """Weights (dimensions × outputs) by which inputs (rows × dimensions, of mean 0) come nearest to outputs.

    ``share``, of the mean of the inputs' variances, is what each dimension is penalised by.
    """
    products = inputs.T @ inputs
    products += share * products.diagonal().mean() * torch.eye(len(products))
    weights: Tensor = torch.linalg.solve(products, inputs.T @ wanted)
    return weights
