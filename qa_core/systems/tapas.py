"""tapas: cells of a flat table selected by a TAPAS checkpoint, and an operator over them.

Herzig et al. 2020, "TaPas: Weakly Supervised Table Parsing via Pre-training". The model reads the question
and the whole flat table at once. A checkpoint that selects columns first chooses one, by the mean of its
cells' column logits, and then the cells in it whose probability exceeds one half, the sigmoid of the mean of
their tokens' logits; another selects every cell whose tokens have a mean probability above one half. The
aggregation head, where there is one, names the operator. All this is decided as in the original's
``prediction_utils.py`` and in the ``table-question-answering`` pipeline of transformers.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qa_core.prediction import MAX_CANDIDATES, Candidate, Prediction, abstain
from qa_core.systems.aggregation import NONE, aggregate
from qa_core.systems.encoder import find_encoder
from qa_core.systems.interface import Request
from qa_core.systems.selection import NO_NUMBERS, refusal, row_label
from qa_core.systems.side_by_side import side_by_side
from qa_core.systems.tapas_input import COLUMN, ROW, TapasInput, UnreadableError
from qa_core.systems.tapas_model import Logits, Scores, TapasModel, read_checkpoint
from qa_core.transform import FlatTable

VERSION = "1"
PUBLISHED_CHECKPOINT = "google/tapas-base-finetuned-wikisql-supervised"

THRESHOLD = 0.5
"""Probability above which a cell is selected."""
_MOST_LOG_ODDS = 88.7
"""Beyond this the exponential of a 32 bit number overflows."""


@dataclass(frozen=True)
class FlatScores:
    """What the model makes of one question over a flat table.

    ``cells`` holds the log-odds of each flat cell given its column (rows × columns, NaN where the model saw
    none), ``columns`` the probability of each column to be the one of the answer, and ``chosen`` whether a
    cell of it may be selected. ``operators`` are the probabilities of the aggregation labels.
    """

    cells: Scores
    columns: Scores
    chosen: NDArray[np.bool_]
    operators: Scores


class TapasSystem:
    """A TAPAS checkpoint; see the head of this file. Safe to share between threads."""

    name = "tapas"
    version = VERSION

    def __init__(self, model: TapasModel, weights: str = "") -> None:
        """``weights`` names what was loaded."""
        self._model = model
        self._lock = threading.Lock()
        self.weights = weights

    def predict(self, requests: Sequence[Request]) -> list[Prediction]:
        """One prediction per request, in order; sequences of like length go through the model together."""
        predictions: dict[int, Prediction] = {}
        inputs: dict[int, TapasInput] = {}
        for number, request in enumerate(requests):
            refused = refusal(request)
            if refused:
                predictions[number] = refused
                continue
            try:
                with self._lock:
                    inputs[number] = self._model.reader.read(request.question.strip(), request.flat)
            except UnreadableError as unreadable:
                predictions[number] = abstain(str(unreadable))
        flats = [requests[number].flat for number in inputs]
        for number, scores in zip(inputs, self._score(flats, list(inputs.values())), strict=True):
            predictions[number] = (
                self._decide(requests[number].flat, inputs[number], scores) if scores else abstain(NO_NUMBERS)
            )
        return [predictions[number] for number in range(len(requests))]

    def _score(self, flats: Sequence[FlatTable], inputs: Sequence[TapasInput]) -> list[FlatScores | None]:
        """The scores of each input, None where the model makes values that are no numbers."""
        scores: dict[int, FlatScores | None] = {}
        # The longest come first, so that no core waits for one at the end.
        batches = self._model.batches(inputs)[::-1]
        read = side_by_side(lambda batch: self._model.run([inputs[i] for i in batch]), batches)
        for batch, (tokens, columns, operators) in zip(batches, read, strict=True):
            for place, i in enumerate(batch):
                length = len(inputs[i].ids)
                logits = tokens[place, :length], columns[place, :length], operators[place]
                finite = all(np.isfinite(each).all() for each in logits)
                scores[i] = flat_scores(self._model.config, flats[i], inputs[i], logits) if finite else None
        return [scores[i] for i in range(len(inputs))]

    def _decide(self, flat: FlatTable, read: TapasInput, scores: FlatScores) -> Prediction:
        table = flat.table
        notes = tuple(self._cut_notes(flat, read))
        of_columns = np.log(np.maximum(scores.columns, np.finfo(np.float32).tiny))
        joint = scores.cells + of_columns - of_columns.max()
        rows, columns = _line_scores(flat, joint)
        shown = Prediction("", notes=notes, row_scores=rows, column_scores=columns)
        filled = np.array([[bool(cell.strip()) for cell in row] for row in flat.cells])
        seen = np.isfinite(joint) & filled
        if not seen.any():
            return _without_cell(shown, "the model saw none")
        selected = seen & (_sigmoid(scores.cells) > THRESHOLD) & scores.chosen
        places = [(int(row), int(column)) for row, column in np.argwhere(seen)]
        # Of equal scores the first in reading order leads.
        places.sort(key=lambda place: (not selected[place], -joint[place]))
        candidates = tuple(
            Candidate(at, table.text_at(at), float(joint[place]), row_label(table, at))
            for place in places[:MAX_CANDIDATES]
            for at in (flat.origin(*place),)
        )
        shown = replace(shown, candidates=candidates)
        operator, sure = self._operator(scores.operators)
        if not selected.any():
            return _without_cell(shown, self._why_none(scores, seen, operator))
        best = [place for place in places if selected[place]]
        reading_order = [flat.origin(int(row), int(column)) for row, column in np.argwhere(selected)]
        result = aggregate(operator, [table.text_at(at) for at in reading_order])
        certainty = scores.columns[best[0][1]] * _sigmoid(scores.cells)[selected].mean() * sure
        return replace(
            shown,
            answer=result.answer,
            locations=tuple(flat.origin(*place) for place in best),
            operator=result.operator,
            confidence=round(float(certainty), 4),
            notes=(*result.notes, *notes),
        )

    def _operator(self, probabilities: Scores) -> tuple[str, float]:
        """The likeliest operator and its probability; NONE for a checkpoint without an aggregation head."""
        best = int(probabilities.argmax())
        return (self._model.operators[best] if self._model.operators else NONE), float(probabilities[best])

    def _why_none(self, scores: FlatScores, seen: NDArray[np.bool_], operator: str) -> str:
        asked = "" if operator == NONE else f", though the model asks for {operator:.40}"
        if not scores.chosen.any():
            return f"the model chose no column{asked}"
        chosen = seen & scores.chosen
        if not chosen.any():
            return f"the column that the model chose has no cell with a text{asked}"
        best = float(_sigmoid(scores.cells[chosen]).max())
        return f"the likeliest has a probability of {best:.2f}, and more than {THRESHOLD} is needed{asked}"

    def _cut_notes(self, flat: FlatTable, read: TapasInput) -> Iterator[str]:
        reader, config = self._model.reader, self._model.config
        if unseen := flat.n_rows - read.n_rows:
            lines = "columns (the flat table's rows)" if flat.transposed else "rows"
            limit = (
                f"it tells {reader.max_rows} rows apart"
                if read.n_rows == reader.max_rows
                else f"it reads {reader.max_tokens} tokens"
            )
            yield f"The model did not see the last {unseen:,} of {flat.n_rows:,} {lines}: {limit}."
        if read.shortened:
            pieces = "word piece" if read.most_pieces == 1 else f"{read.most_pieces} word pieces"
            yield (
                f"{read.shortened:,} headers and cells of the flat table were read only with their first "
                f"{pieces}, so that the table fits {reader.max_tokens} tokens."
            )
        for lines, ids, held in (
            ("rows", config.max_num_rows, read.n_rows),
            ("columns", config.max_num_columns, flat.n_columns),
        ):
            if held >= ids:
                yield (
                    f"The model tells {ids - 1} {lines} of a flat table apart when it selects; the last "
                    f"{held - ids + 2} of {held} {lines} were scored as one."
                )


def load_tapas(checkpoint: str, int8: bool = False) -> TapasSystem:
    """Find and load a checkpoint: a folder, or a name on the hub such as ``PUBLISHED_CHECKPOINT``.

    Raises CrossheadError as ``find_encoder`` and ``read_checkpoint`` do.
    """
    return TapasSystem(*read_checkpoint(*find_encoder(checkpoint), int8))


def load_embedded_tapas(path: Path | None = None) -> TapasSystem:
    """The system with Crosshead's own weights, or with those of a file that was trained.

    Raises CrossheadError as ``load_tapas_weights`` does.
    """
    from qa_core.systems import tapas_weights

    tokenizer, model, digest = tapas_weights.load_tapas_weights(path or tapas_weights.WEIGHTS)
    read = TapasModel(tokenizer, model, model.config.max_position_embeddings)
    return TapasSystem(read, f"{path.name if path else 'crosshead-tapas'}@{digest}")


def flat_scores(config: Any, flat: FlatTable, read: TapasInput, logits: Logits) -> FlatScores:
    """From the logits of one sequence's tokens, of their columns and of the operators to those of cells.

    Rows from ``max_num_rows`` - 1 on count as one, and columns likewise, as in the model.
    """
    tokens, columns, operators = logits
    row_ids, column_ids = read.places[:, ROW], read.places[:, COLUMN]
    width = config.max_num_columns
    merged_columns = np.minimum(column_ids, width - 1)
    index = np.minimum(row_ids, config.max_num_rows - 1) * width + merged_columns
    by_column = bool(config.select_one_column)
    if by_column or config.average_logits_per_cell:
        cell_log_odds = _means(tokens, index)
    else:
        cell_log_odds = _log_odds(_means(_sigmoid(tokens), index))
    cells = np.full((flat.n_rows, flat.n_columns), np.nan)
    of_cells = (row_ids > 0) & (column_ids > 0)
    cells[row_ids[of_cells] - 1, column_ids[of_cells] - 1] = cell_log_odds[index[of_cells]]
    merged = np.minimum(np.arange(1, flat.n_columns + 1), width - 1)
    if by_column:
        probabilities = _column_probabilities(columns, index, width, config.allow_empty_column_selection)
        chosen = merged == probabilities.argmax()
        probability = probabilities[merged]
    else:
        chosen = np.ones(flat.n_columns, dtype=bool)
        probability = np.ones(flat.n_columns)
    return FlatScores(cells, probability, chosen, _softmax(operators))


def _column_probabilities(logits: Scores, index: NDArray[np.int64], width: int, may_be_none: bool) -> Scores:
    """Probability of each column id, the header among its cells; id 0 stands for no column."""
    cells = np.unique(index)
    means = _means(logits, index)[cells]
    columns = cells % width
    scores = np.full(width, -np.inf)
    found = np.unique(columns)
    scores[found] = _means(means, columns)[found]
    if not may_be_none and len(found) > 1:
        scores[0] = -np.inf
    return _softmax(scores)


def _means(values: Scores, groups: NDArray[np.int64]) -> Scores:
    """Mean of the values of each group number, NaN where a group has none."""
    with np.errstate(invalid="ignore"):
        means: Scores = np.bincount(groups, weights=values) / np.bincount(groups)
    return means


def _line_scores(flat: FlatTable, cells: Scores) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """The best score in each row and column of the original table; the lowest where nothing was scored."""
    lowest = np.nanmin(cells, initial=0.0)
    known = np.where(np.isfinite(cells), cells, lowest)
    lines = known.max(axis=1)
    fields = known[:, int(flat.has_stub) :].max(axis=0)
    rows, columns = (fields, lines) if flat.transposed else (lines, fields)
    return tuple(rows.tolist()), tuple(columns.tolist())


def _without_cell(prediction: Prediction, why: str) -> Prediction:
    return replace(prediction, notes=(f"No cell was selected: {why}.", *prediction.notes))


def _sigmoid(logits: Scores) -> Scores:
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(logits, -_MOST_LOG_ODDS, _MOST_LOG_ODDS))))


def _log_odds(probabilities: Scores) -> Scores:
    with np.errstate(divide="ignore"):
        logs = np.log(probabilities) - np.log1p(-probabilities)
    return np.asarray(np.clip(logs, -_MOST_LOG_ODDS, _MOST_LOG_ODDS))


def _softmax(logits: Scores) -> Scores:
    exponents = np.exp(logits - logits.max())
    return np.asarray(exponents / exponents.sum())
