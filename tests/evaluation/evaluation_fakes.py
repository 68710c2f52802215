"""A small dataset and systems without a model; run as a program, a slow evaluation that can be killed."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from qa_core.datasets import Dataset
from qa_core.evaluation.runner import run_evaluation
from qa_core.evaluation.store import RunStore
from qa_core.prediction import Candidate, Prediction, abstain
from qa_core.question import KPI_DRIVEN, TABLE_DRIVEN, Question
from qa_core.systems.interface import Request
from qa_core.table import Location, Table

N_QUESTIONS = 100


def airline_dataset(n: int = N_QUESTIONS) -> Dataset:
    """``n`` questions over three tables in turn; a table has a row per question, its gold in column 0."""
    tables = {
        f"tab-{t}": Table(
            f"tab-{t}",
            (("2018",), ("2017",)),
            tuple((f"Item {row}",) for row in range(n)),
            tuple((f"${1000 * t + row + 10000:,}", f"{row}") for row in range(n)),
        )
        for t in range(3)
    }
    questions = tuple(
        Question(
            f"q-{i}",
            f"tab-{i % 3}",
            f"Item {i} in 2018?",
            (tables[f"tab-{i % 3}"].cell(i, 0),),
            kind=KPI_DRIVEN if i % 2 else TABLE_DRIVEN,
            row_hierarchy_needed=None if i % 5 else True,
            paraphrase_group=f"p-{i // 2}" if i < 10 else "",
        )
        for i in range(n)
    )
    return Dataset("airline", tables, questions)


@dataclass
class FirstColumn:
    """Reads the row number from the question; wrong column for every tenth, nothing for item 7."""

    name: str = "first-column"
    version: str = "1"
    weights: str = ""
    asked: list[str] = field(default_factory=list)
    seconds: float = 0.0

    def predict(self, requests: Sequence[Request]) -> list[Prediction]:
        time.sleep(self.seconds)
        self.asked += [request.question for request in requests]
        return [self._answer(request) for request in requests]

    def _answer(self, request: Request) -> Prediction:
        row = int(request.question.split()[1])
        if row == 7:
            return abstain("Seven is not answered.")
        location = Location(row, 1 if row % 10 == 0 else 0)
        text = request.flat.table.text_at(location)
        return Prediction(
            text, (location,), (Candidate(location, text, 0.5),), (0.25,), (0.75, 0.5), 0.9, notes=("Read.",)
        )


class Logged(FirstColumn):
    """Writes each question to a file before it is answered."""

    def __init__(self, log: Path, seconds: float) -> None:
        super().__init__(seconds=seconds)
        self.log = log

    def predict(self, requests: Sequence[Request]) -> list[Prediction]:
        with self.log.open("a") as file:
            file.writelines(f"{request.question}\n" for request in requests)
        return super().predict(requests)


if __name__ == "__main__":
    url, log, seconds = sys.argv[1:]
    run_evaluation(airline_dataset(), Logged(Path(log), float(seconds)), "base", RunStore(url))
