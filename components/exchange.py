"""Entries of the store as a file of JSON Lines: taken out, and brought in."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import streamlit as st

from components.resources import say_fault
from qa_core.errors import CrossheadError
from qa_core.json_lines import parse_json_lines

_MOST_MEGABYTES = 10

Records = Iterator[tuple[str, dict[str, Any]]]
"""Objects, each with its file and line."""


def exchange(
    noun: str,
    kept: Sequence[Mapping[str, Any]],
    keep: Callable[[Records], tuple[int, int]],
    *,
    title: str,
    download: str,
    upload: str,
    file_name: str,
    help: str | None = None,
) -> None:
    """Draw the ways to take all entries of a kind out, and to keep those of a file.

    ``keep`` is given the objects of a file, and says how many entries are new and how many there were; where
    it raises CrossheadError, nothing was kept, and the sentence is shown. ``noun`` is the entries' name.
    """
    handled = f"handled-{noun}"
    with st.expander(title):  # a title that changed would close it
        st.download_button(
            download,
            "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in kept),
            key=f"download-{noun}",
            file_name=file_name,
            mime="application/jsonl",
            icon=":material/download:",
            disabled=not kept,
            on_click="ignore",
        )
        file = st.file_uploader(upload, key=f"upload-{noun}", max_upload_size=_MOST_MEGABYTES, help=help)
        if file is None:
            return
        file_id, said = st.session_state.get(handled, ("", ""))
        if file_id != file.file_id:
            st.session_state[handled] = file.file_id, _bring_in(noun, keep, file.name, file.getvalue())
            st.rerun()  # what came in is drawn further up
        if isinstance(said, CrossheadError):
            say_fault(said)
        else:
            st.success(said)


def _bring_in(
    noun: str, keep: Callable[[Records], tuple[int, int]], name: str, content: bytes
) -> str | CrossheadError:
    """Keep the entries of a file; a sentence that says how many, or why none."""
    try:
        try:
            text = content.decode("utf-8-sig")
        except UnicodeDecodeError as fault:
            raise CrossheadError(
                f"{name} is not UTF-8 text (byte {fault.start}); save it as UTF-8."
            ) from None
        new, n = keep(parse_json_lines(text, name))
    except CrossheadError as fault:
        return fault
    return f"{new:,} of {n:,} {noun} are new and were kept."
