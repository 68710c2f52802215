"""Codes of rows and columns in the states of a transformer: apart, and out of the way of its content."""

import pytest
import torch
from torch import nn

from qa_core.training.code_channel import (
    FLAGS,
    HEADER,
    LINE,
    QUESTION,
    STUB,
    Channel,
    flagged,
    line_codes,
)


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
    norm.bias.normal_()
    code = torch.tensor([1.0, -2.0, 0.5, 3.0])
    content = torch.randn(16)
    content = content - channel.write @ (channel.read.T @ content)
    after = channel.after(norm)
    read = norm(content + channel.write @ code) @ after.read
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


def test_lines_have_codes_that_lie_far_apart() -> None:
    rows, columns = (codes[:, LINE] for codes in line_codes(25, 10))
    lines = torch.cat([rows[1:], columns[2:]])
    products = lines @ lines.T
    assert torch.allclose(products.diagonal(), torch.ones(len(lines)), atol=1e-5)
    assert products.fill_diagonal_(0).max() < 0.2


@pytest.mark.parametrize(
    ("row", "column", "flags"),
    [
        (0, 0, {QUESTION}),
        (0, 1, {HEADER, STUB}),
        (0, 2, {HEADER}),
        (1, 1, {STUB}),
        (1, 2, set()),
    ],
)
def test_flags_tell_the_question_and_headers(row: int, column: int, flags: set[int]) -> None:
    rows, columns = line_codes(4, 4)
    code = rows[row] + columns[column]
    assert {place for place in range(FLAGS.start, FLAGS.stop) if code[place] == 1} == flags
    assert flagged(code[None]).item() == bool(flags)
    assert code[LINE].any() == (row > 0 or column > 1)
