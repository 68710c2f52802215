"""How fast the systems with a model are, in ratios measured in one run: ``make bench-systems``.

``rci`` is held against ``CrossEncoder.predict`` of sentence-transformers, which is given question by question
the same pairs and an encoder with the same weights, and against the rate at which torch multiplies matrices
of the shapes that the encoder has. ``tapas`` is held against the ``table-question-answering`` pipeline of
transformers with the same weights. Nothing fails on a slow machine. ``--data-dir`` names an AIT-QA folder;
without one the sample is asked.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import torch

from qa_core.datasets import load_dataset
from qa_core.datasets.aitqa import load_folder
from qa_core.errors import CrossheadError
from qa_core.systems.interface import Request
from qa_core.systems.lexical import LexicalSystem
from qa_core.systems.line_texts import line_texts
from qa_core.systems.rci_embedded import (
    RciEmbeddedSystem,
    evidence,
    load_embedded_rci,
    worth_reading,
)
from qa_core.systems.rci_weights import load_scorer
from qa_core.systems.tapas import load_embedded_tapas
from qa_core.systems.tapas_weights import save_checkpoint
from qa_core.table import Table
from qa_core.transform import base
from tests.systems.tapas_checkpoint import Pipeline

_REPEATS = 50


def main() -> None:
    """Measure everything and print one line each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data-dir", type=Path, help="an AIT-QA folder")
    folder = parser.parse_args().data_dir
    dataset = load_folder(folder, "aitqa") if folder else load_dataset("sample")
    requests = [Request(each.text, base(dataset.tables[each.table_id])) for each in dataset.questions]
    print(f"{dataset.name}: {len(requests)} questions, {torch.get_num_threads()} threads")
    with tempfile.TemporaryDirectory() as place:
        _rci(requests, Path(place) / "cross-encoder")
        _tapas(requests, Path(place) / "tapas")


def _rci(requests: Sequence[Request], folder: Path) -> None:
    from sentence_transformers import CrossEncoder

    rci = load_embedded_rci(LexicalSystem())
    rci.predict(requests[:5])
    reads = _Reads(rci)
    own = _seconds(lambda: rci.predict(requests))
    of_lexical = _seconds(lambda: LexicalSystem().predict(requests))
    _save_classifier(folder)
    encoder = CrossEncoder(str(folder), device="cpu", max_length=128)
    _hold_against(encoder, "all lines of the table", [_pairs(each, every=True) for each in requests], own)
    _hold_against(encoder, "the lines that rci reads", [_pairs(each, every=False) for each in requests], own)
    rate = reads.operations / (own - of_lexical) / 1e9
    best = _matmul_rate(reads.tokens) / 1e9
    print(f"rci: {rate:.0f} G multiplications and additions a second of {best:.0f} that torch reaches on "
          f"matrices of these shapes: {rate / best:.2f}", flush=True)  # fmt: skip
    _one_question("rci", rci)


def _hold_against(encoder: Any, what: str, asked: Sequence[Sequence[tuple[str, str]]], own: float) -> None:
    encoder.predict(asked[0], show_progress_bar=False)
    other = _seconds(lambda: [encoder.predict(pairs, show_progress_bar=False) for pairs in asked])
    print(
        f"rci: {own:.1f} s; CrossEncoder over {what}, {sum(map(len, asked)):,} pairs: {other:.1f} s, "
        f"{other / own:.2f} times as long",
        flush=True,
    )


class _Reads:
    """Counts what goes through the scorer of a system: tokens of a batch, and operations without padding."""

    def __init__(self, rci: RciEmbeddedSystem) -> None:
        self.tokens: list[int] = []
        self.operations = 0
        scorer: Any = rci._trained.scorer
        config = scorer.encoder.config
        self._layers, self._width = config.num_hidden_layers, config.hidden_size
        self._inner = config.intermediate_size
        scorer.register_forward_pre_hook(self._count)

    def _count(self, module: Any, arguments: tuple[Any, ...]) -> None:
        (asked,) = arguments
        # Of a line the token that begins a text is left out; it sees the question and itself.
        sizes = [(len(one.question), [len(line) - 1 for line in one.lines]) for one in asked]
        tokens = sum(question + sum(lines) for question, lines in sizes)
        self.tokens.append(tokens)
        weights = 4 * self._width * self._width + 2 * self._width * self._inner
        seen = sum(q * q + sum(line * (q + line) for line in lines) for q, lines in sizes)
        self.operations += 2 * self._layers * (weights * tokens + 2 * self._width * seen)


