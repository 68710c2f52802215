"""What a second person says of an annotation, and what holds of it then."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from qa_core.annotation.annotation import MOST_OF_A_NAME, MOST_OF_A_REASON, Annotation, Draft
from qa_core.errors import CrossheadError
from qa_core.evaluation.matching import is_blank
from qa_core.table import Location
from qa_core.text import as_text, fold, squeeze

Verdict = Literal["accept", "mend", "reject", "withdraw"]
State = Literal["unreviewed", "accepted", "mended", "rejected", "withdrawn"]

STATES: dict[State, str] = {
    "unreviewed": "Nobody has reviewed it yet.",
    "accepted": "A second person accepts it as it stands.",
    "mended": "A second person mended it; the mended version holds.",
    "rejected": "A second person rejected it, with a reason.",
    "withdrawn": "Its author took it back.",
}
_LEADS_TO: dict[Verdict, State] = {
    "accept": "accepted",
    "mend": "mended",
    "reject": "rejected",
    "withdraw": "withdrawn",
}
STANDING = ("accepted", "mended")
"""States of annotations that became questions."""


@dataclass(frozen=True)
class Reading:
    """What a reviewer took for the answer, the kind and the hierarchy flag before seeing the annotator's."""

    cell: Location | None = None
    kind: str = ""
    row_hierarchy_needed: bool | None = None


@dataclass(frozen=True)
class Review:
    """One entry about an annotation, of the version with this ``Draft.key``; ``made`` is in UTC.

    ``mended`` is the new version of a verdict ``mend``, ``reading`` what the reviewer said unseen, where he
    said anything.
    """

    annotation_id: str
    version: str
    verdict: Verdict
    reason: str
    reviewer: str
    made: datetime
    mended: Draft | None = None
    reading: Reading | None = None


@dataclass(frozen=True)
class Held:
    """What holds of an annotation: the version that stands, whose it is, its state, all reviews in order.

    A review of another version than the one that stood by then came too late: it is kept and changes
    nothing.
    """

    annotation: Annotation
    draft: Draft
    drafted_by: str
    state: State = "unreviewed"
    reviews: tuple[Review, ...] = ()

    @property
    def id(self) -> str:
        return self.annotation.id

    @property
    def table_id(self) -> str:
        return self.annotation.table_id

    @property
    def stands(self) -> bool:
        """Whether it was accepted or mended."""
        return self.state in STANDING

    @property
    def is_open(self) -> bool:
        """Whether nobody has turned it down."""
        return self.state not in ("rejected", "withdrawn")

    def with_review(self, review: Review) -> Held:
        """What holds after one more review."""
        after = replace(self, reviews=(*self.reviews, review))
        if review.version != self.draft.key:
            return after
        after = replace(after, state=_LEADS_TO[review.verdict])
        if review.mended is None:
            return after
        return replace(after, draft=review.mended, drafted_by=review.reviewer)


def held(annotations: Iterable[Annotation], reviews: Iterable[Review]) -> dict[str, Held]:
    """What holds of annotations by id, both given in the order in which they were made."""
    found = {each.id: Held(each, each.draft, each.author) for each in annotations}
    for review in reviews:
        if review.annotation_id in found:
            found[review.annotation_id] = found[review.annotation_id].with_review(review)
    return found


def is_same_person(first: str, second: str) -> bool:
    """Whether two names are one: by their letters and digits, without regard to case and accents."""
    return _letters(first) == _letters(second)


def _letters(name: str) -> str:
    parts = unicodedata.normalize("NFKD", fold(name))
    # A name without any is compared as it stands.
    return "".join(part for part in parts if part.isalnum()) or parts


def checked_review(review: Review, subject: Held) -> Review:
    """The review as it is kept.

    Raises CrossheadError without a name, for a verdict on what one wrote oneself, a rejection without a
    reason, a reason that is too long, and a mend that changes nothing.
    """
    reviewer = squeeze(as_text(review.reviewer))[:MOST_OF_A_NAME]
    reason = squeeze(as_text(review.reason))
    if is_blank(reviewer):
        raise CrossheadError("A review needs the name of its reviewer; write yours.")
    if review.verdict not in _LEADS_TO:
        raise CrossheadError(f"The verdict {review.verdict!r:.60} is none of {', '.join(_LEADS_TO)}.")
    if review.verdict == "withdraw":
        if not is_same_person(reviewer, subject.annotation.author):
            raise CrossheadError("Only its author withdraws a question; reject it instead.")
    elif is_same_person(reviewer, subject.drafted_by):
        raise CrossheadError(
            f"{reviewer} wrote this version of the question; a review is a second person's. Leave it to one, "
            "or write your own name."
        )
    if review.verdict == "reject" and not reason:
        raise CrossheadError("A rejection needs a reason; write why.")
    if len(reason) > MOST_OF_A_REASON:
        raise CrossheadError(
            f"The reason has {len(reason):,} characters, and at most {MOST_OF_A_REASON:,} are kept; "
            "shorten it."
        )
    if (review.verdict == "mend") != (review.mended is not None) or review.mended == subject.draft:
        raise CrossheadError("Nothing of the question was changed; accept it, or change what is wrong.")
    return replace(review, reviewer=reviewer, reason=reason)
