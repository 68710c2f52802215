"""Annotate: write questions for tables, review those of others, see how far people agree, export."""

from __future__ import annotations

import streamlit as st

from components.annotating.agreement import show_agreement
from components.annotating.index import list_annotations
from components.annotating.review import OF_REVIEW, review_annotations
from components.annotating.writing import write_annotations
from components.navigation import require_frame
from components.pickers import pick_dataset
from components.resources import annotation_store, current_dataset, stop_with
from components.segments import pick_segment
from qa_core.errors import CrossheadError

VIEWS = {"write": "Write", "review": "Review", "list": "All questions", "agreement": "Agreement"}

# The URL parameters that go with the view; words that were typed stay.
OF_VIEW = ("case", "part", *OF_REVIEW)


def page() -> None:
    """Draw the page."""
    st.markdown("## Annotate")
    pick_dataset()
    dataset = current_dataset()
    view = pick_segment(
        "View", "view", VIEWS, default="write", required=True, hide_label=True, clears=OF_VIEW
    )
    try:
        if view == "write":
            write_annotations(dataset)
        elif view == "review":
            review_annotations(dataset)
        elif view == "list":
            list_annotations(dataset, annotation_store().held(dataset))
        else:
            show_agreement(annotation_store().held(dataset))
    except CrossheadError as fault:
        stop_with(fault)


require_frame()
page()
