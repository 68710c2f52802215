"""A TAPAS checkpoint in memory: from sequences to logits.

The layers of transformers' ``TapasForQuestionAnswering`` with its weights, read with fused attention, which
that class does not use: over 500 tokens attention takes a quarter of the time.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qa_core.systems.aggregation import NONE
from qa_core.systems.encoder import batched, load_parts, weights_hash
from qa_core.systems.encoder_folder import ODD_WORDS, most_tokens, one_sentence, read_settings, refuse
from qa_core.systems.tapas_input import RELATION, TapasInput, TapasReader, UnreadableError
from qa_core.table import Table
from qa_core.transform import flatten

_TOKENS_PER_BATCH = 512
"""Larger batches leave the caches of a processor and are slower."""
MOST_LINES = 1_024
"""Rows, and columns, that a checkpoint may tell apart: their product of numbers is made for a question."""

Scores = NDArray[np.float64]
Logits = tuple[Scores, Scores, Scores]


class TapasModel:
    """A TAPAS for question answering. ``reader`` may not be used by two threads at once.

    ``operators`` names the aggregation labels by number, none for a model that does not aggregate.
    """

    def __init__(self, tokenizer: Any, model: Any, max_tokens: int, operators: tuple[str, ...] = ()) -> None:
        """``model`` is a TapasForQuestionAnswering, read with ``tokenizer``, a TapasTokenizer."""
        import torch

        self._torch: Any = torch
        self.model = model
        self.config: Any = model.config
        self.operators = operators
        self._idle = [_is_idle(layer.output.dense) for layer in model.tapas.encoder.layer]
        self.reader = TapasReader(tokenizer, self.config, max_tokens)

    def run(self, inputs: Sequence[TapasInput]) -> Logits:
        """Logits of the tokens to be selected and of their columns (inputs × tokens) and of operators."""
        with self._torch.inference_mode():
            tokens, columns, operators = (each.double().numpy() for each in self.logits(inputs))
        return tokens, columns, operators

    def logits(self, inputs: Sequence[TapasInput]) -> tuple[Any, Any, Any]:
        """``run`` as tensors, through which a gradient can be taken."""
        model = self.model
        states = self.states(inputs)
        tokens = (states @ model.output_weights + model.output_bias) / self.config.temperature
        columns = states @ model.column_output_weights + model.column_output_bias
        operators = (
            model.aggregation_classifier(model.tapas.pooler(states))
            if self.operators
            else self._torch.zeros(len(inputs), 1)
        )
        return tokens, columns, operators

    def states(self, inputs: Sequence[TapasInput], last: bool = True) -> Any:
        """The states (inputs × tokens × hidden) after all layers, or before the last one."""
        states, mask = self.embed(inputs)
        layers = list(zip(self.model.tapas.encoder.layer, self._idle, strict=True))
        for layer, idle in layers if last else layers[:-1]:
            states = self.attended(layer, states, mask)
            states = layer.output.LayerNorm(states) if idle else self.transformed(layer, states)
        return states

    def embed(self, inputs: Sequence[TapasInput]) -> tuple[Any, Any]:
        """The states before the first layer (inputs × tokens × hidden), and a mask that leaves out padding,
        None where there is none."""
        torch = self._torch
        shape = len(inputs), max(len(each.ids) for each in inputs)
        ids = np.full(shape, self.config.pad_token_id or 0, np.int64)
        inside, positions = np.zeros(shape, bool), np.zeros(shape, np.int64)
        places = np.zeros((*shape, RELATION + 1), np.int64)
        for line, each in enumerate(inputs):
            length = len(each.ids)
            ids[line, :length], positions[line, :length] = each.ids, each.positions
            places[line, :length], inside[line, :length] = each.places, True
        states = self.model.tapas.embeddings(
            input_ids=torch.from_numpy(ids),
            token_type_ids=torch.from_numpy(places),
            position_ids=torch.from_numpy(positions),
        )
        return states, None if inside.all() else torch.from_numpy(inside)[:, None, None]

    def quantise(self) -> None:
        """Let the layers multiply 8 bit integers, which is faster and rounds, by a scale that depends on what
        is read together."""
        import warnings

        quantize: Any = self._torch.ao.quantization.quantize_dynamic
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self.model.tapas.encoder = quantize(
                self.model.tapas.encoder, {self._torch.nn.Linear}, dtype=self._torch.qint8
            )

    def batches(self, inputs: Sequence[TapasInput]) -> list[list[int]]:
        """The numbers of inputs that ``run`` takes together, those of like length."""
        lengths = [len(each.ids) for each in inputs]
        return batched(sorted(range(len(inputs)), key=lengths.__getitem__), lengths, _TOKENS_PER_BATCH)

    def transformed(self, layer: Any, attended: Any) -> Any:
        """What a layer makes of the states that follow its attention."""
        return layer.output(layer.intermediate(attended), attended)

    def attended(self, layer: Any, states: Any, mask: Any = None) -> Any:
        """The states between a layer's attention and the rest of it."""
        attention = layer.attention.self
        query, key, value = (
            project(states).unflatten(2, (attention.num_attention_heads, -1)).transpose(1, 2)
            for project in (attention.query, attention.key, attention.value)
        )
        mixed = self._torch.nn.functional.scaled_dot_product_attention(query, key, value, attn_mask=mask)
        return layer.attention.output(mixed.transpose(1, 2).flatten(2), states)

    def try_out(self) -> None:
        """Read one longest sequence. Raises ValueError where that gives no numbers, or what torch raises."""
        n_tokens = self.reader.max_tokens
        zeros = np.zeros(n_tokens, np.int64)
        places = np.zeros((n_tokens, RELATION + 1), np.int64)
        positions = np.minimum(np.arange(n_tokens), self.config.max_position_embeddings - 1)
        read = self.run([TapasInput(zeros, places, positions, 0, 0, 0)])
        if not all(np.isfinite(logits).all() for logits in read):
            raise ValueError("the scores hold values that are no numbers")

    def try_table(self) -> None:
        """Read a small table with unknown words. Raises what the tokenizer and its settings make of it."""
        # What has no room is said of each question.
        with suppress(UnreadableError):
            self.reader.read(ODD_WORDS, flatten(Table("", (("1",),), (), ((ODD_WORDS,),)), "base"))


