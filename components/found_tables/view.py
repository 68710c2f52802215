"""The cards as a Streamlit component (components v2)."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import streamlit as st

_HERE = Path(__file__).parent
_component = st.components.v2.component(
    "crosshead_found_tables",
    html='<div class="found"></div>',
    css=(_HERE / "view.css").read_text(encoding="utf-8"),
    js=(_HERE / "view.js").read_text(encoding="utf-8"),
)


def found_tables(cards: Sequence[str], *, key: str, on_choose: Callable[[int], None]) -> None:
    """Draw cards made by ``card_markup``; ``on_choose`` gets the index of the chosen one."""

    def report() -> None:
        chosen = st.session_state[key].get("choose")
        if isinstance(chosen, int):
            on_choose(chosen)

    data = {"markup": "".join(f"<li>{card}</li>" for card in cards)}
    _component(key=key, data=json.dumps(data).encode(), on_choose_change=report)
