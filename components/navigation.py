"""The pages and the frame around them."""

from __future__ import annotations

from copy import copy

import streamlit as st
from streamlit.navigation.page import Page

from components.layout import page_style
from components.state import PAGE, run_of_the_script, shared_choices

PAGES = {
    "ask": st.Page("pages/ask.py", title="Ask", icon=":material/forum:", default=True),
    "bring": st.Page("pages/bring.py", title="Bring a table", icon=":material/upload_file:"),
    "explore": st.Page("pages/explore.py", title="Explore", icon=":material/travel_explore:"),
    "why": st.Page("pages/why.py", title="Why this cell", icon=":material/troubleshoot:"),
    "errors": st.Page("pages/errors.py", title="Errors", icon=":material/bar_chart:"),
    "compare": st.Page("pages/compare.py", title="Compare", icon=":material/compare_arrows:"),
    "paraphrases": st.Page("pages/paraphrases.py", title="Paraphrases", icon=":material/format_quote:"),
    "results": st.Page("pages/results.py", title="Results", icon=":material/leaderboard:"),
    "annotate": st.Page("pages/annotate.py", title="Annotate", icon=":material/edit_note:"),
    "data": st.Page("pages/data.py", title="Data", icon=":material/dataset:"),
}
PRESENT = st.Page("pages/present.py", title="Present", icon=":material/slideshow:")
"""The page that stands in no list: it has the screen to itself."""
_FRAMED = "framed"


def run_page() -> None:
    """Draw the frame and, in it, the page that the address names."""
    page = _navigation()
    st.session_state[_FRAMED] = True
    st.session_state[PAGE] = page.url_path
    with run_of_the_script():
        page_style()
        if page.url_path != PRESENT.url_path:
            name = next((name for name, each in PAGES.items() if each.url_path == page.url_path), "")
            _sidebar(name)
            _tour(name)
        page.run()


def require_frame() -> None:
    """Begin a page's file with this.

    Until app.py has run once, Streamlit takes the files of a folder named ``pages`` for an app of its own and
    runs the one that the address names alone. Naming the pages puts an end to that.
    """
    if not st.session_state.get(_FRAMED):
        _navigation()
        st.rerun()


def _navigation() -> Page:
    st.set_page_config(
        page_title="Crosshead",
        # Without one, the browser asks another machine for that of the page.
        page_icon="components/icon.png",
        layout="wide",
        initial_sidebar_state=220,
    )
    # Copies, as Streamlit marks the page that may run now, and sessions at once share those above.
    return st.navigation([copy(page) for page in (*PAGES.values(), PRESENT)], position="hidden")


def _sidebar(page: str) -> None:
    """Links to every page; the shared choices go along."""
    with st.sidebar:
        st.markdown("### Crosshead")
        from components.tour.card import tour_entry  # it needs the pages that are named here

        for each in PAGES.values():
            st.page_link(each, query_params=shared_choices())
        tour_entry(page)


def _tour(page: str) -> None:
    from components.tour.card import invitation, tour_card

    invitation(page)
    tour_card(page)
