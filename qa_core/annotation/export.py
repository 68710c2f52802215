"""Annotations as a dataset of their own, and into a folder or an archive in the AIT-QA format."""

from __future__ import annotations

import io
import zipfile
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from qa_core.annotation.questions import with_annotations
from qa_core.annotation.review import Held
from qa_core.datasets.aitqa import folder_files
from qa_core.datasets.dataset import Dataset
from qa_core.errors import CrossheadError
from qa_core.question import Question

_BEGINNING = (1980, 1, 1, 0, 0, 0)


def as_dataset(
    dataset: Dataset, subjects: Mapping[str, Held], *, unreviewed: bool = False, with_own: bool = False
) -> Dataset:
    """Annotations that were accepted or mended, with their tables.

    ``unreviewed`` adds those that nobody has reviewed; ``with_own`` the dataset's own questions on all of its
    tables. A paraphrase set of which one question is left is none. Each question says in ``extra`` who wrote
    the version that holds, and what came of its review. Raises CrossheadError where there is nothing to
    export.
    """
    chosen = {
        name: subject
        for name, subject in subjects.items()
        if subject.stands or (unreviewed and subject.state == "unreviewed")
    }
    if not chosen:
        raise CrossheadError(
            f"No question for the dataset {dataset.name} was accepted yet; have one reviewed, or export "
            "those without a review as well."
        )
    questions = [
        question
        for question in with_annotations(dataset.questions, chosen.values(), subjects)
        if with_own or question.id in chosen
    ]
    sizes = Counter(question.paraphrase_group for question in questions)
    whole = tuple(
        _alone_or_not(question, chosen[question.id], sizes) if question.id in chosen else question
        for question in questions
    )
    asked = {question.table_id for question in whole}
    tables = {name: table for name, table in dataset.tables.items() if with_own or name in asked}
    return Dataset("annotations", tables, whole)


def to_zip(dataset: Dataset) -> bytes:
    """The files of a dataset in an archive; the same dataset gives the same bytes."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in folder_files(dataset).items():
            file = zipfile.ZipInfo(name, _BEGINNING)
            file.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(file, text)
    return stream.getvalue()


def _alone_or_not(question: Question, subject: Held, sizes: Mapping[str, int]) -> Question:
    group = question.paraphrase_group if sizes[question.paraphrase_group] > 1 else ""
    about = {
        "author": subject.drafted_by,
        "review": subject.state,
        "reviewers": list(dict.fromkeys(review.reviewer for review in subject.reviews)),
    }
    return replace(question, paraphrase_group=group, extra=about)
