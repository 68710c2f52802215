"""Choosing a dataset, a table, a system and a transformation."""

from __future__ import annotations

import streamlit as st

from components.plain import shorten
from components.state import pick, switch
from qa_core.datasets import DATASETS
from qa_core.evaluation.filters import FILTERS
from qa_core.systems.registry import SYSTEMS
from qa_core.table import Table, join_path
from qa_core.transform import TRANSFORMATIONS

# What a choice of dataset or table makes meaningless.
OF_DATASET = (
    *("table", "find", "question", "q", "case", "cell", "edits", "wording"),
    *("run", "other", "change", "limit", "part", *FILTERS),
    *("set", "wording", "perturbation", "same"),
)
OF_TABLE = ("case", "cell", "edits", "wording")

_LEXICON = (
    "Synonyms, abbreviations and ordinals of periods (qa_core/lexicon.yaml). It is used by "
    f"{', '.join(spec.title for spec in SYSTEMS.values() if spec.uses_lexicon)}. Without it, words match by "
    "their stems alone."
)

TRANSFORMATION_TITLES = {
    "base": "Base",
    "transpose-all": "Transposed",
    "transpose-partial": "Partly transposed",
}


def pick_dataset() -> str:
    """The dataset, in the side bar."""
    with st.sidebar:
        return pick("Dataset", "dataset", list(DATASETS), default="sample", clears=OF_DATASET)


def table_title(table: Table) -> str:
    """One line that tells a table from its neighbours: company, title, else its first headers."""
    paths = table.column_paths[:3] or table.row_paths[:3]
    title = table.title or " · ".join(join_path(path) for path in paths) or "untitled"
    company = f"{table.company}: " if table.company and table.company.lower() not in title.lower() else ""
    name = shorten(table.id, 50)
    return f"{shorten(company + title, 107 - len(name))} ({name})"


def pick_system(unlike: str | None = None) -> str:
    """A system by its title; ``unlike`` as in ``pick``."""
    return pick(
        "System",
        "system",
        list(SYSTEMS),
        default="lexical",
        unlike=unlike,
        title=lambda system: SYSTEMS[system].title,
        help="  \n".join(f"**{spec.title}**: {spec.description}" for spec in SYSTEMS.values()),
    )


def pick_transformation() -> str:
    """A transformation by its title."""
    return pick(
        "Transformation",
        "transformation",
        list(TRANSFORMATIONS),
        default="base",
        title=lambda transformation: TRANSFORMATION_TITLES.get(transformation, transformation),
        help="How the table is flattened for systems that know one header row: as it is, with rows and "
        "columns exchanged, or exchanged only where the row headers hold more text than the column headers.",
    )


def switch_lexicon(*systems: str | None) -> bool:
    """Whether the lexicon is used; the switch does nothing where none of the systems uses one."""
    idle = not any(SYSTEMS[name].uses_lexicon for name in systems if name in SYSTEMS)
    return switch("Use the lexicon", "lexicon", help=_LEXICON, default=True, disabled=idle)
