"""How a page is laid out: a tight frame, and a wide part beside a narrow one that wraps under it.

The style sheet is one for all pages, sent once; the parts it speaks of are drawn by other components.
"""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

_STYLE = """
<style>
.stMainBlockContainer {padding: 2.75rem 2rem 3rem}
[data-testid="stSidebarHeader"] {height: 2.75rem}
:has(> [class*="st-key-wide-"]) {flex: 3 1 24rem !important; min-width: min(100%, 24rem)}
:has(> [class*="st-key-narrow-"]) {flex: 1 1 19rem !important; min-width: min(100%, 19rem)}
.ch-bars {display: grid; gap: .2rem; font-size: .85rem; line-height: 1.3}
.ch-bars a {display: grid; grid-template-columns: 10.5rem 1fr 4.6rem; gap: .5rem; align-items: center;
  color: inherit; text-decoration: none; padding: .1rem .25rem; border-radius: .25rem}
.ch-bars a:hover, .ch-bars a:focus-visible {background: color-mix(in srgb, currentColor 10%, transparent)}
.ch-bars span {text-align: right; font-variant-numeric: tabular-nums; opacity: .8; white-space: nowrap}
.ch-bars i {height: .7rem; border-radius: .15rem;
  background: color-mix(in srgb, currentColor 10%, transparent)}
.ch-bars b {display: block; height: 100%; background: #b9572f; border-radius: .15rem}
</style>
"""


def page_style() -> None:
    """The frame that all pages share."""
    st.html(_STYLE)


def wide_and_narrow(name: str) -> tuple[DeltaGenerator, DeltaGenerator]:
    """Two containers side by side, the second under the first where the window is too narrow for both."""
    row = st.container(horizontal=True, gap="medium")
    return row.container(key=f"wide-{name}"), row.container(key=f"narrow-{name}")
