"""How a page is laid out: a tight frame, and a wide part beside a narrow one that wraps under it."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

_STYLE = """
<style>
.stMainBlockContainer {padding: 2.75rem 2rem 3rem}
[data-testid="stSidebarHeader"] {height: 2.75rem}
:has(> [class*="st-key-wide-"]) {flex: 3 1 24rem !important; min-width: min(100%, 24rem)}
:has(> [class*="st-key-narrow-"]) {flex: 1 1 19rem !important; min-width: min(100%, 19rem)}
</style>
"""


def page_style() -> None:
    """The frame that all pages share."""
    st.html(_STYLE)


def wide_and_narrow(name: str) -> tuple[DeltaGenerator, DeltaGenerator]:
    """Two containers side by side, the second under the first where the window is too narrow for both."""
    row = st.container(horizontal=True, gap="medium")
    return row.container(key=f"wide-{name}"), row.container(key=f"narrow-{name}")
