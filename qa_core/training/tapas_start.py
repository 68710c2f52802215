"""Where the training of the embedded tapas begins: with layers that read a table as the embedded rci does.

In rci a line sees itself and the question; in TAPAS every token sees every other, and which of them share a
row or a column is told by embeddings alone. From random ones a small encoder does not find that out within
the questions at hand: its loss stays at chance. So rows and columns get codes (``code_channel``), and in
every head the weakest dimensions of query and key give way to a comparison of codes and to the flags.

Thus the header of a line is read as rci reads the line. A layer more than rci has then hands a cell the
scores of its row header and of its column header, and the last one chooses (``tapas_choice``).
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from qa_core.systems.line_scorer import LineScorer
from qa_core.systems.line_texts import COLUMN as COLUMN_SIDE
from qa_core.systems.line_texts import ROW as ROW_SIDE
from qa_core.systems.tapas_input import COLUMN, ROW, TapasInput
from qa_core.systems.tapas_model import TapasModel
from qa_core.training.code_channel import (
    COLUMN_SCORE,
    HEADER,
    LINE,
    QUESTION,
    ROW_SCORE,
    STUB,
    Channel,
    flagged,
    line_codes,
    quiet_channel,
)
from qa_core.training.ridge import ridge
from qa_core.training.tapas_choice import choose_best_cell, first_heads

_SIZE = 0.3
"""Length of a code, as a share of the length of a token's embedding."""
_SELECTED = 1.0
"""Log-odds that a cell of the best row is selected with, before anything is learned."""
_AFTER, _BETWEEN, _POSITIONS = 16, 0.3, 64
"""In rci a line's positions go on where the question's end, here after so many tokens; in TAPAS both start at
0. The first positions lie between the two, and segments make up for the rest."""
_SCORED = 0.05
"""Length that a score of 1 has in the layer that hands scores on, as a share of the length of a state."""
_RIDGE = 0.01
"""What keeps small the maps that make up for units left out, as a share of the units' mean variance."""
_TINY = 1e-6


@dataclass(frozen=True)
class Sight:
    """What a head prefers to see: what being of one line, and what each flag, adds to the log-odds, and how
    many of its dimensions still compare content."""

    same_line: float
    flags: Mapping[int, float]
    kept: int


# A line's header and the question are seen alike, as in rci.
_OF_LINES = Sight(3.0, {QUESTION: 5.0, HEADER: 2.0, STUB: 2.0}, kept=22)
_OF_ROW_HEADERS, _OF_COLUMN_HEADERS = (Sight(6.0, {flag: 10.0}, kept=0) for flag in (STUB, HEADER))


@torch.no_grad()
def begin_as_rci(tapas: TapasModel, scorer: LineScorer, inputs: Sequence[TapasInput]) -> None:
    """Give a TAPAS that has two layers more than a trained scorer its layers and heads, made to read
    tables.

    What content there is to keep is measured on ``inputs``.
    """
    model = tapas.model
    embeddings = model.tapas.embeddings
    *layers, handing_on, _ = model.tapas.encoder.layer
    known = [copy.deepcopy(layer).eval() for layer in scorer.encoder.encoder.layer]
    for layer, trained in zip(layers, known, strict=True):
        layer.attention.load_state_dict(trained.attention.state_dict())
        layer.output.LayerNorm.load_state_dict(trained.output.LayerNorm.state_dict())
    first_heads(handing_on.attention.self, layers[-1].attention.self)
    _shift_positions(embeddings)
    channel, codes = _embed_codes(tapas, layers, inputs)
    states = [tapas.embed([read])[0] for read in inputs]
    for layer, trained in zip(layers, known, strict=True):
        attention = layer.attention.self
        every = torch.cat([state[0] for state in states])
        rest = channel.rest(every, codes)
        for linear in (attention.query, attention.key, attention.value):
            channel.hide_from(linear, rest)
        _direct(attention, [_OF_LINES], channel, every, codes)
        channel.keep_from(layer.attention.output.dense)
        channel = channel.after(layer.attention.output.LayerNorm)
        channel.keep_from(trained.output.dense)
        states = [tapas.attended(layer, state) for state in states]
        between = torch.cat([state[0] for state in states])
        channel.hide_from(trained.intermediate.dense, channel.rest(between, codes))
        _narrow(layer, trained, between)
        channel = channel.after(layer.output.LayerNorm)
        states = [tapas.transformed(layer, state) for state in states]
    _hand_on_scores(model, scorer, channel, torch.cat([state[0] for state in states]), codes)
    choose_best_cell(tapas, inputs)


