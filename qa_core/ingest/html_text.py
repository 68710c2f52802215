"""Text, weight and indentation of one piece of HTML, as a browser would show them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from lxml import etree

from qa_core.text import as_text, squeeze

# fmt: off
BLOCKS = frozenset((
    "address", "article", "blockquote", "center", "div", "dd", "dl", "dt", "footer", "form", "h1", "h2",
    "h3", "h4", "h5", "h6", "header", "hr", "li", "main", "ol", "p", "pre", "section", "table", "tbody",
    "td", "tfoot", "th", "thead", "tr", "ul",
))
# fmt: on
_UNSHOWN = frozenset(
    ("head", "script", "style", "template", "noscript", "title", "textarea", "select", "ix:header")
)
_HIDDEN_CLASSES = frozenset(("sortkey", "sr-only", "visually-hidden", "mw-editsection", "noprint"))
"""Classes with which wikis and pages at large hide text by a style sheet that is not read here."""
_BOLD = frozenset(["b", "strong", "th", "h1", "h2", "h3", "h4", "h5", "h6"])
_EMPHASIS = frozenset(["i", "em", "u"])
_POINTS = {"pt": 1.0, "px": 0.75, "em": 10.0, "rem": 10.0, "ex": 5.0, "in": 72.0, "cm": 28.35, "mm": 2.835}
_LENGTH = re.compile(r"(-?\d*\.?\d+)(pt|px|em|rem|ex|in|cm|mm)?")
_NBSP_POINTS = 2.5
_FOOTNOTE_MARK = re.compile(r"\(\w{1,3}\)|\[\w{1,3}\]|[*†‡§¶]+|\d{1,2}|[a-z](,[a-z])*")


@dataclass(frozen=True)
class Style:
    """What matters here of a ``style`` attribute; lengths in points, None where it says nothing."""

    hidden: bool = False
    bold: bool | None = None
    italic: bool | None = None
    underlined: bool = False
    centred: bool = False
    raised: bool = False
    indent: float = 0.0


@dataclass(frozen=True)
class Piece:
    """Shown text; ``bold`` and ``emphasised`` (italic, underlined) tell of its first words.

    ``indent`` is that of its first line, in points.
    """

    text: str
    bold: bool = False
    emphasised: bool = False
    centred: bool = False
    indent: float = 0.0


@lru_cache(maxsize=20_000)
def parse_style(style: str) -> Style:
    """Read a ``style`` attribute; what it does not understand it leaves out."""
    found: dict[str, str] = {}
    for declaration in style[:2000].split(";"):
        name, _, value = declaration.partition(":")
        found[name.strip().lower()] = value.strip().lower()
    weight = found.get("font-weight", "")
    padding = found.get("padding", "").split()
    left = found.get("padding-left") or (padding[-1 if len(padding) in (1, 4) else 1] if padding else "")
    return Style(
        hidden=found.get("display") == "none" or found.get("visibility") == "hidden",
        bold=(weight in ("bold", "bolder") or weight[:1] in "6789") if weight else None,
        italic=(found["font-style"] == "italic") if "font-style" in found else None,
        underlined="underline" in found.get("text-decoration", ""),
        centred=found.get("text-align") == "center",
        raised=found.get("vertical-align") in ("super", "text-top")
        or ("position" in found and found.get("top", "").startswith("-")),
        indent=_points(left) + _points(found.get("margin-left", "")) + _points(found.get("text-indent", "")),
    )


def is_hidden(element: etree._Element) -> bool:
    """Whether an element says of itself that it is not shown."""
    return element.get("hidden") is not None or parse_style(element.get("style") or "").hidden


def _points(length: str) -> float:
    match = _LENGTH.match(length)
    return float(match[1]) * _POINTS[match[2] or "px"] if match and abs(float(match[1])) < 1e4 else 0.0


def read_piece(root: etree._Element) -> Piece:
    """The text that a browser shows of an element; nested tables and their text are left out.

    Line breaks and block elements separate words, inline elements (those of inline XBRL among them) do not.
    A raised footnote mark is set off by a space.
    """
    if not len(root) and not (root.text and root.text.strip()):
        return Piece("")
    reader = TextReader()
    walker = etree.iterwalk(root, events=("start", "end"))
    for event, element in walker:
        if event == "start":
            if not reader.enter(element) or (element.tag == "table" and element is not root):
                walker.skip_subtree()
        else:
            reader.leave(element, tail=element is not root)
    return reader.take()


class TextReader:
    """Gathers shown text while a document is walked, with the weight and indentation that its start has."""

    def __init__(self) -> None:
        self._open: list[tuple[bool, bool, bool, float]] = [(False, False, False, 0.0)]
        self._reset()

    def _reset(self) -> None:
        self._parts: list[str] = []
        self._blanks = 0
        self._start: tuple[bool, bool, bool, float] | None = None

    def enter(self, element: etree._Element) -> bool:
        """Open an element and read the text before its first child; False where nothing of it is shown."""
        tag = element.tag if isinstance(element.tag, str) else ""
        style = parse_style(element.get("style") or "")
        bold, emphasised, centred, indent = self._open[-1]
        bold = style.bold if style.bold is not None else bold or tag in _BOLD
        if style.italic is not None:
            emphasised = style.italic
        emphasised = emphasised or style.underlined or tag in _EMPHASIS
        centred = centred or style.centred or tag == "center" or element.get("align", "").lower() == "center"
        self._open.append((bold, emphasised, centred, indent + style.indent))
        if tag in _UNSHOWN or not tag or is_hidden(element):
            return False
        if not _HIDDEN_CLASSES.isdisjoint((element.get("class") or "").split()):
            return False
        raised = tag == "sup" or style.raised
        if tag == "br" or tag in BLOCKS or (raised and self._parts and _is_mark(element, self._parts[-1])):
            self._parts.append(" ")
        self.add(element.text)
        return True

    def push(self) -> None:
        """Open an element whose content is read elsewhere."""
        self._open.append(self._open[-1])

    def leave(self, element: etree._Element, tail: bool = True) -> None:
        """Close an element and, with ``tail``, read the text behind it."""
        self._open.pop()
        if element.tag in BLOCKS:
            self._parts.append(" ")
        if tail:
            self.add(element.tail)

    def add(self, text: str | None) -> None:
        """Read text in the innermost open element."""
        if not text:
            return
        if self._start is None:
            shown = text.lstrip()
            self._blanks += text[: len(text) - len(shown)].count("\xa0")
            if shown:
                self._start = self._open[-1]
        self._parts.append(text)

    def take(self) -> Piece:
        """What was read since the last call."""
        bold, emphasised, centred, indent = self._start or self._open[-1]
        text = squeeze(as_text("".join(self._parts)))
        piece = Piece(text, bold, emphasised, centred, max(0.0, indent + _NBSP_POINTS * self._blanks))
        self._reset()
        return piece


def _is_mark(element: etree._Element, before: str) -> bool:
    """Whether raised text is a footnote mark, which stands off, and no power or ordinal ("m2", "5th")."""
    text = squeeze("".join(map(str, element.itertext())))
    word = before.split()[-1] if before.split() else ""
    return bool(_FOOTNOTE_MARK.fullmatch(text)) and (
        not text.isdigit() or len(word) > 3 or not word.isalpha()
    )
