"""Bring a table: from a document to a table that one can ask, and the tables that were kept."""

from __future__ import annotations

import streamlit as st

from components.bring_documents import OpenDocument, open_documents
from components.bring_source import OF_DOCUMENT, bring_source
from components.bring_table import brought_table, provenance
from components.found_tables import card_markup, found_tables
from components.found_tables.markup import title_of
from components.kept_tables import ask_about, kept_actions, kept_tables
from components.navigation import require_frame
from components.plain import plain, shorten
from components.resources import collection, stop_with
from components.state import choose, chosen, switch, write_text
from qa_core.collection.edit_format import edits_from_text, edits_to_text
from qa_core.errors import CrossheadError
from qa_core.ingest.edit import Edit, edited
from qa_core.ingest.extract import Extraction

CARDS = 30  # found tables that are drawn at once

OF_FOUND = ("edits", "line", "cell")


def page() -> None:
    """Draw the page."""
    if chosen("kept"):
        _kept(chosen("kept"))
    elif chosen("document"):
        _document(chosen("document"))
    else:
        _start()


def _start() -> None:
    st.markdown("## Bring a table")
    bring_source()
    kept_tables()


def _document(key: str) -> None:
    opened = open_documents().get(key)
    if opened is None:
        choices = dict.fromkeys(OF_DOCUMENT)
        st.markdown("## Bring a table")
        st.warning("The document of this link is not open any more; bring it again.")
        st.button("Bring a table", type="primary", on_click=choose, kwargs=choices)
        return
    index = chosen("found")
    if index.isdecimal() and len(index) < 7 and int(index) < len(opened.document.tables):
        _found(opened, int(index))
    else:
        _list(opened)


def _list(opened: OpenDocument) -> None:
    tables = opened.document.tables
    data = [index for index in range(len(tables)) if opened.is_data(index)]
    _back("All ways to bring a table", **dict.fromkeys(OF_DOCUMENT))
    st.markdown(f"## {plain(opened.document.file)}")
    finding, switching = st.columns([3, 2], vertical_alignment="bottom")
    with finding:
        query = write_text("Find tables", "find", placeholder="title, header or cell", max_chars=100)
    with switching:
        layouts = len(tables) - len(data)
        with_layout = bool(layouts) and switch(
            f"Also the {layouts:,} that only lay out the page", "layouts", default=not data
        )
    wanted = set(range(len(tables)) if with_layout or not data else data)
    listed = [index for index in opened.search(query) if index in wanted]
    count = f"{len(listed):,} of {len(wanted):,}" if query else f"{len(wanted):,}"
    what = "tables" if with_layout else "tables with data"
    st.caption(f"{opened.document.kind}, {_size(opened.size)}: {count} {what}. Choose one.")
    if not listed:
        st.info("No table holds all of these words. Use fewer, or clear the field.")
        return
    more = chosen("more")
    shown = CARDS * (1 + (int(more) if more.isdecimal() and len(more) < 4 else 0))
    cards = [card_markup(index, tables[index], opened.extraction(index)) for index in listed[:shown]]
    found_tables(cards, key="found", on_choose=_choose_found)
    if len(listed) > shown:
        st.button(
            f"Show more ({len(listed) - shown:,} are left)",
            on_click=choose,
            kwargs={"more": str(shown // CARDS)},
            width="stretch",
        )


def _choose_found(index: int) -> None:
    choose(found=str(index), **dict.fromkeys(OF_FOUND))


def _found(opened: OpenDocument, index: int) -> None:
    table, extraction = opened.document.tables[index], opened.extraction(index)
    edits = edits_from_text(chosen("edits")) if extraction else ()
    if extraction and edits:
        extraction, edits = _with_edits(extraction, edits)
        table = extraction.table
    several = len(opened.document.tables) > 1
    back = f"All tables of {opened.document.file}" if several else "All ways to bring a table"
    _back(back, **(dict.fromkeys(("found", *OF_FOUND)) if several else dict.fromkeys(OF_DOCUMENT)))
    title = title_of(index, table)
    st.markdown(f"### {plain(shorten(title, 200))}")
    st.caption(provenance(table, extraction))
    with st.form("keep", border=False):
        line = st.container(horizontal=True, vertical_alignment="bottom", gap="small")
        name = line.text_input("Keep it as", value=shorten(title, 200), max_chars=200, width=420)
        if line.form_submit_button("Keep and ask", type="primary", icon=":material/forum:"):
            try:
                kept = collection().add(extraction or table, name, edits)
            except CrossheadError as fault:
                stop_with(fault)
            ask_about(kept.id)
    brought_table(table, extraction, edits, lambda wanted: choose(edits=edits_to_text(wanted), cell=None))


def _with_edits(extraction: Extraction, edits: tuple[Edit, ...]) -> tuple[Extraction, tuple[Edit, ...]]:
    """The table with the corrections of the link; one that the grid forbids is said, and none is made."""
    try:
        return edited(extraction.cleaned, edits), edits
    except CrossheadError as fault:
        st.warning(f"The corrections of this link do not fit the table. {plain(str(fault))}")
        return extraction, ()


def _kept(table_id: str) -> None:
    _back("All ways to bring a table, and the kept ones", **dict.fromkeys(OF_DOCUMENT))
    try:
        kept = collection().get(table_id)
        extraction = kept.extraction
    except CrossheadError as fault:
        stop_with(fault)
    st.markdown(f"### {plain(kept.name)}")
    st.caption(provenance(kept.table, extraction))
    kept_actions(kept)

    def change(edits: tuple[Edit, ...]) -> None:
        collection().mend(table_id, lambda _: edits)
        choose(cell=None)

    brought_table(kept.table, extraction, kept.edits, change)


def _back(label: str, **changes: None) -> None:
    st.button(plain(label), icon=":material/arrow_back:", type="tertiary", on_click=choose, kwargs=changes)


def _size(size: int) -> str:
    return f"{size / 1_000_000:,.1f} MB" if size >= 100_000 else f"{max(size, 100) / 1000:,.1f} KB"


require_frame()
page()
