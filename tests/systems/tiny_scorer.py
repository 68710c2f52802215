"""A pair scorer with random weights and its tokenizer: the code paths of the real one, in milliseconds."""

from __future__ import annotations

from typing import Any

LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789.,:;>*$%()'\"-"


def tiny_scorer() -> tuple[Any, Any]:
    """A scorer over a BERT of one layer and 32 dimensions."""
    import torch
    from transformers import BertConfig, BertModel, BertTokenizerFast

    from qa_core.systems.pair_scorer import PairScorer

    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *LETTERS, *("##" + letter for letter in LETTERS)]
    config = BertConfig(
        vocab_size=len(pieces),
        hidden_size=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=160,
    )
    torch.manual_seed(0)
    scorer = PairScorer(BertModel(config, add_pooling_layer=False))
    return scorer, BertTokenizerFast(vocab={piece: i for i, piece in enumerate(pieces)})
