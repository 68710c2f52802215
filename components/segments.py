"""A few choices side by side, kept in the URL."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from components.state import choose, chosen, is_echo, show_choice


def pick_segment(
    label: str,
    name: str,
    titles: Mapping[str, str],
    *,
    default: str = "",
    required: bool = False,
    hide_label: bool = False,
    clears: Sequence[str] = (),
    help: str | None = None,
) -> str:
    """One of ``titles`` kept in the URL parameter ``name``, else ``default``.

    Unless it is ``required`` a choice can be taken back, which leaves the ``default``; an empty one is none.
    A change removes the parameters in ``clears``.
    """
    value = chosen(name) if chosen(name) in titles else default
    key = f"segment-{name}"
    show_choice(key, value or None)

    def changed() -> None:
        if not is_echo(key):
            choose(**{name: st.session_state[key]} | dict.fromkeys(clears))

    st.segmented_control(
        label,
        list(titles),
        key=key,
        format_func=titles.__getitem__,
        on_change=changed,
        required=required,
        label_visibility="collapsed" if hide_label else "visible",
        help=help,
    )
    return value
