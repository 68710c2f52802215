"""rci with a pair of published checkpoints: a question read together with each row and with each column.

The *interaction* form of RCI (Glass et al. 2021, "Capturing Row and Column Semantics in Transformer Based
Question Answering over Tables"): one sequence classifier reads the question and a row, written as
``header : value * header : value …``, another the question and a column, ``header * value * value …``. A line
scores by the log-odds of the label "relevant", a cell as its row plus its column.

Any two checkpoints that transformers loads as sequence classifiers will do, such as the authors'
``michaelrglass/albert-base-rci-wikisql-{row,col}``. Those were published as pickled weights and without a
tokenizer, that of ``albert/albert-base-v2``; as nothing pickled is read, they are first saved again by
transformers, as safetensors and with the tokenizer, in a folder for each.

Every question has all lines read anew, so what a table may cost is bounded by ``MAX_TOKENS``.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qa_core.errors import CrossheadError
from qa_core.prediction import Prediction, abstain
from qa_core.systems.encoder import (
    MAX_CHARACTERS,
    batched,
    find_encoder,
    load_parts,
    weights_hash,
)
from qa_core.systems.encoder_folder import ODD_WORDS, most_tokens, one_sentence, read_settings, refuse
from qa_core.systems.interface import Request
from qa_core.systems.rci_representation import (
    FlatScores,
    linearise_columns,
    linearise_rows,
    original_scores,
)
from qa_core.systems.selection import (
    BoundedCache,
    answer_open,
    check_numbers,
    refusal,
    select,
    top_probability,
)
from qa_core.text import as_text
from qa_core.transform import FlatTable

VERSION = "1"
MAX_TABLES = 64
"""Tables (in one transformation each) whose lines are kept; the least recently used one goes first."""
MAX_TOKENS = 16_384
"""Tokens that are read for one question over one table, the question counted with each line."""
_LINES_PER_COUNT = 256
_TOKENS_PER_BATCH = 2048
_SIDES = "row", "column"
_BRACES = re.compile(r"([^{},]*)\{([^{},]+),([^{},]+)\}([^{},]*)")

Scores = NDArray[np.float64]
Counts = NDArray[np.int64]
Pair = tuple[str, str]


class LineScorer:
    """A sequence classifier that says whether a line of a table holds the answer to a question.

    Safe to share between threads; one batch runs at a time. ``max_tokens`` are those of question and line
    together, with the ones that set them apart.
    """

    def __init__(self, name: str, folder: Path) -> None:
        """Load tokenizer and weights from ``folder``.

        Raises CrossheadError where the folder does not hold the whole of a sequence classifier with one
        logit or two labels, its tokenizer and safetensors weights, or one that needs code of its own.
        """
        _check_published(name, folder)
        self._tokenizer, self._model = load_parts(name, folder, "AutoModelForSequenceClassification")
        import torch

        self._torch: Any = torch
        config = self._model.config
        if config.num_labels not in (1, 2):
            labels = f"{folder} tells {config.num_labels} labels apart"
            refuse(name, labels, "choose one with the labels irrelevant and relevant, or with one logit")
        if self._tokenizer.pad_token is None:
            refuse(name, f"{folder} has no padding token", "name one in tokenizer_config.json")
        config.pad_token_id = self._tokenizer.pad_token_id
        # transformers 5 leaves them out for an ALBERT, whose checkpoints were trained with them.
        self._token_types = True if (getattr(config, "type_vocab_size", None) or 0) > 1 else None
        self.name = name
        self.weights = f"{name}@{weights_hash(folder)}"
        self.max_tokens: int = most_tokens(name, folder, self._tokenizer, config, pair=True)
        self._special = int(self._tokenizer.num_special_tokens_to_add(pair=True))
        self._lock = threading.Lock()
        self._try_out(folder)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text alone, of its first ``MAX_CHARACTERS`` characters if it is longer."""
        with self._lock:
            ids = self._tokenizer(list(map(_readable, texts)), add_special_tokens=False, verbose=False)
        return [len(each) for each in ids["input_ids"]]

    def room(self, question: str) -> int:
        """Tokens of a line that are read beside a question; 0 or less where none fit."""
        return self.max_tokens - self._special - self.count_tokens([question])[0]

    def score(self, pairs: Sequence[Pair]) -> Scores:
        """Log-odds of each (question, line); where both are too long the line is read in part.

        A pair that occurs twice is read once, and pairs of like length are read together. Every question
        must leave ``room``.

        Raises NoNumbersError where a score is no number.
        """
        distinct = list(dict.fromkeys(pairs))
        texts = list(dict.fromkeys(text for pair in distinct for text in pair))
        counts: dict[str, int] = {}
        for start in range(0, len(texts), _LINES_PER_COUNT):
            some = texts[start : start + _LINES_PER_COUNT]
            counts.update(zip(some, self.count_tokens(some), strict=True))
        lengths = [
            min(counts[question] + counts[line] + self._special, self.max_tokens)
            for question, line in distinct
        ]
        order = sorted(range(len(distinct)), key=lengths.__getitem__)
        scores = np.zeros(len(distinct))
        for batch in batched(order, lengths, _TOKENS_PER_BATCH):
            scores[batch] = self._log_odds([distinct[i] for i in batch])
        place = {pair: i for i, pair in enumerate(distinct)}
        return scores[[place[pair] for pair in pairs]]

    def _log_odds(self, pairs: Sequence[Pair]) -> Scores:
        questions, lines = (list(map(_readable, side)) for side in zip(*pairs, strict=True))
        with self._lock, self._torch.inference_mode():
            inputs = self._tokenizer(
                questions,
                lines,
                padding=True,
                truncation="only_second",
                max_length=self.max_tokens,
                return_token_type_ids=self._token_types,
                return_tensors="pt",
            )
            logits = self._model(**inputs).logits.double().numpy()
        made: Scores = logits[:, 0] if logits.shape[1] == 1 else logits[:, 1] - logits[:, 0]
        check_numbers(made)
        return made

    def _try_out(self, folder: Path) -> None:
        """Score a longest and a short pair together, and unknown words: a checkpoint that fails or gives no
        numbers fails here.

        Raises CrossheadError where it does.
        """
        what = f"The checkpoint {self.name!r} from {folder} cannot read"
        with one_sentence(f"{what} {self.max_tokens} tokens", "Name another checkpoint."):
            self._log_odds([("1", "1 " * self.max_tokens), ("1", "1")])
        with one_sentence(f"{what} words that it does not know", "Name another checkpoint."):
            self._log_odds([("1", ODD_WORDS), ("1", "")])


