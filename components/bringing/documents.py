"""The documents that are open: read once, found again by their key in a link while the app holds them."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import streamlit as st

from qa_core.ingest.document import Document
from qa_core.ingest.extract import Extraction
from qa_core.text import fold

MOST_DOCUMENTS = 4
"""Documents that are held; the one that was longest out of use goes first."""

_GZIP = b"\x1f\x8b"


@dataclass(frozen=True)
class OpenDocument:
    """A document with the key under which links name it; ``size`` in bytes, as it was brought."""

    key: str
    size: int
    document: Document
    is_packed: bool = False

    def extraction(self, index: int) -> Extraction | None:
        """How the table at ``index`` came about; None where the document gave its headers itself."""
        return self.document.extractions[index] if self.document.extractions else None

    def is_data(self, index: int) -> bool:
        """Whether a table carries data; one that the document gave itself does."""
        extraction = self.extraction(index)
        return extraction is None or extraction.is_data

    def search(self, query: str) -> list[int]:
        """The tables that hold every word of ``query`` in title, headings, headers or cells, by index."""
        words = fold(query).split()
        if not words:
            return list(range(len(self.document.tables)))
        return [i for i, text in enumerate(self._texts) if all(word in text for word in words)]

    def _headings(self, index: int) -> tuple[str, ...]:
        extraction = self.extraction(index)
        return extraction.source.headings if extraction else ()

    @cached_property
    def _texts(self) -> list[str]:
        return [
            fold(" ".join((*table.texts(), *self._headings(index))))
            for index, table in enumerate(self.document.tables)
        ]


def document_key(name: str, content: bytes) -> str:
    """A key that only this content under this name has."""
    return hashlib.sha256(name.encode(errors="replace") + b"\0" + content).hexdigest()[:16]


class OpenDocuments:
    """The documents that were opened last, shared by all sessions."""

    def __init__(self) -> None:
        self._held: OrderedDict[str, OpenDocument] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: str) -> OpenDocument | None:
        """The document with this key; None where it is not open, or not any more."""
        with self._lock:
            if key in self._held:
                self._held.move_to_end(key)
            return self._held.get(key)

    def open(self, name: str, content: bytes, read: Callable[[], Document]) -> OpenDocument:
        """The document with this content, read where it is not open yet; raises what ``read`` raises."""
        key = document_key(name, content)
        held = self.get(key)
        if held is None:
            held = OpenDocument(key, len(content), read(), content.startswith(_GZIP))
            with self._lock:
                self._held[key] = held
                while len(self._held) > MOST_DOCUMENTS:
                    self._held.popitem(last=False)
        return held


@st.cache_resource(show_spinner=False)
def open_documents() -> OpenDocuments:
    """Those of this server."""
    return OpenDocuments()
