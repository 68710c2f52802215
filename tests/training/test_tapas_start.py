"""Where the training of tapas begins: a small encoder that sees lines of a table."""

import random

import numpy as np
import pytest
import torch
from torch import nn

from qa_core.datasets import load_dataset
from qa_core.systems.rci_weights import load_scorer
from qa_core.systems.tapas_input import COLUMN, ROW
from qa_core.systems.tapas_model import sees_of_right
from qa_core.systems.tapas_weights import base_tapas
from qa_core.training.examples import Example, read_examples
from qa_core.training.tapas import Trainer
from qa_core.training.tapas_start import Channel


@pytest.fixture
def channel() -> Channel:
    torch.manual_seed(0)
    directions = torch.linalg.qr(torch.randn(16, 4) - torch.randn(16, 4).mean(0))[0]
    directions = torch.linalg.qr(directions - directions.mean(0))[0]
    return Channel(directions, directions)


@torch.no_grad()
def test_a_code_is_read_after_a_layer_norm_as_it_was_before_up_to_its_scale(channel: Channel) -> None:
    norm = nn.LayerNorm(16)
    norm.weight.uniform_(0.5, 2.0)
    code = torch.tensor([1.0, -2.0, 0.5, 3.0])
    content = torch.randn(16)
    content = content - channel.write @ (channel.read.T @ content)
    after = channel.after(norm)
    read = norm(content + channel.write @ code) @ after.read - norm.bias @ after.read
    assert torch.allclose(read / read[0], code, atol=1e-4)
    assert torch.allclose(after.read.T @ after.write, torch.eye(4), atol=1e-5)


@torch.no_grad()
def test_layers_neither_see_codes_nor_write_them(channel: Channel) -> None:
    linear = nn.Linear(16, 16)
    content = torch.randn(5, 16)
    content = content - content @ channel.read @ channel.write.T
    before = linear(content)
    channel.hide_from(linear, torch.zeros(4))
    assert torch.allclose(linear(content + torch.randn(5, 4) @ channel.write.T), before, atol=1e-5)
    channel.keep_from(linear)
    assert torch.allclose(linear(content) @ channel.read, torch.zeros(5, 4), atol=1e-5)


def test_a_cell_sees_the_question_its_headers_and_itself() -> None:
    tokens = {
        "what": (0, 0),
        "2018": (0, 2),
        "2017": (0, 3),
        "miles": (1, 1),
        "cost": (2, 1),
        "11": (1, 2),
        "12": (1, 3),
        "21": (2, 2),
    }
    places = np.zeros((len(tokens), 7), np.int64)
    places[:, [ROW, COLUMN]] = list(tokens.values())
    seen = {
        of: {text for text, due in zip(tokens, line, strict=True) if due}
        for of, line in zip(tokens, sees_of_right(places), strict=True)
    }
    assert seen["what"] == {"what"}
    assert seen["2018"] == {"what", "2018"}
    assert seen["miles"] == {"what", "miles"}
    assert seen["11"] == {"what", "2018", "miles", "11"}
    assert seen["12"] == {"what", "2017", "miles", "12"}


@torch.no_grad()
def test_before_anything_is_learnt_rows_are_found_as_rci_finds_them() -> None:
    examples, axes = read_examples(load_dataset("sample"))
    asked = [example for example in examples if example.column < axes[example.table].view.table.n_columns]
    trainer = Trainer(*base_tapas(), axes)
    before = n_found(trainer, asked)
    trainer.begin(load_scorer().scorer, examples)
    assert n_found(trainer, asked) > max(2 * before, len(asked) / 2)


def n_found(trainer: Trainer, examples: list[Example]) -> int:
    """Questions for which the header of the right row has the highest log-odds among row headers."""
    found = 0
    for example in examples:
        read = trainer._read(example.question, example.table, example.row, random.Random(0))
        [cells] = trainer._cells([read])
        rows, log_odds = cells.in_column(1)
        found += int(rows[int(log_odds.argmax())]) == example.row + 1
    return found
