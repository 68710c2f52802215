"""Train the embedded rci: ``python -m qa_core.training.rci --out FOLDER``, then ``--export FILE``.

Each step asks a few questions of the lines of their tables that are worth learning from (``hard_lines``), and
raises the likelihood of the right cell against all others and "not in this table". Now and then a question is
asked of another table of the same family, where that is the right answer. A run is seeded; interrupted, it
goes on from its checkpoint and ends as it would have.
"""

from __future__ import annotations

import argparse
import math
import random
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from qa_core.errors import CrossheadError
from qa_core.systems.features import Scores as Evidence
from qa_core.systems.line_texts import COLUMN, ROW
from qa_core.systems.pair_scorer import PairScorer, token_ids
from qa_core.systems.rci_weights import load_base, save_weights
from qa_core.training.checkpoint import Run, learning_rate
from qa_core.training.corpus import load_corpus, split
from qa_core.training.examples import Axes, Example, batches, hard_lines, read_examples
from qa_core.training.tatqa import load_tatqa

BATCH = 8
MOST_LINES = (10, 6)
"""Rows and columns that a question is asked of at a time."""
WARM_UP = 60
"""Steps until the learning rate is full."""
ALONE = 0.5
"""Weight of the loss that the scorer has without the evidence of the words."""
ADDED_RATE = 5.0
"""Learning rate of what is new beside the encoder's layers, as a multiple of theirs."""
LOG_EVERY, CHECK_EVERY, N_CHECKED = 25, 200, 150
_WEIGHT_DECAY = 0.01
_MAX_NORM = 1.0


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

    def __init__(self, scorer: PairScorer, tokenizer: Any, axes: Mapping[str, Axes]) -> None:
        self.scorer = scorer
        self.axes = axes
        self._tokenizer = tokenizer
        self._ids: dict[str, list[int]] = {}

    def scores(self, asked: Sequence[Asked]) -> list[Scores]:
        """What the scorer says of each question's lines, without the evidence of its words."""
        pairs = [
            (self._tokens(one.question), self._tokens(text), side)
            for one in asked
            for side in (ROW, COLUMN)
            for text in one.lines[side]
        ]
        parts = self.scorer(pairs).split([len(side) for one in asked for side in one.lines])
        absent = self.scorer.absent
        return [Scores(sides, absent) for sides in zip(parts[::2], parts[1::2], strict=True)]

    def informed(self, score: Scores, one: Asked) -> Scores:
        """Scores with the evidence of the question's words added."""
        weights = self.scorer.prior_weights
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
        self.scorer.eval()
        right = [0, 0, 0]
        for example in examples:
            axes = self.axes[example.table]
            asked = Asked(example.question, axes.texts.choices, axes.evidence(example.question))
            row, column = (int(side.argmax()) for side in self.informed(self.scores([asked])[0], asked).sides)
            hits = (
                (row, column) == (example.row, example.column),
                row == example.row,
                column == example.column,
            )
            right = [n + hit for n, hit in zip(right, hits, strict=True)]
        self.scorer.train()
        shares = (round(n / max(len(examples), 1), 4) for n in right)
        return dict(zip(("cells", "rows", "columns"), shares, strict=True))

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


