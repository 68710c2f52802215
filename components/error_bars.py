"""Errors by question category in a few lines of HTML: quick to draw, every bar a link to its questions."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any
from urllib.parse import urlencode

import streamlit as st

from components.names import title_of
from qa_core.evaluation.slices import SLICES

_STYLE = """
<style>
.ch-bars {display: grid; gap: .2rem; font-size: .85rem; line-height: 1.3}
.ch-bars a {display: grid; grid-template-columns: 10.5rem 1fr 4.6rem; gap: .5rem; align-items: center;
  color: inherit; text-decoration: none; padding: .1rem .25rem; border-radius: .25rem}
.ch-bars a:hover, .ch-bars a:focus-visible {background: color-mix(in srgb, currentColor 10%, transparent)}
.ch-bars span {text-align: right; font-variant-numeric: tabular-nums; opacity: .8; white-space: nowrap}
.ch-bars i {height: .7rem; border-radius: .15rem;
  background: color-mix(in srgb, currentColor 10%, transparent)}
.ch-bars b {display: block; height: 100%; background: #b9572f; border-radius: .15rem}
</style>
"""


def error_bars(summary: Mapping[str, Any], link: Mapping[str, str]) -> None:
    """Draw the share of wrong answers (strict) by question category.

    A bar leads to the page *Errors* with the parameters of ``link`` and its category.
    """
    st.html(_STYLE + error_bars_markup(summary, link))


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
