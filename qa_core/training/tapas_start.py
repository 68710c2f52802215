"""Where the training of the embedded tapas begins: with layers that read a table as the embedded rci does.

In rci a line sees itself and the question; in TAPAS every token sees every other, and which of them share a
row or a column is told by embeddings alone. From random ones a small encoder does not find that out within
the questions at hand: its loss stays at chance. So each row and each column gets a *code*, in directions that
the encoder's own content hardly uses, and a token has the sum of its two. No layer's content reads these
directions or writes into them. In every head the weakest dimensions of query and key give way to a comparison
of codes, and to a *priority*: cells are seen less than headers, and the question is seen as much as the
headers of one's own line.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from qa_core.systems.line_scorer import LineScorer
from qa_core.systems.line_texts import COLUMN as COLUMN_SIDE
from qa_core.systems.line_texts import ROW as ROW_SIDE
from qa_core.systems.tapas_input import COLUMN, ROW, TapasInput
from qa_core.systems.tapas_model import TapasModel

_WIDTH = 9
"""Dimensions of a code."""
_ROWS, _COLUMNS = 24, 8
"""Codes of rows and of columns, which repeat after so many: few lie far apart, and neighbours differ."""
_SIZE = 0.2
"""Length of a code, as a share of the length of a token's embedding."""
_STEADY = 120
"""Coordinates that codes may use: those which the layers scale most alike."""
_PUSHES = 1500
_KEPT = 22
"""Dimensions of a head that still compare content."""
_SAME_LINE, _HEADER = 4.0, 3.0
"""What being of one line, and being a header, adds to the log-odds of being seen."""
_OF_HEADERS = 10.0
"""Weight of the tokens of headers and of the question where the reading of codes is fitted."""
_UNSELECTED = -3.0
"""Log-odds of a cell to be selected before anything is learned."""
_AFTER, _BETWEEN, _POSITIONS = 16, 0.3, 64
"""In rci a line's positions go on where the question's end, here after so many tokens; in TAPAS both start at
0. The first positions lie between the two, and segments make up for the rest."""
_TINY = 1e-6


@dataclass(frozen=True)
class Channel:
    """Where the codes stand in a state: ``write`` (hidden × codes) adds them, ``read`` gets them back.

    Their product is the identity.
    """

    read: Tensor
    write: Tensor

    def after(self, norm: nn.LayerNorm) -> Channel:
        """Where they stand after a layer norm, up to the scale that it gives a token."""
        scale = norm.weight[:, None]
        write, read, ones = self.write * scale, self.read / scale, 1 / scale
        # What a norm gives is without a mean, before its scale: reading must not depend on one.
        read = read - ones * (read.sum(0) / ones.sum())
        return Channel(read @ torch.linalg.inv(write.T @ read), write)

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


@torch.no_grad()
def begin_as_rci(tapas: TapasModel, scorer: LineScorer, inputs: Sequence[TapasInput]) -> None:
    """Give a TAPAS of the encoder's size the layers and heads of a trained scorer, made to read tables.

    What content there is to keep is measured on ``inputs``.
    """
    model = tapas.model
    encoder, embeddings = model.tapas.encoder, model.tapas.embeddings
    encoder.load_state_dict(scorer.encoder.encoder.state_dict())
    _shift_positions(embeddings)
    for places in range(1, 7):
        _table(embeddings, places).zero_()
    of_rows, of_columns = _codes(embeddings)
    content, deviation = _content(tapas, inputs)
    channel = _quiet_directions(content, encoder.layer)
    size = _SIZE * len(channel.write) ** 0.5 * deviation
    _table(embeddings, ROW).copy_(size * of_rows @ channel.write.T)
    _table(embeddings, COLUMN).copy_(size * of_columns @ channel.write.T)
    codes = torch.cat([of_rows[read.places[:, ROW]] + of_columns[read.places[:, COLUMN]] for read in inputs])
    channel = channel.after(embeddings.LayerNorm)
    states = [tapas.embed([read])[0] for read in inputs]
    for layer in encoder.layer:
        _see_lines(layer.attention.self, channel, torch.cat([state[0] for state in states]), codes)
        channel.keep_from(layer.attention.output.dense)
        channel = channel.after(layer.attention.output.LayerNorm)
        channel.keep_from(layer.output.dense)
        between = torch.cat([tapas.attended(layer, state)[0] for state in states])
        channel.hide_from(layer.intermediate.dense, _rest(between @ channel.read, codes))
        channel = channel.after(layer.output.LayerNorm)
        states = [tapas.layer(layer, state) for state in states]
    heads: Any = scorer.heads
    model.output_weights.copy_(heads[ROW_SIDE].weight[0])
    model.column_output_weights.copy_(heads[COLUMN_SIDE].weight[0])
    model.output_bias.fill_(_UNSELECTED)


def _shift_positions(embeddings: Any) -> None:
    positions = embeddings.position_embeddings.weight
    later = positions[_AFTER : _AFTER + _POSITIONS].clone()
    shift = (later[:8] - positions[:8]).mean(0)
    positions[:_POSITIONS].lerp_(later, _BETWEEN)
    of_question, of_table = embeddings.token_type_embeddings_0.weight[:2]
    of_question -= _BETWEEN * shift
    of_table += (1 - _BETWEEN) * shift


