"""Scrolling a part of a page into view when it has just been opened."""

from __future__ import annotations

import streamlit as st

_component = st.components.v2.component(
    "crosshead_reveal",
    html='<div class="here"></div>',
    # What stands above stays partly in sight.
    css=".here { scroll-margin-top: 10rem; }",
    # Parts above grow while they are drawn, so it scrolls again when its place in the page changes, for a
    # while and until the person acts.
    js="""
const shown = new WeakMap();
const WHILE = 8000;

export default function ({ data, parentElement }) {
  const here = parentElement.querySelector(".here");
  if (shown.get(here) === data.what) return;
  shown.set(here, data.what);
  const main = document.querySelector('[data-testid="stMain"]');
  let place;
  const timer = setInterval(() => {
    const now = Math.round(here.getBoundingClientRect().top + main.scrollTop);
    if (now === place) return;
    place = now;
    here.scrollIntoView({ block: "start" });
  }, 200);
  const stop = () => clearInterval(timer);
  setTimeout(stop, WHILE);
  for (const event of ["wheel", "touchstart", "pointerdown", "keydown"]) {
    window.addEventListener(event, stop, { once: true, capture: true });
  }
}
""",
)


def reveal(what: str, *, key: str) -> None:
    """Scroll here, once for each ``what`` that is drawn below."""
    _component(key=key, data={"what": what}, height=1)
