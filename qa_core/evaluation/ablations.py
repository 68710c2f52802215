"""What the embedded weights were trained on, and what is lost without parts of it.

Each figure takes a training run, so the figures are kept in a data file beside this one.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from qa_core.errors import CrossheadError
from qa_core.systems.registry import SYSTEMS

_FILE = Path(__file__).with_suffix(".json")


@dataclass(frozen=True)
class MeasuringSet:
    """A dataset that ablations are measured on: its title and its number of questions."""

    title: str
    n: int


@dataclass(frozen=True)
class Ablation:
    """Strict accuracies, as fractions by dataset, of a system that had to do without something.

    A dataset that was not measured is missing. ``commands`` make the figures, one after the other.
    """

    title: str
    commands: tuple[str, ...]
    strict: Mapping[str, float]


@dataclass(frozen=True)
class Ablations:
    """The ablations of one system; ``trained_on`` says in sentences what weights were trained on."""

    system: str
    trained_on: str
    datasets: Mapping[str, MeasuringSet]
    ablations: tuple[Ablation, ...]


def load_ablations(path: Path = _FILE) -> Ablations:
    """Read the data file. Raises CrossheadError where it is missing or damaged."""
    try:
        return _ablations(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError) as fault:
        raise CrossheadError(f"{path} is missing or damaged ({fault}); install Crosshead again.") from fault


def _ablations(record: dict[str, Any]) -> Ablations:
    datasets = {name: MeasuringSet(**values) for name, values in record["datasets"].items()}
    if any(type(each.n) is not int or each.n < 1 for each in datasets.values()):
        raise ValueError("a dataset needs a number of questions")
    if record["system"] not in SYSTEMS:
        raise ValueError(f"no system {record['system']!r:.40}")
    ablations = tuple(
        Ablation(each["title"], tuple(each["commands"]), each["strict"]) for each in record["ablations"]
    )
    texts = [record["trained_on"], *(each.title for each in datasets.values())]
    for ablation in ablations:
        texts += [ablation.title, *ablation.commands]
    if not all(isinstance(text, str) for text in texts):
        raise ValueError("a title, sentence or command is no text")
    for ablation in ablations:
        if not ablation.commands:
            raise ValueError(f"{ablation.title}: no commands")
        for name, share in ablation.strict.items():
            if name not in datasets or not 0 <= share <= 1:
                raise ValueError(f"{ablation.title}: {name} {share}")
    return Ablations(record["system"], record["trained_on"], datasets, ablations)
