"""The pages and the side bar that leads to them."""

from __future__ import annotations

import streamlit as st

from components.state import shared_choices

PAGES = {
    "ask": st.Page("pages/ask.py", title="Ask", icon=":material/forum:", default=True),
    "explore": st.Page("pages/explore.py", title="Explore", icon=":material/travel_explore:"),
    "errors": st.Page("pages/errors.py", title="Errors", icon=":material/bar_chart:"),
    "data": st.Page("pages/data.py", title="Data", icon=":material/dataset:"),
}


def sidebar() -> None:
    """Links to every page; the shared choices go along."""
    with st.sidebar:
        st.markdown("### Crosshead")
        for page in PAGES.values():
            st.page_link(page, query_params=shared_choices())
