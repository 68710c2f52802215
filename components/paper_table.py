"""A table of the AIT-QA paper with our figures, as HTML in which every figure may be a door."""

from __future__ import annotations

from collections.abc import Callable

from components.figures_table import Figure, Line, figures_table_markup
from components.names import title_of
from components.pickers import TRANSFORMATION_TITLES
from qa_core.evaluation.paper_tables import Cell, Measured, Missing, PaperTable
from qa_core.evaluation.published import PAPER
from qa_core.evaluation.statistics import wilson_interval
from qa_core.systems.registry import SYSTEMS

NOT_MEASURED = "not measured"
PARAPHRASE_SETS = {"all": "All right", "some": "Some right", "none": "None right"}


def plain_cell(cell: Cell) -> Figure:
    """A cell as a figure that leads nowhere."""
    if isinstance(cell, Measured):
        return share_figure(cell.share, cell.n)
    return not_measured_figure() if isinstance(cell, Missing) else published_figure(cell.share)


def share_figure(share: float, n: int, link: str = "", hint: str = "") -> Figure:
    """A share of ``n`` in %, with Wilson's 95 % interval."""
    low, high = wilson_interval(round(share * n), n)
    return Figure(f"{100 * share:.2f}", f"{100 * low:.1f} – {100 * high:.1f}", link, hint)


def not_measured_figure(link: str = "", hint: str = "") -> Figure:
    """The words where no run gives a figure."""
    return Figure(NOT_MEASURED, link=link, hint=hint, measured=False)


def published_figure(share: float | None) -> Figure:
    """A published share in %, as far as it was published."""
    return Figure("–", hint="not reported") if share is None else Figure(f"{100 * share:.2f}")


def paper_table_markup(table: PaperTable, dataset: str, cell: Callable[[Cell], Figure] = plain_cell) -> str:
    """Our systems on a dataset over the published ones."""
    heads = [("System", ""), *((_column_title(name), "") for name in table.columns)]
    groups = {
        f"Crosshead on {dataset}": [
            Line(SYSTEMS[system].title, list(map(cell, cells))) for system, cells in table.ours.items()
        ],
        f"Published ({PAPER})": [
            Line(title, list(map(cell, cells))) for title, cells in table.published.items()
        ],
    }
    return figures_table_markup(heads, groups)


def _column_title(name: str) -> str:
    return TRANSFORMATION_TITLES.get(name) or PARAPHRASE_SETS.get(name) or title_of(name)
