"""Errors by question category in a few lines of HTML: quick to draw, every bar a link to its questions."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any
from urllib.parse import urlencode

import streamlit as st

from components.names import title_of
from qa_core.evaluation.slices import SLICES


def error_bars(summary: Mapping[str, Any], link: Mapping[str, str]) -> None:
    """Draw the share of wrong answers (strict) by question category.

    A bar leads to the page *Errors* with the parameters of ``link`` and its category.
    """
    st.html(error_bars_markup(summary, link))


def error_bars_markup(summary: Mapping[str, Any], link: Mapping[str, str]) -> str:
    """The bars as HTML, categories without questions left out."""
    bars = (_bar(name, summary["slices"][name], link) for name in SLICES if summary["slices"][name]["n"])
    return f'<div class="ch-bars">{"".join(bars)}</div>'


def _bar(name: str, figures: Mapping[str, Any], link: Mapping[str, str]) -> str:
    n = figures["n"]
    wrong = round((1 - figures["strict"]) * n)
    address = "errors?" + urlencode({**link, "slice": name, "right": "no"})
    return (
        f'<a href="{escape(address)}" target="_self" title="{escape(SLICES[name])}">{escape(title_of(name))}'
        f'<i><b style="width:{100 * wrong / n:.1f}%"></b></i><span>{wrong} of {n}</span></a>'
    )
