"""Questions asked of tables that cannot answer them, to measure what a system refuses."""

from __future__ import annotations

import random
from dataclasses import replace

from qa_core.datasets import Dataset
from qa_core.evaluation.gold import find_gold
from qa_core.evaluation.matching import is_blank
from qa_core.table import Table

SEED = 1


def with_wrong_tables(dataset: Dataset, seed: int = SEED) -> Dataset:
    """The same questions, each over another table of the same company that holds none of its gold answers.

    A table is of the company that it names, else of the ``filing`` that it comes from; where it names
    neither, any other table of the dataset that names neither will do. The choice is seeded and depends on
    nothing but question and tables. A question is left out where no table fits, where its own is missing,
    and where it has no gold answer that could be looked for.
    """
    families: dict[str, list[Table]] = {}
    for table in dataset.tables.values():
        families.setdefault(_family(table), []).append(table)
    asked = []
    for question in dataset.questions:
        own = dataset.tables.get(question.table_id)
        if own is None or all(map(is_blank, question.answers)):
            continue
        others = sorted((table for table in families[_family(own)] if table.id != own.id), key=_id)
        random.Random(f"{seed} {question.id}").shuffle(others)
        elsewhere = replace(question, cell=None)
        fitting = next((table for table in others if find_gold(elsewhere, table).status == "nowhere"), None)
        if fitting is not None:
            asked.append(replace(elsewhere, table_id=fitting.id))
    return Dataset(name_with_wrong_tables(dataset), dataset.tables, tuple(asked))


def name_with_wrong_tables(dataset: Dataset) -> str:
    """What the questions of a dataset over wrong tables are called."""
    return f"{dataset.name}, wrong tables"


def _id(table: Table) -> str:
    return table.id


def _family(table: Table) -> str:
    return table.company or str(table.extra.get("filing", ""))
