"""The name of who writes, one for all pages."""

from __future__ import annotations

import streamlit as st

from qa_core.annotation.annotation import ANONYMOUS, MOST_OF_A_NAME

__all__ = ["ANONYMOUS", "author", "author_field"]

_NAME = "author"


def author_field() -> None:
    """Draw the field for it."""
    st.text_input(
        "Your name", key=_NAME, placeholder=ANONYMOUS, max_chars=MOST_OF_A_NAME, persist_state="session",
        help="Stands beside what you write, with the time.",
    )  # fmt: skip


def author() -> str:
    """The name; empty where none was written."""
    return str(st.session_state.get(_NAME) or "").strip()
