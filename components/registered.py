"""Registration of the project's own Streamlit components (components v2)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import streamlit as st


def register(module: str, css_class: str, *, before: str = "") -> Any:
    """The component whose ``view.css`` and ``view.js`` lie beside ``module``, a ``view.py``.

    It is named after its folder and draws into one element of the class ``css_class``. ``before`` is script
    that ``view.js`` builds upon.
    """
    folder = Path(module).parent
    return st.components.v2.component(
        f"crosshead_{folder.name}",
        html=f'<div class="{css_class}"></div>',
        css=(folder / "view.css").read_text(encoding="utf-8"),
        js=before + (folder / "view.js").read_text(encoding="utf-8"),
    )
