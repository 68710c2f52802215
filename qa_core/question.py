"""Questions and where their gold answers stand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from qa_core.table import Location

KPI_DRIVEN = "KPI-driven"
TABLE_DRIVEN = "Table-driven"


@dataclass(frozen=True)
class Question:
    """A question over one table with its accepted answers, each a string as it stands in the table.

    ``kind`` is ``KPI-driven``, ``Table-driven`` or empty; ``row_hierarchy_needed`` is None where nobody
    annotated it; questions with the same non-empty ``paraphrase_group`` ask for the same answer. ``cell``
    is the annotated Location of the answer where the dataset gives one.
    """

    id: str
    table_id: str
    text: str
    answers: tuple[str, ...]
    kind: str = ""
    row_hierarchy_needed: bool | None = None
    paraphrase_group: str = ""
    cell: Location | None = None
    extra: Mapping[str, object] = field(default_factory=dict, compare=False)
