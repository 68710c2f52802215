"""Train the embedded rci: ``python -m qa_core.training.rci --out FOLDER``, then ``--export FILE``.

Each step asks a few questions of the lines of their tables that are worth learning from (``hard_lines``), and
raises the likelihood of the right cell against all others and "not in this table".
"""

from __future__ import annotations

import random
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

if __name__ == "__main__":  # before the libraries, which take seconds to load
    from qa_core.training.interrupts import exit_when_interrupted

    exit_when_interrupted("the same command goes on from the last checkpoint, if one was kept")

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from qa_core.evaluation.calibration import Answer, threshold_keeping
from qa_core.systems.features import Scores as Evidence
from qa_core.systems.interface import Request
from qa_core.systems.lexical import LexicalSystem
from qa_core.systems.line_scorer import LineScorer, Query, token_ids
from qa_core.systems.line_texts import COLUMN, ROW
from qa_core.systems.own_weights import check_target
from qa_core.systems.rci_embedded import Judgement, RciEmbeddedSystem
from qa_core.systems.rci_weights import TrainedScorer, load_base, save_weights
from qa_core.table import Location
from qa_core.training.checkpoint import Run
from qa_core.training.examples import Axes, Example, hard_lines
from qa_core.training.loop import run_command, shares
from qa_core.training.temperature import fit_temperature
from qa_core.transform import base

MOST_LINES = (10, 6)
"""Rows and columns that a question is asked of at a time."""
ALONE = 0.5
"""Weight of the loss that the scorer has without the evidence of the words."""


@dataclass(frozen=True)
class Asked:
    """A question, the lines of each side that it is asked of, the evidence of its words for each of them, and
    the places of the right row and column among them; None where the table has no answer."""

    question: str
    lines: tuple[Sequence[str], Sequence[str]]
    evidence: tuple[Evidence, Evidence]
    right: tuple[int, int] | None = None


@dataclass(frozen=True)
class Scores:
    """Log-odds of the lines that a question was asked of, and of "not in this table"."""

    sides: tuple[Tensor, Tensor]
    absent: Tensor

    def loss(self, right: tuple[int, int] | None) -> Tensor:
        """Negative log-likelihood of what is right."""
        rows, columns = self.sides
        total = torch.logaddexp(torch.logsumexp(rows, 0) + torch.logsumexp(columns, 0), self.absent)
        return total - (self.absent if right is None else rows[right[ROW]] + columns[right[COLUMN]])

    def choice_loss(self, right: tuple[int, int]) -> Tensor:
        """Negative log-likelihood of the right row and column where there is an answer."""
        chosen = [torch.log_softmax(side, 0)[place] for side, place in zip(self.sides, right, strict=True)]
        return -torch.stack(chosen).sum()


