"""The trainings of the neural systems: what they learn, and that an interrupted one ends as it would have."""

from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from qa_core.datasets.dataset import Dataset
from qa_core.question import Question
from qa_core.systems.encoder import load_parts
from qa_core.table import Location, Table
from qa_core.training import loop, rci, tapas
from qa_core.training.checkpoint import Run
from qa_core.training.examples import read_examples
from tests.systems.tapas_checkpoint import save_checkpoint
from tests.systems.tiny_scorer import tiny_scorer

TABLE = Table(
    "airline",
    (("2018",), ("2017",)),
    (("revenue",), ("miles",), ("cost",)),
    (("11", "12"), ("21", "22"), ("31", "32")),
    company="Air",
)
AGES = Table("ages", (("Age",),), (("A. Vance",), ("B. Ode",)), (("51",), ("47",)), company="Air")
ASKED = tuple(
    Question(f"{row} {column}", "airline", f"what was {leaf} in {year}", ("",), cell=Location(row, column))
    for row, (leaf,) in enumerate(TABLE.row_paths)
    for column, (year,) in enumerate(TABLE.column_paths)
)
EXAMPLES, AXES = read_examples(Dataset("d", {"airline": TABLE, "ages": AGES}, ASKED))


def rci_trainer(folder: Path) -> loop.Trainer:
    return rci.Trainer(*tiny_scorer(), AXES)


def tapas_trainer(folder: Path) -> loop.Trainer:
    settings = {"initializer_range": 0.1, "allow_empty_column_selection": False, "hidden_dropout_prob": 0.0}
    saved = save_checkpoint(
        folder / "tapas", aggregates=False, tokenizer={"cell_trim_length": 64}, **settings
    )
    tokenizer, model = load_parts("tapas", saved, "TapasForQuestionAnswering", "TapasTokenizer")
    model.tapas.pooler = None
    return tapas.Trainer(tokenizer, model, AXES)


@pytest.fixture(params=[rci_trainer, tapas_trainer])
def make(request: pytest.FixtureRequest) -> Any:
    return request.param


def train(trainer: loop.Trainer, folder: Path, steps: int = 60) -> dict[str, Any]:
    run = Run(folder)
    run.make_folder()
    loop.train(trainer, EXAMPLES, EXAMPLES, run, steps=steps, rate=5e-3, seed=1)
    return run.weights(trainer.model)


def test_what_is_asked_often_enough_is_learnt(make: Callable[[Path], loop.Trainer], tmp_path: Path) -> None:
    trainer = make(tmp_path)
    train(trainer, tmp_path, steps=150)
    assert trainer.accuracy(EXAMPLES)["cells"] == 1.0


def test_an_interrupted_training_ends_as_it_would_have(
    make: Callable[[Path], loop.Trainer], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loop, "CHECK_EVERY", 4)
    whole = train(make(tmp_path), tmp_path / "whole", steps=8)
    with monkeypatch.context() as patch:
        stream = loop._stream
        patch.setattr(loop, "_stream", lambda *given: islice(stream(*given), 6))
        train(make(tmp_path), tmp_path / "interrupted", steps=8)
    resumed = train(make(tmp_path), tmp_path / "interrupted", steps=8)
    assert whole.keys() == resumed.keys()
    assert all(whole[name].equal(resumed[name]) for name in whole)


def choice(columns: list[float], cells: list[float], right: int | None) -> tapas.Choice:
    return tapas.Choice(np.array(columns), np.array(cells), right)


def test_the_bias_lets_the_right_cell_alone_pass() -> None:
    def fitted(*cells: list[float]) -> float:
        return tapas.fitted_bias([choice([0.0], each, 0) for each in cells])

    assert fitted() == 0.0
    assert fitted([2.0, 1.0], [3.0, 0.0, 1.5], [5.0, 4.0]) == -1.5
    assert fitted([1.0, 2.0], [-1.0, -3.0]) == 3.0
    assert fitted([1.0]) == 0.0
    assert tapas.fitted_bias([choice([0.0], [1.0, 2.0], None)]) == 0.0


def test_confidence_is_scaled_to_how_often_answers_are_right() -> None:
    surely = [choice([4.0, 0.0], [4.0, -4.0], 0), choice([4.0, 0.0], [4.0, -4.0], None)]
    of_columns, of_cells = tapas.fitted_scales(surely, 0.0)
    confidences = [tapas._confidence(each, 0.0, of_columns, of_cells) for each in surely]
    assert confidences == pytest.approx([0.5, 0.5], abs=0.02)
    hardly = [choice([1.0, 0.0], [1.0, -1.0], 0)] * 9 + [choice([1.0, 0.0], [1.0, -1.0], None)]
    assert tapas._confidence(hardly[0], 0.0, *tapas.fitted_scales(hardly, 0.0)) == pytest.approx(
        0.9, abs=0.02
    )


def test_without_an_answer_logits_keep_their_scale() -> None:
    assert tapas.fitted_scales([choice([0.0], [-1.0], 0)], 0.0) == (1.0, 1.0)
    assert tapas.fitted_scales([], 0.0) == (1.0, 1.0)
