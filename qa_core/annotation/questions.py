"""Annotations as questions of their dataset, in paraphrase sets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from qa_core.annotation.review import Held
from qa_core.datasets.dataset import Dataset
from qa_core.question import Question


def with_annotations(
    questions: Iterable[Question], subjects: Iterable[Held], all_subjects: Mapping[str, Held]
) -> list[Question]:
    """A dataset's questions and, behind them, annotations as such.

    A chain of paraphrases is one set with the question at its end, also through annotations of
    ``all_subjects`` that are not among ``subjects``; it is named as that question's set where it has one.
    Of an annotation that is one of the questions already, as in a folder that was exported before, holds what
    the annotation says now.
    """
    own = {question.id: question for question in questions if question.id not in all_subjects}
    roots = {name: _root(name, all_subjects) for name in all_subjects}
    led_to = {root for name, root in roots.items() if root != name}
    groups = {root: _group(root, own) for root in led_to}
    known = [replace(q, paraphrase_group=groups.get(q.id, q.paraphrase_group)) for q in own.values()]
    annotated = [
        subject.draft.as_question(subject.id, subject.table_id, groups.get(roots[subject.id], ""))
        for subject in subjects
    ]
    return [*known, *annotated]


def questions_of_table(dataset: Dataset, table_id: str, subjects: Mapping[str, Held]) -> list[Question]:
    """All questions of a table that stand: the dataset's own and the annotations that nobody turned down."""
    return with_annotations(
        dataset.questions_of(table_id),
        (each for each in subjects.values() if each.table_id == table_id and each.is_open),
        subjects,
    )


def _group(root: str, own: Mapping[str, Question]) -> str:
    return (own[root].paraphrase_group if root in own else "") or f"paraphrases-of-{root}"


def _root(name: str, subjects: Mapping[str, Held]) -> str:
    """The question at the end of a chain of paraphrases; of a circle the first of its names."""
    chain = [name]
    while chain[-1] in subjects and (following := subjects[chain[-1]].draft.paraphrase_of):
        if following in chain:
            return min(chain[chain.index(following) :])
        chain.append(following)
    return chain[-1]
