"""The paper's tables as Markdown and as a page of HTML that needs nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from qa_core.evaluation.paper_tables import Cell, Measured, Missing, PaperTable
from qa_core.evaluation.published import N_QUESTIONS, PAPER
from qa_core.systems.registry import SYSTEMS

_STYLE = """
body { font: 15px/1.45 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem;
  color: #10141a; background: #fff }
table { border-collapse: collapse; width: 100%; margin: .5rem 0 2rem; font-variant-numeric: tabular-nums }
th, td { padding: .35rem .5rem; text-align: right; vertical-align: baseline;
  border-bottom: 1px solid #d5dae0 }
th:first-child { text-align: left } small { display: block; color: #5a636e }
caption { text-align: left; font-weight: 600; padding: .3rem 0 }
"""


def as_markdown(tables: Iterable[PaperTable], dataset: str, n: int) -> str:
    """The tables in Markdown; a figure stands with its 95 % interval, n and run."""
    parts = [f"# Crosshead on {_plain(dataset)}", _about(n)]
    for table in tables:
        lines = [["", *map(_words, table.columns)], ["---"] * (len(table.columns) + 1)]
        lines += [[title, *(_figure(cell) for cell in cells)] for title, cells in _rows(table)]
        parts += [
            f"## {table.name}. {table.title}",
            "\n".join(f"| {' | '.join(map(_plain, line))} |" for line in lines),
        ]
    return "\n\n".join(parts) + "\n"


def as_html(tables: Iterable[PaperTable], dataset: str, n: int) -> str:
    """The tables as a whole HTML page without links to anything."""
    title = f"Crosshead on {escape(dataset)}"
    body = "\n".join(_html_table(table) for table in tables)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f"<title>{title}</title>\n<style>{_STYLE}</style>\n</head>\n"
        f"<body>\n<h1>{title}</h1>\n<p>{escape(_about(n))}</p>\n{body}\n</body>\n</html>\n"
    )


def _about(n: int) -> str:
    return (
        f"Strict accuracy in %, over {n:,} questions, with the 95 % interval of Wilson; tables 3 and 4 have "
        f"each system under its best transformation. Published figures are those of {PAPER} over all "
        f"{N_QUESTIONS} questions of AIT-QA, zero-shot."
    )


def _rows(table: PaperTable) -> list[tuple[str, Sequence[Cell]]]:
    ours = [(SYSTEMS[system].title, cells) for system, cells in table.ours.items()]
    return [*ours, *((f"{title}, published", cells) for title, cells in table.published.items())]


def _figure(cell: Cell) -> str:
    text, note = _parts(cell)
    return f"{text} ({note})" if note else text


def _parts(cell: Cell) -> tuple[str, str]:
    """A figure, and what stands small beside it."""
    if isinstance(cell, Measured):
        low, high = cell.interval
        return (
            f"{100 * cell.share:.2f}",
            f"{100 * low:.1f} – {100 * high:.1f}, n = {cell.n}, run {cell.run.id}",
        )
    if isinstance(cell, Missing):
        return "not measured", ""
    return ("–" if cell.share is None else f"{100 * cell.share:.2f}"), ""


def _html_table(table: PaperTable) -> str:
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in ("", *map(_words, table.columns)))
    body = "\n".join(
        f'<tr><th scope="row">{escape(title)}</th>{"".join(map(_html_cell, cells))}</tr>'
        for title, cells in _rows(table)
    )
    return (
        f"<table>\n<caption>{escape(f'{table.name}. {table.title}')}</caption>\n"
        f"<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>"
    )


def _html_cell(cell: Cell) -> str:
    text, note = _parts(cell)
    small = f"<small>{escape(note)}</small>" if note else ""
    return f"<td>{escape(text)}{small}</td>"


def _words(name: str) -> str:
    return name.replace("-", " ")


def _plain(text: str) -> str:
    """Text in a cell of a Markdown table."""
    return " ".join(text.replace("|", r"\|").split())
