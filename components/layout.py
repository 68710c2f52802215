"""How a page is laid out: a tight frame, and a wide part beside a narrow one that wraps under it.

The style sheet is one for all pages, sent once; the parts it speaks of are drawn by other components.
"""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

STYLE = """
<style>
.stMainBlockContainer {padding: 2.75rem 2rem 3rem}
[data-testid="stSidebarHeader"] {height: 2.75rem}
:has(> [class*="st-key-wide-"]) {flex: 3 1 24rem !important; min-width: min(100%, 24rem)}
:has(> [class*="st-key-narrow-"]) {flex: 1 1 19rem !important; min-width: min(100%, 19rem)}
:has(> [class*="st-key-half-"]) {flex: 1 1 26rem !important; min-width: min(100%, 26rem)}
[data-testid="stMetric"] :is(p, div) {white-space: normal; overflow: visible; text-overflow: clip}
[data-testid="stMetricValue"] {font-size: clamp(1.4rem, 2.5vw, 2.25rem)}
.ch-bars {display: grid; gap: .2rem; font-size: .85rem; line-height: 1.3}
.ch-bars a {display: grid; grid-template-columns: 10.5rem 1fr 4.6rem; gap: .5rem; align-items: center;
  color: inherit; text-decoration: none; padding: .1rem .25rem; border-radius: .25rem}
.ch-bars a:hover, .ch-bars a:focus-visible {background: color-mix(in srgb, currentColor 10%, transparent)}
.ch-bars span {text-align: right; font-variant-numeric: tabular-nums; opacity: .8; white-space: nowrap}
.ch-bars i {height: .7rem; border-radius: .15rem;
  background: color-mix(in srgb, currentColor 10%, transparent)}
.ch-bars b {display: block; height: 100%; background: #b9572f; border-radius: .15rem}
.ch-card {border: 1px solid color-mix(in srgb, currentColor 22%, transparent); border-radius: .5rem;
  padding: .75rem .9rem .8rem; line-height: 1.35; font-size: .9rem}
.ch-card h4 {margin: 0 0 .35rem; padding: 0; font-size: .8rem; font-weight: 600; opacity: .75}
.ch-answer {font-size: 1.55rem; font-weight: 650; font-variant-numeric: tabular-nums; overflow-wrap: anywhere}
.ch-none {font-size: 1.1rem; font-style: italic; opacity: .8}
.ch-card dl.ch-path {display: grid; grid-template-columns: 3.4rem 1fr; gap: .15rem .5rem; margin: .35rem 0;
  padding: 0; font-size: inherit}
.ch-card .ch-path dt, .ch-card .ch-path dd {margin: 0; padding: 0; font-size: inherit; font-weight: 400}
.ch-card .ch-path dt {opacity: .65} .ch-path dd {overflow-wrap: anywhere}
.ch-path .leaf {font-weight: 600}
.ch-lexicon {font-size: .8rem; opacity: .8; overflow-wrap: anywhere}
.ch-verdict span {display: inline-block; border: 1px solid currentColor; border-radius: 1rem;
  padding: 0 .55rem; margin: .15rem .3rem .15rem 0; font-size: .8rem}
.ch-verdict .no {border-style: dashed}
.ch-meter {display: flex; align-items: center; gap: .5rem; margin-top: .35rem; font-size: .8rem}
.ch-meter i {flex: 1; height: .4rem; border-radius: .2rem; overflow: hidden;
  background: color-mix(in srgb, currentColor 15%, transparent)}
.ch-meter b {display: block; height: 100%; background: currentColor; opacity: .7}
.ch-notes {margin: .4rem 0 0; padding-left: 1.1rem; font-size: .85rem}
ol.ch-list {margin: 0 !important; padding: 0 !important; list-style: none; font-size: .85rem;
  line-height: 1.35}
.ch-list li {display: grid; grid-template-columns: 1fr auto; gap: 0 .75rem; margin: 0; padding: .35rem 0;
  border-top: 1px solid color-mix(in srgb, currentColor 14%, transparent); overflow-wrap: anywhere}
.ch-list li:first-child {border-top: 0} .ch-list b, .ch-list i {font-variant-numeric: tabular-nums}
.ch-list a {color: inherit; text-underline-offset: .2em;
  text-decoration-color: color-mix(in srgb, currentColor 45%, transparent)}
.ch-list i {font-style: normal; opacity: .75} .ch-list div {grid-column: 1 / -1; opacity: .85}
.ch-tables {width: 100%; border-collapse: collapse; font-size: .9rem; line-height: 1.35}
.ch-tables :is(th, td) {padding: .35rem .5rem; text-align: right; vertical-align: baseline; font-weight: 400;
  border-bottom: 1px solid color-mix(in srgb, currentColor 14%, transparent);
  font-variant-numeric: tabular-nums}
.ch-tables th:first-child {text-align: left; overflow-wrap: anywhere; min-width: 10rem}
.ch-tables th a {color: inherit; text-underline-offset: .2em;
  text-decoration-color: color-mix(in srgb, currentColor 45%, transparent)}
.ch-tables thead th {font-size: .8rem; opacity: .75; vertical-align: bottom}
.ch-tables :is(td, thead th, th[scope="row"]) small {display: block; font-size: .8em; opacity: .75;
  white-space: nowrap}
.ch-tables td a {color: inherit; text-underline-offset: .2em;
  text-decoration-color: color-mix(in srgb, currentColor 45%, transparent)}
.ch-tables td[style] {background: color-mix(in srgb, #b9572f calc(var(--shade) * .6), transparent)}
.ch-tables td i {opacity: .75; font-size: .85em}
.ch-tables th[scope="rowgroup"] {padding-top: .9rem; font-size: .8rem; font-weight: 600; opacity: .75}
.ch-sets {display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 23rem), 1fr)); gap: .75rem}
.ch-set header {display: grid; grid-template-columns: 1fr 7.5rem; gap: .75rem; align-items: start}
.ch-set h4 {overflow-wrap: anywhere} .ch-set h4 span {display: block; font-size: 1.05rem; font-weight: 650}
.ch-set p {margin: .35rem 0; font-size: .82rem; overflow-wrap: anywhere}
.ch-set > a, .ch-wordings a {color: inherit; text-underline-offset: .2em;
  text-decoration-color: color-mix(in srgb, currentColor 45%, transparent)}
.ch-set > a {font-size: .82rem}
.ch-map {position: relative; height: 3.4rem; margin: .3rem .4rem; border-radius: .2rem;
  border: 1px solid color-mix(in srgb, currentColor 30%, transparent);
  background: color-mix(in srgb, currentColor 5%, transparent)}
.ch-map i {position: absolute; transform: translate(-50%, -50%); font-style: normal}
.ch-map .gold {width: .7rem; height: .55rem; border: 2px solid currentColor; border-radius: .1rem}
.ch-map .miss {font-size: .62rem; line-height: 1; font-weight: 700; padding: .1rem .22rem; color: #fff;
  background: #b9572f; border-radius: 1rem}
ol.ch-wordings {list-style: none; margin: .4rem 0 !important; padding: 0 !important; font-size: .85rem}
.ch-wordings li {display: grid; grid-template-columns: 2.2rem 1fr; margin: 0; padding: .3rem 0;
  border-top: 1px solid color-mix(in srgb, currentColor 14%, transparent); overflow-wrap: anywhere}
.ch-wordings small {opacity: .7}
.ch-wordings p {margin: .15rem 0 0 !important; font-size: .8rem; opacity: .9}
.ch-rules .ch-tables th[scope="row"] small {white-space: normal}
.ch-two-wordings {display: grid; grid-template-columns: max-content 1fr; gap: .2rem .8rem; margin: 0;
  padding: 0; font-size: inherit}
.ch-two-wordings dt {opacity: .7} .ch-two-wordings :is(dt, dd) {margin: 0; padding: 0; font-size: inherit}
.ch-two-wordings dd {font-weight: 600; overflow-wrap: anywhere}
.ch-wordings em {font-style: normal; border-bottom: 1px dotted}
.ch-scroll {overflow-x: auto}
dl.ch-tour {display: grid; grid-template-columns: 3fr 3fr 2fr; gap: 0 1.5rem; margin: 0 !important;
  padding: 0 !important; font-size: .88rem; line-height: 1.35}
.ch-tour :is(dt, dd) {margin: 0 !important; padding: 0 !important; font-size: inherit; font-weight: 400}
.ch-tour dt {opacity: .7}
.st-key-tour {border-left: 4px solid #2f6fb5 !important; padding: .5rem .9rem .7rem}
:root:has(.st-key-tour) {--table-height: max(46vh, 18rem)}
.st-key-tour-invitation {position: absolute; right: 0; z-index: 1; width: fit-content}
[class*="st-key-tour"] [data-testid="stPageLink-NavLink"] {background: none}
</style>
"""


def page_style() -> None:
    """The frame that all pages share."""
    st.html(STYLE)


def wide_and_narrow(name: str) -> tuple[DeltaGenerator, DeltaGenerator]:
    """Two containers side by side, the second under the first where the window is too narrow for both."""
    row = st.container(horizontal=True, gap="medium")
    return row.container(key=f"wide-{name}"), row.container(key=f"narrow-{name}")
