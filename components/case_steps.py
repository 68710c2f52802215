"""Previous and next in a list of cases, by button and by key."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from components.state import choose


def case_steps(
    ids: Sequence[str], here: str, *, clears: Sequence[str] = (), beside: int | None = None
) -> None:
    """Draw the way to the cases before and after ``here`` in a list, and its place in it.

    A step removes the URL parameters in ``clears``, which are of the case. Where ``here`` is not in the list,
    ``beside`` says how many of the list come before it. The list shows the part that a step leads to.
    """
    place = ids.index(here) if here in ids else None
    before, after = (beside, beside) if place is None else (place, place + 1)
    with st.container(horizontal=True, vertical_alignment="center"):
        _step("Previous", ":material/arrow_back:", "P", ids[before - 1] if before else None, clears)
        following = ids[after] if after is not None and after < len(ids) else None
        _step("Next", ":material/arrow_forward:", "N", following, clears)
        at = f"not among the {len(ids):,} listed" if place is None else f"**{place + 1:,}** of {len(ids):,}"
        st.markdown(at)


def _step(label: str, icon: str, key: str, question_id: str | None, clears: Sequence[str]) -> None:
    st.button(
        label,
        icon=icon,
        shortcut=key,
        disabled=question_id is None,
        on_click=choose,
        kwargs={"case": question_id, "cell": None, "part": None} | dict.fromkeys(clears),
    )
