"""The weights of the embedded rci: the layers as they were trained, beside the embeddings of their encoder.

What was fitted on questions held apart stands with them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from qa_core.systems.encoder import load_parts
from qa_core.systems.own_weights import (
    FOLDER,
    fill,
    find_base,
    read_weights,
    unusable,
    weights_digest,
    write_weights,
)

if TYPE_CHECKING:
    from torch import Tensor

    from qa_core.systems.line_scorer import LineScorer

WEIGHTS = FOLDER / "rci.safetensors"
_TEMPERATURE, _REFUSAL = "temperature", "refusal"
_LEAST_TEMPERATURE = 1e-3
"""Below it the quotient of a score may be no number."""


def load_base() -> tuple[LineScorer, Any]:
    """A scorer as its encoder comes, and the encoder's tokenizer. Raises CrossheadError as ``find_base``."""
    from qa_core.systems.line_scorer import LineScorer

    tokenizer, encoder = load_parts(*find_base())
    return LineScorer(encoder), tokenizer


@dataclass(frozen=True)
class TrainedScorer:
    """A scorer with the tokenizer of its encoder; ``digest`` are eight hex digits of the file of its weights.

    Scores divided by ``temperature`` are log-odds that came true on questions held apart from training. An
    answer with a confidence below ``refusal`` is to be taken for none.
    """

    scorer: LineScorer
    tokenizer: Any
    temperature: float = 1.0
    refusal: float = 0.0
    digest: str = ""


def save_weights(weights: Mapping[str, Tensor], path: Path, temperature: float, refusal: float) -> None:
    """Write what training changed: a scorer's parameters but the embeddings."""
    write_weights(weights, path, {_TEMPERATURE: temperature, _REFUSAL: refusal})


def load_scorer(path: Path = WEIGHTS) -> TrainedScorer:
    """The trained scorer. Raises CrossheadError where the weights are missing, damaged, or not a scorer's,
    and as ``find_base``."""
    carried = path == WEIGHTS
    weights, said = read_weights("rci", path, carried)
    temperature, refusal = (_number(said.get(name)) for name in (_TEMPERATURE, _REFUSAL))
    if not (_LEAST_TEMPERATURE <= temperature < math.inf and 0 <= refusal <= 1):
        fault = (
            f"need a temperature of {_LEAST_TEMPERATURE:g} or more and a refusal from 0 to 1, and have "
            f"{said.get(_TEMPERATURE)!r:.40} and {said.get(_REFUSAL)!r:.40}"
        )
        raise unusable("rci", path, carried, fault)
    scorer, tokenizer = load_base()
    fill(scorer, weights, "rci", path, carried)
    return TrainedScorer(scorer, tokenizer, temperature, refusal, weights_digest(path))


def _number(text: str | None) -> float:
    """What a text says, NaN where it is none."""
    try:
        return float(text or "nan")
    except ValueError:
        return math.nan
