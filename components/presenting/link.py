"""The way from a page to the full-screen view of what it shows."""

from __future__ import annotations

import streamlit as st

from components.navigation import PRESENT


def present_link(page: str, **shown: str | None) -> None:
    """Draw a link to the full-screen view of a case or chart of ``page``, a name in ``PAGES``.

    All choices of the page go along, so that the view has their order and leads back to them; ``shown`` says
    what the address of the page does not.
    """
    choices = {**st.query_params.to_dict(), **shown, "back": page}
    st.page_link(
        PRESENT,
        label="Present",
        icon=":material/slideshow:",
        query_params={name: value for name, value in choices.items() if value},
    )