def train(
    trainer: Trainer,
    examples: Sequence[Example],
    apart: Sequence[Example],
    run: Run,
    *,
    steps: int,
    rate: float,
    seed: int,
) -> None:
    """Run all steps that the run's checkpoint lacks; the last one is checked on all that is held apart."""
    weights = {name: weight for name, weight in trainer.scorer.named_parameters() if weight.requires_grad}
    optimizer = torch.optim.AdamW(
        [
            {"params": [w for n, w in weights.items() if n.startswith("encoder.")], "full_rate": rate},
            {
                "params": [w for n, w in weights.items() if not n.startswith("encoder.")],
                "full_rate": rate * ADDED_RATE,
            },
        ],
        weight_decay=_WEIGHT_DECAY,
    )
    done = run.resume(weights, optimizer)
    families = _families(examples)
    started, losses = time.monotonic(), []
    trainer.scorer.train()
    for step, batch in enumerate(_stream(examples, steps, seed)):
        if step < done:
            continue
        # Chance is drawn anew at each step, so that a run that was interrupted draws what it would have.
        chance = random.Random(f"{seed} {step}")
        torch.manual_seed(chance.getrandbits(32))
        for group in optimizer.param_groups:
            group["lr"] = group["full_rate"] * learning_rate(step, steps, WARM_UP)
        example = chance.choice(batch)
        others = [name for name in families[example.family] if name != example.table]
        loss = trainer.loss(batch, [(example, chance.choice(others))] if others else [], chance)
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(weights.values(), _MAX_NORM)
        optimizer.step()
        losses.append(loss.item())
        if (step + 1) % LOG_EVERY == 0:
            seconds = round(time.monotonic() - started)
            run.log(step=step + 1, loss=round(sum(losses) / len(losses), 4), seconds=seconds)
            losses.clear()
        if (step + 1) % CHECK_EVERY == 0 or step + 1 == steps:
            checked = apart if step + 1 == steps else apart[:N_CHECKED]
            run.log(step=step + 1, apart=trainer.accuracy(checked), n=len(checked))
            run.keep(weights, optimizer, step + 1)


def _stream(examples: Sequence[Example], steps: int, seed: int) -> Iterator[list[Example]]:
    left, epoch = steps, 0
    while left > 0:
        for batch in batches(examples, BATCH, random.Random(f"{seed} epoch {epoch}")):
            if left > 0:
                yield batch
            left -= 1
        epoch += 1


def _families(examples: Sequence[Example]) -> dict[str, list[str]]:
    """The tables of each family."""
    found: dict[str, dict[str, None]] = {}
    for example in examples:
        found.setdefault(example.family, {})[example.table] = None
    return {family: list(tables) for family, tables in found.items()}


def main(arguments: Sequence[str] | None = None) -> int:
    """Train, or export what was trained; returns the exit code: 0, or 2 for bad input."""
    parser = argparse.ArgumentParser(
        prog="python -m qa_core.training.rci", description="Train the embedded rci."
    )
    parser.add_argument(
        "--out", type=Path, required=True, metavar="FOLDER", help="where checkpoint and log go"
    )
    parser.add_argument(
        "--export", type=Path, metavar="FILE", help="write the checkpoint's weights, without training"
    )
    parser.add_argument(
        "--tatqa", type=Path, action="append", default=[], metavar="FILE",
        help="tables of TAT-QA to learn from too; may be repeated",
    )  # fmt: skip
    parser.add_argument("--epochs", type=float, default=1.0, help="passes over the questions")
    parser.add_argument("--rate", type=float, default=8e-5, help="learning rate of the encoder's layers")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    try:
        run = Run(options.out)
        if options.export:
            save_weights(run.weights(), options.export)
            return 0
        scorer, tokenizer = load_base()
        examples, apart, axes = _data(options.tatqa, options.seed)
        steps = math.ceil(options.epochs * len(examples) / BATCH)
        print(f"{len(examples):,} questions, {len(apart):,} held apart, {steps:,} steps", flush=True)
        trainer = Trainer(scorer, tokenizer, axes)
        train(trainer, examples, apart, run, steps=steps, rate=options.rate, seed=options.seed)
    except CrossheadError as fault:
        print(f"crosshead: {fault}", file=sys.stderr)
        return 2
    return 0


def _data(tatqa: Sequence[Path], seed: int) -> tuple[list[Example], list[Example], dict[str, Axes]]:
    """Examples to learn from, examples held apart in a seeded order, and all their tables."""
    corpus = load_corpus()
    examples, axes = read_examples(corpus)
    tables = {question.table_id for question in split(corpus)[1]}
    apart = [example for example in examples if example.table in tables]
    examples = [example for example in examples if example.table not in tables]
    for path in tatqa:
        more, more_axes = read_examples(load_tatqa(path))
        examples += more
        axes |= more_axes
    random.Random(seed).shuffle(apart)
    return examples, apart, axes


if __name__ == "__main__":
    sys.exit(main())
