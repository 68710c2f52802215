"""The pair scorer says of each pair what its transformer says of that pair alone."""

import random

import pytest
import torch

from qa_core.systems.line_texts import COLUMN, ROW
from qa_core.systems.pair_scorer import MAX_TOKENS, PairScorer, token_ids
from tests.systems.tiny_scorer import tiny_scorer

QUESTION = "How many seats in 2018?"
LINES = ["row; Seats", "column; 2018; latest", "row; Operations > Available seat miles (thousands)", "x"]


@pytest.fixture(scope="module")
def scorer_and_tokenizer() -> tuple[PairScorer, object]:
    scorer, tokenizer = tiny_scorer()
    return scorer.eval(), tokenizer


def test_scores_are_those_of_each_pair_alone(scorer_and_tokenizer: tuple[PairScorer, object]) -> None:
    scorer, tokenizer = scorer_and_tokenizer
    pairs = [
        (token_ids(tokenizer, QUESTION)[0], token_ids(tokenizer, line)[0], side)
        for line in LINES
        for side in (ROW, COLUMN)
    ]
    with torch.inference_mode():
        together = scorer(pairs)
        for pair, (line, side) in enumerate((line, side) for line in LINES for side in (ROW, COLUMN)):
            encoded = tokenizer(QUESTION, line, return_tensors="pt")  # type: ignore[operator]
            states = scorer.encoder(**encoded).last_hidden_state
            alone = scorer.heads[side](states.mean(1)).item()
            assert together[pair].item() == pytest.approx(alone, abs=1e-5)


def test_the_order_of_pairs_is_kept(scorer_and_tokenizer: tuple[PairScorer, object]) -> None:
    scorer, tokenizer = scorer_and_tokenizer
    pairs = [(token_ids(tokenizer, QUESTION)[0], token_ids(tokenizer, "ab " * n)[0], ROW) for n in range(12)]
    places = random.Random(1).sample(range(12), 12)
    with torch.inference_mode():
        torch.testing.assert_close(scorer([pairs[i] for i in places]), scorer(pairs)[places])


@pytest.mark.parametrize(
    ("text", "n", "cut"), [("", 2, 0), ("ab", 4, 0), ("a" * 62, 64, 0), ("a" * 70, 64, 8)]
)
def test_a_text_is_cut_before_the_token_that_ends_it(
    scorer_and_tokenizer: tuple[PairScorer, object], text: str, n: int, cut: int
) -> None:
    ids, left = token_ids(scorer_and_tokenizer[1], text)
    assert (len(ids), left) == (n, cut)
    assert len(ids) <= MAX_TOKENS
    assert ids[0], ids[-1] == (2, 3)


def test_word_embeddings_do_not_learn(scorer_and_tokenizer: tuple[PairScorer, object]) -> None:
    scorer, _ = scorer_and_tokenizer
    still = {name for name, weight in scorer.named_parameters() if not weight.requires_grad}
    assert still == {name for name, _ in scorer.named_parameters() if name.startswith("encoder.embeddings.")}
