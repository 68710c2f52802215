"""Scrolling a part of a page into view when it has just been opened."""

from __future__ import annotations

import streamlit as st

_component = st.components.v2.component(
    "crosshead_reveal",
    html='<div class="here"></div>',
    # What stands above stays partly in sight.
    css=".here { scroll-margin-top: 10rem; }",
    # Parts above may still grow while they are drawn, so it scrolls again, until the person does.
    js="""
const shown = new WeakMap();

export default function ({ data, parentElement }) {
  const here = parentElement.querySelector(".here");
  if (shown.get(here) === data.what) return;
  shown.set(here, data.what);
  const timers = [0, 300, 900, 1800].map((delay) =>
    setTimeout(() => here.scrollIntoView({ block: "start" }), delay),
  );
  const stop = () => timers.forEach(clearTimeout);
  for (const event of ["wheel", "touchstart", "pointerdown", "keydown"]) {
    window.addEventListener(event, stop, { once: true, capture: true });
  }
}
""",
)


def reveal(what: str, *, key: str) -> None:
    """Scroll here, once for each ``what`` that is drawn below."""
    _component(key=key, data={"what": what}, height=1)
