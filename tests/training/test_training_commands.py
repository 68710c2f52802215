"""The command line of the trainings: what it refuses, and what of a run it keeps."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors import safe_open
from safetensors.torch import load_file, save_file
from torch import Tensor

from qa_core.systems.own_weights import write_weights
from qa_core.training import loop, rci
from qa_core.training.checkpoint import Run
from tests.systems.tiny_scorer import tiny_scorer
from tests.training.test_trainings import AXES, EXAMPLES

SCORER, TOKENIZER = tiny_scorer()
LOG_ODDS = "prior_weights"


@pytest.fixture(autouse=True)
def few_questions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Six questions, fewer where a part is left out."""

    def data(tatqa: object, seed: int, without: list[str]) -> Any:
        return EXAMPLES[len(without) :], EXAMPLES, AXES

    monkeypatch.setattr(loop, "training_data", data)


def train(*options: object, system: str = "rci", trainer: Callable[..., Any] | None = None) -> int:
    def export(run: Run, path: Path, *_: object) -> None:
        write_weights(run.weights(SCORER), path)

    def make(*_: object) -> loop.Trainer:
        return rci.Trainer(*tiny_scorer(), AXES)

    return loop.run_command(
        f"qa_core.training.{system}", [str(each) for each in options], trainer or make, export
    )


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """A run of one step."""
    assert train("--out", tmp_path / "run") == 0
    capsys.readouterr()
    return tmp_path / "run"


def checkpoint(folder: Path) -> Path:
    return folder / "checkpoint.safetensors"


def change(folder: Path, tensors: Mapping[str, Tensor], **about: str) -> None:
    with safe_open(checkpoint(folder), "pt") as file:
        before = file.metadata()
    save_file(load_file(checkpoint(folder)) | dict(tensors), checkpoint(folder), before | about)


