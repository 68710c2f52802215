"""The question corpus written for Crosshead: natural questions with cells over tables with header paths.

How it was made stands in the README beside this file. It is data to train on; no measuring set has any of its
tables or companies.
"""

from __future__ import annotations

import random
from pathlib import Path

from qa_core.datasets.aitqa import load_folder
from qa_core.datasets.dataset import Dataset
from qa_core.question import Question

HELD_APART = 12
"""One table in so many is held apart from training, with all its questions."""

_FOLDER = Path(__file__).parent


def load_corpus() -> Dataset:
    """All tables and questions of the corpus."""
    return load_folder(_FOLDER, "corpus")


def split(corpus: Dataset, seed: int = 1) -> tuple[list[Question], list[Question]]:
    """Questions to train on and questions held apart, split by table: none stands on both sides."""
    tables = sorted(corpus.tables)
    random.Random(seed).shuffle(tables)
    apart = set(tables[: len(tables) // HELD_APART])
    train = [question for question in corpus.questions if question.table_id not in apart]
    return train, [question for question in corpus.questions if question.table_id in apart]
