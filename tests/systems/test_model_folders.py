"""What every system refuses of a folder that comes from elsewhere, and how a model in a folder is named."""

from __future__ import annotations

import json
import os
import shutil
import socket
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from qa_core.errors import CrossheadError
from qa_core.systems.encoder import Encoder, find_encoder, load_encoder, weights_hash
from qa_core.systems.interface import Request, System
from qa_core.systems.lexical import LexicalSystem
from qa_core.systems.rci_checkpoints import load_rci_checkpoints
from qa_core.systems.rci_embedded import RciEmbeddedSystem
from qa_core.systems.rci_representation import RciRepresentationSystem
from qa_core.systems.rci_weights import TrainedScorer
from qa_core.systems.selection import NO_NUMBERS
from qa_core.systems.tapas import load_tapas
from qa_core.transform import flatten
from tests.systems.rci_checkpoint import save_classifier
from tests.systems.tables import STATISTICS
from tests.systems.tapas_checkpoint import save_checkpoint
from tests.systems.tiny_scorer import tiny_scorer

LOADERS: dict[str, Callable[[Path], System]] = {
    "encoder": lambda folder: RciRepresentationSystem(load_encoder(str(folder))),
    "pair": lambda folder: load_rci_checkpoints(f"{folder},{folder}"),
    "tapas": lambda folder: load_tapas(str(folder)),
}


@pytest.fixture(params=LOADERS)
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def folder(kind: str, tiny_encoder: Path, tmp_path: Path) -> Path:
    """A folder that can be used, to be spoilt."""
    place = tmp_path / "model"
    if kind == "encoder":
        return Path(shutil.copytree(tiny_encoder, place))
    place.mkdir()
    return save_classifier(place) if kind == "pair" else save_checkpoint(place)


def rewritten(path: Path, **settings: object) -> None:
    said = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    path.write_text(json.dumps(said | settings), encoding="utf-8")


def sharded(folder: Path, file: object) -> Path:
    """The folder with an index in place of its one file of weights, by which all of them stand in another."""
    from safetensors import safe_open

    whole = folder / "model.safetensors"
    with safe_open(whole, "pt") as weights:
        named = dict.fromkeys(weights.keys(), file)
    whole.rename(folder / "whole.safetensors")
    index = {"metadata": {"total_size": 1}, "weight_map": named}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index), encoding="utf-8")
    return folder


def pickled(folder: Path) -> Path:
    import torch
    from safetensors.torch import load_file

    torch.save(load_file(folder / "model.safetensors"), folder / "w.bin")
    return folder


# Weights


@pytest.mark.parametrize("file", ["w.bin", "../w.safetensors", "/w.safetensors", "none.safetensors", "..", 3])
def test_an_index_may_name_safetensors_files_of_its_folder_alone(
    kind: str, folder: Path, file: object
) -> None:
    shutil.copy(folder / "model.safetensors", folder.parent / "w.safetensors")
    sharded(pickled(folder), file)
    with pytest.raises(CrossheadError, match="which is no safetensors file beside it; save it again"):
        LOADERS[kind](folder)


@pytest.mark.parametrize("content", ["[]", "{}", '{"weight_map": {}}', '{"weight_map": ["w.bin"]}'])
def test_an_index_that_names_nothing_is_one_sentence(kind: str, folder: Path, content: str) -> None:
    (sharded(folder, "w.bin") / "model.safetensors.index.json").write_text(content, encoding="utf-8")
    with pytest.raises(CrossheadError, match=r"index\.json (names no weights|is not a JSON object)"):
        LOADERS[kind](folder)


def test_weights_in_a_file_that_an_index_names_are_read(kind: str, folder: Path) -> None:
    assert LOADERS[kind](sharded(folder, "whole.safetensors")).weights


def test_pickled_weights_are_not_read(kind: str, folder: Path) -> None:
    (pickled(folder) / "model.safetensors").unlink()
    (folder / "w.bin").rename(folder / "pytorch_model.bin")
    with pytest.raises(CrossheadError, match="has no safetensors weights, and pickled ones are not read"):
        LOADERS[kind](folder)


def test_weights_are_taken_from_nowhere_else(kind: str, folder: Path) -> None:
    rewritten(pickled(folder) / "config.json", transformers_weights="w.bin")
    with pytest.raises(CrossheadError, match=r"names weights other than model\.safetensors"):
        LOADERS[kind](folder)


@pytest.mark.parametrize("value", [float("nan"), 3e38, -1e20])
def test_a_weight_that_no_sum_holds_is_one_sentence(kind: str, folder: Path, value: float) -> None:
    from safetensors.torch import load_file, save_file

    weights = load_file(folder / "model.safetensors")
    words = next(key for key in weights if key.endswith("word_embeddings.weight"))
    weights[words][40] = value
    save_file(weights, folder / "model.safetensors", {"format": "pt"})
    with pytest.raises(CrossheadError, match="hold values that are no numbers, or too great"):
        LOADERS[kind](folder)


# Files


@pytest.mark.parametrize(
    "file", ["config.json", "tokenizer_config.json", "tokenizer.json", "vocab.txt", "model.safetensors"]
)
def test_a_pipe_is_one_sentence(kind: str, folder: Path, file: str) -> None:
    (folder / file).unlink(missing_ok=True)
    os.mkfifo(folder / file)
    with pytest.raises(CrossheadError, match=r"is a pipe or a device and no file|is not a JSON object"):
        LOADERS[kind](folder)


