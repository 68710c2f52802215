"""The frame of a report: one HTML file that refers to nothing outside itself.

Untrusted text comes escaped from where it is drawn. The content security policy lets the report's own scripts
run and nothing else, and nothing be fetched, so that a slip would still be harmless.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Sequence
from datetime import datetime
from functools import cache
from html import escape
from pathlib import Path

from components import table_view
from components.chart_files import SAVE_SCRIPT
from components.layout import STYLE
from components.plain import html
from qa_core import __version__

MOST_BYTES = 8_000_000
"""Up to which a report grows."""

_FOLDER = Path(__file__).parent
_TABLE_CSS = Path(table_view.__file__).parent / "view.css"
# What HTML takes for a fault: control characters, surrogates, and what Unicode keeps for itself.
_NOT_IN_HTML = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")


def section(name: str, title: str, *parts: str) -> str:
    """A part of a report, under a heading that a link reaches by ``name``."""
    return f'<section id="{name}"><h2>{html(title)}</h2>{"".join(parts)}</section>'


def paragraph(text: str) -> str:
    """What is said about what follows."""
    return f'<p class="about">{html(text)}</p>'


def facts(said: Sequence[tuple[str, str]]) -> str:
    """Names and what they say."""
    lines = "".join(f"<dt>{escape(name)}</dt><dd>{html(text)}</dd>" for name, text in said)
    return f'<dl class="facts">{lines}</dl>'


def document(title: str, lead: str, sections: Sequence[str], made: datetime, *, charts: bool) -> str:
    """A whole report; ``charts`` says whether it needs what draws them."""
    scripts = _chart_scripts() if charts else ()
    allowed = " ".join(f"'sha256-{_digest(script)}'" for script in scripts) or "'none'"
    policy = (
        f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline'; img-src data: blob:; "
        "base-uri 'none'; form-action 'none'"
    )
    content = (
        f'<header><h1>{html(title)}</h1><p class="lead">{html(lead)}</p></header>'
        f"<main>{''.join(sections)}</main>"
        f"<footer><p>Made by Crosshead {__version__} on {made:%Y-%m-%d %H:%M} UTC.</p></footer>"
    )
    name = _writable(escape(title))
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{name}</title>\n{_styles()}\n</head>\n<body>\n{_writable(content)}\n"
        f"{''.join(f'<script>{script}</script>' for script in scripts)}\n</body>\n</html>\n"
    )


def _writable(markup: str) -> str:
    return _NOT_IN_HTML.sub("\ufffd", markup)


@cache
def _styles() -> str:
    own = (_FOLDER / "report.css").read_text(encoding="utf-8")
    table = _TABLE_CSS.read_text(encoding="utf-8")
    # The table's style is written for a component of its own, so it is kept to where tables are drawn.
    return f"{STYLE.strip()}\n<style>\n{own}\n.drawn {{\n{table}\n}}\n</style>"


@cache
def _chart_scripts() -> tuple[str, ...]:
    """Plotly, and what draws with it; control characters in its texts are written as escapes."""
    from plotly.offline import get_plotlyjs

    plotly = _NOT_IN_HTML.sub(lambda found: f"\\x{ord(found[0]):02x}", get_plotlyjs())
    return plotly, SAVE_SCRIPT + (_FOLDER / "report.js").read_text(encoding="utf-8")


def _digest(script: str) -> str:
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
