"""One brought table, as listed and as opened."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from qa_core.ingest.clean import clean
from qa_core.ingest.edit import Edit, edited
from qa_core.ingest.extract import Extraction
from qa_core.ingest.grid import Grid
from qa_core.table import Table


@dataclass(frozen=True)
class Listed:
    """A brought table as listed; ``rows`` and ``columns`` count its body, times are in UTC."""

    id: str
    name: str
    file: str
    rows: int
    columns: int
    created: datetime
    changed: datetime
    revision: int


@dataclass(frozen=True)
class BroughtTable:
    """A brought table: what it is asked as, and where it came from.

    ``table`` has the id and the name under which it is kept. ``original`` is the document's grid and
    ``edits`` the corrections made by hand; a document that gave its headers itself has neither.
    """

    listed: Listed
    table: Table
    original: Grid | None
    edits: tuple[Edit, ...] = ()

    @property
    def id(self) -> str:
        return self.listed.id

    @property
    def name(self) -> str:
        return self.listed.name

    @cached_property
    def extraction(self) -> Extraction | None:
        """How the table comes out of its grid; raises CrossheadError for edits that its grid forbids."""
        return None if self.original is None else edited(clean(self.original), self.edits)