@pytest.mark.parametrize("key", ["num_hidden_layers", "num_hidden_groups"])
def test_a_model_of_a_million_layers_is_not_made(kind: str, folder: Path, key: str) -> None:
    rewritten(folder / "config.json", **{key: 10**6})
    with pytest.raises(CrossheadError, match=rf"{key} in .*config\.json is 1e\+06; fetch the file again"):
        LOADERS[kind](folder)


def test_a_setting_of_another_kind_is_named(kind: str, folder: Path) -> None:
    rewritten(folder / "config.json", num_hidden_layers="two")
    with pytest.raises(CrossheadError, match=r"'num_hidden_layers': .*expected int, got str"):
        LOADERS[kind](folder)


@pytest.fixture
def fast_tokenizer(tiny_encoder: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(tiny_encoder, tmp_path / "model"))


@pytest.mark.parametrize(
    "change",
    [
        {"normalizer": {"type": "Precompiled", "precompiled_charsmap": "AAAA"}},
        {"model": {"type": "WordLevel", "vocab": {"1": 0, "[PAD]": 1, "2": 2}, "unk_token": "[UNK]"}},
    ],
)
def test_a_tokenizer_that_panics_or_fails_at_unknown_words_is_one_sentence(
    fast_tokenizer: Path, change: dict[str, Any]
) -> None:
    rewritten(fast_tokenizer / "tokenizer.json", post_processor=None, added_tokens=[], **change)
    with pytest.raises(CrossheadError, match=r"cannot be loaded|cannot embed a text"):
        load_encoder(str(fast_tokenizer))


def test_a_vocabulary_without_unknown_words_is_one_sentence(fast_tokenizer: Path) -> None:
    (fast_tokenizer / "tokenizer.json").unlink()
    vocabulary = fast_tokenizer / "vocab.txt"
    words = vocabulary.read_text(encoding="utf-8").splitlines()
    vocabulary.write_text("\n".join(word for word in words if word != "[UNK]"), encoding="utf-8")
    with pytest.raises(CrossheadError, match="cannot embed a text of 5 words: WordPiece error"):
        load_encoder(str(fast_tokenizer))


# Names


@pytest.mark.parametrize("file", ["model.safetensors", "config.json", "tokenizer_config.json", "vocab.txt"])
def test_another_byte_in_any_file_is_another_model(kind: str, folder: Path, file: str) -> None:
    with (folder / file).open("ab") as last:
        last.write(b" " * (2 << 20))
    before = weights_hash(folder)
    with (folder / file).open("r+b") as changed:
        changed.seek(-1, os.SEEK_END)
        changed.write(b"\n")
    os.utime(folder / file, ns=(0, 0))  # a clock may tick once in many milliseconds
    assert weights_hash(folder) != before


def test_a_file_is_read_once_for_its_name(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = weights_hash(folder)
    monkeypatch.setattr(Path, "open", lambda *_: pytest.fail("read anew"))
    assert weights_hash(folder) == before


# The hub


@pytest.fixture
def silent_hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The address of a server that takes a call and never replies."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"http://127.0.0.1:{server.getsockname()[1]}"


def test_a_hub_that_does_not_reply_is_one_sentence(silent_hub: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from huggingface_hub import constants

    monkeypatch.setattr(constants, "ENDPOINT", silent_hub)
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    monkeypatch.setenv("HF_HUB_OFFLINE", "0")
    monkeypatch.setattr("qa_core.systems.encoder._REPLY_SECONDS", 0.5)
    start = time.monotonic()
    with pytest.raises(CrossheadError, match=r"nor could it be fetched: .* Check the name and the network"):
        find_encoder("nobody/no-such-encoder")
    assert time.monotonic() - start < 5


# What is no number after all


def test_vectors_that_are_no_numbers_are_a_sentence_for_their_question_alone(
    tiny_encoder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    encoder = Encoder("tiny", tiny_encoder)
    embed = encoder._embed

    def spoilt(texts: list[str]) -> Any:
        vectors = embed(texts)
        vectors[["poison" in text for text in texts]] = float("nan")
        return vectors

    monkeypatch.setattr(encoder, "_embed", spoilt)
    system = RciRepresentationSystem(encoder)
    flat = flatten(STATISTICS, "base")
    bad, good = system.predict([Request("poison", flat), Request("traffic", flat)])
    assert (bad.answer, bad.confidence, bad.notes) == ("", 0.0, (NO_NUMBERS,))
    assert good == system.predict([Request("traffic", flat)])[0] and good.answer


def test_scores_that_are_no_numbers_are_a_sentence(tmp_path: Path) -> None:
    scorer, tokenizer = tiny_scorer()
    rci = RciEmbeddedSystem(TrainedScorer(scorer, tokenizer), LexicalSystem())
    scorer.heads[0].bias.data.fill_(float("nan"))
    tapas: Any = load_tapas(str(save_checkpoint(tmp_path / "tapas")))
    tapas._model.model.output_bias.data.fill_(float("nan"))
    pair: Any = load_rci_checkpoints(",".join([str(save_classifier(tmp_path / "pair"))] * 2))
    pair._scorers[0]._model.classifier.bias.data.fill_(float("nan"))
    for system in (rci, tapas, pair):
        [prediction] = system.predict([Request("traffic", flatten(STATISTICS, "base"))])
        assert (prediction.answer, prediction.confidence) == ("", 0.0)
        assert prediction.notes == (NO_NUMBERS,)
