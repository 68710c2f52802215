"""Taking questions over to a table that was corrected after they were written."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from datetime import datetime

from qa_core.annotation.annotation import Annotation, Draft
from qa_core.annotation.answer_checks import answer_place
from qa_core.annotation.checks import as_kept
from qa_core.annotation.review import Held
from qa_core.errors import CrossheadError
from qa_core.table import Table


def carried(
    earlier: Mapping[str, Held], table: Table, there: Collection[str], made: datetime
) -> list[Annotation]:
    """Annotations of earlier states of a table as ones of its state now, in order.

    A question is taken over where its answer still stands in its cell, else in one place only. Left out are
    those that were turned down, and those that are ``there`` already, by id. A paraphrase of a question that
    is left out is one of none.
    """
    ids: dict[str, str] = {}
    found: dict[str, Annotation] = {}
    for subject in filter(lambda each: each.is_open, earlier.values()):
        draft = subject.draft
        at = _moved(replace(draft, paraphrase_of=ids.get(draft.paraphrase_of, "")), table)
        if at is None:
            continue
        annotation = Annotation(table.fingerprint, table.id, at, subject.drafted_by, made)
        ids[subject.id] = annotation.id
        if annotation.id not in there:
            found.setdefault(annotation.id, annotation)
    return list(found.values())


def _moved(draft: Draft, table: Table) -> Draft | None:
    stands = draft.cell in table and draft.cell is not None and table.text_at(draft.cell) in draft.answers
    cell = draft.cell if stands else answer_place(replace(draft, cell=None), table)
    if cell is None:
        return None
    try:
        known = [draft.paraphrase_of] if draft.paraphrase_of else []
        return as_kept(replace(draft, cell=cell), table, known)
    except CrossheadError:
        return None
