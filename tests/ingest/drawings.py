"""Tables drawn in a few characters: lines of a stub, cells of a grid, small pieces of HTML."""

from textwrap import dedent

from qa_core.ingest.build import build_table
from qa_core.ingest.clean import CleanGrid, clean
from qa_core.ingest.extract import Extraction, extract
from qa_core.ingest.grid import Cell, Grid, place
from qa_core.ingest.hierarchy import find_crossheads, find_parents
from qa_core.ingest.html import read_html
from qa_core.ingest.layout import identify
from qa_core.ingest.line import Line
from qa_core.table import Table

POINTS = 5.0
"""Points for a space of indentation in a drawing."""


def lines(drawn: str) -> list[Line]:
    """A line for each line of text: ``  **label** | value | value``; bold in ``**``, underlined in ``_``."""
    found = []
    for text in dedent(drawn).strip("\n").splitlines():
        label, *values = text.split("|")
        stub = label.strip()
        found.append(
            Line(
                stub.strip("*_"),
                POINTS * (len(label) - len(label.lstrip())) if stub else 0.0,
                bold=stub.startswith("**"),
                emphasised=stub.startswith("_"),
                values=tuple(value.strip() for value in values),
            )
        )
    return found


def outline(drawn: str) -> str:
    """The labels of the lines, each two spaces deeper than the line that heads it; … for none."""
    read = lines(drawn)
    levels: list[int] = []
    for parent in find_parents(read, find_crossheads(read)):
        levels.append(0 if parent is None else levels[parent] + 1)
    return "".join(f"\n{'  ' * level}{line.label or '…'}" for level, line in zip(levels, read, strict=True))


def grid(*rows: str, **given: str) -> Grid:
    """A grid of rows like ``"a | b | c"``; a cell of ``<`` goes on with the one on its left.

    ``**b**`` is bold. Spaces before the first cell of a row are its indentation.
    """
    drawn: list[list[Cell]] = []
    for row in rows:
        cells: list[Cell] = []
        for text in row.split("|"):
            name = text.strip()
            if name == "<":
                cells[-1] = cells[-1].at(0, 0, 1, cells[-1].columns + 1)
            else:
                indent = 0.0 if cells else POINTS * (len(text) - len(text.lstrip()))
                cells.append(Cell(name.strip("*"), 0, 0, bold=name.startswith("**"), indent=indent))
        drawn.append(cells)
    placed, n_rows, n_columns = place(drawn)
    return Grid(tuple(placed), n_rows, n_columns, **given)  # type: ignore[arg-type]


def cleaned(*rows: str) -> CleanGrid:
    return clean(grid(*rows))


def table_of(*rows: str) -> Table:
    """The Table of a drawn grid."""
    made = cleaned(*rows)
    return build_table(made, identify(made.grid), "t")[0]


def page(*rows: str, attributes: str = "") -> str:
    """A ``<table>`` of rows whose cells are separated by ``|``, each with its own ``<td>``."""
    body = "".join("<tr>" + "".join(f"<td>{cell.strip()}</td>" for cell in row.split("|")) for row in rows)
    return f"<table {attributes}>{body}</table>"


def only_grid(html: str) -> Grid:
    (found,) = read_html(html.encode())
    return found


def extraction_of(html: str) -> Extraction:
    """What is made of the only table of a piece of HTML."""
    return extract(only_grid(html))


def texts(of: Grid) -> list[list[str]]:
    """The cells of each row as text, spans from above left out."""
    return [[cell.text for cell in row] for row in of.rows]
