"""What the trainings of the neural systems have in common: their data, their steps and their command line.

Each step asks a few questions of their tables, and one of another table of the same family, where "not in
this table" is the right answer. A run is seeded; interrupted, it goes on from its checkpoint and ends as it
would have.
"""

from __future__ import annotations

import argparse
import hashlib
import math
import random
import sys
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Protocol

import torch
from torch import Tensor, nn

from qa_core.errors import CrossheadError
from qa_core.training.checkpoint import Run, learning_rate, trained
from qa_core.training.corpus import PARTS, load_corpus, parts_of, split
from qa_core.training.examples import Axes, Example, batches, read_examples
from qa_core.training.tatqa import load_tatqa

BATCH = 8
WARM_UP = 60
"""Steps until the learning rate is full."""
LOG_EVERY, CHECK_EVERY, N_CHECKED = 25, 200, 150
_WEIGHT_DECAY = 0.01
_MAX_NORM = 1.0
_MOST_EPOCHS, _MOST_RATE = 1000.0, 1.0


class Trainer(Protocol):
    """A model and the tables it learns on; the parameters named ``encoder.…`` are those of its layers."""

    added_rate: float
    """Learning rate of what is beside the encoder's layers, as a multiple of theirs."""

    @property
    def model(self) -> nn.Module: ...

    def loss(
        self, batch: Sequence[Example], elsewhere: Sequence[tuple[Example, str]], chance: random.Random
    ) -> Tensor:
        """Mean loss of questions over their tables, and of some asked of a table that has no answer."""
        ...

    def accuracy(self, examples: Sequence[Example]) -> dict[str, float]:
        """Shares of questions whose cell, row and column are chosen among all of their table."""
        ...


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
    """Run all steps that the run's checkpoint lacks; the last one is checked on all that is held apart.

    Raises CrossheadError where the training diverges; the checkpoint stays as it was.
    """
    weights = trained(trainer.model)
    optimizer = torch.optim.AdamW(
        [
            {"params": [w for n, w in weights.items() if "encoder." in n], "full_rate": rate},
            {
                "params": [w for n, w in weights.items() if "encoder." not in n],
                "full_rate": rate * trainer.added_rate,
            },
        ],
        weight_decay=_WEIGHT_DECAY,
    )
    done = run.resume(weights, optimizer, steps)
    families = _families(examples)
    started, losses = time.monotonic(), []
    trainer.model.train()
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
        elsewhere = [(example, chance.choice(others))] if others else []
        loss = trainer.loss(batch, elsewhere, chance)
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(weights.values(), _MAX_NORM)
        optimizer.step()
        if not all(torch.isfinite(each).all() for each in (loss, *weights.values())):
            raise CrossheadError(
                f"The training diverged at step {step + 1:,}: its loss or weights are no finite numbers. "
                "Begin anew with a lower --rate and another folder; what this one kept before stays."
            )
        losses.append(loss.item())
        if (step + 1) % LOG_EVERY == 0:
            seconds = round(time.monotonic() - started)
            run.log(step=step + 1, loss=round(sum(losses) / len(losses), 4), seconds=seconds)
            losses.clear()
        if (step + 1) % CHECK_EVERY == 0 or step + 1 == steps:
            checked = apart if step + 1 == steps else apart[:N_CHECKED]
            run.log(step=step + 1, apart=trainer.accuracy(checked), n=len(checked))
            run.keep(weights, optimizer, step + 1)


def shares(hits: Sequence[tuple[bool, bool, bool]]) -> dict[str, float]:
    """Of questions whose cell, row and column were found or not, the shares that were."""
    totals = [sum(each) for each in zip(*hits, strict=True)] or [0, 0, 0]
    found = (round(total / max(len(hits), 1), 4) for total in totals)
    return dict(zip(("cells", "rows", "columns"), found, strict=True))


def training_data(
    tatqa: Sequence[Path], seed: int, without: Collection[str] = ()
) -> tuple[list[Example], list[Example], dict[str, Axes]]:
    """Examples to learn from, examples held apart in a seeded order, and all their tables.

    Those of the parts ``without`` of the corpus (names in ``PARTS``) are not learnt from; what is held apart
    is always the same. Raises CrossheadError as ``load_tatqa`` does, and for a table id that stands twice.
    """
    corpus = load_corpus()
    read, axes = read_examples(corpus)
    tables = {question.table_id for question in split(corpus)[1]}
    apart = [example for example in read if example.table in tables]
    examples = [
        example
        for example in read
        if example.table not in tables and parts_of(corpus.tables[example.table]).isdisjoint(without)
    ]
    for path in tatqa:
        more, more_axes = read_examples(load_tatqa(path))
        if twice := axes.keys() & more_axes.keys():
            raise CrossheadError(
                f"{path}: the table id {min(twice)!r} stands in another set too; name a file once, "
                "and give each table an id of its own."
            )
        examples += more
        axes |= more_axes
    random.Random(seed).shuffle(apart)
    return examples, apart, axes


