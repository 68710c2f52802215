"""Previous and next in a list of cases, by button and by key."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from components.state import choose


def case_steps(ids: Sequence[str], here: str, clears: Sequence[str] = ()) -> None:
    """Draw the way to the cases before and after ``here`` in a list, and its place in it.

    A step removes the URL parameters in ``clears``, which are of the case.
    """
    place = ids.index(here) if here in ids else None
    before = ids[place - 1] if place else None
    after = ids[place + 1] if place is not None and place + 1 < len(ids) else None
    with st.container(horizontal=True, vertical_alignment="center"):
        _step("Previous", ":material/arrow_back:", "P", before, clears)
        _step("Next", ":material/arrow_forward:", "N", after, clears)
        st.markdown(f"**{place + 1}** of {len(ids)}" if place is not None else f"not among {len(ids)}")


def _step(label: str, icon: str, key: str, question_id: str | None, clears: Sequence[str]) -> None:
    st.button(
        label,
        icon=icon,
        shortcut=key,
        disabled=question_id is None,
        on_click=choose,
        kwargs={"case": question_id, "cell": None} | dict.fromkeys(clears),
    )