@dataclass(frozen=True)
class Side:
    """The first lines of one side of a flat table and their tokens; of ``total`` lines, as many as one
    question could have read."""

    lines: tuple[str, ...]
    counts: Counts
    total: int

    def first(self, n: int) -> Side:
        return Side(self.lines[:n], self.counts[:n], self.total)


@dataclass(frozen=True)
class Reading:
    """What is read for one request: the question, and rows and columns of which each scorer reads the first
    tokens, as many as there is ``rooms`` for."""

    question: str
    sides: tuple[Side, Side]
    rooms: tuple[int, int]


class RciCheckpointsSystem:
    """Scores flat rows by one checkpoint and flat columns by another; see the head of this file."""

    name = "rci"
    version = VERSION

    def __init__(self, rows: LineScorer, columns: LineScorer) -> None:
        self._scorers = rows, columns
        self.weights = f"{rows.weights}, {columns.weights}"
        self._tables: BoundedCache[tuple[str, bool], tuple[Side, Side]] = BoundedCache(MAX_TABLES)

    def predict(self, requests: Sequence[Request]) -> list[Prediction]:
        """One prediction per request, in order; lines of like length are read together over all requests."""
        return answer_open(
            requests,
            self._answer,
            lambda request: refusal(request) or self._too_long(request.question.strip()),
        )

    def _too_long(self, question: str) -> Prediction | None:
        for scorer in self._scorers:
            if len(question) > MAX_CHARACTERS or scorer.room(question) < 1:
                return abstain(
                    f"The question leaves no room for the table: {scorer.name} reads {scorer.max_tokens} "
                    "tokens of question and line together; ask a shorter one."
                )
        return None

    def _answer(self, requests: Sequence[Request]) -> Iterator[Prediction]:
        if not requests:
            return
        readings = [self._read(request) for request in requests]
        rows, columns = (self._score(readings, side) for side in range(len(_SIDES)))
        for request, reading, of_rows, of_columns in zip(requests, readings, rows, columns, strict=True):
            prediction = decide(request.flat, FlatScores(of_rows, of_columns))
            notes = (note for side in range(len(_SIDES)) for note in self._notes(reading, side))
            yield replace(prediction, notes=(*prediction.notes, *notes))

    def _read(self, request: Request) -> Reading:
        flat, question = request.flat, request.question.strip()
        sides = self._tables.get_or_make(
            (flat.table.fingerprint, flat.transposed),
            lambda: (
                _side(self._scorers[0], linearise_rows(flat).lines),
                _side(self._scorers[1], linearise_columns(flat).lines),
            ),
        )
        rooms = [scorer.room(question) for scorer in self._scorers]
        costs = [
            scorer.max_tokens - room + np.minimum(side.counts, room)
            for scorer, side, room in zip(self._scorers, sides, rooms, strict=True)
        ]
        n_rows, n_columns = fitting(costs[0], costs[1], MAX_TOKENS)
        return Reading(question, (sides[0].first(n_rows), sides[1].first(n_columns)), (rooms[0], rooms[1]))

    def _score(self, readings: Sequence[Reading], side: int) -> list[Scores]:
        """Log-odds of all lines of one side, a dropped one's being the lowest of those that were read."""
        pairs = [(reading.question, line) for reading in readings for line in reading.sides[side].lines]
        scores = self._scorers[side].score(pairs)
        ends = np.cumsum([len(reading.sides[side].lines) for reading in readings])
        return [
            np.concatenate([part, np.full(reading.sides[side].total - len(part), part.min())])
            for reading, part in zip(readings, np.split(scores, ends[:-1]), strict=True)
        ]

    def _notes(self, reading: Reading, side: int) -> Iterable[str]:
        read, room, name = reading.sides[side], reading.rooms[side], _SIDES[side]
        if dropped := read.total - len(read.lines):
            yield (
                f"{dropped:,} of {read.total:,} {name}s of the flat table were dropped; for one question "
                f"{MAX_TOKENS:,} tokens of a table are read."
            )
        cut = read.counts > room
        if cut.any():
            plural = "s" if cut.sum() > 1 else ""
            uncounted = any(len(line) > MAX_CHARACTERS for line in read.lines)
            yield (
                f"{cut.sum():,} {name}{plural} of the flat table did not fit the "
                f"{self._scorers[side].max_tokens} tokens of question and {name} together; "
                f"{'at least ' if uncounted else ''}{(read.counts - room)[cut].sum():,} tokens at the end "
                "were not read."
            )