@pytest.mark.parametrize("value", ["nan", "inf", "-inf", "0", "-1", "1e300", "many", ""])
@pytest.mark.parametrize("option", ["--epochs", "--rate"])
def test_a_number_without_sense_is_a_usage_error(
    option: str, value: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        train("--out", tmp_path, f"{option}={value}")
    assert f"argument {option}: {value!r} is not a number above 0 and up to 1" in capsys.readouterr().err


@pytest.mark.parametrize("option", ["--out", "--export", "--start", "--tatqa"])
def test_an_empty_path_is_a_usage_error(
    option: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        train("--out", tmp_path, option, "")
    assert f"argument {option}: the name is empty" in capsys.readouterr().err


@pytest.mark.parametrize("fault", ["loss", "weights"])
def test_a_training_that_diverges_keeps_what_it_had(
    fault: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Diverging(rci.Trainer):
        n_asked = 0

        def loss(self, *given: Any) -> Tensor:
            self.n_asked += 1
            loss = super().loss(*given)
            if self.n_asked == 2:
                loss.register_hook(lambda gradient: gradient * torch.nan)
                return loss * torch.nan if fault == "loss" else loss
            return loss

    monkeypatch.setattr(loop, "CHECK_EVERY", 1)
    assert train("--out", tmp_path, "--epochs", 3, trainer=lambda *_: Diverging(*tiny_scorer(), AXES)) == 2
    assert "crosshead: The training diverged at step 2" in capsys.readouterr().err
    with safe_open(checkpoint(tmp_path), "pt") as file:
        assert file.metadata()["step"] == "1"
    assert all(each.isfinite().all() for each in load_file(checkpoint(tmp_path)).values())


@pytest.mark.parametrize(
    ("options", "was", "now"),
    [
        (["--seed", 5], "--seed 1", "--seed 5"),
        (["--epochs", 2], "--epochs 1.0", "--epochs 2.0"),
        (["--rate", 1e-3], "--rate 8e-05", "--rate 0.001"),
        (["--without", "written"], "--without nothing, questions 6 ", "--without written, questions 5 "),
    ],
)
def test_a_run_goes_on_only_as_it_was_begun(
    run: Path, options: list[object], was: str, now: str, capsys: pytest.CaptureFixture[str]
) -> None:
    before = checkpoint(run).read_bytes()
    assert train("--out", run, *options) == 2
    error = capsys.readouterr().err
    assert "is of another run, with " + was in error
    assert "not " + now in error
    assert checkpoint(run).read_bytes() == before
    assert train("--out", run) == 0


def test_a_run_does_not_go_on_from_other_starts_systems_or_nothing_known(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert train("--out", run, "--start", run) == 2
    assert "with --start nothing, not --start" in capsys.readouterr().err
    assert train("--out", run, system="tapas") == 2
    assert "with system rci, not system tapas" in capsys.readouterr().err
    save_file(load_file(checkpoint(run)), checkpoint(run), {"step": "1"})
    assert train("--out", run) == 2
    assert "with system unknown" in capsys.readouterr().err
    assert train("--out", run, "--export", tmp_path / "old.safetensors") == 0
    assert train("--out", tmp_path / "new", "--start", run) == 0


@pytest.mark.parametrize("step", ["-5", "0", "2", "x"])
def test_a_step_that_the_run_does_not_have_is_damage(
    run: Path, step: str, capsys: pytest.CaptureFixture[str]
) -> None:
    change(run, {}, step=step)
    assert train("--out", run) == 2
    assert "is damaged or of another model" in capsys.readouterr().err


@pytest.mark.parametrize("of", [[1.0], [[1.0, 2.0]], [1, 2], [float("nan"), 1.0]])
@pytest.mark.parametrize("kind", ["weight", "first", "second"])
def test_tensors_of_another_form_are_damage(
    run: Path, tmp_path: Path, kind: str, of: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    change(run, {f"{kind} {LOG_ODDS}": torch.tensor(of)})
    commands: list[list[object]] = [["--out", run]]
    if kind == "weight":
        commands += [
            ["--out", run, "--export", tmp_path / "x.safetensors"],
            ["--out", tmp_path / "y", "--start", run],
        ]
    for command in commands:
        assert train(*command) == 2
        assert "is damaged or of another model" in capsys.readouterr().err
    assert not (tmp_path / "x.safetensors").exists()


def test_the_weights_of_another_system_are_refused(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tensors = {
        name.replace(LOG_ODDS, "output_bias"): each for name, each in load_file(checkpoint(run)).items()
    }
    save_file(tensors, checkpoint(run), {"step": "1"})
    assert train("--out", run, "--export", tmp_path / "x.safetensors") == 2
    assert train("--out", tmp_path / "y", "--start", run) == 2
    assert capsys.readouterr().err.count("is damaged or of another model") == 2


@pytest.mark.parametrize("name", ["nosuch", "a" * 300])
def test_a_run_that_is_missing_is_not_made(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    missing = tmp_path / name
    assert train("--out", tmp_path / "run", "--start", missing) == 2
    assert train("--out", missing, "--export", tmp_path / "x.safetensors") == 2
    assert capsys.readouterr().err.count("train into this folder first") == 2
    assert list(tmp_path.iterdir()) == []


def test_an_export_replaces_an_export(run: Path) -> None:
    path = run / "rci.safetensors"
    for _ in range(2):
        assert train("--out", run, "--export", path) == 0
    assert load_file(path).keys() == Run(run).weights(SCORER).keys()
    assert sorted(each.name for each in run.iterdir()) == [checkpoint(run).name, "log.jsonl", path.name]


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("run/checkpoint.safetensors", "is there already"),
        ("run/log.jsonl", "name a file that ends in .safetensors"),
        ("text.safetensors", "is there already"),
        ("foreign.safetensors", "is there already"),
        ("folder.safetensors", "is there already"),
        ("pipe.safetensors", "is there already"),
        ("new.txt", "name a file that ends in .safetensors"),
        ("nosuch/x.safetensors", "There is no folder"),
        ("run/log.jsonl/x.safetensors", "There is no folder"),
        ("a" * 300 + ".safetensors", "cannot be written"),
    ],
)
def test_an_export_replaces_nothing_else(
    run: Path, name: str, fault: str, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = run.parent
    (folder / "text.safetensors").write_text("mine")
    save_file({"other": torch.ones(1)}, folder / "foreign.safetensors")
    (folder / "folder.safetensors").mkdir()
    os.mkfifo(folder / "pipe.safetensors")

    def held() -> dict[str, bytes]:
        return {str(each): each.read_bytes() if each.is_file() else b"" for each in folder.rglob("*")}

    before = held()
    assert train("--out", run, "--export", folder / name) == 2
    assert fault in capsys.readouterr().err
    assert held() == before


def test_weights_beyond_half_precision_are_not_exported(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    change(run, {f"weight {LOG_ODDS}": torch.tensor([1e6, 1.0])})
    assert train("--out", run, "--export", tmp_path / "x.safetensors") == 2
    assert "not finite in half precision" in capsys.readouterr().err


def test_a_full_disk_is_one_sentence_and_what_was_there_stays(
    run: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    exported = run / "rci.safetensors"
    assert train("--out", run, "--export", exported) == 0
    before = {each: each.read_bytes() for each in run.iterdir() if each.suffix == ".safetensors"}

    def full(tensors: object, path: Path, about: object) -> None:
        path.write_bytes(b"part")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("safetensors.torch.save_file", full)
    assert train("--out", run, "--export", exported) == 2
    monkeypatch.setattr(Run, "resume", lambda *_: 0)
    assert train("--out", run) == 2
    assert capsys.readouterr().err.count("No space left on device") == 2
    assert {each: each.read_bytes() for each in run.iterdir() if each.name != "log.jsonl"} == before


def test_a_log_that_cannot_be_written_is_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "log.jsonl").mkdir()
    assert train("--out", tmp_path) == 2
    assert "log.jsonl cannot be written: Is a directory" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["rci", "tapas", "lexical"])
def test_an_interrupt_while_libraries_load_is_one_sentence(name: str, tmp_path: Path) -> None:
    (tmp_path / "numpy.py").write_text("import time\nprint('loading', flush=True)\ntime.sleep(60)\n")
    paths = os.pathsep.join([str(tmp_path), str(Path(__file__).parents[2])])
    with subprocess.Popen(
        [sys.executable, "-m", f"qa_core.training.{name}", "--out", tmp_path],
        env=os.environ | {"PYTHONPATH": paths},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as command:
        assert command.stdout is not None
        assert command.stdout.readline() == "loading\n"
        command.send_signal(signal.SIGINT)
        _, error = command.communicate(timeout=30)
    assert command.returncode == 130
    assert error.strip().startswith("crosshead: stopped; ")
    assert error.strip().count("\n") == 0
