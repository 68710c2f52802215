"""Questions of a folder in the AIT-QA format as annotations."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from qa_core.annotation.annotation import Draft
from qa_core.annotation.store import AnnotationStore
from qa_core.datasets.aitqa import load_folder
from qa_core.datasets.dataset import Dataset
from qa_core.errors import CrossheadError
from qa_core.question import Question
from qa_core.text import shorten


@dataclass
class Imported:
    """How many questions a folder held, and a sentence for each that was left out."""

    questions: int = 0
    left_out: list[str] = field(default_factory=list)


def import_folder(
    store: AnnotationStore, dataset: Dataset, folder: Path, author: str, made: datetime
) -> Imported:
    """Keep the questions of a folder as annotations of a dataset's tables that say the same as the folder's.

    ``author`` is whose they are where the folder does not say it. Of a paraphrase set the first question is
    the one that the others paraphrase. What stands there already from the same person, written or mended, is
    not added. Raises CrossheadError for a folder that ``load_folder`` refuses.
    """
    given = load_folder(folder, folder.name)
    homes = {table.fingerprint: table_id for table_id, table in reversed(dataset.tables.items())}
    found = Imported(len(given.questions))
    there = {
        _said(each.table_id, each.draft, each.drafted_by): each.id for each in store.held(dataset).values()
    }
    firsts: dict[tuple[str, str], str] = {}
    for question in given.questions:
        table = given.tables.get(question.table_id)
        home = homes.get(table.fingerprint) if table else None
        if home is None:
            found.left_out.append(
                f"Left out {shorten(question.id, 60)}: no table of {dataset.name} says the same as its table "
                f"{shorten(question.table_id, 60)}."
            )
            continue
        group = (home, question.paraphrase_group)
        draft = _draft(question, firsts.get(group, "") if question.paraphrase_group else "")
        named = question.extra.get("author")
        said_by = named if isinstance(named, str) else author
        known = there.get(_said(home, draft, said_by))
        if known is None:
            try:
                [kept] = store.add(dataset, home, [draft], said_by, made)
            except CrossheadError as fault:
                found.left_out.append(f"Left out {shorten(question.id, 60)}: {fault}")
                continue
            known = kept.id
        firsts.setdefault(group, known)
    return found


def _said(table_id: str, draft: Draft, author: str) -> tuple[str, Draft, str]:
    """What makes two annotations of a table the same, whatever they are said to paraphrase."""
    return table_id, replace(draft, paraphrase_of=""), author


def _draft(question: Question, paraphrase_of: str) -> Draft:
    return Draft(
        question.text,
        question.cell,
        question.answers,
        question.kind,
        question.row_hierarchy_needed,
        paraphrase_of,
    )
