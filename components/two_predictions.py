"""Two predictions for one gold in one table, and what each says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from components.answer_card import answer_card, cell_card, gold_card
from components.layout import wide_and_narrow
from components.resources import Timed
from components.selected_cell import select_cell, selected_cell
from components.table_view import Marks, table_view
from qa_core.evaluation.outcome import Outcome
from qa_core.table import Table


@dataclass(frozen=True)
class Side:
    """One of the predictions: its short name in the table, the title of its card, what it took and gave."""

    name: str
    title: str
    answered: Timed
    outcome: Outcome


def two_predictions(table: Table, sides: tuple[Side, Side], answers: Sequence[str], key: str) -> None:
    """Draw the table with both predictions and the gold; ``answers`` is the gold as the dataset writes it."""
    first, second = sides
    selected = selected_cell(table)
    gold = first.outcome.gold
    drawing, reading = wide_and_narrow(key)
    with drawing:
        table_view(
            table,
            Marks(
                gold=gold.targets,
                predicted=first.answered.prediction.locations,
                other=second.answered.prediction.locations,
                predicted_name=first.name,
                other_name=second.name,
            ),
            key=f"{key}-table",
            selected=selected,
            on_click=select_cell,
        )
    with reading:
        if selected:
            cell_card(table, selected)
        for side in sides:
            answer_card(side.title, table, side.answered, side.outcome)
        gold_card(table, gold, answers)
