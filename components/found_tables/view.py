"""The cards as a Streamlit component (components v2)."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

import streamlit as st

from components.registered import register

_component = register(__file__, "found")


def found_tables(cards: Sequence[str], *, key: str, on_choose: Callable[[int], None]) -> None:
    """Draw cards made by ``card_markup``; ``on_choose`` gets the index of the chosen one."""

    def report() -> None:
        chosen = st.session_state[key].get("choose")
        if isinstance(chosen, int):
            on_choose(chosen)

    data = {"markup": "".join(f"<li>{card}</li>" for card in cards)}
    _component(key=key, data=json.dumps(data).encode(), on_choose_change=report)
