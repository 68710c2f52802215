"""A BERT with random weights that reads letters: the code paths of a real one, in milliseconds."""

from __future__ import annotations

from typing import Any

LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789.,:*$%()'\"-"


def tiny_bert(positions: int) -> tuple[Any, Any]:
    """The model, of one layer and 32 dimensions, and its tokenizer."""
    import torch
    from transformers import BertConfig, BertModel, BertTokenizerFast

    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *LETTERS, *("##" + letter for letter in LETTERS)]
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=len(pieces),
        hidden_size=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=positions,
    )
    return BertModel(config), BertTokenizerFast(vocab={piece: i for i, piece in enumerate(pieces)})
