"""What a choice does to the URL when news are still on their way to the browser."""

import time

import pytest
from streamlit.testing.v1 import AppTest


def two_ways() -> None:
    """A list that follows the URL parameter ``item``, which a button changes as well."""
    import streamlit as st

    from components.state import choose, pick

    st.button("Take b", on_click=choose, kwargs={"item": "b"})
    st.markdown(f"chosen: {pick('Item', 'item', ['a', 'b', 'c'])}")


def shown(app: AppTest) -> str:
    return str(app.markdown[0].value)


def test_a_list_that_the_browser_shows_as_it_was_does_not_undo_another_choice() -> None:
    app = AppTest.from_function(two_ways).run()
    app.button[0].click().run()
    assert shown(app) == "chosen: b"
    app.selectbox[0].set_value("a").run()  # as the browser had it before the button
    assert shown(app) == "chosen: b"


def test_the_same_choice_counts_once_the_browser_has_heard(monkeypatch: pytest.MonkeyPatch) -> None:
    app = AppTest.from_function(two_ways).run()
    app.button[0].click().run()
    later = time.monotonic() + 5
    monkeypatch.setattr("components.state.time.monotonic", lambda: later)
    app.selectbox[0].set_value("a").run()
    assert shown(app) == "chosen: a"


def test_another_choice_counts_at_once() -> None:
    app = AppTest.from_function(two_ways).run()
    app.button[0].click().run()
    app.selectbox[0].set_value("c").run()
    assert shown(app) == "chosen: c"
    app.selectbox[0].set_value("b").run()
    assert shown(app) == "chosen: b"
