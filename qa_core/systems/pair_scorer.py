"""The model of the embedded rci: a question read together with each row header and each column header.

It is an *interaction* model (Glass et al. 2021): question and line are one sequence to a transformer, whose
mean over all tokens a linear head turns into the score of the line. Rows and columns share the transformer
and have a head each.

A line's log-odds are its score plus ``prior_weights`` times the lexical evidence for it; the log-odds of a
cell are those of its row and of its column, on one scale with ``absent``: "not in this table".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pad_sequence

from qa_core.lexicon import MAX_TEXT
from qa_core.systems.encoder import batched
from qa_core.systems.line_texts import COLUMN, ROW
from qa_core.text import as_text

MAX_TOKENS = 64
"""Tokens that are read of a question, and of a line."""
_TOKENS_AT_ONCE = 2048

Tokens = Sequence[int]


class PairScorer(nn.Module):
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

    def forward(self, pairs: Sequence[tuple[Tokens, Tokens, int]]) -> Tensor:
        """One score for each (question, line, side); ids end with the token that ends a text."""
        lengths = [len(question) + len(line) - 1 for question, line, _ in pairs]
        order = sorted(range(len(pairs)), key=lengths.__getitem__)
        scores = []
        for batch in batched(order, lengths, _TOKENS_AT_ONCE):
            # A line's first token begins a text; within a pair it does not.
            ids = [torch.tensor([*pairs[i][0], *pairs[i][1][1:]]) for i in batch]
            types = [torch.arange(lengths[i]) >= len(pairs[i][0]) for i in batch]
            mask = pad_sequence([torch.ones(lengths[i]) for i in batch], batch_first=True)
            states = self.encoder(
                input_ids=pad_sequence(ids, batch_first=True),
                token_type_ids=pad_sequence(types, batch_first=True).long(),
                attention_mask=mask,
            ).last_hidden_state
            mean = (states * mask[..., None]).sum(1) / mask.sum(1, keepdim=True)
            sides = torch.tensor([pairs[i][2] for i in batch])
            both = torch.cat([head(mean) for head in self.heads], 1)
            scores.append(both.gather(1, sides[:, None]).squeeze(1))
        back = torch.empty(len(order), dtype=torch.long)
        back[torch.tensor(order)] = torch.arange(len(order))
        return torch.cat(scores)[back]


def token_ids(tokenizer: Any, text: str) -> tuple[list[int], int]:
    """Ids of a text's first ``MAX_TOKENS`` tokens, the last of which ends it, and how many more there are."""
    ids: list[int] = tokenizer(as_text(text[:MAX_TEXT]), verbose=False)["input_ids"]
    if len(ids) <= MAX_TOKENS:
        return ids, 0
    return [*ids[: MAX_TOKENS - 1], ids[-1]], len(ids) - MAX_TOKENS
