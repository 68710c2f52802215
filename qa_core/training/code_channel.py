"""Codes that tell the rows and the columns of a table apart, in directions that the content of a transformer
hardly uses.

A token's code is the sum of its row's and its column's, with *flags* that tell the question and headers, and
room for the scores of a row and a column. All of it stands in a *channel* through the states of a
transformer, from which no layer's content reads and into which none writes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

LINE = slice(0, 9)
"""The part of a code that tells lines apart."""
QUESTION, HEADER, STUB, ROW_SCORE, COLUMN_SCORE = range(9, 14)
"""Flags (the corner is a column header and a row header), and room for scores."""
FLAGS = slice(QUESTION, ROW_SCORE)
WIDTH = 14
_ROWS, _COLUMNS = 24, 8
"""Codes of rows and of columns, which repeat after so many: few lie far apart, and neighbours differ."""
_PUSHES = 1500
_STEADY = 120
"""Coordinates that codes may use: those which the layers scale most alike."""
_OF_HEADERS = 10.0
"""Weight of the tokens of headers and of the question where the reading of codes is fitted."""
_TINY = 1e-6


@dataclass(frozen=True)
class Channel:
    """Where the codes stand in a state: ``write`` (hidden × codes) adds them, ``read`` gets them back.

    Their product is the identity.
    """

    read: Tensor
    write: Tensor

    def after(self, norm: nn.LayerNorm) -> Channel:
        """Where they stand after a layer norm, up to the scale that it gives a token.

        The norm's bias is freed of what would be read as a code: the next norm would scale that by token.
        """
        scale = norm.weight[:, None]
        write, read, ones = self.write * scale, self.read / scale, 1 / scale
        # What a norm gives is without a mean, before its scale: reading must not depend on one.
        read = read - ones * (read.sum(0) / ones.sum())
        read = read @ torch.linalg.inv(write.T @ read)
        norm.bias.sub_(write @ (read.T @ norm.bias))
        return Channel(read, write)

    def hide_from(self, linear: nn.Linear, rest: Tensor) -> None:
        """Let a linear layer see of the codes only ``rest``, what is read where there are none."""
        seen = linear.weight @ self.write
        linear.bias.add_(seen @ rest)
        linear.weight.sub_(seen @ self.read.T)

    def keep_from(self, linear: nn.Linear) -> None:
        """Let a linear layer write nothing that is read as a code."""
        into = self.read @ torch.linalg.inv(self.read.T @ self.read) @ self.read.T
        linear.weight.sub_(into @ linear.weight)
        linear.bias.sub_(into @ linear.bias)

    def fitted(self, states: Tensor, codes: Tensor) -> tuple[Tensor, Tensor]:
        """The affine map from states (tokens × hidden) to codes (tokens × width) that errs least on these:
        weights (hidden × width) and offset."""
        read = _with_one(states @ self.read)
        weighed = torch.where(flagged(codes)[:, None], _OF_HEADERS, 1.0) * read / len(read)
        weights = torch.linalg.solve(weighed.T @ read + _TINY * torch.eye(read.shape[1]), weighed.T @ codes)
        return self.read @ weights[:-1], weights[-1]

    def rest(self, states: Tensor, codes: Tensor) -> Tensor:
        """What is read of a state whose code is zero."""
        rest: Tensor = torch.linalg.lstsq(_with_one(codes), states @ self.read).solution[-1]
        return rest


def quiet_channel(content: Tensor, layers: Sequence[Any]) -> Channel:
    """Directions before the first layer norm, in which content (tokens × hidden) varies least."""
    scales = torch.stack(
        [each.LayerNorm.weight for layer in layers for each in (layer.attention.output, layer.output)]
    )
    drift = (scales / scales.median(1, keepdim=True).values).clamp_min(0.01).log().cumsum(0).abs().amax(0)
    steady = drift.argsort()[:_STEADY]
    # A direction with a mean would be lost in the norm.
    without_mean = torch.eye(_STEADY) - 1 / _STEADY
    moments = content.T @ content / len(content)
    _, vectors = torch.linalg.eigh(without_mean @ moments[steady][:, steady] @ without_mean)
    directions = torch.zeros(len(moments), WIDTH)
    directions[steady] = vectors[:, 1 : WIDTH + 1]
    return Channel(directions, directions)


def line_codes(n_rows: int, n_columns: int) -> tuple[Tensor, Tensor]:
    """Codes by row id and by column id, to be added for a token.

    The header row has id 0, row headers are column 1, and a question has 0 for both.
    """
    codes = nn.functional.pad(_far_apart(_ROWS + _COLUMNS), (0, WIDTH - LINE.stop))
    rows = codes[:_ROWS][torch.arange(n_rows) % _ROWS]
    columns = codes[_ROWS:][torch.arange(n_columns) % _COLUMNS]
    rows[0], columns[:2] = 0.0, 0.0
    rows[0, HEADER] = columns[1, STUB] = 1.0
    columns[0, QUESTION], columns[0, HEADER] = 1.0, -1.0
    return rows, columns


def flagged(codes: Tensor) -> Tensor:
    """Which tokens are of the question or of headers."""
    return codes[:, FLAGS].any(1)


def _far_apart(n: int) -> Tensor:
    """Unit vectors that push each other apart, the nearest most."""
    chance = torch.Generator().manual_seed(0)
    points = nn.functional.normalize(torch.randn(n, LINE.stop, generator=chance))
    for step in range(_PUSHES):
        products = (points @ points.T).fill_diagonal_(-1)
        near = torch.exp((10 + 20 * step / _PUSHES) * (products - products.max())).fill_diagonal_(0)
        pushed = near @ points / near.sum(1, keepdim=True).clamp_min(1)
        points = nn.functional.normalize(points - 0.05 * pushed)
    return points


def _with_one(values: Tensor) -> Tensor:
    return nn.functional.pad(values, (0, 1), value=1.0)
