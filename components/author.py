"""The name of who writes, one for all pages; the browser remembers it."""

from __future__ import annotations

import streamlit as st

from qa_core.annotation.annotation import ANONYMOUS, MOST_OF_A_NAME

__all__ = ["ANONYMOUS", "author", "author_field"]

_NAME, _KNOWN, _MEMORY = "author", "author-known", "author-memory"

_memory = st.components.v2.component(
    "crosshead_author",
    html="<div></div>",
    # Not in the link: who opens it is somebody else.
    js="""
const KEY = "crosshead-author";

export default function ({ data, setTriggerValue }) {
  try {
    if (data.name) return localStorage.setItem(KEY, data.name);
    if (data.known) return localStorage.removeItem(KEY);
    const name = localStorage.getItem(KEY);
    if (name) setTriggerValue("name", name);
  } catch {
    // A browser may forbid to keep anything.
  }
}
""",
)


def author_field() -> None:
    """Draw the field for it."""
    with st.container(gap=None):
        st.text_input(
            "Your name", key=_NAME, placeholder=ANONYMOUS, max_chars=MOST_OF_A_NAME, persist_state="session",
            help="Stands beside what you write, with the time.",
        )  # fmt: skip
        name = author()
        st.session_state[_KNOWN] = known = bool(name) or st.session_state.get(_KNOWN, False)
        _memory(key=_MEMORY, data={"name": name, "known": known}, height=1, on_name_change=_remember)


def author() -> str:
    """The name; empty where none was written."""
    return str(st.session_state.get(_NAME) or "").strip()


def _remember() -> None:
    name = st.session_state[_MEMORY].get("name")
    if isinstance(name, str) and not author():
        st.session_state[_NAME] = name[:MOST_OF_A_NAME]
