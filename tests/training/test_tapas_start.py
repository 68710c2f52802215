"""Where the training of tapas begins: a small encoder that sees lines of a table."""

import random

import pytest
import torch
from torch import nn

from qa_core.datasets import load_dataset
from qa_core.systems.rci_weights import load_scorer
from qa_core.systems.tapas_input import COLUMN, ROW
from qa_core.systems.tapas_weights import base_tapas
from qa_core.training.examples import read_examples
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


@torch.no_grad()
def test_tapas_begins_with_seeing_the_question_and_its_own_line() -> None:
    examples, axes = read_examples(load_dataset("sample"))
    trainer = Trainer(*base_tapas(), axes)
    layers = trainer.model.get_submodule("tapas.encoder.layer")
    trainer.begin(load_scorer().scorer, random.Random(0).sample(examples, 12))
    read = trainer._read(examples[0].question, examples[0].table, examples[0].row, random.Random(0))
    rows, columns = (torch.from_numpy(read.places[:, places]) for places in (ROW, COLUMN))
    row_headers = (rows > 0) & (columns == 1)
    due = (columns == 0) | (row_headers & (rows == rows[row_headers][:, None]))
    shares = []
    handles = [
        layer.attention.self.query.register_forward_hook(
            lambda module, given, query, layer=layer: shares.append(
                _seen(layer, given[0][0], query[0], due, row_headers)
            )
        )
        for layer in layers
    ]
    trainer._tapas.logits([read])
    for handle in handles:
        handle.remove()
    assert len(shares) == 6
    assert min(shares) > 0.6


def _seen(
    layer: nn.Module, states: torch.Tensor, query: torch.Tensor, due: torch.Tensor, of: torch.Tensor
) -> float:
    attention = layer.attention.self
    heads = (attention.num_attention_heads, -1)
    queries, keys = query.unflatten(1, heads)[of], attention.key(states).unflatten(1, heads)
    products = torch.einsum("qhd,khd->hqk", queries, keys) / attention.attention_head_size**0.5
    return float((products.softmax(2) * due).sum(2).mean())
