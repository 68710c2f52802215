"""The pages and the frame around them."""

from __future__ import annotations

import streamlit as st

from components.layout import page_style
from components.state import shared_choices

PAGES = {
    "ask": st.Page("pages/ask.py", title="Ask", icon=":material/forum:", default=True),
    "bring": st.Page("pages/bring.py", title="Bring a table", icon=":material/upload_file:"),
    "explore": st.Page("pages/explore.py", title="Explore", icon=":material/travel_explore:"),
    "errors": st.Page("pages/errors.py", title="Errors", icon=":material/bar_chart:"),
    "compare": st.Page("pages/compare.py", title="Compare", icon=":material/compare_arrows:"),
    "paraphrases": st.Page("pages/paraphrases.py", title="Paraphrases", icon=":material/format_quote:"),
    "results": st.Page("pages/results.py", title="Results", icon=":material/leaderboard:"),
    "data": st.Page("pages/data.py", title="Data", icon=":material/dataset:"),
}
_FRAMED = "framed"


def run_page() -> None:
    """Draw the frame and, in it, the page that the address names."""
    page = st.navigation(list(PAGES.values()), position="hidden")
    st.session_state[_FRAMED] = True
    page_style()
    _sidebar()
    page.run()


def require_frame() -> None:
    """Begin a page's file with this.

    Until app.py has run once, Streamlit takes the files of a folder named ``pages`` for an app of its own and
    runs the one that the address names alone. Naming the pages puts an end to that.
    """
    if not st.session_state.get(_FRAMED):
        st.navigation(list(PAGES.values()), position="hidden")
        st.rerun()


def _sidebar() -> None:
    """Links to every page; the shared choices go along."""
    with st.sidebar:
        st.markdown("### Crosshead")
        for page in PAGES.values():
            st.page_link(page, query_params=shared_choices())