def load_rci_checkpoints(pair: str) -> RciCheckpointsSystem:
    """Find and load the two checkpoints, folders or names on the hub, that ``pair`` names (``parse_pair``).

    Raises CrossheadError for any other text, and as ``find_encoder`` and ``LineScorer`` do.
    """
    found = [find_encoder(name) for name in parse_pair(pair)]
    rows, columns = (LineScorer(name, folder) for name, folder in found)
    return RciCheckpointsSystem(rows, columns)


def parse_pair(pair: str) -> tuple[str, str]:
    """The checkpoints for rows and for columns out of ``owner/name-{row,col}`` or of two names with a comma.

    Raises CrossheadError for any other text, and where the endings say that columns come first.
    """
    braces = _BRACES.fullmatch(pair)
    if braces:
        before, row, column, after = braces.groups()
        names = [before + ending.strip() + after for ending in (row, column)]
    else:
        names = [] if set("{}") & set(pair) else pair.split(",")
    rows, *others = (name.strip() for name in names) if names else [""]
    if len(others) != 1 or not rows or not others[0]:
        raise CrossheadError(
            f"rci runs a pair of checkpoints, and {pair!r:.200} does not name one; write "
            "owner/name-{row,col}, or two names or folders with a comma between them, the one for rows first."
        )
    if rows.endswith(("col", "column")) and others[0].endswith("row"):
        raise CrossheadError(
            f"The pair {pair!r:.200} names the checkpoint for columns first; write the one for rows first."
        )
    return rows, others[0]


def decide(flat: FlatTable, scores: FlatScores) -> Prediction:
    """The best cell or row header by log-odds of the flat table's rows and columns, the stub among them."""
    rows, columns = original_scores(flat, scores)
    cells = rows[:, None] + columns[None, :]
    headers = {
        flat.origin(row, 0): float(scores.rows[row] + scores.columns[0])
        for row in range(flat.n_rows * flat.has_stub)
    }
    prediction = select(flat.table, cells, rows, columns, headers)
    filled = np.array([[bool(cell.strip()) for cell in row] for row in flat.table.body])
    of_headers = [score for at, score in headers.items() if flat.table.text_at(at).strip()]
    return replace(
        prediction, confidence=round(top_probability(np.concatenate([cells[filled], of_headers])), 4)
    )


def fitting(rows: Counts, columns: Counts, budget: int) -> tuple[int, int]:
    """How many of the first rows and of the first columns a budget of tokens allows, by what each costs.

    Each side may take half of it, and what the other side leaves.
    """
    shares = (max(budget // 2, budget - int(other.sum())) for other in (columns, rows))
    n_rows, n_columns = (
        int(np.searchsorted(np.cumsum(side), share, side="right"))
        for side, share in zip((rows, columns), shares, strict=True)
    )
    return n_rows, n_columns


def _side(scorer: LineScorer, lines: tuple[str, ...]) -> Side:
    """The first lines, as many as ``MAX_TOKENS`` could allow beside the shortest question or some more."""
    counts: list[int] = []
    cost = 0
    while len(counts) < len(lines) and cost <= MAX_TOKENS:
        new = scorer.count_tokens(lines[len(counts) : len(counts) + _LINES_PER_COUNT])
        cost += sum(min(count + 1, scorer.max_tokens) for count in new)
        counts += new
    return Side(lines[: len(counts)], np.array(counts, np.int64), len(lines))


def _check_published(name: str, folder: Path) -> None:
    """Raises CrossheadError for a folder that is said to hold no sequence classifier."""
    kinds = read_settings(name, folder / "config.json").get("architectures")
    if isinstance(kinds, list) and kinds and not any("SequenceClassification" in str(kind) for kind in kinds):
        refuse(
            name,
            f"{folder} holds a {kinds[0]!r:.60} and no sequence classifier",
            "choose one trained as such",
        )


def _readable(text: str) -> str:
    return as_text(text[:MAX_CHARACTERS])
