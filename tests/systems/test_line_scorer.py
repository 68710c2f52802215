"""The line scorer says of each line what its transformer says of question and line alone."""

from typing import Any

import pytest
import torch

from qa_core.systems.line_scorer import MAX_TOKENS, LineScorer, Query, token_ids
from qa_core.systems.line_texts import COLUMN, ROW
from tests.systems.tiny_scorer import tiny_scorer

QUESTIONS = ["How many seats in 2018?", "x"]
LINES = ["row; Seats", "column; 2018; latest", "row; Operations > Available seat miles (thousands)", "x"]


@pytest.fixture(scope="module")
def scorer_and_tokenizer() -> tuple[LineScorer, Any]:
    scorer, tokenizer = tiny_scorer()
    return scorer.eval(), tokenizer


def query(tokenizer: Any, question: str, lines: list[str]) -> Query:
    ids = [token_ids(tokenizer, line)[0] for line in lines for _ in (ROW, COLUMN)]
    return Query(token_ids(tokenizer, question)[0], ids, [ROW, COLUMN] * len(lines))


def test_a_line_sees_the_question_and_the_question_sees_itself(
    scorer_and_tokenizer: tuple[LineScorer, Any],
) -> None:
    scorer, tokenizer = scorer_and_tokenizer
    with torch.inference_mode():
        together = scorer([query(tokenizer, question, LINES) for question in QUESTIONS]).tolist()
        for question in QUESTIONS:
            for line in LINES:
                encoded = tokenizer(question, line, return_tensors="pt")
                of_line = encoded["token_type_ids"][0] == 1
                sees = (of_line[:, None] | ~of_line[None, :])[None, None]
                encoded["attention_mask"] = torch.where(sees, 0.0, -torch.inf)
                states = scorer.encoder(**encoded).last_hidden_state[0]
                for side in (ROW, COLUMN):
                    alone = scorer.heads[side](states[of_line].mean(0)).item()
                    assert together.pop(0) == pytest.approx(alone, abs=1e-5)
    assert together == []


def test_the_order_of_lines_is_kept(scorer_and_tokenizer: tuple[LineScorer, Any]) -> None:
    scorer, tokenizer = scorer_and_tokenizer
    lines = ["ab " * n for n in range(12)]
    with torch.inference_mode():
        forwards = scorer([query(tokenizer, "x", lines)])
        backwards = scorer([query(tokenizer, "x", lines[::-1])])
    torch.testing.assert_close(backwards.view(12, 2), forwards.view(12, 2).flip(0))


@pytest.mark.parametrize(
    ("text", "n", "cut"), [("", 2, 0), ("ab", 4, 0), ("a" * 62, 64, 0), ("a" * 70, 64, 8)]
)
def test_a_text_is_cut_before_the_token_that_ends_it(
    scorer_and_tokenizer: tuple[LineScorer, Any], text: str, n: int, cut: int
) -> None:
    ids, left = token_ids(scorer_and_tokenizer[1], text)
    assert (len(ids), left) == (n, cut)
    assert len(ids) <= MAX_TOKENS
    assert (ids[0], ids[-1]) == (2, 3)


def test_word_embeddings_do_not_learn(scorer_and_tokenizer: tuple[LineScorer, Any]) -> None:
    scorer, _ = scorer_and_tokenizer
    still = {name for name, weight in scorer.named_parameters() if not weight.requires_grad}
    assert still == {name for name, _ in scorer.named_parameters() if name.startswith("encoder.embeddings.")}
