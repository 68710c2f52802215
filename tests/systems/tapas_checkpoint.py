"""Small TAPAS checkpoints with random weights, saved as published ones are, and transformers' pipeline."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from qa_core.systems.interface import Request
from qa_core.transform import FlatTable
from tests.systems.tiny_bert import LETTERS

WORDS = ("2018", "2017", "revenue", "total", "miles", "available", "passenger", "cost", "what", "was", "in")
LABELS = {0: "NONE", 1: "SUM", 2: "AVERAGE", 3: "COUNT"}


def save_checkpoint(
    folder: Path,
    aggregates: bool = True,
    seed: int = 0,
    tokenizer: dict[str, Any] | None = None,
    bias: float = 0.0,
    operator: str = "",
    **config: Any,
) -> Path:
    """Write config.json, vocab.txt, the tokenizer's files and model.safetensors of a random checkpoint.

    ``bias`` is added to the log-odds of every cell, ``operator`` is the one that it always asks for;
    ``tokenizer`` and ``config`` are settings of both.
    """
    import torch
    from transformers import TapasConfig, TapasForQuestionAnswering, TapasTokenizer

    letters = [*LETTERS, *"—[]|_&/;"]
    pieces = ["[PAD]", "[EMPTY]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *letters, *("##" + c for c in letters)]
    folder.mkdir(parents=True, exist_ok=True)
    vocabulary = folder / "vocab.txt"
    vocabulary.write_text("\n".join([*pieces, *WORDS]) + "\n", encoding="utf-8")
    TapasTokenizer(str(vocabulary), **(tokenizer or {})).save_pretrained(folder)
    torch.manual_seed(seed)
    settings: dict[str, Any] = {
        "vocab_size": len(pieces) + len(WORDS),
        "hidden_size": 32,
        "num_hidden_layers": 2,
        "num_attention_heads": 2,
        "intermediate_size": 32,
        "max_position_embeddings": 512,
        "initializer_range": 0.5,
        "allow_empty_column_selection": True,
    }
    if aggregates:
        settings |= {
            "num_aggregation_labels": 4,
            "aggregation_labels": LABELS,
            "no_aggregation_label_index": 0,
        }
    model = TapasForQuestionAnswering(TapasConfig(**settings | config))
    model.output_bias.data += bias
    if operator:
        model.aggregation_classifier.bias.data[list(LABELS.values()).index(operator)] += 1000.0
    model.save_pretrained(folder)
    return folder


def data_frame(flat: FlatTable) -> Any:
    """The flat table as the pipeline and the tokenizer take it."""
    import pandas as pd

    return pd.DataFrame([list(row) for row in flat.cells], columns=list(flat.header), dtype=object)


class Pipeline:
    """The ``table-question-answering`` pipeline of transformers over a folder."""

    def __init__(self, folder: Path) -> None:
        from transformers import TapasForQuestionAnswering, TapasTokenizer, pipeline

        model = TapasForQuestionAnswering.from_pretrained(folder)
        tokenizer = TapasTokenizer.from_pretrained(folder)
        self._pipeline: Any = pipeline("table-question-answering", model=model, tokenizer=tokenizer)

    def answer(self, request: Request) -> tuple[str, list[tuple[int, int]]]:
        """Operator (empty for none) and the flat cells in reading order."""
        made = self._pipeline(table=data_frame(request.flat), query=request.question)
        operator = made.get("aggregator", "")
        return ("" if operator == "NONE" else operator), [tuple(map(int, at)) for at in made["coordinates"]]
