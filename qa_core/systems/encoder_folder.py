"""What is checked of an encoder's folder: before anything of it is loaded, and once it is.

A folder comes from elsewhere. Nothing in it may fetch or run code, and a folder that cannot serve is one
sentence before the first question.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from qa_core.errors import CrossheadError

if TYPE_CHECKING:
    from torch import Tensor

MOST_TOKENS = 512
"""Tokens of one text that are read at most, whatever an encoder allows."""
MOST_CONFIG_BYTES = 10_000_000
MOST_LAYERS = 1_000
"""Of a model; a library makes as many as are asked for, whatever the weights hold."""
MOST_WEIGHT = 1e6
"""What no weight is greater than; the square of a sum of greater ones may be no number."""
ODD_WORDS = "1 zqxj ☃ ꙮ 𓀀"
"""Words that a vocabulary lacks."""

_CODE = "auto_map"
_OTHER_WEIGHTS = "transformers_weights"
_WEIGHTS, _INDEX, _ADAPTER = "model.safetensors", "model.safetensors.index.json", "adapter_config.json"
_TOKENIZER_FILES = "tokenizer.json", "vocab.txt", "vocab.json", "*.model"
_SAVE_AGAIN = "save it again in a folder by save_pretrained of transformers, with its tokenizer"
_KERNELS = ("attn_implementation", "_attn_implementation", "_attn_implementation_internal")
_LENGTH_FILE, _LENGTH = "sentence_bert_config.json", "max_seq_length"


def check_files(name: str, folder: Path) -> None:
    """Read the configuration of a folder as JSON and find its weights, before a library acts on them.

    Raises CrossheadError for a configuration that is none, brings code of its own, names an attention kernel
    to be fetched or more layers than any model has, or describes an encoder with a decoder (T5); for a folder
    without safetensors weights or a tokenizer, and for one that holds a pipe or a device.
    """
    for path in sorted(folder.iterdir()):
        if path.exists() and not (path.is_file() or path.is_dir()):
            refuse(name, f"{path} is a pipe or a device and no file", "remove it")
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
    config = read_settings(name, folder / "config.json")
    if config.get("is_encoder_decoder"):
        refuse(name, f"{folder} holds an encoder with a decoder", "choose an encoder alone, such as a BERT")
    for each in _objects(config):
        for key, value in each.items():
            if ("layer" in key or "group" in key) and isinstance(value, int) and value > MOST_LAYERS:
                refuse(name, f"{key:.40} in {folder / 'config.json'} is {value:.3g}", "fetch the file again")
    _check_weights(name, folder, config)
    if not any(path for pattern in _TOKENIZER_FILES for path in folder.glob(pattern)):
        refuse(name, f"{folder} has no tokenizer", _SAVE_AGAIN)


def _check_weights(name: str, folder: Path, config: dict[str, Any]) -> None:
    """Whether all weights that a library would read are safetensors files of the folder."""
    if _OTHER_WEIGHTS in config or (folder / _ADAPTER).exists():
        refuse(name, f"{folder} names weights other than {_WEIGHTS}", _SAVE_AGAIN)
    if (folder / _WEIGHTS).is_file():
        return
    index = folder / _INDEX
    if not index.exists():
        refuse(name, f"{folder} has no safetensors weights, and pickled ones are not read", _SAVE_AGAIN)
    named = read_settings(name, index).get("weight_map")
    if not isinstance(named, dict) or not named:
        refuse(name, f"{index} names no weights", "fetch the file again")
    for file in named.values():
        inside = isinstance(file, str) and Path(file).name == file and file.endswith(".safetensors")
        if not inside or not (folder / file).is_file():
            refuse(name, f"{index} names {file!r:.60}, which is no safetensors file beside it", _SAVE_AGAIN)


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


def check_loaded(
    name: str, folder: Path, tokenizer: Any, model: Any, missing: set[str], of_other_shape: set[str]
) -> None:
    """Whether tokenizer and weights are whole and belong together; ``missing`` names weights not found, and
    ``of_other_shape`` those that config.json describes otherwise.

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
    if of_other_shape:
        refuse(
            name,
            f"{len(of_other_shape)} parts of the weights in {folder} have another shape than config.json "
            f"says ({min(of_other_shape):.80})",
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
    if not are_numbers(model.parameters()):
        refuse(
            name,
            f"the weights in {folder} hold values that are no numbers, or too great",
            "fetch the folder again",
        )


def are_numbers(weights: Iterable[Tensor]) -> bool:
    """Whether all are finite and of a size to be computed with."""
    return all(bool((values.float().abs() <= MOST_WEIGHT).all()) for values in weights)


@contextmanager
def one_sentence(what: str, cure: str) -> Iterator[None]:
    """Whatever a foreign folder makes a library raise, as a CrossheadError."""
    try:
        yield
    except BaseException as error:
        # What a library written in Rust raises where it panics is no Exception.
        if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
            raise
        raise CrossheadError(f"{what}: {first_line(error)} {cure}") from error


def first_line(error: BaseException) -> str:
    """What an error of a library says first, as the end of a sentence."""
    said = ""
    for line in str(error).splitlines():
        said = f"{said} {line.strip()}".strip()
        if said and not said.endswith(":"):
            break
    return (said.rstrip(".:") or type(error).__name__)[:200] + "."


def refuse(name: str, what: str, cure: str) -> NoReturn:
    raise CrossheadError(f"The model {name!r} cannot be used: {what}; {cure}, or name another.")


def read_settings(name: str, path: Path) -> dict[str, Any]:
    """A JSON object of a folder, empty where there is no such file."""
    if not path.exists():
        return {}
    content = None
    with suppress(OSError, ValueError, RecursionError):
        if path.is_file():  # to read a pipe is to wait without end
            with path.open("rb") as file:
                content = json.loads(file.read(MOST_CONFIG_BYTES))
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
