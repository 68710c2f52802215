"""A pair scorer with random weights and its tokenizer."""

from __future__ import annotations

from typing import Any

from tests.systems.tiny_bert import tiny_bert


def tiny_scorer() -> tuple[Any, Any]:
    """A scorer that reads pairs of up to 160 tokens."""
    from qa_core.systems.line_scorer import LineScorer

    model, tokenizer = tiny_bert(positions=160)
    return LineScorer(model), tokenizer
