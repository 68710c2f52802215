"""Where a table is brought from: a file, pasted text, or a filing from EDGAR."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from typing import TYPE_CHECKING

import streamlit as st

from components.bringing.documents import open_documents
from components.plain import plain, shorten
from components.state import choose, chosen, is_echo, show_choice
from qa_core.errors import CrossheadError
from qa_core.ingest import edgar
from qa_core.ingest.document import Document, Progress, read_document

if TYPE_CHECKING:
    from streamlit.runtime.uploaded_file_manager import UploadedFile

WAYS = {"file": "Upload a file", "paste": "Paste a table", "filing": "Fetch a filing"}
OF_DOCUMENT = ("document", "found", "find", "layouts", "more", "edits", "line", "cell", "kept")
"""URL parameters that belong to the document that is open, or to the kept table."""

MAX_MEGABYTES = 64
_HANDLED = "handled-upload"
_PASTED = "pasted text"
_STEPS = 100


def bring_source() -> None:
    """Draw the ways to bring a table; one that succeeds opens its document."""
    key = "way"
    way = chosen("by", "file") if chosen("by", "file") in WAYS else "file"
    show_choice(key, way)

    def changed() -> None:
        if not is_echo(key):
            choose(by=st.session_state[key])

    st.segmented_control(
        "Bring a table from",
        list(WAYS),
        key=key,
        format_func=WAYS.__getitem__,
        on_change=changed,
        required=True,
        label_visibility="collapsed",
    )
    {"file": _upload, "paste": _paste, "filing": _filing}[way]()


def _upload() -> None:
    upload = st.file_uploader(
        "A filing, a web page, a spreadsheet or a text file",
        key="upload",
        help="HTML (10-K and 10-Q filings, saved web pages), XLSX, CSV and TSV, Markdown, AIT-QA JSON, each "
        "also gzipped. What a file is, its content tells; nothing in it is executed or fetched.",
        max_upload_size=MAX_MEGABYTES,
    )
    if upload is not None:
        _read_once(upload)
    st.caption(
        "HTML · XLSX · CSV and TSV · Markdown · AIT-QA JSON, also gzipped. The "
        "file is read on this computer and goes nowhere else."
    )


def _read_once(upload: UploadedFile) -> None:
    """Open an upload's document; one that cannot be read keeps its sentence and is not read again."""
    handled, fault = st.session_state.get(_HANDLED, ("", ""))
    if handled != upload.file_id:
        fault = _open(upload.name, upload.getvalue())
        st.session_state[_HANDLED] = upload.file_id, fault
        if not fault:
            st.rerun()
    if fault:
        _say(fault)


def _paste() -> None:
    with st.form("paste", border=False):
        text = st.text_area(
            "Cells copied from a spreadsheet or a web page, or text as CSV or Markdown",
            key="pasted",
            height=220,
            placeholder="Region\t2024\t2023\nEurope\t1,204\t1,148\nAsia\t893\t902",
        )
        submitted = st.form_submit_button("Find the tables", type="primary")
    if submitted and text.strip():
        _open_or_say(_PASTED, text.encode(errors="replace"))
    elif submitted:
        _say("Nothing is pasted yet; copy some cells and paste them here.")


def _filing() -> None:
    this_year = datetime.date.today().year
    with st.form("filing", border=False):
        columns = st.columns([2, 2, 2, 3], vertical_alignment="bottom")
        ticker = columns[0].text_input("Ticker", key="ticker", placeholder="AAPL", max_chars=10)
        form = columns[1].selectbox("Form", edgar.FORMS, key="form")
        year = columns[2].number_input(
            "Filed in", edgar.FIRST_YEAR, this_year, this_year - 1, step=1, format="%d", key="year"
        )
        submitted = columns[3].form_submit_button(
            "Fetch it from EDGAR", type="primary", disabled=not edgar.is_installed()
        )
    if submitted:
        _fetch(ticker, form, int(year))
    if edgar.is_installed():
        st.caption("This alone asks another computer: EDGAR gets your choice and EDGAR_IDENTITY.")
    else:
        st.caption(
            "Fetching needs edgartools, which is not installed: `pip install -r requirements-edgar.txt`."
        )


def _fetch(ticker: str, form: str, year: int) -> None:
    try:
        with st.spinner(f"Fetching the {form} …"):
            name, content = edgar.fetch_filing(ticker, form, year)
    except CrossheadError as fault:
        _say(str(fault))
    else:
        _open_or_say(name, content)


def _open_or_say(name: str, content: bytes) -> None:
    fault = _open(name, content)
    if fault:
        _say(fault)
    else:
        st.rerun()


def _say(fault: str) -> None:
    st.error(plain(shorten(fault, 600)), icon=":material/error:")


def _open(name: str, content: bytes) -> str:
    """Open the document with this content, with a bar while it is read; a sentence where it cannot be."""
    bar = st.progress(0.0, reading := f"Reading {plain(shorten(name, 100))} …")

    def show(part: float) -> None:
        bar.progress(part, reading)

    def read() -> Document:
        return read_document(content, name, in_steps(show))

    try:
        opened = open_documents().open(name, content, read)
    except CrossheadError as fault:
        return str(fault)
    finally:
        bar.empty()
    only = "0" if len(opened.document.tables) == 1 else None
    choose(**dict.fromkeys(OF_DOCUMENT) | {"document": opened.key, "found": only})
    return ""


def in_steps(show: Callable[[float], None]) -> Progress:
    """A progress that shows each hundredth once: a message for every table would slow the reading."""
    shown = -1

    def progress(done: int, total: int) -> None:
        nonlocal shown
        step = done * _STEPS // max(total, 1)
        if step != shown:
            shown = step
            show(min(step / _STEPS, 1.0))

    return progress
