"""A training run on disk: a log of what it reached, and a checkpoint from which it goes on."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

from qa_core.errors import CrossheadError

_LOG, _CHECKPOINT = "log.jsonl", "checkpoint.safetensors"


class Run:
    """The folder of a run. Its checkpoint holds weights, the moments of AdamW and the number of steps."""

    def __init__(self, folder: Path) -> None:
        """Make the folder where there is none. Raises CrossheadError where that fails."""
        self.folder = folder
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise CrossheadError(
                f"The folder {folder} cannot be made: {error.strerror}; name another."
            ) from error

    def log(self, **what: object) -> None:
        """Print a line of JSON, and add it to the log."""
        line = json.dumps(what)
        print(line, flush=True)
        with (self.folder / _LOG).open("a") as file:
            file.write(line + "\n")

    def keep(self, weights: Mapping[str, nn.Parameter], optimizer: torch.optim.AdamW, step: int) -> None:
        """Write the checkpoint; the one before stays until the new one is complete."""
        tensors: dict[str, Tensor] = {}
        for name, weight in weights.items():
            moments = optimizer.state[weight]
            tensors |= {
                f"weight {name}": weight.detach().contiguous(),
                f"first {name}": moments["exp_avg"].contiguous(),
                f"second {name}": moments["exp_avg_sq"].contiguous(),
            }
        unfinished = self.folder / f"new-{_CHECKPOINT}"
        save_file(tensors, unfinished, {"step": str(step)})
        unfinished.replace(self.folder / _CHECKPOINT)

    def resume(self, weights: Mapping[str, nn.Parameter], optimizer: torch.optim.AdamW) -> int:
        """Take up the checkpoint, if there is one; returns the steps that are done.

        Raises CrossheadError for one that is damaged or belongs to another model.
        """
        path = self.folder / _CHECKPOINT
        if not path.exists():
            return 0
        try:
            tensors = load_file(path)
            with safe_open(path, "pt") as file:
                step = int(file.metadata()["step"])
            with torch.no_grad():
                for name, weight in weights.items():
                    weight.copy_(tensors[f"weight {name}"])
                    optimizer.state[weight] = {
                        "step": torch.tensor(float(step)),
                        "exp_avg": tensors[f"first {name}"],
                        "exp_avg_sq": tensors[f"second {name}"],
                    }
        except (SafetensorError, OSError, KeyError, TypeError, ValueError, RuntimeError) as error:
            raise CrossheadError(
                f"The checkpoint {path} is damaged or of another model; delete it to begin anew."
            ) from error
        return step

    def weights(self) -> dict[str, Tensor]:
        """The weights of the checkpoint by name. Raises CrossheadError where there is none."""
        path = self.folder / _CHECKPOINT
        try:
            tensors = load_file(path)
        except (SafetensorError, OSError) as error:
            raise CrossheadError(f"{path} is no checkpoint; train into this folder first.") from error
        prefix = "weight "
        return {name.removeprefix(prefix): t for name, t in tensors.items() if name.startswith(prefix)}


def learning_rate(step: int, steps: int, warm_up: int) -> float:
    """Share of the full rate at a step counted from 0: linearly up over ``warm_up``, then down to 0."""
    return min(1.0, (step + 1) / warm_up) * (1 - step / steps)
