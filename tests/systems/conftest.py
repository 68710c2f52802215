"""A small encoder as a folder holds one."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.systems.tiny_bert import tiny_bert


@pytest.fixture(scope="session")
def tiny_encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a BERT of 32 dimensions and 64 positions, saved as safetensors."""
    folder = tmp_path_factory.mktemp("encoder")
    model, tokenizer = tiny_bert(positions=64)
    words = sorted(tokenizer.get_vocab(), key=tokenizer.get_vocab().__getitem__)
    (folder / "vocab.txt").write_text("\n".join(words), encoding="utf-8")
    tokenizer.save_pretrained(folder)
    model.save_pretrained(folder, safe_serialization=True)
    return folder
