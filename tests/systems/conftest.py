"""A small encoder with random weights: the code paths of a real one, in milliseconds."""

from __future__ import annotations

from pathlib import Path

import pytest

LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789.,:*$%()'\"-"


@pytest.fixture(scope="session")
def tiny_encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a BERT of 32 dimensions and 64 positions, saved as safetensors."""
    import torch
    from transformers import BertConfig, BertModel, BertTokenizerFast

    folder = tmp_path_factory.mktemp("encoder")
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *LETTERS, *("##" + letter for letter in LETTERS)]
    vocabulary = folder / "vocab.txt"
    vocabulary.write_text("\n".join(pieces), encoding="utf-8")
    tokenizer = BertTokenizerFast(vocab={piece: i for i, piece in enumerate(pieces)})
    tokenizer.save_pretrained(folder)
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=len(pieces),
        hidden_size=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=64,
    )
    BertModel(config).save_pretrained(folder, safe_serialization=True)
    return folder
