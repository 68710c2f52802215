"""Choosing a table of a dataset, among those that hold some words."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from components.pickers import OF_TABLE, table_title
from components.question_choice import goes_with_table
from components.state import chosen, pick, write_text
from qa_core.datasets import Dataset
from qa_core.table import Table

MOST_OFFERED = 500
"""Tables to choose from; the others are found by their words."""


def pick_table(dataset: Dataset, clears: Sequence[str] = ()) -> Table | None:
    """Draw the choice of a table; None where none holds the words that are looked for.

    Another table removes also the parameters in ``clears``.
    """
    finding, picking = st.columns([2, 5])
    with finding:
        query = write_text("Find tables", "find", placeholder="company, title or text", max_chars=100)
    matching = dataset.search(query)
    found = list(matching[:MOST_OFFERED])
    if not found:
        st.info("No table holds all of these words. Use fewer, or clear the field.")
        return None
    shown = chosen("table", found[0])
    if shown in dataset.tables and shown not in found:
        found.insert(0, shown)
    first = f"the first {MOST_OFFERED:,} of " if len(matching) > MOST_OFFERED else ""
    with picking:
        table_id = pick(
            f"Table ({first}{len(matching):,} of {len(dataset.tables):,})",
            "table",
            found,
            title=lambda table_id: (
                table_title(dataset.tables[table_id]) if table_id in dataset.tables else table_id
            ),
            clears=(*OF_TABLE, *goes_with_table(dataset.questions_of(shown)), *clears),
            noun="table",
        )
    return dataset.table(table_id)
