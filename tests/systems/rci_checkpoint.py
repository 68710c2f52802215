"""Small sequence classifiers with random weights, saved as published ones are, and transformers' scores."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.systems.tiny_bert import LETTERS

WORDS = ("2018", "2017", "revenue", "total", "miles", "available", "passenger", "cost", "what", "was", "in")


def save_classifier(folder: Path, kind: str = "bert", seed: int = 0, labels: int = 2, **config: Any) -> Path:
    """Write configuration, tokenizer and model.safetensors of a random ``bert`` or ``albert``."""
    import torch
    from transformers import (
        AlbertConfig,
        AlbertForSequenceClassification,
        BertConfig,
        BertForSequenceClassification,
    )

    torch.manual_seed(seed)
    vocabulary = _save_bert_tokenizer(folder) if kind == "bert" else _save_albert_tokenizer(folder)
    settings: dict[str, Any] = {
        "vocab_size": vocabulary,
        "hidden_size": 32,
        "num_hidden_layers": 2,
        "num_attention_heads": 2,
        "intermediate_size": 32,
        "max_position_embeddings": 64,
        "initializer_range": 0.5,
        "num_labels": labels,
    }
    if kind == "bert":
        BertForSequenceClassification(BertConfig(**settings | config)).save_pretrained(folder)
    else:
        settings |= {"embedding_size": 16, "pad_token_id": 0}
        AlbertForSequenceClassification(AlbertConfig(**settings | config)).save_pretrained(folder)
    return folder


def _save_bert_tokenizer(folder: Path) -> int:
    from transformers import BertTokenizerFast

    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    pieces = [*special, *LETTERS, *("##" + letter for letter in LETTERS), *WORDS]
    BertTokenizerFast(vocab={piece: i for i, piece in enumerate(pieces)}).save_pretrained(folder)
    return len(pieces)


def _save_albert_tokenizer(folder: Path) -> int:
    from transformers import AlbertTokenizer

    special = ["<pad>", "<unk>", "[CLS]", "[SEP]", "[MASK]"]
    pieces = [(piece, 0.0) for piece in special]
    pieces += [(piece, -3.0) for piece in ("▁", *LETTERS)] + [("▁" + word, -4.0) for word in WORDS]
    AlbertTokenizer(vocab=pieces).save_pretrained(folder)
    return len(pieces)


class Plain:
    """A checkpoint as transformers loads it, one pair at a time."""

    def __init__(self, folder: Path) -> None:
        from transformers import AutoModelForSequenceClassification, AutoTokenizer

        self._tokenizer: Any = AutoTokenizer.from_pretrained(folder)
        self._model: Any = AutoModelForSequenceClassification.from_pretrained(folder).eval()

    def score(self, question: str, line: str) -> float:
        """Log-odds of the second of two labels, or the one logit; the segments are numbered 0 and 1."""
        import torch

        inputs = self._tokenizer(
            question,
            line,
            truncation="only_second",
            max_length=self._model.config.max_position_embeddings,
            return_token_type_ids=True,
            return_tensors="pt",
        )
        with torch.inference_mode():
            logits = self._model(**inputs).logits[0]
        return float(logits[0] if len(logits) == 1 else logits.log_softmax(0)[1] - logits.log_softmax(0)[0])