def _narrow(layer: Any, trained: Any, states: Tensor) -> None:
    """Give a layer the units between its two last maps that matter most of another's, and make up for the
    others as well as that is possible on these states (tokens × hidden)."""
    units = trained.intermediate(states)
    strength = units.var(0) * trained.output.dense.weight.square().sum(0)
    kept = strength.argsort(descending=True)[: layer.intermediate.dense.out_features].sort().values
    layer.intermediate.dense.weight.copy_(trained.intermediate.dense.weight[kept])
    layer.intermediate.dense.bias.copy_(trained.intermediate.dense.bias[kept])
    mean, wanted = units.mean(0), trained.output.dense(units)
    some = units[:, kept] - mean[kept]
    # Only what the kept units lack is fitted, so that they keep what no state here shows.
    lacking = wanted - wanted.mean(0) - some @ trained.output.dense.weight[:, kept].T
    layer.output.dense.weight.copy_(trained.output.dense.weight[:, kept] + ridge(some, lacking, _RIDGE).T)
    layer.output.dense.bias.copy_(wanted.mean(0) - layer.output.dense.weight @ mean[kept])


def _shift_positions(embeddings: Any) -> None:
    positions = embeddings.position_embeddings.weight
    # The first position makes a token one on which all others rest; here every cell begins with it.
    positions[0] = positions[1]
    later = positions[_AFTER : _AFTER + _POSITIONS].clone()
    shift = (later[:8] - positions[:8]).mean(0)
    positions[:_POSITIONS].lerp_(later, _BETWEEN)
    of_question, of_table = embeddings.token_type_embeddings_0.weight[:2]
    of_question -= _BETWEEN * shift
    of_table += (1 - _BETWEEN) * shift


def _embed_codes(
    tapas: TapasModel, layers: Sequence[Any], inputs: Sequence[TapasInput]
) -> tuple[Channel, Tensor]:
    """Make the embeddings of rows and columns codes, and all others but segments zero.

    Returns the channel before the first layer, and the codes of all tokens (tokens × codes).
    """
    embeddings = tapas.model.tapas.embeddings
    tables = [getattr(embeddings, f"token_type_embeddings_{places}").weight for places in range(7)]
    for table in tables[1:]:
        table.zero_()
    of_rows, of_columns = line_codes(len(tables[ROW]), len(tables[COLUMN]))
    content, deviation = _content(tapas, inputs)
    channel = quiet_channel(content, layers)
    size = _SIZE * len(channel.write) ** 0.5 * deviation
    tables[ROW].copy_(size * of_rows @ channel.write.T)
    tables[COLUMN].copy_(size * of_columns @ channel.write.T)
    codes = torch.cat([of_rows[read.places[:, ROW]] + of_columns[read.places[:, COLUMN]] for read in inputs])
    return channel.after(embeddings.LayerNorm), codes


def _content(tapas: TapasModel, inputs: Sequence[TapasInput]) -> tuple[Tensor, Tensor]:
    """Embeddings of all tokens (tokens × hidden) on the scale of their layer norm, without its weight and
    bias, and their standard deviation before it, in the mean."""
    norm = tapas.model.tapas.embeddings.LayerNorm
    before: list[Tensor] = []
    hook = norm.register_forward_pre_hook(lambda _, given: before.append(given[0][0]))
    after = torch.cat([tapas.embed([read])[0][0] for read in inputs])
    hook.remove()
    return (after - norm.bias) / norm.weight, torch.cat(before).std(1).mean()


def _direct(attention: Any, sights: Sequence[Sight], channel: Channel, states: Tensor, codes: Tensor) -> None:
    """Let the heads prefer to see certain tokens, each in turn by one of ``sights``."""
    size = attention.attention_head_size
    unit = size**0.25
    read, offset = channel.fitted(states, codes)
    headers = states[flagged(codes)]
    for head in range(attention.num_attention_heads):
        sight = sights[head % len(sights)]
        dims = slice(head * size, (head + 1) * size)
        query, key = attention.query.weight[dims], attention.key.weight[dims]
        bias = attention.query.bias[dims]
        of_queries, of_keys = _strongest(headers @ query.T + bias, headers @ key.T, sight.kept)
        flags = torch.zeros(codes.shape[1])
        flags[list(sight.flags)] = torch.tensor(list(sight.flags.values()))
        scale = unit * sight.same_line**0.5
        line, at_rest = scale * read[:, LINE].T, scale * offset[LINE]
        nothing, always = torch.zeros(1, len(read)), torch.full((1,), unit)
        attention.query.weight[dims] = _filled(size, of_queries @ query, line, nothing)
        attention.query.bias[dims] = _filled(size, of_queries @ bias, at_rest, always)
        attention.key.weight[dims] = _filled(size, of_keys @ key, line, unit * (read @ flags)[None])
        attention.key.bias[dims] = _filled(
            size, torch.zeros(sight.kept), at_rest, unit * (offset @ flags)[None]
        )


