"""The model of the embedded rci: a question, and each row header and each column header read in its light.

It is an *interaction* model (Glass et al. 2021): in every layer of one transformer the tokens of a line see
those of the question. Those of the question see each other alone, so that a question is read once for all
lines; rankers lose nothing by that (Schlatt et al. 2024, "Investigating the Effects of Sparse Attention on
Cross-Encoders"). A linear head turns the mean of a line's tokens into its score. Rows and columns share the
transformer and have a head each.

A line's log-odds are its score plus ``prior_weights`` times the lexical evidence for it; the log-odds of a
cell are those of its row and of its column, on one scale with ``absent``: "not in this table".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.functional import scaled_dot_product_attention

from qa_core.lexicon import MAX_TEXT
from qa_core.systems.line_texts import COLUMN, ROW
from qa_core.text import as_text

MAX_TOKENS = 64
"""Tokens that are read of a question, and of a line."""

Tokens = Sequence[int]


@dataclass(frozen=True)
class Query:
    """A question and the lines that it is asked of, with the side of each.

    Every text begins with the token that begins one, and ends with the token that ends one.
    """

    question: Tokens
    lines: Sequence[Tokens]
    sides: Sequence[int]


@dataclass(frozen=True)
class _Packed:
    """Token ids of texts one after the other, questions first, with their places and segments; how long each
    text is, and by number the question of each line."""

    ids: Tensor
    positions: Tensor
    segments: Tensor
    questions: list[int]
    lines: list[int]
    owners: Tensor


class LineScorer(nn.Module):
    """Scores lines (row or column headers) for a question; see the head of this file."""

    def __init__(self, encoder: Any) -> None:
        """``encoder`` is a BERT model of transformers; its word embeddings stay as they are."""
        super().__init__()
        encoder.pooler = None
        self.encoder = encoder
        self.heads = nn.ModuleList(nn.Linear(encoder.config.hidden_size, 1) for _ in (ROW, COLUMN))
        self.prior_weights = nn.Parameter(torch.ones(2))
        self.absent = nn.Parameter(torch.zeros(()))
        for parameter in encoder.embeddings.parameters():
            parameter.requires_grad = False

    def forward(self, asked: Sequence[Query]) -> Tensor:
        """One score for each line, in order."""
        packed = _pack(asked)
        states = self.encoder.embeddings(
            input_ids=packed.ids[None],
            token_type_ids=packed.segments[None],
            position_ids=packed.positions[None],
        )[0]
        of_questions, of_lines = _Slots(packed.questions, 0), _Slots(packed.lines, sum(packed.questions))
        seen = torch.cat([of_questions.inside[packed.owners], of_lines.inside], 1)[:, None, None]
        for layer in self.encoder.encoder.layer:
            mixed = _attend(layer.attention.self, states, of_questions, of_lines, packed.owners, seen)
            attended = layer.attention.output(mixed, states)
            states = layer.output(layer.intermediate(attended), attended)
        lengths = torch.tensor(packed.lines)
        owner = torch.arange(len(lengths)).repeat_interleave(lengths)
        totals = states.new_zeros(len(lengths), states.shape[1])
        means = totals.index_add(0, owner, states[sum(packed.questions) :]) / lengths[:, None]
        both = torch.cat([head(means) for head in self.heads], 1)
        sides = torch.tensor([side for one in asked for side in one.sides])
        return both.gather(1, sides[:, None]).squeeze(1)


class _Slots:
    """Texts out of the packed sequence laid beside each other: texts × most tokens."""

    def __init__(self, lengths: Sequence[int], start: int) -> None:
        sizes = torch.tensor(lengths)
        along = torch.arange(max(lengths))
        self.inside = along < sizes[:, None]
        self._places = torch.where(self.inside, start + sizes.cumsum(0)[:, None] - sizes[:, None] + along, 0)

    def spread(self, states: Tensor) -> Tensor:
        """From tokens × heads × dimensions to texts × heads × tokens × dimensions."""
        return states[self._places].transpose(1, 2)

    def gather(self, states: Tensor) -> Tensor:
        """The reverse, heads and dimensions side by side."""
        return states.transpose(1, 2)[self.inside].flatten(1)


def _attend(
    attention: Any, states: Tensor, of_questions: _Slots, of_lines: _Slots, owners: Tensor, seen: Tensor
) -> Tensor:
    """What each token makes of those that it sees."""
    query, key, value = (
        project(states).unflatten(1, (attention.num_attention_heads, -1))
        for project in (attention.query, attention.key, attention.value)
    )
    keys, values = of_questions.spread(key), of_questions.spread(value)
    questions = scaled_dot_product_attention(
        of_questions.spread(query), keys, values, attn_mask=of_questions.inside[:, None, None]
    )
    lines = scaled_dot_product_attention(
        of_lines.spread(query),
        torch.cat([keys[owners], of_lines.spread(key)], 2),
        torch.cat([values[owners], of_lines.spread(value)], 2),
        attn_mask=seen,
    )
    return torch.cat([of_questions.gather(questions), of_lines.gather(lines)])


def _pack(asked: Sequence[Query]) -> _Packed:
    """A line follows its question, so its tokens are counted on from there, without the one that begins a
    text."""
    questions = [list(one.question) for one in asked]
    lines = [list(line[1:]) for one in asked for line in one.lines]
    owners = [number for number, one in enumerate(asked) for _ in one.lines]
    starts = [0] * len(questions) + [len(questions[owner]) for owner in owners]
    texts = questions + lines
    positions = [range(start, start + len(text)) for start, text in zip(starts, texts, strict=True)]
    n_asked = sum(map(len, questions))
    ids = torch.tensor(list(chain.from_iterable(texts)))
    return _Packed(
        ids,
        torch.tensor(list(chain.from_iterable(positions))),
        (torch.arange(len(ids)) >= n_asked).long(),
        [len(text) for text in questions],
        [len(text) for text in lines],
        torch.tensor(owners),
    )


def token_ids(tokenizer: Any, text: str) -> tuple[list[int], int]:
    """Ids of a text's first ``MAX_TOKENS`` tokens, the last of which ends it, and how many more there are."""
    ids: list[int] = tokenizer(as_text(text[:MAX_TEXT]), verbose=False)["input_ids"]
    if len(ids) <= MAX_TOKENS:
        return ids, 0
    return [*ids[: MAX_TOKENS - 1], ids[-1]], len(ids) - MAX_TOKENS
