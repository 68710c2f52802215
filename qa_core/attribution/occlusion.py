"""Leave-one-out attribution: what a system says when one header or one word is not there.

Li, Monroe and Jurafsky 2016, "Understanding Neural Networks through Representation Erasure", measure the
importance of a part of the input by how much less the model holds to its choice without it (also called
occlusion, after Zeiler and Fergus 2014). Here a part is a header or a word, and what is measured is the lead
of a cell over the others (see ``lead.py``), the confidence, and whether the answer changes. A part whose
words are said elsewhere too contributes nothing by this measure: it is not needed, though it is read.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from qa_core.attribution.lead import Lead, lead_of
from qa_core.attribution.parts import HeaderPart, WordPart, header_parts, word_parts
from qa_core.prediction import Prediction
from qa_core.systems.interface import Request
from qa_core.table import Location, Table
from qa_core.transform import flatten

MAX_HEADERS = 32
"""Headers that are left out one by one, those nearest to the cell."""
MAX_WORDS = 40
"""Words that are left out one by one, the first ones."""
_ASKED_AT_ONCE = 4

Ask = Callable[[Sequence[Request]], list[Prediction]]
"""What a system does in its ``predict``."""
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Contribution:
    """What a system says without a part, and the lead of the same cell then."""

    part: HeaderPart | WordPart
    prediction: Prediction
    lead: Lead
    changes: bool
    """Whether another answer is given, or the same from other cells."""
    drop: float | None
    """By how much the lead falls; negative where it rises, None where it is not known."""


@dataclass(frozen=True)
class Attribution:
    """A prediction, and what the headers that lead to ``location`` and the words of the question contribute.

    ``location`` is None where nothing was predicted and no other cell was named; then there are no headers.
    ``headers`` run from root to leaf, the row's before the column's. ``unasked`` counts the headers and words
    beyond ``MAX_HEADERS`` and ``MAX_WORDS``.
    """

    location: Location | None
    prediction: Prediction
    lead: Lead
    headers: tuple[Contribution, ...]
    words: tuple[Contribution, ...]
    unasked: tuple[int, int]


def attribute(
    ask: Ask,
    table: Table,
    question: str,
    transformation: str,
    *,
    location: Location | None = None,
    on_progress: Progress | None = None,
) -> Attribution:
    """Ask, and ask again without each header that leads to a cell and without each word of the question.

    The cell is ``location``, by default the first that is predicted. ``on_progress`` is told how many of all
    questions are answered; it may raise to stop.
    """
    prediction = ask([Request(question, flatten(table, transformation))])[0]
    location = location or prediction.location
    headers = header_parts(table, location) if location else []
    words = word_parts(question)
    unasked = max(len(headers) - MAX_HEADERS, 0), max(len(words) - MAX_WORDS, 0)
    headers, words = headers[-MAX_HEADERS:], words[:MAX_WORDS]
    requests = [Request(question, flatten(part.left_out_of(table), transformation)) for part in headers]
    flat = flatten(table, transformation)
    requests += [Request(part.left_out_of(question), flat) for part in words]
    answers = _answered(ask, requests, on_progress)
    lead = lead_of(prediction, location)
    parts: list[HeaderPart | WordPart] = [*headers, *words]
    contributions = tuple(
        _contribution(part, prediction, lead, location, answer)
        for part, answer in zip(parts, answers, strict=True)
    )
    return Attribution(
        location, prediction, lead, contributions[: len(headers)], contributions[len(headers) :], unasked
    )


def _answered(ask: Ask, requests: Sequence[Request], on_progress: Progress | None) -> list[Prediction]:
    answers: list[Prediction] = []
    while len(answers) < len(requests):
        if on_progress:
            on_progress(len(answers), len(requests))
        answers += ask(requests[len(answers) : len(answers) + _ASKED_AT_ONCE])
    return answers


def _contribution(
    part: HeaderPart | WordPart,
    before: Prediction,
    lead: Lead,
    location: Location | None,
    after: Prediction,
) -> Contribution:
    left = lead_of(after, location)
    known = lead.whole is not None and left.whole is not None
    return Contribution(
        part,
        after,
        left,
        changes=(after.answer, after.locations) != (before.answer, before.locations),
        drop=(lead.whole or 0.0) - (left.whole or 0.0) if known else None,
    )
