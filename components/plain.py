"""Untrusted text in places that Streamlit reads as markdown or HTML."""

import re
from html import escape

from qa_core.text import shorten

__all__ = ["counted", "html", "plain", "shorten"]

# Addresses become links even where every sign is escaped; an invisible joiner keeps them text.
_AUTOLINK = re.compile(r":(?=//)|www(?=\.)|@|(?:mailto|xmpp):", re.IGNORECASE)
_MARKDOWN = re.compile(r"([!-/:-@\[-`{-~])")


def plain(text: str) -> str:
    """Text that Streamlit's markdown shows as it stands: no mathematics, links, colours or emoji."""
    unlinked = _AUTOLINK.sub("\\g<0>\u2060", " ".join(text.split()))
    return _MARKDOWN.sub(r"\\\1", unlinked)


def counted(count: int, noun: str) -> str:
    """A count with its noun, which takes an s in the plural."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def html(text: str) -> str:
    """Text for ``st.html``, isolated so that its writing direction stays inside."""
    return f"<bdi>{escape(text)}</bdi>"