def _matmul_rate(tokens: Sequence[int]) -> float:
    """Operations a second of torch over the shapes of a BERT layer, at the median number of tokens."""
    n = min(int(statistics.median(tokens)), 2048)
    shapes = [(384, 384)] * 4 + [(384, 1536), (1536, 384)]
    pairs = [(torch.randn(n, inner), torch.randn(inner, outer)) for inner, outer in shapes]
    operations = sum(2 * n * inner * outer for inner, outer in shapes)

    def multiply(repeats: int) -> None:
        for _ in range(repeats):
            for left, right in pairs:
                torch.mm(left, right)

    multiply(1)
    return operations * _REPEATS / _seconds(lambda: multiply(_REPEATS))


def _pairs(request: Request, every: bool) -> list[tuple[str, str]]:
    """The pairs of a question and the lines of its table: all, or those that rci reads."""
    reading = LexicalSystem().read(request)
    texts = line_texts(reading.view)
    return [
        (request.question, side[line])
        for side, said in zip(texts.choices, evidence(reading, texts), strict=True)
        for line in (range(len(side)) if every else worth_reading(said))
    ]


def _save_classifier(folder: Path) -> None:
    """A sequence classifier with the layers of the scorer; its head costs as much and means nothing."""
    from transformers import BertConfig, BertForSequenceClassification

    trained = load_scorer()
    encoder: Any = trained.scorer.encoder
    settings = encoder.config.to_dict() | {"num_labels": 1}
    model = BertForSequenceClassification(BertConfig(**settings))
    model.bert.load_state_dict(encoder.state_dict(), strict=False)
    model.save_pretrained(folder)
    trained.tokenizer.save_pretrained(folder)


def _tapas(requests: Sequence[Request], folder: Path) -> None:
    try:
        tapas = load_embedded_tapas()
    except CrossheadError as fault:
        print(f"tapas: not measured. {fault}")
        return
    save_checkpoint(folder)
    tapas.predict(requests[:5])
    answers = []
    own = _seconds(lambda: answers.extend(tapas.predict(requests)))
    pipeline = Pipeline(folder)
    theirs: list[Any] = []
    other = _seconds(lambda: theirs.extend(pipeline.answer(request) for request in requests))
    given = [
        (one, two, request) for one, two, request in zip(answers, theirs, requests, strict=True) if two[1]
    ]
    same = sum(
        {request.flat.origin(*at) for at in two[1]} == set(one.locations) for one, two, request in given
    )
    print(
        f"tapas: {own:.1f} s for {len(requests)} questions; pipeline: {other:.1f} s, {other / own:.2f} "
        f"times as long; same cells in {same} of the {len(given)} that it answers",
        flush=True,
    )
    _one_question("tapas", tapas)


def _one_question(name: str, system: Any) -> None:
    table = _twenty_five_by_six()
    requests = [
        Request(f"Item {n % 5} of segment {n % 5} in {2019 + n % 6}?", base(table)) for n in range(21)
    ]
    system.predict(requests[:1])
    times = [_seconds(lambda: system.predict([each])) for each in requests]  # noqa: B023
    print(
        f"{name}: one question on a 25 × 6 table, median {1000 * statistics.median(times):.0f} ms", flush=True
    )


def _twenty_five_by_six() -> Table:
    return Table(
        "twenty-five-by-six",
        tuple(("Year ended December 31,", str(2024 - column)) for column in range(6)),
        tuple((f"Segment {row // 5}", f"Revenue item {row % 5}, net") for row in range(25)),
        tuple(tuple(f"{1000 + row * 6 + column:,}" for column in range(6)) for row in range(25)),
    )


def _seconds(work: Callable[[], Any]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


if __name__ == "__main__":
    main()