def _filled(size: int, *parts: Tensor) -> Tensor:
    """Parts one below the other, and zeros up to a size."""
    joined = torch.cat(parts)
    return torch.cat([joined, joined.new_zeros(size - len(joined), *joined.shape[1:])])


def _strongest(queries: Tensor, keys: Tensor, kept: int) -> tuple[Tensor, Tensor]:
    """Maps of queries and of keys (kept × dimensions) that keep most of their products."""
    # What all keys share does not change what is seen.
    keys = keys - keys.mean(0)
    of_queries, of_keys = (values.T @ values / len(values) for values in (queries, keys))
    left, strength, right = torch.linalg.svd(_power(of_queries, 0.5) @ _power(of_keys, 0.5))
    root = strength[:kept].sqrt()[:, None]
    return root * left.T[:kept] @ _power(of_queries, -0.5), root * right[:kept] @ _power(of_keys, -0.5)


def _power(symmetric: Tensor, exponent: float) -> Tensor:
    values, vectors = torch.linalg.eigh(symmetric)
    powers: Tensor = vectors * values.clamp_min(values.max().item() * _TINY) ** exponent @ vectors.T
    return powers


def _hand_on_scores(model: Any, scorer: LineScorer, channel: Channel, states: Tensor, codes: Tensor) -> None:
    """Let the last layer but one hand each cell the scores of its headers, and let the model read them there.

    One head looks for row headers and one for column headers. A third takes the best row's score off again,
    so that how high a score must be for a cell to be selected does not depend on the question.
    """
    layer, heads = model.tapas.encoder.layer[-2], scorer.heads
    attention, dense = layer.attention.self, layer.attention.output.dense
    _direct(attention, [_OF_ROW_HEADERS, _OF_COLUMN_HEADERS], channel, states, codes)
    sides = ((ROW_SIDE, ROW_SCORE), (COLUMN_SIDE, COLUMN_SCORE))
    firsts = [number * attention.attention_head_size for number in range(len(sides))]
    for first, (side, _) in zip(firsts, sides, strict=True):
        head: Any = heads[side]
        attention.value.weight[first], attention.value.bias[first] = head.weight[0], 0.0
    channel.hide_from(attention.value, channel.rest(states, codes))
    dense.weight.zero_()
    dense.bias.zero_()
    length = _SCORED * states.norm(dim=1).mean() / channel.write[:, COLUMN_SCORE].norm()
    for first, (_, place) in zip(firsts, sides, strict=True):
        dense.weight[:, first] = length * channel.write[:, place]
    best = len(sides) * attention.attention_head_size
    _look_for_best_row(attention, best, attention.value.weight[firsts[0]], channel.fitted(states, codes)[0])
    dense.weight[:, best] = -length * channel.write[:, ROW_SCORE]
    for norm in (layer.attention.output.LayerNorm, layer.output.LayerNorm):
        norm.reset_parameters()
        channel = channel.after(norm)
    unit = states.std(1).mean() / length
    model.output_weights.copy_(unit * channel.read[:, ROW_SCORE])
    model.column_output_weights.copy_(unit * channel.read[:, COLUMN_SCORE])
    model.output_bias.fill_(_SELECTED)


def _look_for_best_row(attention: Any, first: int, score: Tensor, read: Tensor) -> None:
    """Let the head that begins with dimension ``first`` see the row headers with the highest scores, and give
    those on."""
    size = attention.attention_head_size
    for linear in (attention.query, attention.key):
        linear.weight[first : first + size], linear.bias[first : first + size] = 0.0, 0.0
    attention.query.bias[first : first + 2] = attention.key.weight.new_full((2,), size**0.25)
    attention.key.weight[first] = size**0.25 * score
    attention.key.weight[first + 1] = size**0.25 * _OF_ROW_HEADERS.flags[STUB] * read[:, STUB]
    attention.value.weight[first], attention.value.bias[first] = score, 0.0
