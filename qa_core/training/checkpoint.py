"""A training run on disk: a log of what it reached, and a checkpoint from which it goes on."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import load_file
from torch import Tensor, nn

from qa_core.errors import CrossheadError
from qa_core.systems.own_weights import weights_digest, write_whole

_LOG, _CHECKPOINT, _STEP = "log.jsonl", "checkpoint.safetensors", "step"
_WEIGHT, _FIRST, _SECOND = "weight ", "first ", "second "


class Run:
    """The folder of a run. Its checkpoint holds weights, the moments of AdamW and the number of steps, and
    what the run is made of, by name: another run does not go on from it."""

    def __init__(self, folder: Path, made_of: Mapping[str, str] | None = None) -> None:
        self.folder = folder
        self.made_of = dict(made_of or {})
        self._checkpoint = folder / _CHECKPOINT

    def make_folder(self) -> None:
        """Make the folder and its log where there are none. Raises CrossheadError where that fails."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise CrossheadError(
                f"The folder {self.folder} cannot be made: {error.strerror}; name another."
            ) from error
        self._write_log("")

    def log(self, **what: object) -> None:
        """Print a line of JSON, and add it to the log. Raises CrossheadError where that cannot be written."""
        line = json.dumps(what)
        print(line, flush=True)
        self._write_log(line + "\n")

    def keep(self, weights: Mapping[str, nn.Parameter], optimizer: torch.optim.AdamW, step: int) -> None:
        """Write the checkpoint; the one before stays until the new one is complete.

        Raises CrossheadError where that fails.
        """
        tensors: dict[str, Tensor] = {}
        for name, weight in weights.items():
            moments = optimizer.state[weight]
            tensors |= {
                f"{_WEIGHT}{name}": weight.detach().contiguous(),
                f"{_FIRST}{name}": moments["exp_avg"].contiguous(),
                f"{_SECOND}{name}": moments["exp_avg_sq"].contiguous(),
            }
        write_whole(tensors, self._checkpoint, {_STEP: str(step)} | self.made_of)

    def resume(self, weights: Mapping[str, nn.Parameter], optimizer: torch.optim.AdamW, steps: int) -> int:
        """Take up the checkpoint, if there is one; returns how many of the ``steps`` are done.

        Raises CrossheadError for one that is damaged, or of another model or run.
        """
        if not self._checkpoint.exists():
            return 0
        try:
            tensors = self._tensors()
            with safe_open(self._checkpoint, "pt") as file:
                made_of = dict(file.metadata() or {})
            done = int(made_of.pop(_STEP))
            self._check_made_of(made_of)
            if not 1 <= done <= steps:
                raise ValueError("no such step")
            of_weights, first, second = (
                _named(tensors, kind, weights) for kind in (_WEIGHT, _FIRST, _SECOND)
            )
        except (SafetensorError, OSError, KeyError, ValueError) as error:
            raise CrossheadError(
                f"The checkpoint {self._checkpoint} is damaged or of another model; delete it to begin anew."
            ) from error
        with torch.no_grad():
            for name, weight in weights.items():
                weight.copy_(of_weights[name])
                optimizer.state[weight] = {
                    "step": torch.tensor(float(done)),
                    "exp_avg": first[name],
                    "exp_avg_sq": second[name],
                }
        return done

    def weights(self, model: nn.Module) -> dict[str, Tensor]:
        """The weights of the checkpoint by name: those that are trained of a model.

        Raises CrossheadError where there is no checkpoint, or that of another model.
        """
        try:
            tensors = self._tensors()
        except (SafetensorError, OSError) as error:
            raise self._missing(error) from error
        try:
            return _named(tensors, _WEIGHT, trained(model))
        except ValueError as error:
            raise CrossheadError(
                f"The checkpoint {self._checkpoint} is damaged or of another model; name the folder of a run "
                "of this training."
            ) from error

    def digest(self) -> str:
        """Eight hex digits of the checkpoint. Raises CrossheadError where there is none."""
        try:
            self._check_is_file()
            return weights_digest(self._checkpoint)
        except OSError as error:
            raise self._missing(error) from error

    def _missing(self, error: Exception) -> CrossheadError:
        if isinstance(error, OSError):
            return CrossheadError(f"There is no checkpoint {self._checkpoint}; train into this folder first.")
        return CrossheadError(f"{self._checkpoint} is no checkpoint; train into another folder.")

    def _check_is_file(self) -> None:
        if not self._checkpoint.is_file():  # a pipe would be read for ever
            raise FileNotFoundError

    def _tensors(self) -> dict[str, Tensor]:
        self._check_is_file()
        return load_file(self._checkpoint)

    def _check_made_of(self, before: Mapping[str, str]) -> None:
        """Raise CrossheadError where the checkpoint's run is made of something else."""
        names = [name for name in self.made_of if before.get(name) != self.made_of[name]]
        if names:
            was, now = (
                ", ".join(f"{name} {of.get(name, 'unknown')}" for name in names)
                for of in (before, self.made_of)
            )
            raise CrossheadError(
                f"The checkpoint {self._checkpoint} is of another run, with {was}, not {now}; give it what "
                "it was begun with, or name another folder."
            )

    def _write_log(self, text: str) -> None:
        path = self.folder / _LOG
        try:
            with path.open("a") as file:
                file.write(text)
        except OSError as error:
            raise CrossheadError(
                f"The log {path} cannot be written: {error.strerror}; make room, or name another folder."
            ) from error


def trained(model: nn.Module) -> dict[str, nn.Parameter]:
    """The parameters of a model that a training changes."""
    return {name: weight for name, weight in model.named_parameters() if weight.requires_grad}


def _named(tensors: Mapping[str, Tensor], kind: str, weights: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """The tensors of a kind by name. Raises ValueError where these do not fit, or are not finite."""
    found = {name.removeprefix(kind): each for name, each in tensors.items() if name.startswith(kind)}
    if found.keys() != weights.keys() or not all(
        each.shape == weights[name].shape and each.dtype == weights[name].dtype and each.isfinite().all()
        for name, each in found.items()
    ):
        raise ValueError("other parts")
    return found


def learning_rate(step: int, steps: int, warm_up: int) -> float:
    """Share of the full rate at a step counted from 0: linearly up over ``warm_up``, then down to 0."""
    return min(1.0, (step + 1) / warm_up) * (1 - step / steps)
