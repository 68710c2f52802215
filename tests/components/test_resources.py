"""What the sessions share: an answer, and what a page says where there is none."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from components import resources
from components.plain import plain
from qa_core.errors import CrossheadError
from qa_core.systems.interface import System
from qa_core.systems.registry import load_system

ROOT = Path(__file__).parents[2]
SENTENCE = "The weights of tapas are missing; install Crosshead again."


def without_tapas(name: str, *, use_lexicon: bool = True) -> System:
    if name == "tapas":
        raise CrossheadError(SENTENCE)
    return load_system(name, use_lexicon=use_lexicon)


@pytest.fixture
def ask(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> AppTest:
    """The page Ask, in an installation without the weights of tapas."""
    monkeypatch.setenv("CROSSHEAD_STORE", f"sqlite:///{tmp_path / 'runs.sqlite'}")
    monkeypatch.setattr(resources, "load_system", without_tapas)
    resources.run_store.clear()
    return AppTest.from_file(ROOT / "app.py", default_timeout=30)


@pytest.mark.parametrize("choices", [{"system": "tapas"}, {"with": "tapas"}])
def test_a_system_that_cannot_be_loaded_is_one_sentence_beside_the_table_and_the_other_answer(
    ask: AppTest, choices: dict[str, str]
) -> None:
    ask.query_params.update(choices)
    ask.run()
    assert [error.value for error in ask.error] == [plain(SENTENCE)]
    assert not ask.exception
    drawn = "".join(element.proto.body for element in ask.get("html"))
    assert ("Lexical answers" in drawn) == ("with" in choices)
    assert "Gold answer" in drawn
    assert [element.key for element in ask.get("bidi_component")] == ["table"]


def test_the_choices_stay_where_a_system_cannot_be_loaded(ask: AppTest) -> None:
    ask.query_params["system"] = "tapas"
    ask.run()
    next(box for box in ask.selectbox if box.label == "System").select("Lexical").run()
    assert not ask.error and not ask.exception
