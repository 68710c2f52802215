"""What the sessions share: an answer, and what a page says where there is none."""

import pytest
from streamlit.testing.v1 import AppTest

from components import resources
from components.plain import plain
from qa_core.errors import CrossheadError


def test_a_system_that_cannot_be_loaded_is_one_sentence_and_the_choices_stay(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(name: str, **options: object) -> None:
        raise CrossheadError("The weights of tapas are missing; install Crosshead again.")

    def script() -> None:
        import streamlit as st

        from components.pickers import pick_system
        from components.resources import answer
        from tests.tables import AMAZON

        answer(AMAZON, "AWS net sales in 2024?", pick_system(), "base")
        st.write("an answer")

    monkeypatch.setattr(resources, "load_system", fail)
    app = AppTest.from_function(script)
    app.query_params["system"] = "tapas"
    app.run()
    (error,) = app.error
    assert error.value == plain("The weights of tapas are missing; install Crosshead again.")
    assert not app.exception and not app.markdown
    monkeypatch.undo()
    app.selectbox[0].select("Lexical").run()
    assert not app.error and not app.exception
    assert [text.value for text in app.markdown] == ["an answer"]
