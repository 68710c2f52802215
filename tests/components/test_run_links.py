"""The links of a case lead to the system as the run had it."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from components.resources import run_store
from qa_core.datasets import load_dataset
from qa_core.evaluation.runner import run_evaluation
from qa_core.evaluation.store import RunStore
from qa_core.systems.registry import load_system

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(("use_lexicon", "lexicon"), [(False, "lexicon=0"), (True, "")])
def test_a_question_is_asked_again_with_the_lexicon_as_the_run_had_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, use_lexicon: bool, lexicon: str
) -> None:
    monkeypatch.setenv("CROSSHEAD_STORE", f"sqlite:///{tmp_path / 'runs.sqlite'}")
    run_store.clear()
    sample, store = load_dataset("sample"), RunStore()
    run = run_evaluation(sample, load_system("lexical", use_lexicon=use_lexicon), "base", store, limit=1)
    app = AppTest.from_file(ROOT / "app.py", default_timeout=30).run()
    app.query_params.update(run=run.id, case=sample.questions[0].id, lexicon="0")
    app.switch_page("pages/errors.py").run()
    assert not app.exception and not app.warning
    links = {link.proto.label: link.proto.query_string for link in app.get("page_link")}
    asked = links["Ask it again"].split("&")
    assert "system=lexical" in asked
    assert [each for each in asked if each.startswith("lexicon")] == ([lexicon] if lexicon else [])
