"""Checks of a question while it is written: each finding is a sentence.

Findings warn. Only what makes no question at all refuses: no text, no answer.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from qa_core.annotation.annotation import MOST_OF_A_QUESTION, Draft
from qa_core.annotation.answer_checks import answer_checks, answer_place, answers_of
from qa_core.annotation.finding import Finding, note, refusal, said_place, warning
from qa_core.errors import CrossheadError
from qa_core.evaluation.gold import Gold
from qa_core.evaluation.matching import is_blank, matches_any, normalised_match, strict_match
from qa_core.evaluation.slices import slices_of
from qa_core.question import KPI_DRIVEN, TABLE_DRIVEN, Question
from qa_core.table import Location, Table, leaf
from qa_core.text import as_text, fold, shorten, squeeze

_APOSTROPHES = re.compile(r"['`\u00b4\u02bc]")
LONG_QUESTION = 250
"""Characters from which on a question is called long."""

_ASKING = frozenset(
    {"what", "when", "where", "which", "who", "whom", "whose", "why", "how", "is", "are", "was", "were", "do"}
    | {
        "does",
        "did",
        "has",
        "have",
        "had",
        "can",
        "could",
        "will",
        "would",
        "should",
        "by",
        "in",
        "on",
        "for",
    }
    | {"of", "at", "from", "to", "give", "list", "name", "state", "tell", "show", "find", "calculate"}
)


def findings(draft: Draft, table: Table, others: Sequence[Question] = ()) -> list[Finding]:
    """All that is odd about a draft, refusals first.

    ``others`` are the questions that the table has already, annotated ones among them, in their paraphrase
    sets; the draft itself is not one of them.
    """
    found = [finding for check in _CHECKS for finding in check(draft, table, others)]
    order = ("refusal", "warning", "note")
    return sorted(found, key=lambda finding: order.index(finding.severity))


def as_kept(draft: Draft, table: Table, known: Sequence[str] = ()) -> Draft:
    """The draft as it is kept: with the text of its cell, or the cell of its text where that stands in one.

    ``known`` are the ids that it may be a paraphrase of. Raises CrossheadError with the first refusal.
    """
    answers = tuple(answer for answer in map(as_text, draft.answers) if not is_blank(answer))
    draft = replace(draft, text=squeeze(as_text(draft.text)), answers=answers)
    for finding in findings(draft, table):
        if finding.severity == "refusal":
            raise CrossheadError(finding.sentence)
    if draft.kind not in ("", KPI_DRIVEN, TABLE_DRIVEN):
        raise CrossheadError(
            f"The kind {draft.kind!r:.60} of the question is neither {KPI_DRIVEN} nor {TABLE_DRIVEN}."
        )
    if draft.paraphrase_of and draft.paraphrase_of not in known:
        raise CrossheadError(
            f"The question {draft.paraphrase_of!r:.60} that this one paraphrases is not one of table "
            f"{table.id!r:.60}; choose another."
        )
    cell = answer_place(draft, table)
    if cell is None or (draft.cell is not None and answers):
        return draft
    if any(strict_match(table.text_at(cell), answer) for answer in answers):
        return replace(draft, cell=cell)
    return replace(draft, cell=cell, answers=(table.text_at(cell),))


def needs_row_hierarchy(table: Table, cell: Location | None) -> bool | None:
    """What the table says of the flag: whether the leaf label of the answer's row stands
    under other parents too. None without a row.
    """
    if cell is None or cell.row is None or cell not in table:
        return None
    slices = slices_of(Question("", table.id, "", ()), table, Gold((cell,), "unique", cell))
    return {"leaf-repeats": True, "leaf-unique": False}[slices[-1]]


def _text(draft: Draft, _: Table, __: Sequence[Question]) -> Iterator[Finding]:
    text = squeeze(as_text(draft.text))
    if is_blank(text):
        yield refusal("no-text", "The question is empty; write one.")
    elif len(text) > MOST_OF_A_QUESTION:
        yield refusal(
            "too-long",
            f"The question has {len(text):,} characters, and at most {MOST_OF_A_QUESTION:,} are kept; "
            "shorten it.",
        )
    elif not re.search(r"[^\W\d_]{2}", text):
        yield warning("no-question", "The question holds no word.")
    elif not text.endswith("?") and not _ASKING.intersection(fold(text).split()[:2]):
        yield note(
            "no-question",
            "This reads as no question: it begins with no word that asks, and ends with no question mark.",
        )
    if LONG_QUESTION < len(text) <= MOST_OF_A_QUESTION:
        yield warning("long", f"The question is long, {len(text):,} characters.")


def _duplicate(draft: Draft, _: Table, others: Sequence[Question]) -> Iterator[Finding]:
    words = _words(draft.text)
    for other in others:
        if words and _words(other.text) == words:
            yield warning("duplicate", f"The table has this question already: {shorten(other.id, 60)}.")
            return


def _hierarchy(draft: Draft, table: Table, _: Sequence[Question]) -> Iterator[Finding]:
    said, cell = draft.row_hierarchy_needed, answer_place(draft, table)
    needed = needs_row_hierarchy(table, cell)
    if cell is None or cell.row is None or said is None or needed is None or needed == said:
        return
    label = shorten(leaf(table.row_path(cell.row)), 60)
    if needed:
        sentence = f"The row label “{label}” also stands under other headers, so the row hierarchy is needed."
    elif label:
        sentence = (
            f"The row label “{label}” stands under no other header, so the row hierarchy is not needed."
        )
    else:
        sentence = "The row has no label, so there is no row hierarchy that could be needed."
    yield warning("hierarchy", sentence, cell)


def _paraphrase(draft: Draft, table: Table, others: Sequence[Question]) -> Iterator[Finding]:
    named = next((other for other in others if other.id == draft.paraphrase_of), None)
    if named is None:
        return
    group = named.paraphrase_group
    members = [other for other in others if other is named or (group and other.paraphrase_group == group)]
    found = (_disagreement(draft, table, member) for member in members)
    yield from [finding for finding in found if finding][:1]


def _disagreement(draft: Draft, table: Table, member: Question) -> Finding | None:
    """What tells a draft from a question that it is said to paraphrase."""
    question = f"“{shorten(member.text, 90)}” of the same paraphrase set"
    answers = answers_of(draft, table)
    if answers and not any(matches_any(normalised_match, answer, member.answers) for answer in answers):
        said = shorten(" · ".join(member.answers), 60)
        return warning("other-answer", f"{question} is answered by “{said}”.")
    if draft.cell and member.cell and draft.cell != member.cell and member.cell in table:
        place = said_place(table, member.cell)
        return warning("other-answer", f"{question} is answered in another cell, {place}.", member.cell)
    flags = {draft.row_hierarchy_needed, member.row_hierarchy_needed}
    if flags == {True, False}:
        needs = "needing" if member.row_hierarchy_needed else "not needing"
        return warning("other-flag", f"{question} is marked as {needs} the row hierarchy.")
    return None


def _own_answer(draft: Draft, table: Table, _: Sequence[Question]) -> Iterator[Finding]:
    text = fold(draft.text[:MOST_OF_A_QUESTION])
    for answer in map(fold, answers_of(draft, table)):
        if re.search(r"\w", answer) and _stands_alone(answer, text):
            yield warning("own-answer", f"The question holds its own answer, “{shorten(answer, 60)}”.")
            return


def _kind(draft: Draft, _: Table, __: Sequence[Question]) -> Iterator[Finding]:
    if not draft.kind:
        yield note("no-kind", f"Say whether the question is {KPI_DRIVEN} or {TABLE_DRIVEN}.")


def _stands_alone(answer: str, text: str) -> bool:
    """Whether an answer stands in a text, and not as a part of a word or a longer number."""
    return bool(re.search(rf"(?<!\w)(?<!\d[.,]){re.escape(answer)}(?!\w)(?![.,]\d)", text))


def _words(text: str) -> list[str]:
    """The words of a question as they sound: without punctuation, apostrophes and what shows nothing."""
    seen = "".join(char for char in text[: 2 * MOST_OF_A_QUESTION] if unicodedata.category(char) != "Cf")
    return re.findall(r"\w+", _APOSTROPHES.sub("", fold(seen)))


_CHECKS: tuple[Callable[[Draft, Table, Sequence[Question]], Iterator[Finding]], ...] = (
    _text, answer_checks, _duplicate, _hierarchy, _paraphrase, _own_answer, _kind,
)  # fmt: skip
