"""The question corpus written for Crosshead: natural questions with cells over tables with header paths.

How it was made stands in the README beside this file. It is data to train on; no measuring set has any of its
tables or companies.
"""

from __future__ import annotations

import random
import re
from pathlib import Path

from qa_core.datasets.aitqa import load_folder
from qa_core.datasets.dataset import Dataset
from qa_core.question import Question
from qa_core.table import Table

HELD_APART = 12
"""One table in so many is held apart from training, with all its questions."""
PARTS = {
    "airlines": "the tables of airlines, all of them invented",
    "invented": "the tables of invented organisations, airlines among them",
    "written": "the questions written on tables of companies' filings",
}
"""What can be left out of a training, to see what it is worth."""

_FOLDER = Path(__file__).parent
# The two of the series on other transport are of an air cargo carrier. Airports and lessors are no airlines.
_AIRLINES = re.compile(r"(inv-[a-d]?)?air-\d+|tra-(18|31)")


def load_corpus() -> Dataset:
    """All tables and questions of the corpus."""
    return load_folder(_FOLDER, "corpus")


def parts_of(table: Table) -> frozenset[str]:
    """The ``PARTS`` of the corpus that a table and the questions on it belong to."""
    if table.source != "invented":
        return frozenset({"written"})
    return frozenset({"invented", "airlines"} if _AIRLINES.fullmatch(table.id) else {"invented"})


def split(corpus: Dataset, seed: int = 1) -> tuple[list[Question], list[Question]]:
    """Questions to train on and questions held apart, split by table: none stands on both sides."""
    tables = sorted(corpus.tables)
    random.Random(seed).shuffle(tables)
    apart = set(tables[: len(tables) // HELD_APART])
    train = [question for question in corpus.questions if question.table_id not in apart]
    return train, [question for question in corpus.questions if question.table_id in apart]