def _codes(embeddings: Any) -> tuple[Tensor, Tensor]:
    """Codes and, last, priorities by row id and by column id. Headers and the question have id 0 in a row or
    a column, and row headers are column 1."""
    codes = nn.functional.pad(_far_apart(_ROWS + _COLUMNS), (0, 1))
    rows = codes[:_ROWS][torch.arange(len(_table(embeddings, ROW))) % _ROWS]
    columns = codes[_ROWS:][torch.arange(len(_table(embeddings, COLUMN))) % _COLUMNS]
    rows[0], columns[:2] = 0.0, 0.0
    rows[0, -1] = columns[1, -1] = 1.0
    columns[0, -1] = _SAME_LINE / _HEADER
    return rows, columns


def _far_apart(n: int) -> Tensor:
    """Unit vectors that push each other apart, the nearest most."""
    chance = torch.Generator().manual_seed(0)
    points = nn.functional.normalize(torch.randn(n, _WIDTH, generator=chance))
    for step in range(_PUSHES):
        products = (points @ points.T).fill_diagonal_(-1)
        near = torch.exp((10 + 20 * step / _PUSHES) * (products - products.max())).fill_diagonal_(0)
        pushed = near @ points / near.sum(1, keepdim=True).clamp_min(1)
        points = nn.functional.normalize(points - 0.05 * pushed)
    return points


def _quiet_directions(content: Tensor, layers: Sequence[Any]) -> Channel:
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
    directions = torch.zeros(len(moments), _WIDTH + 1)
    directions[steady] = vectors[:, 1 : _WIDTH + 2]
    return Channel(directions, directions)


def _see_lines(attention: Any, channel: Channel, states: Tensor, codes: Tensor) -> None:
    """Let each head prefer tokens of one's own line, headers and the question."""
    n_heads, size = attention.num_attention_heads, attention.attention_head_size
    read, offset = _fitted(channel, states, codes)
    rest = _rest(states @ channel.read, codes)
    for linear in (attention.query, attention.key, attention.value):
        channel.hide_from(linear, rest)
    headers = states[codes[:, -1] > 0]
    unit = size**0.25 * _SAME_LINE**0.5
    scales = torch.full((_WIDTH + 1,), unit)
    scales[-1] *= _HEADER / _SAME_LINE
    seen, at_rest = scales[:, None] * read.T, scales * offset
    for head in range(n_heads):
        dims = slice(head * size, (head + 1) * size)
        query, key = attention.query.weight[dims], attention.key.weight[dims]
        bias = attention.query.bias[dims]
        of_queries, of_keys = _strongest(headers @ query.T + bias, headers @ key.T)
        attention.query.bias[dims] = torch.cat([of_queries @ bias, at_rest[:-1], torch.tensor([unit])])
        attention.query.weight[dims] = torch.cat([of_queries @ query, seen[:-1], torch.zeros_like(seen[-1:])])
        attention.key.bias[dims] = torch.cat([torch.zeros(_KEPT), at_rest])
        attention.key.weight[dims] = torch.cat([of_keys @ key, seen])


def _strongest(queries: Tensor, keys: Tensor) -> tuple[Tensor, Tensor]:
    """Maps of queries and of keys (kept × dimensions) that keep most of their products."""
    # What all keys share does not change what is seen.
    keys = keys - keys.mean(0)
    of_queries, of_keys = (values.T @ values / len(values) for values in (queries, keys))
    left, strength, right = torch.linalg.svd(_power(of_queries, 0.5) @ _power(of_keys, 0.5))
    root = strength[:_KEPT].sqrt()[:, None]
    return root * left.T[:_KEPT] @ _power(of_queries, -0.5), root * right[:_KEPT] @ _power(of_keys, -0.5)


def _power(symmetric: Tensor, exponent: float) -> Tensor:
    values, vectors = torch.linalg.eigh(symmetric)
    powers: Tensor = vectors * values.clamp_min(values.max().item() * _TINY) ** exponent @ vectors.T
    return powers


def _fitted(channel: Channel, states: Tensor, codes: Tensor) -> tuple[Tensor, Tensor]:
    """The affine map from states to codes that errs least on these: weights (hidden × codes) and offset."""
    read = _with_one(states @ channel.read)
    weighed = torch.where(codes[:, -1:] > 0, _OF_HEADERS, 1.0) * read / len(read)
    weights = torch.linalg.solve(weighed.T @ read + _TINY * torch.eye(read.shape[1]), weighed.T @ codes)
    return channel.read @ weights[:-1], weights[-1]


def _rest(read: Tensor, codes: Tensor) -> Tensor:
    """What is read of a state whose code is zero."""
    rest: Tensor = torch.linalg.lstsq(_with_one(codes), read).solution[-1]
    return rest


def _with_one(values: Tensor) -> Tensor:
    return nn.functional.pad(values, (0, 1), value=1.0)


def _table(embeddings: Any, places: int) -> Tensor:
    table: Tensor = getattr(embeddings, f"token_type_embeddings_{places}").weight
    return table


def _content(tapas: TapasModel, inputs: Sequence[TapasInput]) -> tuple[Tensor, Tensor]:
    """Embeddings of all tokens (tokens × hidden) on the scale of their layer norm, without its weight and
    bias, and their standard deviation before it, in the mean."""
    norm = tapas.model.tapas.embeddings.LayerNorm
    before: list[Tensor] = []
    hook = norm.register_forward_pre_hook(lambda _, given: before.append(given[0][0]))
    after = torch.cat([tapas.embed([read])[0][0] for read in inputs])
    hook.remove()
    return (after - norm.bias) / norm.weight, torch.cat(before).std(1).mean()
