"""Wordings of one's own: other ways to ask a stored question, kept as cases.

Keeping and removing one are entries that stay as they were written, with who wrote them and when; what holds
now follows from the last one about each wording. So two people who write at the same time lose nothing.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from qa_core.datasets.aitqa import question_from_record, question_to_record
from qa_core.datasets.dataset import Dataset
from qa_core.errors import CrossheadError
from qa_core.evaluation.judgements import MOST_OF_A_NAME, moment
from qa_core.evaluation.matching import is_blank
from qa_core.question import Question
from qa_core.text import as_text, squeeze

MOST_CHARACTERS = 500
"""Characters of a wording."""
OF = "rewording_of"
"""The field of an exported question that names the one it asks for."""


@dataclass(frozen=True)
class Rewording:
    """One entry: a wording of a question was kept, or (``kept`` is False) removed. ``made`` is in UTC."""

    question_id: str
    text: str
    author: str
    made: datetime
    kept: bool = True

    @property
    def key(self) -> str:
        """32 hex digits of the question and the wording, whoever wrote it and when."""
        return hashlib.sha256(json.dumps([self.question_id, self.text]).encode()).hexdigest()[:32]


def standing(entries: Iterable[Rewording]) -> list[Rewording]:
    """The wordings that are kept now, in the order in which they were, given all entries in order."""
    last: dict[str, Rewording] = {}
    for entry in entries:
        last.pop(entry.key, None)
        if entry.kept:
            last[entry.key] = entry
    return list(last.values())


def checked(entry: Rewording, dataset: Dataset) -> Rewording:
    """The entry as it is written, its white space squeezed.

    Raises CrossheadError for an empty or too long wording, one that the dataset has already among those of
    the same paraphrase set, and a question that is not in the dataset.
    """
    question = dataset.question(entry.question_id)
    text = squeeze(as_text(entry.text))
    if is_blank(text):
        raise CrossheadError(f"The wording for question {question.id!r} is empty; write a question.")
    if len(text) > MOST_CHARACTERS:
        raise CrossheadError(
            f"The wording for question {question.id!r} has {len(text):,} characters, and at most "
            f"{MOST_CHARACTERS:,} are kept; shorten it."
        )
    if entry.kept:
        for other in set_of(dataset, question):
            if squeeze(other.text) == text:
                raise CrossheadError(
                    f"Question {other.id!r} has this wording already; write another, or open that question."
                )
    author = squeeze(as_text(entry.author))[:MOST_OF_A_NAME]
    return replace(entry, text=text, author="" if is_blank(author) else author)


def set_of(dataset: Dataset, question: Question) -> tuple[Question, ...]:
    """The paraphrase set of a question, in the dataset's order; of one alone, the question."""
    if not question.paraphrase_group:
        return (question,)
    return tuple(
        other
        for other in dataset.questions_of(question.table_id)
        if other.paraphrase_group == question.paraphrase_group
    )


def as_question(entry: Rewording, question: Question) -> Question:
    """A wording as a question of the same set, with the gold of the question that it asks for.

    A question alone makes a set with its own wordings, named after it.
    """
    return replace(
        question,
        id=f"{question.id}-own-{entry.key[:8]}",
        text=entry.text,
        paraphrase_group=question.paraphrase_group or question.id,
        extra={OF: question.id, "author": entry.author, "made": entry.made.isoformat()},
    )


def export(entries: Iterable[Rewording], dataset: Dataset) -> Iterator[dict[str, Any]]:
    """Records of AIT-QA questions for wordings, from which ``from_record`` makes the wordings again."""
    for entry in entries:
        yield question_to_record(as_question(entry, dataset.question(entry.question_id)))


def from_record(
    record: Mapping[str, Any], dataset: Dataset, where: str, author: str, made: datetime
) -> Rewording:
    """A wording out of an AIT-QA question; ``author`` and ``made`` stand in where it does not say them.

    The question that it asks for is the one it names, else the first of its paraphrase set. Raises
    CrossheadError, beginning with ``where``, for a record that is no question or asks for none of them.
    """
    question = question_from_record(dict(record), where)
    of, group = question.extra.get(OF), question.paraphrase_group
    found = next(
        (
            each
            for each in dataset.questions_of(question.table_id)
            if (each.id == of if of is not None else group and each.paraphrase_group == group)
        ),
        None,
    )
    if found is None:
        raise CrossheadError(
            f"{where}: the question {question.id!r} asks for no question of {dataset.name}; name one of its "
            f"table in the field {OF!r}, or give it the paraphrase_group of one."
        )
    said = question.extra.get("author", author)
    if not isinstance(said, str):
        raise CrossheadError(f"{where}: the author has to be a string.")
    return Rewording(found.id, question.text, said, moment(question.extra.get("made"), where, made))
