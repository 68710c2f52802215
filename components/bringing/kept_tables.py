"""The collection of brought tables: open, rename, export and delete."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import streamlit as st

from components.navigation import PAGES
from components.plain import plain, shorten
from components.resources import collection
from components.state import choose, chosen, shared_choices
from qa_core.collection import MAX_NAME, BroughtTable, Listed
from qa_core.errors import CrossheadError
from qa_core.export import to_csv, to_xlsx
from qa_core.table import Table
from qa_core.table_format import table_to_record

MOST_SHOWN = 100
_BOM = "\ufeff"
_FAULT = "kept-tables-fault"
_NOT_IN_FILES = re.compile(r"[^\w.-]+")
_XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"

EXPORTS: dict[str, tuple[str, str, Callable[[Table], str | bytes]]] = {
    "AIT-QA JSON": ("json", "application/json", lambda table: json.dumps(table_to_record(table)) + "\n"),
    "CSV": ("csv", "text/csv", lambda table: _BOM + to_csv(table)),
    "XLSX": ("xlsx", _XLSX, lambda table: to_xlsx([table])),
}
"""Ways to export a table: ending, media type, and what makes the file."""


def kept_tables() -> None:
    """Draw the list of kept tables."""
    try:
        listed = collection().listed()
    except CrossheadError as fault:
        st.error(plain(str(fault)), icon=":material/error:")
        return
    st.markdown("### Kept tables")
    _show_fault()
    if not listed:
        st.caption(
            "None yet. A table that you keep stands here and under the dataset *brought* on every page."
        )
        return
    for table in listed[:MOST_SHOWN]:
        _row(table)
    if len(listed) > MOST_SHOWN:
        st.caption(f"The last {MOST_SHOWN} of {len(listed):,}; find the others on *Ask*, dataset *brought*.")


def ask_about(table_id: str) -> None:
    """Go to the page *Ask* with a kept table."""
    choices = shared_choices(dataset="brought", table=table_id, question=None, q=None, dir=None)
    st.switch_page(PAGES["ask"], query_params=choices)


def kept_actions(kept: BroughtTable) -> None:
    """Draw what can be done with an open kept table."""
    line = st.container(horizontal=True, vertical_alignment="bottom", gap="small")
    key = f"name-{kept.id}"
    if st.session_state.get(f"was-{key}") != kept.name:
        st.session_state[key] = st.session_state[f"was-{key}"] = kept.name

    def rename() -> None:
        _do(lambda: collection().rename(kept.id, st.session_state[key]))

    line.text_input("Name", key=key, on_change=rename, max_chars=MAX_NAME, width=320)
    if line.button("Ask", type="primary", icon=":material/forum:"):
        ask_about(kept.id)
    exporting = line.popover("Export", icon=":material/download:", on_change="rerun", key="export")
    with exporting:
        # Made when they are looked at: a workbook of a large table takes its time.
        for name, (ending, media, make) in EXPORTS.items() if exporting.open else ():
            _export(kept, name, ending, media, make)
    with line.popover("Delete", icon=":material/delete:"):
        st.markdown(f"Delete “{plain(shorten(kept.name))}” for good?")
        st.button("Delete it", key="delete", type="primary", on_click=_delete, args=(kept.id,))
    _show_fault()


def _export(
    kept: BroughtTable, name: str, ending: str, media: str, make: Callable[[Table], str | bytes]
) -> None:
    try:
        content = _made(kept.id, kept.listed.revision, name, make, kept.table)
    except CrossheadError as fault:
        st.caption(plain(str(fault)))
        return
    file = _NOT_IN_FILES.sub("-", kept.name).strip("-.")[:80] or "table"
    st.download_button(name, content, f"{file}.{ending}", media, on_click="ignore", width="stretch")


@st.cache_resource(max_entries=12, show_spinner=False)
def _made(
    table_id: str, revision: int, name: str, _make: Callable[[Table], str | bytes], _table: Table
) -> str | bytes:
    return _make(_table)


def _row(table: Listed) -> None:
    row = st.container(horizontal=True, vertical_alignment="center", gap="medium", key=f"kept-{table.id}")
    row.button(
        plain(shorten(table.name, 100)),
        key=f"open-{table.id}",
        type="tertiary",
        icon=":material/table_view:",
        help="Open it: original, corrections, export, delete",
        on_click=choose,
        kwargs={"kept": table.id, "document": None, "found": None, "edits": None, "line": None, "cell": None},
    )
    origin = f"{plain(shorten(table.file, 60))} · " if table.file else ""
    row.caption(
        f"{origin}{table.rows:,} × {table.columns:,} · kept {table.created:%d %b %Y, %H:%M} UTC",
        width="stretch",
    )
    if row.button("Ask", key=f"ask-{table.id}", icon=":material/forum:"):
        ask_about(table.id)


def _delete(table_id: str) -> None:
    _do(lambda: collection().delete(table_id))
    choose(kept=None, edits=None, line=None, cell=None)
    if chosen("table") == table_id:
        choose(table=None, dataset=None)


def _do(act: Callable[[], object]) -> None:
    try:
        act()
    except CrossheadError as fault:
        st.session_state[_FAULT] = str(fault)


def _show_fault() -> None:
    if fault := st.session_state.pop(_FAULT, ""):
        st.error(plain(fault), icon=":material/error:")
