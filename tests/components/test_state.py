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


def two_choices() -> None:
    """Two buttons that choose different things."""
    import streamlit as st

    from components.state import choose, run_of_the_script

    with run_of_the_script():
        st.button("Take b", on_click=choose, kwargs={"item": "b", "case": None})
        st.button("Take d", on_click=choose, kwargs={"other": "d"})
        st.markdown(" ".join(f"{name}={value}" for name, value in sorted(st.query_params.to_dict().items())))


def test_a_second_choice_that_brings_the_url_of_before_the_first_does_not_undo_it() -> None:
    app = AppTest.from_function(two_choices)
    app.query_params.update({"case": "c"})
    app.run()
    app.button[0].click().run()
    assert shown(app) == "item=b"
    app.query_params.clear()
    app.query_params.update({"case": "c"})  # the browser has not yet heard of b
    app.button[1].click().run()
    assert shown(app) == "item=b other=d"


def test_a_choice_after_going_back_does_not_bring_back_what_was_left() -> None:
    app = AppTest.from_function(two_choices).run()
    app.button[0].click().run()
    app.query_params.clear()
    app.run()  # the Back button
    app.button[1].click().run()
    assert shown(app) == "other=d"
