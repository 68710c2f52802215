"""Names of slices and reasons in words."""

_TITLES = {"kpi-driven": "KPI-driven", "table-driven": "Table-driven"}


def title_of(name: str) -> str:
    """The name of a slice or reason in words: ``leaf-repeats`` is "Leaf repeats"."""
    words = _TITLES.get(name) or name.replace("-", " ")
    return words[:1].upper() + words[1:]
