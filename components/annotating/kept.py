"""Annotations in a list of plain HTML."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from urllib.parse import urlencode

from components.plain import html, shorten
from components.state import shared_choices
from qa_core.annotation.review import Held, Review
from qa_core.question import Question

VERDICTS = {"accept": "accepted", "mend": "mended", "reject": "rejected", "withdraw": "withdrawn"}


def annotation_list_markup(subjects: Iterable[Held]) -> str:
    """A line for each: the question, which leads to its review, its state and answer, and who said what."""
    return f'<ol class="ch-list ch-annotations">{"".join(map(_line, subjects))}</ol>'


def annotation_markup(subject: Held, others: Iterable[Question]) -> str:
    """One annotation without its question: its answer, its state, who wrote and reviewed it, and which of the
    ``others`` it paraphrases."""
    answer = html(shorten(" · ".join(subject.draft.answers), 80))
    paraphrased = "".join(
        f"<div>paraphrase of “{html(shorten(other.text, 200))}”</div>"
        for other in others
        if other.id == subject.draft.paraphrase_of
    )
    return (
        f'<ol class="ch-list"><li><b>{answer}</b><i>{subject.state}</i>'
        f"<div>{' · '.join(_said(subject))}</div>{paraphrased}{_reviews(subject)}</li></ol>"
    )


def question_list_markup(questions: Iterable[Question]) -> str:
    """A line for each of a dataset's own questions, which leads to the page *Ask*."""
    return f'<ol class="ch-list">{"".join(map(_own_line, questions))}</ol>'


def annotation_link(**parameters: str | None) -> str:
    """The address of the page with the shared choices and ``parameters``."""
    return "annotate?" + urlencode(shared_choices(question=None, q=None, **parameters))


def _own_line(question: Question) -> str:
    choices = shared_choices(table=question.table_id, question=question.id, q=None)
    address = escape("./?" + urlencode(choices))
    return (
        f'<li><b><a href="{address}" target="_self">{html(shorten(question.text, 200))}</a></b>'
        f"<i>{html(shorten(question.id, 40))}</i>"
        f"<div>answer <b>{html(shorten(' · '.join(question.answers), 80))}</b></div></li>"
    )


def _line(subject: Held) -> str:
    address = escape(annotation_link(view="review", case=subject.id, table=subject.table_id))
    question = html(shorten(subject.draft.text, 200))
    answer = html(shorten(" · ".join(subject.draft.answers), 80))
    said = [f"answer <b>{answer}</b>", *_said(subject)]
    return (
        f'<li><b><a href="{address}" target="_self">{question}</a></b><i>{subject.state}</i>'
        f"<div>{' · '.join(said)}</div>{_reviews(subject)}</li>"
    )


def _said(subject: Held) -> list[str]:
    parts = (f"by {html(subject.annotation.author)}", subject.draft.kind, _flag(subject))
    return [part for part in parts if part]


def _reviews(subject: Held) -> str:
    return "".join(f"<div>{_review(review)}</div>" for review in subject.reviews)


def _flag(subject: Held) -> str:
    needed = subject.draft.row_hierarchy_needed
    return "" if needed is None else f"row hierarchy {'' if needed else 'not '}needed"


def _review(review: Review) -> str:
    reason = f": {html(shorten(review.reason, 200))}" if review.reason else ""
    return f"{VERDICTS[review.verdict]} by {html(review.reviewer)}{reason}"
