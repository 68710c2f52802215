"""Telling a second click on the same button from the first."""

from __future__ import annotations

import time

import streamlit as st

_SOON_S = 2.0


def is_second_click(name: str, said: object) -> bool:
    """Whether the very same was kept under this name a moment ago.

    The second of two quick clicks comes with the fields as the browser knew them before the first was
    answered.
    """
    before, when = st.session_state.get(_key(name), (None, 0.0))
    return bool(said == before) and time.monotonic() - when < _SOON_S


def remember_click(name: str, said: object) -> None:
    """Note what was kept by a click."""
    st.session_state[_key(name)] = said, time.monotonic()


def _key(name: str) -> str:
    return f"kept-by-click-{name}"
