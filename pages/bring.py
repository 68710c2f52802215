"""Bring a table: from a document to a table that one can ask, and the tables that were kept."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from components.bringing.documents import OpenDocument, open_documents
from components.bringing.header_editor import Change
from components.bringing.kept_tables import ask_about, kept_actions, kept_tables
from components.bringing.source import OF_DOCUMENT, bring_source
from components.bringing.table import brought_table, provenance
from components.found_tables import card_markup, found_tables
from components.found_tables.markup import default_name, title_of
from components.navigation import require_frame
from components.plain import counted, plain, shorten
from components.resources import collection, stop_with
from components.state import choose, chosen, switch, write_text
from qa_core.collection import MAX_NAME, BroughtTable
from qa_core.collection.edit_format import edits_from_text, edits_to_text
from qa_core.errors import CrossheadError
from qa_core.ingest.edit import Edits, edited
from qa_core.ingest.extract import Extraction

CARDS = 30  # found tables that are drawn at once

OF_FOUND = ("edits", "line", "cell")
_LONGEST_QUERY = 100
_LONGEST_EDITS = 4000  # characters


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


def _listed(opened: OpenDocument) -> tuple[list[int], int]:
    """The tables that the link's switch and search leave, by index; and how many the switch alone leaves."""
    every = range(len(opened.document.tables))
    wanted = [index for index in every if opened.is_data(index)]
    if chosen("layouts") == "1" or not wanted:
        wanted = list(every)
    found = set(opened.search(chosen("find")[:_LONGEST_QUERY]))
    return [index for index in wanted if index in found], len(wanted)


def _list(opened: OpenDocument) -> None:
    document = opened.document
    _back("All ways to bring a table", **dict.fromkeys(OF_DOCUMENT))
    st.markdown(f"### {plain(shorten(document.file, 200))}")
    layouts = sum(not opened.is_data(index) for index in range(len(document.tables)))
    finding, switching = st.columns([3, 2], vertical_alignment="bottom")
    with finding:
        query = write_text(
            "Find tables", "find", placeholder="title, header or cell", max_chars=_LONGEST_QUERY
        )
    with switching:
        if 0 < layouts < len(document.tables):
            switch(f"Also the {layouts:,} that only lay out the page", "layouts")
    listed, wanted = _listed(opened)
    count = (f"{len(listed):,} of " if query else "") + counted(wanted, "table")
    what = " with data" if wanted == len(document.tables) - layouts else ""
    size = _size(opened.size) + (" packed" if opened.is_packed else "")
    st.caption(f"{document.kind}, {size}: {count}{what}. Choose one to look at it and to ask.")
    if not listed:
        st.info("No table holds all of these words. Use fewer, or clear the field.")
        return
    more = chosen("more")
    shown = CARDS * (1 + (int(more) if more.isdecimal() and len(more) < 4 else 0))
    cards = [card_markup(i, document.tables[i], opened.extraction(i)) for i in listed[:shown]]
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
    _ways_out(opened, index)
    extraction, edits = _with_edits(opened, index)
    table = extraction.table if extraction else opened.document.tables[index]
    title = title_of(index, table)
    st.markdown(f"### {plain(shorten(title, 200))}")
    st.caption(provenance(table, extraction, by_hand=bool(edits)))
    with st.form("keep", border=False):
        line = st.container(horizontal=True, vertical_alignment="bottom", gap="small")
        name = line.text_input(
            "Keep it as", value=default_name(opened.document.file, table), max_chars=MAX_NAME, width=420
        )
        if line.form_submit_button("Keep and ask", type="primary", icon=":material/forum:"):
            try:
                kept = collection().add(extraction or table, name, edits)
            except CrossheadError as fault:
                st.error(plain(str(fault)), icon=":material/error:")
            else:
                ask_about(kept.id)

    def change(make: Change) -> None:
        text = edits_to_text(make(edits))
        if len(text) > _LONGEST_EDITS:
            raise CrossheadError("A link holds no more corrections; keep the table and correct it then.")
        choose(edits=text, cell=None)

    brought_table(table, extraction, edits, change)


def _ways_out(opened: OpenDocument, index: int) -> None:
    """Back to the list, and to the tables before and after this one in it."""
    line = st.container(horizontal=True, vertical_alignment="center", gap="small")
    if len(opened.document.tables) == 1:
        _back("All ways to bring a table", line, **dict.fromkeys(OF_DOCUMENT))
        return
    _back(f"All tables of {shorten(opened.document.file, 60)}", line, **dict.fromkeys(("found", *OF_FOUND)))
    line.space("stretch")
    listed, _ = _listed(opened)
    before = next((other for other in reversed(listed) if other < index), None)
    after = next((other for other in listed if other > index), None)
    for label, icon, other in (("Previous", "arrow_upward", before), ("Next", "arrow_downward", after)):
        line.button(
            label,
            icon=f":material/{icon}:",
            on_click=_choose_found,
            args=(other,),
            disabled=other is None,
        )


def _with_edits(opened: OpenDocument, index: int) -> tuple[Extraction | None, Edits]:
    """The table with the corrections of the link; where the grid forbids them, that is said and none made."""
    extraction = opened.extraction(index)
    text = chosen("edits")
    if extraction is None or not text:
        return extraction, ()
    edits = edits_from_text(text[:_LONGEST_EDITS])
    if len(text) > _LONGEST_EDITS or len(edits) < len(text.split(".")):
        st.warning(
            "The corrections of this link cannot be read: they were cut or are written wrongly. "
            "The table is shown without them."
        )
        return extraction, ()
    try:
        return _edited(opened.key, index, edits_to_text(edits), extraction), edits
    except CrossheadError as fault:
        st.warning(f"The corrections of this link do not fit the table. {plain(str(fault))}")
        return extraction, ()


@st.cache_resource(max_entries=8, show_spinner=False)
def _edited(document: str, index: int, edits: str, _extraction: Extraction) -> Extraction:
    return edited(_extraction.cleaned, edits_from_text(edits))


@st.cache_resource(max_entries=8, show_spinner=False)
def _kept_table(stamp: object, table_id: str) -> BroughtTable:
    return collection().get(table_id)


def _kept(table_id: str) -> None:
    _back("All ways to bring a table, and the kept ones", **dict.fromkeys(OF_DOCUMENT))
    try:
        kept = _kept_table(collection().stamp(), table_id)
        extraction = kept.extraction
    except CrossheadError as fault:
        stop_with(fault)
    st.markdown(f"### {plain(kept.name)}")
    st.caption(provenance(kept.table, extraction, by_hand=bool(kept.edits)))
    kept_actions(kept)

    def change(make: Change) -> None:
        collection().mend(table_id, make)
        choose(cell=None)

    brought_table(kept.table, extraction, kept.edits, change)


def _back(label: str, place: DeltaGenerator | None = None, **changes: None) -> None:
    (place or st).button(
        plain(label), icon=":material/arrow_back:", type="tertiary", on_click=choose, kwargs=changes
    )


def _size(size: int) -> str:
    return f"{size / 1_000_000:,.1f} MB" if size >= 100_000 else f"{max(size, 100) / 1000:,.1f} KB"


require_frame()
page()
