"""The screen of a presentation: large type, nothing but what is shown, and the keys that turn it."""

from __future__ import annotations

from typing import Any

import streamlit as st

from components.navigation import PAGES
from components.presenting.deck import Deck
from components.state import choose, chosen

OWN = ("chart", "back", "veil", "shown")
"""The URL parameters that are of presenting alone."""

# All sizes of the app are in rem, so a larger root enlarges everything. The table view, whose style is its
# own, takes what it needs from custom properties.
_STYLE = """
<style>
html {font-size: clamp(22px, 1.5vw, 32px);
  --table-text: .93rem; --table-height: 72vh; --table-legend: none}
.stAppHeader, [data-testid="stSidebar"], [data-testid="stExpandSidebarButton"] {display: none !important}
.stMainBlockContainer {padding: .6rem 1.4rem 2.4rem}
.stMainBlockContainer .stVerticalBlock {gap: .5rem}
.ch-slide {font-size: 1.35rem; font-weight: 650; line-height: 1.2; text-wrap: balance;
  overflow-wrap: anywhere}
.ch-verdict-said {font-size: 1rem; line-height: 1.3} .ch-verdict-said b {margin-right: .3em}
.ch-below {font-size: .92rem; opacity: .8; overflow-wrap: anywhere}
:has(> .st-key-wide-slide) {flex: 3 1 20rem !important; min-width: 0 !important}
:has(> .st-key-narrow-slide) {flex: 2 1 16rem !important; min-width: 0 !important}
.ch-card {font-size: .92rem; padding: .4rem .8rem} .ch-answer {line-height: 1.2}
.ch-card :is(.ch-lexicon, .ch-verdict, .ch-meter) {display: none}
.st-key-slide-chart, .st-key-slide-chart div:has(.js-plotly-plot) {height: calc(100vh - 9.4rem) !important}
@media (max-width: 1300px) {
  .ch-slide {font-size: 1.2rem} .ch-answer {font-size: 1.35rem}
}
.st-key-turning {position: fixed; inset: auto 0 0; z-index: 10; padding: .15rem 1.4rem;
  backdrop-filter: blur(10px); align-items: center}
.st-key-turning :is(button, p, span) {font-size: .68rem !important; min-height: 0 !important}
.st-key-turning button {padding: .1rem .5rem}
.st-key-more-keys {display: none}
</style>
"""


def presenting_style() -> None:
    """Give the screen to what is shown; it holds as long as the page is drawn."""
    st.html(_STYLE)


def turning(deck: Deck, *, veiled: bool | None = None) -> None:
    """Draw the way through a deck and out of it; arrows, PageUp and PageDown turn it, Escape leaves.

    ``veiled`` says whether the answer is still hidden, which the next turn shows; None where nothing can be
    hidden.
    """

    def turn(forward: bool) -> None:
        # Of the address as it is by now: two quick presses turn twice.
        if forward and veiled and not chosen("shown"):
            choose(shown="1")
            return
        there = deck.beside(chosen(deck.name, deck.here))[forward]
        if there is not None:
            choose(**{deck.name: there}, shown=None, cell=None)

    before, after = deck.beside(deck.here)
    back: dict[str, Any] = {"on_click": turn, "args": (False,), "disabled": before is None}
    on: dict[str, Any] = {"on_click": turn, "args": (True,), "disabled": after is None and not veiled}
    with st.container(key="turning", horizontal=True):
        st.button("Previous", icon=":material/arrow_back:", shortcut="Left", **back)
        st.button("Next", icon=":material/arrow_forward:", shortcut="Right", **on)
        st.markdown(deck.place)
        if veiled is not None:
            veil = chosen("veil") == "1"
            st.button(
                "Show answers at once" if veil else "Ask first, then show the answer",
                icon=":material/visibility:" if veil else ":material/visibility_off:",
                shortcut="H",
                on_click=choose,
                kwargs={"veil": None if veil else "1", "shown": None},
            )
        leave = st.button("Leave", icon=":material/close:", shortcut="Escape")
    with st.container(key="more-keys"):  # a button has one key
        st.button("Previous", key="turn-back", shortcut="PageUp", **back)
        st.button("Next", key="turn-on", shortcut="PageDown", **on)
    if leave:
        leave_presenting()


def leave_presenting() -> None:
    """Go back to the page that one came from, at what is shown now."""
    page = chosen("back") if chosen("back") in PAGES else "errors"
    kept = {name: value for name, value in st.query_params.to_dict().items() if name not in OWN}
    st.switch_page(PAGES[page], query_params=kept)
