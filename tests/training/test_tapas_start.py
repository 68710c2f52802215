"""Where the training of tapas begins: a small encoder that sees lines of a table."""

import random

import pytest
import torch
from torch import nn

from qa_core.datasets import load_dataset
from qa_core.systems.rci_weights import load_scorer
from qa_core.systems.tapas_weights import base_tapas
from qa_core.training.examples import Example, read_examples
from qa_core.training.tapas import Trainer
from qa_core.training.tapas_start import Channel


@pytest.fixture
def channel() -> Channel:
    torch.manual_seed(0)
    drawn = torch.randn(16, 4)
    directions = torch.linalg.qr(drawn - drawn.mean(0))[0]
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


@torch.no_grad()
def test_before_anything_is_learnt_rows_are_found_as_rci_finds_them() -> None:
    examples, axes = read_examples(load_dataset("sample"))
    asked = examples[::4]
    trainer = Trainer(*base_tapas(), axes)
    before = n_found(trainer, asked)
    trainer.begin(load_scorer().scorer, examples)
    assert n_found(trainer, asked) > 3 * before > 0


def n_found(trainer: Trainer, examples: list[Example]) -> int:
    """Questions for which the header of the right row has the highest log-odds among row headers."""
    found = 0
    for example in examples:
        read = trainer._read(example.question, example.table, example.row, random.Random(0))
        [cells] = trainer._cells([read])
        rows, log_odds = cells.in_column(1)
        found += int(rows[int(log_odds.argmax())]) == example.row + 1
    return found
