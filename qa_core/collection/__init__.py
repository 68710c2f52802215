"""The tables that a person brought and kept."""

from __future__ import annotations

from qa_core.collection.collection import MAX_NAME, Collection
from qa_core.collection.kept import BroughtTable, Listed

__all__ = ["MAX_NAME", "BroughtTable", "Collection", "Listed"]
