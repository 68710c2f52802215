"""A long list in parts, of which one is drawn at a time."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from components.state import choose, chosen


def place_of(question_id: str, ids: pd.Series) -> int | None:
    """Where a question stands in a list; None where it does not."""
    found = (ids == question_id).to_numpy().nonzero()[0]
    return int(found[0]) if len(found) else None


def part_of(n: int, size: int, at: int | None, *, name: str = "part") -> slice:
    """Draw the way through a list of ``n`` in parts of ``size``, and give the part that the link names in the
    parameter ``name``, else the one that holds the place ``at``."""
    last = (n - 1) // size
    asked = chosen(name)
    part = int(asked) - 1 if asked.isdecimal() and len(asked) < 7 else (at or 0) // size
    part = min(max(part, 0), last)
    if last > 0:
        with st.container(horizontal=True, vertical_alignment="center"):
            _turn("Earlier", ":material/chevron_left:", part - 1, part > 0, name)
            st.markdown(f"**{part * size + 1:,} to {min((part + 1) * size, n):,}** of {n:,}")
            _turn("Later", ":material/chevron_right:", part + 1, part < last, name)
    return slice(part * size, (part + 1) * size)


def _turn(label: str, icon: str, part: int, there: bool, name: str) -> None:
    st.button(
        label,
        key=f"{label.lower()}-{name}",
        icon=icon,
        disabled=not there,
        on_click=choose,
        kwargs={name: str(part + 1), "case": None, "cell": None},
    )