def run_command(
    module: str,
    arguments: Sequence[str] | None,
    make: Callable[[Sequence[Example], Mapping[str, Axes]], Trainer],
    export: Callable[[Run, Path, Sequence[Example], Mapping[str, Axes]], None],
) -> int:
    """Train, or export what was trained; returns the exit code: 0, or 2 for bad input.

    ``make`` makes a trainer for examples and their tables; ``export`` writes a run's weights to a file, with
    what is fitted on the examples held apart.
    """
    name = module.rsplit(".", 1)[-1]
    parser = argparse.ArgumentParser(prog=f"python -m {module}", description=f"Train the embedded {name}.")
    parser.add_argument(
        "--out", type=_path, required=True, metavar="FOLDER", help="where checkpoint and log go"
    )
    parser.add_argument(
        "--export", type=_path, metavar="FILE", help="write the checkpoint's weights, without training"
    )
    parser.add_argument(
        "--tatqa", type=_path, action="append", default=[], metavar="FILE",
        help="tables of TAT-QA to learn from too; may be repeated",
    )  # fmt: skip
    parser.add_argument(
        "--without", choices=list(PARTS), action="append", default=[],
        help=f"leave out a part of the corpus: {'; '.join(f'{name}, {of}' for name, of in PARTS.items())}; "
        "may be repeated",
    )  # fmt: skip
    parser.add_argument(
        "--start", type=_path, metavar="FOLDER", help="begin with the weights that another run ended with"
    )
    parser.add_argument(
        "--epochs", type=_at_most(_MOST_EPOCHS), default=1.0, help="passes over the questions (%(default)s)"
    )
    parser.add_argument(
        "--rate",
        type=_at_most(_MOST_RATE),
        default=8e-5,
        help="learning rate of the encoder's layers (%(default)s)",
    )
    parser.add_argument("--seed", type=int, default=1, help="seed of all that is drawn (%(default)s)")
    options = parser.parse_args(arguments)
    try:
        examples, apart, axes = training_data(
            [] if options.export else options.tatqa, options.seed, options.without
        )
        if options.export:
            export(Run(options.out), options.export, apart, axes)
            return 0
        if not examples:
            raise CrossheadError("Nothing is left to learn from; leave out less, or name files of TAT-QA.")
        made_of = {
            "system": name,
            "--epochs": str(options.epochs),
            "--rate": str(options.rate),
            "--seed": str(options.seed),
            "--without": " and ".join(sorted(set(options.without))) or "nothing",
            "questions": f"{len(examples):,} ({_digest(examples, axes)})",
            "--start": Run(options.start).digest() if options.start else "nothing",
        }
        run = Run(options.out, made_of)
        run.make_folder()
        trainer = make(examples, axes)
        if options.start:
            trainer.model.load_state_dict(Run(options.start).weights(trainer.model), strict=False)
        steps = math.ceil(options.epochs * len(examples) / BATCH)
        print(
            f"{len(examples):,} questions, {len(apart):,} held apart, {steps:,} steps, a checkpoint every "
            f"{CHECK_EVERY} and at the end",
            flush=True,
        )
        train(trainer, examples, apart, run, steps=steps, rate=options.rate, seed=options.seed)
    except CrossheadError as fault:
        print(f"crosshead: {fault}", file=sys.stderr)
        return 2
    return 0


def _path(text: str) -> Path:
    if not text:
        raise argparse.ArgumentTypeError("the name is empty; name a file or folder")
    return Path(text)


def _at_most(most: float) -> Callable[[str], float]:
    def number(text: str) -> float:
        with suppress(ValueError):
            if 0 < (found := float(text)) <= most:
                return found
        raise argparse.ArgumentTypeError(f"{text!r} is not a number above 0 and up to {most:g}")

    return number


def _digest(examples: Sequence[Example], axes: Mapping[str, Axes]) -> str:
    """Eight hex digits of what is learnt from."""
    tables = [axes[name].view.table for name in dict.fromkeys(each.table for each in examples)]
    return hashlib.sha256(repr((examples, tables)).encode()).hexdigest()[:8]


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
