"""Questions that people write for tables.

An annotation belongs to the table that it was written for, known by the table's own fingerprint and not by
that of its dataset: so it stays with the table when another one is brought, when questions are added, and
when the table is met again in another folder. A table whose headers were corrected is another table, whose
cells may stand elsewhere.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

from qa_core.question import Question
from qa_core.table import Location
from qa_core.text import fold

ANONYMOUS = "somebody"
"""Who wrote what nobody signed."""
MOST_OF_A_QUESTION = 2_000
"""Characters of a question that are kept."""
MOST_OF_AN_ANSWER = 500
"""Characters of an answer that is written and not clicked."""
MOST_OF_A_NAME = 60
"""Characters of an author or a reviewer."""
MOST_OF_A_REASON = 2_000
"""Characters of the reason for a verdict."""


@dataclass(frozen=True)
class Draft:
    """What is written about one table: a question, its answer, and what kind of question it is.

    ``cell`` is the Location of the answer, ``answers`` the accepted texts; of a draft that was not yet kept
    either may be missing. ``kind`` and ``row_hierarchy_needed`` are as in ``Question``. ``paraphrase_of`` is
    the id of a question or an annotation that asks for the same answer in other words, else empty.
    """

    text: str
    cell: Location | None = None
    answers: tuple[str, ...] = ()
    kind: str = ""
    row_hierarchy_needed: bool | None = None
    paraphrase_of: str = ""

    @cached_property
    def key(self) -> str:
        """16 hex digits of all that it says."""
        return _digest(draft_to_json(self), 16)

    def as_question(self, question_id: str, table_id: str, group: str = "") -> Question:
        """The draft as a Question of a paraphrase set."""
        return Question(
            question_id,
            table_id,
            self.text,
            self.answers,
            self.kind,
            self.row_hierarchy_needed,
            group,
            self.cell,
        )


@dataclass(frozen=True)
class Annotation:
    """A draft that somebody kept for a table; ``made`` is in UTC.

    The ``id`` follows from the table, the draft and the author: two people never have one id, and what is
    kept twice, by a second click or a second import, is one.
    """

    table_fingerprint: str
    table_id: str
    draft: Draft
    author: str
    made: datetime

    @cached_property
    def id(self) -> str:
        """``a-`` and 16 hex digits."""
        said = [self.table_fingerprint, draft_to_json(self.draft), fold(self.author)]
        return f"a-{_digest(said, 16)}"


def draft_to_json(draft: Draft) -> dict[str, Any]:
    """A draft as JSON values."""
    return {
        "question": draft.text,
        "cell": draft.cell.as_list() if draft.cell else None,
        "answers": list(draft.answers),
        "type": draft.kind,
        "row_hierarchy_needed": draft.row_hierarchy_needed,
        "paraphrase_of": draft.paraphrase_of,
    }


def draft_from_json(record: Mapping[str, Any]) -> Draft:
    """The inverse of ``draft_to_json``."""
    cell = record["cell"]
    return Draft(
        record["question"],
        Location(*cell) if cell else None,
        tuple(record["answers"]),
        record["type"],
        record["row_hierarchy_needed"],
        record["paraphrase_of"],
    )


def _digest(said: object, digits: int) -> str:
    return hashlib.sha256(json.dumps(said).encode()).hexdigest()[:digits]
