"""Names of slices, reasons and filters in words."""

from qa_core.evaluation.filters import FILTERS, Filters

_TITLES = {"kpi-driven": "KPI-driven", "table-driven": "Table-driven"}
_NAMED = ("slice", "reason", "sets")
"""Filters whose values say what they are of."""


def title_of(name: str) -> str:
    """The name of a slice or reason in words: ``leaf-repeats`` is "Leaf repeats"."""
    words = _TITLES.get(name) or name.replace("-", " ")
    return words[:1].upper() + words[1:]


def value_title(name: str, value: str) -> str:
    """A value of a filter as a choice has it."""
    return title_of(value) if name in _NAMED else FILTERS[name].values[value]


def filter_titles(filters: Filters) -> list[str]:
    """What filters say, each as it is read without the others: "Row header depth: 2 levels"."""
    return [
        value_title(name, value)
        if name in (*_NAMED, "right")
        else f"{FILTERS[name].title}: {FILTERS[name].values[value]}"
        for name, value in filters.values.items()
    ]