class Trainer:
    """A scorer and the tables it learns on."""

    added_rate = 5.0

    def __init__(self, scorer: LineScorer, tokenizer: Any, axes: Mapping[str, Axes]) -> None:
        self.model = scorer
        self.axes = axes
        self._tokenizer = tokenizer
        self._ids: dict[str, list[int]] = {}

    def scores(self, asked: Sequence[Asked]) -> list[Scores]:
        """What the scorer says of each question's lines, without the evidence of its words."""
        lines = [
            Query(
                self._tokens(one.question),
                [self._tokens(text) for side in one.lines for text in side],
                [side for side in (ROW, COLUMN) for _ in one.lines[side]],
            )
            for one in asked
        ]
        parts = self.model(lines).split([len(side) for one in asked for side in one.lines])
        absent = self.model.absent
        return [Scores(sides, absent) for sides in zip(parts[::2], parts[1::2], strict=True)]

    def informed(self, score: Scores, one: Asked) -> Scores:
        """Scores with the evidence of the question's words added."""
        weights = self.model.prior_weights
        rows, columns = (
            score.sides[side] + weights[side] * torch.tensor(one.evidence[side], dtype=torch.float32)
            for side in (ROW, COLUMN)
        )
        return Scores((rows, columns), score.absent)

    def loss(
        self, batch: Sequence[Example], elsewhere: Sequence[tuple[Example, str]], chance: random.Random
    ) -> Tensor:
        """Mean loss of questions over their tables, and of some asked of a table that has no answer."""
        asked = [self._hard(e.question, e.table, (e.row, e.column), chance) for e in batch]
        asked += [self._hard(e.question, table, None, chance) for e, table in elsewhere]
        losses = []
        for one, score in zip(asked, self.scores(asked), strict=True):
            losses.append(self.informed(score, one).loss(one.right))
            if one.right is not None:
                # Alone it must be right too: beside the evidence it would learn only what that lacks.
                losses.append(ALONE * score.choice_loss(one.right))
        return torch.stack(losses).sum() / len(asked)

    @torch.inference_mode()
    def accuracy(self, examples: Sequence[Example]) -> dict[str, float]:
        """Shares of questions whose cell, row and column are chosen among all of their table."""
        self.model.eval()
        hits = []
        for example in examples:
            axes = self.axes[example.table]
            asked = Asked(example.question, axes.texts.choices, axes.evidence(example.question))
            row, column = (int(side.argmax()) for side in self.informed(self.scores([asked])[0], asked).sides)
            right = row == example.row, column == example.column
            hits.append((all(right), *right))
        self.model.train()
        return shares(hits)

    def _hard(self, question: str, table: str, right: tuple[int, int] | None, chance: random.Random) -> Asked:
        axes = self.axes[table]
        evidence = axes.evidence(question)
        kept = [
            hard_lines(
                axes.texts.choices[side], evidence[side], right and right[side], MOST_LINES[side], chance
            )
            for side in (ROW, COLUMN)
        ]
        return Asked(
            question,
            (
                [axes.texts.choices[ROW][i] for i in kept[ROW]],
                [axes.texts.choices[COLUMN][i] for i in kept[COLUMN]],
            ),
            (evidence[ROW][kept[ROW]], evidence[COLUMN][kept[COLUMN]]),
            right and (kept[ROW].index(right[ROW]), kept[COLUMN].index(right[COLUMN])),
        )

    def _tokens(self, text: str) -> list[int]:
        if text not in self._ids:
            self._ids[text] = token_ids(self._tokenizer, text)[0]
        return self._ids[text]


def main(arguments: Sequence[str] | None = None) -> int:
    """Train, or export what was trained; see ``run_command``."""
    return run_command("qa_core.training.rci", arguments, _trainer, export)


def _trainer(examples: Sequence[Example], axes: Mapping[str, Axes]) -> Trainer:
    return Trainer(*load_base(), axes)


def export(run: Run, path: Path, apart: Sequence[Example], axes: Mapping[str, Axes]) -> None:
    """Write a run's weights, with what is fitted on the examples held apart: the temperature, and the
    confidence below which an answer is taken for none."""
    scorer, tokenizer = load_base()
    weights = run.weights(scorer)
    check_target(path, weights)
    scorer.load_state_dict(weights, strict=False)
    system = RciEmbeddedSystem(TrainedScorer(scorer, tokenizer), LexicalSystem())
    requests = [Request(each.question, base(axes[each.table].view.table)) for each in apart]
    choices = [_choice(each, judged) for each, judged in zip(apart, system.judge(requests), strict=True)]
    temperature = fit_temperature(choices)
    refusal = threshold_keeping(_answer(odds / temperature, right) for odds, right in choices)
    save_weights(weights, path, temperature, refusal or 0.0)


def _choice(example: Example, judged: Judgement) -> tuple[NDArray[np.float64], int]:
    """Log-odds of all answers that a table has, "not in this table" among them, and the right one's place."""
    n_columns = len(judged.columns)
    if example.column < n_columns:
        right = example.row * n_columns + example.column
    else:
        right = judged.cells.size + list(judged.headers).index(Location(example.row, None))
    return np.array([*judged.cells.ravel(), *judged.headers.values(), judged.absent]), right


def _answer(odds: NDArray[np.float64], right: int) -> Answer:
    best = int(odds[:-1].argmax())
    return Answer(float(np.exp(odds[best] - np.logaddexp.reduce(odds))), best == right)


if __name__ == "__main__":
    sys.exit(main())
