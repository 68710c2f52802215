"""What is checked of an encoder's folder: before anything of it is loaded, and once it is.

A folder comes from elsewhere. Nothing in it may fetch or run code, and a folder that cannot serve is one
sentence before the first question.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

from qa_core.errors import CrossheadError

MOST_TOKENS = 512
"""Tokens of one text that are read at most, whatever an encoder allows."""
MOST_CONFIG_BYTES = 10_000_000

_CODE = "auto_map"
_KERNELS = ("attn_implementation", "_attn_implementation", "_attn_implementation_internal")
_LENGTH_FILE, _LENGTH = "sentence_bert_config.json", "max_seq_length"


def check_files(name: str, folder: Path) -> None:
    """Read the configuration of a folder as JSON, before a library acts on it.

    Raises CrossheadError for a configuration that is none, brings code of its own, names an attention kernel
    to be fetched, or describes an encoder with a decoder (T5).
    """
    for file in ("config.json", "tokenizer_config.json"):
        settings = list(_objects(read_settings(name, folder / file)))
        if any(_CODE in each for each in settings):
            refuse(name, f"{folder / file} names code to run ({_CODE})", "choose one that needs no code")
        kernels = (text for each in settings for key in _KERNELS for text in _texts(each.get(key)))
        fetched = next((text for text in kernels if "/" in text), None)
        if fetched is not None:
            refuse(
                name,
                f"{folder / file} names an attention kernel to be fetched ({fetched!r:.80})",
                'write "sdpa" or "eager" in its place',
            )
    if read_settings(name, folder / "config.json").get("is_encoder_decoder"):
        refuse(name, f"{folder} holds an encoder with a decoder", "choose an encoder alone, such as a BERT")


def trained_length(name: str, folder: Path) -> int:
    """The length that a sentence encoder was made for, where its folder says so (256 for the default).

    Raises CrossheadError for one that is no positive whole number.
    """
    length = read_settings(name, folder / _LENGTH_FILE).get(_LENGTH)
    return MOST_TOKENS if length is None else _length(name, length, f"{_LENGTH} in {folder / _LENGTH_FILE}")


def most_tokens(name: str, folder: Path, tokenizer: Any, config: Any, pair: bool = False) -> int:
    """How many tokens of a text (of a ``pair`` together) an encoder reads: the least of what its files and
    ``MOST_TOKENS`` allow.

    Raises CrossheadError where one of them is no length, or leaves no room for a word.
    """
    positions = getattr(config, "max_position_embeddings", None)
    least = min(
        _length(name, tokenizer.model_max_length, f"model_max_length in {folder / 'tokenizer_config.json'}"),
        MOST_TOKENS
        if positions is None
        else _length(name, positions, f"max_position_embeddings in {folder / 'config.json'}"),
        trained_length(name, folder),
    )
    special = int(tokenizer.num_special_tokens_to_add(pair=pair))
    if least <= special:
        refuse(
            name,
            f"{folder} allows texts of {least} tokens, of which {special} are no words",
            f"correct {_LENGTH} or model_max_length",
        )
    return least


def check_loaded(name: str, folder: Path, tokenizer: Any, model: Any, missing: set[str]) -> None:
    """Whether tokenizer and weights are whole and belong together; ``missing`` names weights not found.

    Raises CrossheadError where they are not.
    """
    words = set(tokenizer.get_vocab()) - set(tokenizer.all_special_tokens)
    if not words:
        refuse(name, f"{folder} has no tokenizer", "add tokenizer.json or vocab.txt")
    # A pooler stands behind the last layer, which alone is used.
    lacking = sorted(key for key in missing if not key.startswith("pooler."))
    if lacking:
        refuse(
            name,
            f"the weights in {folder} lack {len(lacking)} parts ({lacking[0]:.80})",
            "fetch the folder again",
        )
    held = int(model.get_input_embeddings().num_embeddings)
    highest = max(tokenizer.get_vocab().values())
    if highest >= held:
        refuse(
            name,
            f"the tokenizer in {folder} counts to {highest:,}, but the weights hold {held:,} words",
            "use the tokenizer that belongs to the weights",
        )
    if not all(bool(values.isfinite().all()) for values in model.parameters()):
        refuse(name, f"the weights in {folder} hold values that are no numbers", "fetch the folder again")


def refuse(name: str, what: str, cure: str) -> NoReturn:
    raise CrossheadError(f"The model {name!r} cannot be used: {what}; {cure}, or name another.")


def read_settings(name: str, path: Path) -> dict[str, Any]:
    """A JSON object of a folder, empty where there is no such file."""
    try:
        with path.open("rb") as file:
            content = json.loads(file.read(MOST_CONFIG_BYTES))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError):
        content = None
    if not isinstance(content, dict):
        refuse(name, f"{path} is not a JSON object", "fetch the file again")
    return content


def _objects(value: Any) -> Iterator[dict[str, Any]]:
    """All JSON objects in a JSON value, itself among them."""
    left = [value]
    while left:
        each = left.pop()
        if isinstance(each, dict):
            yield each
            left += each.values()
        elif isinstance(each, list):
            left += each


def _texts(value: Any) -> list[str]:
    """The strings of a setting that is one, or has one for each part of a model."""
    return [
        each for each in (value.values() if isinstance(value, dict) else [value]) if isinstance(each, str)
    ]


def _length(name: str, value: Any, what: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int | float) or not value >= 1:
        refuse(name, f"{what} is {value!r:.40}", "write a number of tokens such as 256")
    return int(min(value, MOST_TOKENS))
