"""Figures in a table of plain HTML, which wraps in a narrow window; every figure may be a link."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

from components.plain import html


@dataclass(frozen=True)
class Figure:
    """A figure, what stands small below it, the address that it leads to, and what it says on hover.

    ``measured`` is False for the words that stand where there is no figure; ``shade`` tints the cell, from 0
    for none to 1.
    """

    text: str
    note: str = ""
    link: str = ""
    hint: str = ""
    measured: bool = True
    shade: float = 0.0


@dataclass(frozen=True)
class Line:
    """A row of figures under its title; ``note`` stands small below the title."""

    title: str
    figures: Sequence[Figure]
    note: str = ""


def figures_table_markup(heads: Sequence[tuple[str, str]], groups: Mapping[str, Sequence[Line]]) -> str:
    """A table with a head (title, note) for each column and a crosshead over each named group."""
    head = "".join(f'<th scope="col">{_noted(html(title), note)}</th>' for title, note in heads)
    body = "".join(_group(name, lines, len(heads)) for name, lines in groups.items() if lines)
    return (
        f'<div class="ch-scroll"><table class="ch-tables"><thead><tr>{head}</tr></thead>{body}</table></div>'
    )


def _group(name: str, lines: Sequence[Line], width: int) -> str:
    crosshead = f'<tr><th scope="rowgroup" colspan="{width}">{html(name)}</th></tr>' if name else ""
    return f"<tbody>{crosshead}{''.join(map(_line, lines))}</tbody>"


def _line(line: Line) -> str:
    cells = "".join(map(_cell, line.figures))
    return f'<tr><th scope="row">{_noted(html(line.title), line.note)}</th>{cells}</tr>'


def _cell(figure: Figure) -> str:
    text = html(figure.text) if figure.measured else f"<i>{html(figure.text)}</i>"
    if figure.link:
        text = f'<a href="{escape(figure.link)}" target="_self">{text}</a>'
    hint = f' title="{escape(figure.hint)}"' if figure.hint else ""
    shade = f' style="--shade: {100 * figure.shade:.0f}%"' if figure.shade else ""
    return f"<td{hint}{shade}>{_noted(text, figure.note)}</td>"


def _noted(markup: str, note: str) -> str:
    return f"{markup}<small>{html(note)}</small>" if note else markup
