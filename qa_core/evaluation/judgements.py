"""What people say about cases: notes, tags, and that a gold answer is not the right one.

Each is an entry that stays as it was written, with who wrote it and when; what holds now follows from all of
them in order. So two people who write at the same time lose nothing.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any, Literal, get_args

from qa_core.errors import CrossheadError
from qa_core.evaluation.matching import is_blank, matches_any, strict_match
from qa_core.question import Question
from qa_core.table import Location, Table
from qa_core.text import as_text

Kind = Literal["note", "tag", "untag", "gold"]
VERDICTS: dict[str, str] = {
    "wrong": "The gold answer is wrong; another cell is right, or another text.",
    "alternative": "Another cell answers the question as well as the gold does.",
    "unanswerable": "No cell of the table answers the question.",
    "stands": "The gold answer is right after all.",
}
_CLOCKS_APART = timedelta(days=1)
_SAY_WHAT_IS_RIGHT = ("wrong", "alternative")
MOST_CHARACTERS = 2_000
"""Characters of a note or a reason."""
MOST_OF_A_NAME = 60
"""Characters of an author or a tag."""


@dataclass(frozen=True)
class Judgement:
    """One entry about a question.

    ``text`` is the note, the tag, or the reason for a verdict on the gold. Of kind ``gold``, ``verdict`` is a
    name in ``VERDICTS``, ``better`` the Location of the right answer and ``answer`` its text, where there is
    one. ``made`` is in UTC. Entries with one ``key`` are one entry.
    """

    question_id: str
    kind: Kind
    text: str
    author: str
    made: datetime
    verdict: str = ""
    better: Location | None = None
    answer: str = ""

    @property
    def key(self) -> str:
        """32 hex digits of all that it says."""
        return hashlib.sha256(json.dumps(to_json(self)).encode()).hexdigest()[:32]


@dataclass(frozen=True)
class Judged:
    """What holds of one question now: its notes in order, its tags, and the last verdict on its gold, None
    where it stands."""

    notes: tuple[Judgement, ...] = ()
    tags: tuple[str, ...] = ()
    gold: Judgement | None = None

    def with_entry(self, entry: Judgement) -> Judged:
        """What holds after one more entry."""
        match entry.kind:
            case "note":
                return Judged((*self.notes, entry), self.tags, self.gold)
            case "tag":
                tags = (*self.tags, entry.text) if entry.text not in self.tags else self.tags
                return Judged(self.notes, tags, self.gold)
            case "untag":
                return Judged(self.notes, tuple(t for t in self.tags if t != entry.text), self.gold)
            case "gold":
                return Judged(self.notes, self.tags, None if entry.verdict == "stands" else entry)


def judged(entries: Iterable[Judgement]) -> dict[str, Judged]:
    """What holds of each question that has entries, given in the order in which they were made."""
    found: dict[str, Judged] = {}
    for entry in entries:
        found[entry.question_id] = found.get(entry.question_id, Judged()).with_entry(entry)
    return found


def checked(entry: Judgement, question: Question, table: Table) -> Judgement:
    """The entry as it is kept, with the text of the better cell as its answer.

    Raises CrossheadError for an empty text where there has to be one, one that is too long, and a verdict
    that does not say what would be right, or says it of a cell that is not there.
    """
    text = as_text(entry.text).strip()
    if entry.kind != "gold" and is_blank(text):
        raise CrossheadError(
            f"The {_word(entry.kind)} on question {question.id!r} is empty; write something."
        )
    most = MOST_OF_A_NAME if entry.kind in ("tag", "untag") else MOST_CHARACTERS
    if len(text) > most:
        raise CrossheadError(
            f"The {_word(entry.kind)} on question {question.id!r} has {len(text):,} characters, and at most "
            f"{most:,} are kept; shorten it."
        )
    author = as_text(entry.author).strip()[:MOST_OF_A_NAME]
    kept = Judgement(question.id, entry.kind, text, "" if is_blank(author) else author, entry.made)
    if entry.kind != "gold":
        return kept
    answer = _right_answer(entry, question, table)
    better = entry.better if entry.verdict in _SAY_WHAT_IS_RIGHT else None
    return replace(kept, verdict=entry.verdict, better=better, answer=answer)


def _word(kind: str) -> str:
    return {"note": "note", "gold": "reason"}.get(kind, "tag")


def _right_answer(entry: Judgement, question: Question, table: Table) -> str:
    if entry.verdict not in VERDICTS:
        raise CrossheadError(
            f"The verdict {entry.verdict!r:.60} on question {question.id!r} is none of {', '.join(VERDICTS)}."
        )
    if entry.verdict not in _SAY_WHAT_IS_RIGHT:
        return ""
    if entry.better is not None and entry.better not in table:
        raise CrossheadError(
            f"The better cell {entry.better.as_list()} of question {question.id!r} lies outside its table of "
            f"{table.n_rows} × {table.n_columns} cells, counted from 0."
        )
    answer = table.text_at(entry.better) if entry.better else as_text(entry.answer).strip()
    if is_blank(answer):
        raise CrossheadError(
            f"The gold of question {question.id!r} was called {entry.verdict}, but nothing says what is "
            "right; name a cell that holds a text, or write the answer."
        )
    if len(answer) > MOST_CHARACTERS and entry.better is None:
        raise CrossheadError(
            f"The right answer to question {question.id!r} has {len(answer):,} characters, and at most "
            f"{MOST_CHARACTERS:,} are kept; shorten it."
        )
    return answer


def is_right(verdict: Judgement, question: Question, prediction_answer: str, located: bool) -> bool:
    """Whether an answer is right (strict) once a verdict on the gold is taken into account.

    ``located`` says whether it rests on a cell. Where no cell answers the question, no answer is right.
    """
    if verdict.verdict == "unanswerable":
        return is_blank(prediction_answer) or not located
    accepted = (verdict.answer,) if verdict.verdict == "wrong" else (*question.answers, verdict.answer)
    return matches_any(strict_match, prediction_answer, accepted)


def to_json(entry: Judgement) -> dict[str, Any]:
    """A judgement as JSON values; those about golds have the fields ``verdict``, ``better`` and ``why``."""
    said: dict[str, Any] = {"id": entry.question_id}
    if entry.kind == "gold":
        better = entry.better.as_list() if entry.better else None
        said |= {"verdict": entry.verdict, "better": better, "answer": entry.answer, "why": entry.text}
    else:
        said |= {entry.kind: entry.text}
    return said | {"author": entry.author, "made": entry.made.isoformat()}


def from_records(
    records: Iterable[tuple[str, Mapping[str, Any]]], author: str, made: datetime
) -> list[Judgement]:
    """As ``from_json`` of each record, which comes with its place."""
    return [from_json(record, where, author, made) for where, record in records]


def from_json(record: Mapping[str, Any], where: str, author: str, made: datetime) -> Judgement:
    """A judgement out of JSON values; ``author`` and ``made`` stand in where it does not say them.

    Raises CrossheadError, beginning with ``where``, for a record that is none.
    """
    kinds = [kind for kind in get_args(Kind) if kind in record] or ["gold"] * ("verdict" in record)
    question_id = record.get("id")
    if not isinstance(question_id, str) or len(kinds) != 1:
        raise CrossheadError(
            f"{where}: a judgement needs the id of its question and one of note, tag, untag or verdict."
        )
    kind = kinds[0]
    text = record.get("why", "") if kind == "gold" else record[kind]
    values = [text, record.get("verdict", ""), record.get("answer", ""), record.get("author", author)]
    if not all(isinstance(value, str) for value in values):
        raise CrossheadError(f"{where}: text, verdict, answer and author of a judgement have to be strings.")
    text, verdict, answer, said_by = values
    return Judgement(
        question_id, kind, text, said_by, moment(record.get("made"), where, made), verdict,
        _location(record.get("better"), where), answer,
    )  # fmt: skip


def moment(value: object, where: str, otherwise: datetime) -> datetime:
    """A time out of a JSON value, in UTC; ``otherwise`` where there is none.

    Raises CrossheadError, beginning with ``where``, for a value that is no time, and for one to come, which
    would hold against all that is said until then.
    """
    if value is None:
        return otherwise
    try:
        moment = datetime.fromisoformat(str(value))
        moment = moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    except (ValueError, OverflowError):  # in UTC a time may be before the first year or after the last one
        raise CrossheadError(f"{where}: {value!r:.60} is no time; write 2026-01-31T12:00:00+00:00.") from None
    if moment > datetime.now(UTC) + _CLOCKS_APART:
        raise CrossheadError(f"{where}: the time {value!r:.60} is still to come; write when it was made.")
    return moment


def _location(value: object, where: str) -> Location | None:
    if value is None:
        return None
    if (
        isinstance(value, list)
        and len(value) == 2
        and all(each is None or (isinstance(each, int) and not isinstance(each, bool)) for each in value)
        and any(each is not None for each in value)
    ):
        return Location(*value)
    raise CrossheadError(f"{where}: better has to be [row, column], counted from 0, or null.")
