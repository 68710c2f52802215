"""Questions as a model learns from them: the texts of their table's lines, which of them is right, and which
of the others are the ones worth learning from."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from qa_core.datasets.dataset import Dataset
from qa_core.question import Question
from qa_core.systems.features import Scores
from qa_core.systems.lexical import score
from qa_core.systems.line_texts import COLUMN, LEVELS, LineTexts, line_texts
from qa_core.systems.rci_embedded import evidence
from qa_core.systems.view import TableView, read_table


@dataclass(frozen=True)
class Example:
    """A question with its answer's row and column; ``column`` is that of the stub for a row header.

    ``family`` names the tables that stand together, as those of one company do.
    """

    question: str
    table: str
    row: int
    column: int
    family: str


@dataclass(frozen=True)
class Axes:
    """A table as a model learns to choose a line of each side of it."""

    view: TableView
    texts: LineTexts

    def evidence(self, question: str) -> tuple[Scores, Scores]:
        """The lexical log-odds of its lines."""
        return evidence(score(question, self.view), self.texts)


def read_examples(dataset: Dataset) -> tuple[list[Example], dict[str, Axes]]:
    """The questions whose answer stands in a cell or in a row header, and the axes of all their tables."""
    views = {name: read_table(table) for name, table in dataset.tables.items()}
    axes = {name: Axes(view, line_texts(view)) for name, view in views.items()}
    examples = [
        example
        for question in dataset.questions
        if (example := _example(question, dataset, axes)) is not None
    ]
    return examples, axes


def _example(question: Question, dataset: Dataset, axes: Mapping[str, Axes]) -> Example | None:
    table = dataset.tables[question.table_id]
    if question.cell is None or question.cell.row is None:
        return None
    column = question.cell.column
    if column is None:
        column = len(axes[table.id].texts.choices[COLUMN]) - 1
    return Example(question.text, table.id, question.cell.row, column, table.company or dataset.name)


def hard_lines(
    texts: Sequence[str], evidence: Scores, right: int | None, most: int, chance: random.Random
) -> list[int]:
    """At most ``most`` lines in order, the right one among them: those worth learning from.

    Neighbours come first (the next period, the total below its components), then those with the same leaf
    under another parent, then all others; of each, those that the words of the question speak for most. One
    is any other.
    """
    if len(texts) <= most:
        return list(range(len(texts)))
    best_first = [int(i) for i in np.argsort(-evidence, kind="stable")]
    kept: list[int] = []
    if right is not None:
        leaf = _leaf(texts[right])
        same = [i for i in best_first if _leaf(texts[i]) == leaf and i != right]
        kept = [right, *(i for i in (right - 1, right + 1) if 0 <= i < len(texts)), *same[: most // 2]]
    kept += best_first
    kept = list(dict.fromkeys(kept))
    return sorted({*kept[: most - 1], chance.choice(kept[most - 1 :])})


def _leaf(text: str) -> str:
    header = text.split("; ")[1:2] or [""]
    return header[0].rsplit(LEVELS, 1)[-1].lower()


def batches(examples: Sequence[Example], size: int, chance: random.Random) -> Iterable[list[Example]]:
    """One pass over the examples in batches, each of pairs over the same table: what is read of a table
    serves both."""
    by_table: dict[str, list[Example]] = {}
    for example in chance.sample(examples, len(examples)):
        by_table.setdefault(example.table, []).append(example)
    pairs = [group[i : i + 2] for group in by_table.values() for i in range(0, len(group), 2)]
    chance.shuffle(pairs)
    batch: list[Example] = []
    for pair in pairs:
        batch += pair
        if len(batch) >= size:
            yield batch
            batch = []
    if batch:
        yield batch
