"""Every choice lives in the URL.

The URL is the only source of truth: each run sets a widget from its URL parameter before it is drawn, and
a change writes the parameter. So reload, Back and a second tab show the same, and a link lands on one case.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import streamlit as st

from components.plain import plain, shorten

_ON_ITS_WAY_S = 1.0
"""How long news may be on its way to the browser; nobody changes a choice back so soon."""

PAGE = "page"
"""The key of the session's state under which the frame keeps which page is drawn."""

OF_ALL_PAGES = ("dataset", "dir", "tour")
SHARED = (*OF_ALL_PAGES, "table", "question", "q", "system", "transformation", "lexicon")

_LONGEST_WAY_S = 10.0
"""How long the URL may be on its way to the browser while one choice follows the other."""
_NEWS, _CHOSE = "news-for-the-link", "chose-before-the-run"
_PAUSE = "400ms"
"""How long nothing is typed until a live field is read."""


def chosen(name: str, default: str = "") -> str:
    """The value of a URL parameter."""
    return st.query_params.get(name, default)


def choose(**values: str | None) -> None:
    """Write URL parameters; None or an empty string removes one.

    Where two things are done in quick succession, the second brings the URL as the browser knew it before the
    first; what was chosen then is therefore written once more.
    """
    now = time.monotonic()
    known = st.session_state.get(_NEWS, {}).items()
    news = {name: (value, when) for name, (value, when) in known if now - when < _LONGEST_WAY_S}
    news |= {name: (value, now) for name, value in values.items()}
    st.session_state[_NEWS], st.session_state[_CHOSE] = news, True
    parameters = {**st.query_params.to_dict(), **{name: value for name, (value, _) in news.items()}}
    st.query_params.from_dict({name: value for name, value in parameters.items() if value})


@contextmanager
def run_of_the_script() -> Iterator[None]:
    """Around each run of the script.

    A run that no choice began has the URL that the person sees or went back to: what was chosen before is no
    news any more.
    """
    if not st.session_state.get(_CHOSE):
        st.session_state.pop(_NEWS, None)
    try:
        yield
    finally:
        st.session_state[_CHOSE] = False


def catch_up() -> None:
    """Bring the URL up to what was chosen a moment ago, in a callback that reads it."""
    choose()


def shared_choices(**changes: str | None) -> dict[str, str]:
    """The choices that follow a person from page to page, with ``changes``; None leaves one behind."""
    choices = {name: chosen(name) for name in SHARED} | changes
    return {name: value for name, value in choices.items() if value}


def choices_of_all_pages() -> dict[str, str]:
    """The choices that no link leaves behind: the dataset, and the stop of the guided tour."""
    return {name: chosen(name) for name in OF_ALL_PAGES if chosen(name)}


def pick(
    label: str,
    name: str,
    options: Sequence[str],
    *,
    default: str | None = None,
    title: Callable[[str], str] = str,
    clears: Sequence[str] = (),
    unlike: str | None = None,
    help: str | None = None,
    noun: str | None = None,
) -> str:
    """One of ``options`` by a select box, kept in the URL parameter ``name``.

    A link that names something else is said to be stale, with a way back, and shows the default. A change
    removes the parameters in ``clears``, which only made sense with the former choice, and the parameter
    ``unlike`` where it would now have the same value. ``noun`` names the choice in a sentence where ``label``
    does not.
    """
    fallback = default if default is not None and default in options else options[0]
    value = chosen(name, fallback)
    if value not in options:
        stale(noun or label, name, value, title(fallback))
        value = fallback
    key = f"pick-{name}"
    show_choice(key, value)

    def changed() -> None:
        picked = st.session_state[key]
        # A label that changed under the browser comes back as itself: it is no choice of anybody's.
        if picked in options and not is_echo(key):
            alike = [unlike] if unlike and chosen(unlike) == picked else []
            choose(**{name: picked} | dict.fromkeys([*clears, *alike]))

    st.selectbox(label, options, key=key, format_func=title, on_change=changed, help=help)
    return value


def stale(label: str, name: str, value: str, instead: str) -> None:
    """Say that a link asks for something that is not here, and offer the way back."""
    text, button = st.columns([6, 1], vertical_alignment="center")
    asked, shown = plain(shorten(value, 60)), plain(shorten(instead, 60))
    text.warning(f"This link asks for {label.lower()} “{asked}”, which is not here. Shown instead: {shown}.")
    button.button("Forget it", key=f"forget-{name}", on_click=choose, kwargs={name: None})


def switch(
    label: str, name: str, *, help: str | None = None, default: bool = False, disabled: bool = False
) -> bool:
    """An on/off switch kept in the URL parameter ``name``; ``disabled`` where it would change nothing."""
    value = chosen(name, "1" if default else "0") == "1"
    key = f"switch-{name}"
    show_choice(key, value)

    def changed() -> None:
        flipped = bool(st.session_state[key])
        if is_echo(key):
            return
        choose(**{name: None if flipped == default else str(int(flipped))})

    st.toggle(label, key=key, on_change=changed, help=help, disabled=disabled)
    return value


def write_text(
    label: str,
    name: str,
    *,
    placeholder: str = "",
    max_chars: int = 500,
    live: bool = False,
    help: str | None = None,
    clears: Sequence[str] = (),
) -> str:
    """A line of text kept in the URL parameter ``name``; a change removes the parameters in ``clears``.

    ``live`` keeps it in each pause of the typing.
    """
    value = chosen(name)[:max_chars]
    key = f"text-{name}"
    show_text(key, value)

    def changed() -> None:
        choose(**{name: st.session_state[key]} | dict.fromkeys(clears))

    st.text_input(label, key=key, on_change=changed, placeholder=placeholder, max_chars=max_chars,
                  live=_PAUSE if live else False, help=help)  # fmt: skip
    return value


def typed_text(name: str) -> str:
    """What stands in the field of ``write_text``, also where its link is still on its way."""
    return str(st.session_state.get(f"text-{name}", ""))


def empty_text(name: str, **values: str | None) -> None:
    """Empty the field of ``write_text``, and write other URL parameters in the same step."""
    st.session_state[f"text-{name}"] = ""
    choose(**{name: None}, **values)


def show_choice(key: str, value: object) -> None:
    """Set the widget ``key`` to what the URL says, and remember what it showed before."""
    shown = st.session_state.get(key)
    if key in st.session_state and shown != value:
        st.session_state[f"{key}-before"] = (shown, time.monotonic())
    st.session_state[key] = value


def is_echo(key: str) -> bool:
    """Whether a change of a widget is none: the browser had not yet heard what it was set to.

    Where two things are done in quick succession, the second brings the widgets as the browser knew them
    before the first; such a value looks like a choice and would undo it.
    """
    before, since = st.session_state.get(f"{key}-before", (None, 0.0))
    if bool(st.session_state[key] == before) and time.monotonic() - since < _ON_ITS_WAY_S:
        return True
    st.session_state.pop(f"{key}-before", None)  # a choice of its own: the browser has heard
    return False


def show_text(key: str, value: str) -> None:
    """Set the text field ``key`` where it shows something else.

    A field that is set in every run would lose what a person types in it while a run is under way. One of
    the same key on another page is a new field, which shows nothing yet.
    """
    page, drawn_on = st.session_state.get(PAGE), f"{key}-on"
    if st.session_state.get(key) != value or st.session_state.get(drawn_on) != page:
        st.session_state[key] = value
        st.session_state[drawn_on] = page