def _is_idle(dense: Any) -> bool:
    """Whether a linear layer adds nothing to any state."""
    return not (dense.weight.any() or dense.bias.any())


def read_checkpoint(name: str, folder: Path, int8: bool = False) -> tuple[TapasModel, str]:
    """A checkpoint as it is published (config.json, vocab.txt and model.safetensors in ``folder``), and what
    names its weights. ``int8``: see ``TapasModel.quantise``.

    Raises CrossheadError where the folder holds no whole TAPAS for question answering.
    """
    kind = read_settings(name, folder / "config.json").get("model_type", "tapas")
    if kind != "tapas":
        refuse(name, f"{folder} holds a {kind!r:.40} model and no TAPAS", "choose a TAPAS")
    if not (folder / "vocab.txt").exists():
        refuse(name, f"{folder} has no vocab.txt", "fetch the folder again")
    tokenizer, model = load_parts(name, folder, "TapasForQuestionAnswering", "TapasTokenizer")
    config: Any = model.config
    for setting in ("max_num_rows", "max_num_columns"):
        number = getattr(config, setting)
        if type(number) is not int or not 2 <= number <= MOST_LINES:
            fault = f"{setting} in {folder / 'config.json'} is {number!r:.40}"
            refuse(name, fault, f"write a whole number from 2 to {MOST_LINES:,}")
    for setting in ("max_row_id", "max_column_id"):
        number = getattr(tokenizer, setting)
        if isinstance(number, bool) or not isinstance(number, int | float) or not number >= 2:
            fault = f"{setting} in {folder / 'tokenizer_config.json'} is {number!r:.40}"
            refuse(name, fault, "write a number such as 256, or leave it out")
    if len(config.type_vocab_sizes) != RELATION + 1:
        sizes = f"type_vocab_sizes in {folder / 'config.json'} has not {RELATION + 1} entries"
        refuse(name, sizes, "fetch the folder again")
    # Positions that start anew in each cell are no bound on the length.
    bound = None if config.reset_position_index_per_cell else config
    longest = most_tokens(name, folder, tokenizer, bound, pair=True)
    operators = _operators(name, folder, config)
    what = f"The TAPAS checkpoint {name!r} from {folder} cannot read"
    with one_sentence(f"{what} {longest} tokens", "Name another checkpoint."):
        made = TapasModel(tokenizer, model, longest, operators)
        if int8:
            made.quantise()
        made.try_out()
    with one_sentence(f"{what} a table", "Correct tokenizer_config.json, or name another checkpoint."):
        made.try_table()
    return made, f"{name}@{weights_hash(folder)}{'+int8' if int8 else ''}"


def _operators(name: str, folder: Path, config: Any) -> tuple[str, ...]:
    labels = config.aggregation_labels
    if not labels or not config.num_aggregation_labels:
        return ()
    if set(labels) != set(range(config.num_aggregation_labels)):
        what = (
            f"{folder / 'config.json'} does not name its {config.num_aggregation_labels} aggregation labels"
        )
        refuse(name, what, "fetch the folder again")
    none = config.no_aggregation_label_index
    return tuple(NONE if number == none else str(labels[number]) for number in range(len(labels)))
