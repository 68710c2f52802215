"""How far annotators and reviewers agree, on what the reviewers said before they saw the annotation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from qa_core.annotation.annotation import Draft
from qa_core.annotation.review import Held, Reading, is_same_person
from qa_core.evaluation.statistics import kappa

ASPECTS: dict[str, str] = {
    "cell": "The answer cell",
    "kind": "KPI-driven or Table-driven",
    "hierarchy": "Row hierarchy needed",
}


@dataclass(frozen=True)
class Agreement:
    """Pairs of (annotation id, what its author said, what a reviewer said) about one aspect."""

    pairs: tuple[tuple[str, str, str], ...]

    @property
    def n(self) -> int:
        return len(self.pairs)

    @property
    def agreed(self) -> int:
        return sum(first == second for _, first, second in self.pairs)

    @property
    def share(self) -> float | None:
        """Share of pairs that agree; None without any."""
        return self.agreed / self.n if self.n else None

    @cached_property
    def kappa(self) -> float | None:
        """Cohen's kappa (Cohen 1960), None where it is not defined."""
        return kappa([pair[1:] for pair in self.pairs])

    @property
    def differing(self) -> tuple[str, ...]:
        """Ids of the annotations that a reviewer read otherwise."""
        return tuple(dict.fromkeys(name for name, first, second in self.pairs if first != second))


def agreements(subjects: Iterable[Held]) -> dict[str, Agreement]:
    """Agreement by the names of ``ASPECTS``.

    A reviewer counts once for an annotation, with the first reading, against the version that was read. What
    either of the two left open does not count. Of a cell the table is a part: cells of two tables differ.
    """
    pairs: dict[str, list[tuple[str, str, str]]] = {aspect: [] for aspect in ASPECTS}
    for subject in subjects:
        for draft, reading in readings(subject):
            first, second = (_said(subject, each) for each in (draft, reading))
            for aspect, found in pairs.items():
                if first[aspect] and second[aspect]:
                    found.append((subject.id, first[aspect], second[aspect]))
    return {aspect: Agreement(tuple(found)) for aspect, found in pairs.items()}


def readings(subject: Held) -> Iterator[tuple[Draft, Reading]]:
    """The first reading of each reviewer, with the version that was read."""
    versions = {subject.annotation.draft.key: subject.annotation.draft}
    seen: list[str] = []
    for review in subject.reviews:
        is_first = not any(is_same_person(review.reviewer, each) for each in seen)
        if review.reading and review.version in versions and is_first:
            seen.append(review.reviewer)
            yield versions[review.version], review.reading
        if review.mended:
            versions[review.mended.key] = review.mended


def _said(subject: Held, said: Draft | Reading) -> dict[str, str]:
    needed = said.row_hierarchy_needed
    return {
        "cell": f"{subject.annotation.table_fingerprint} {said.cell.as_list()}" if said.cell else "",
        "kind": said.kind,
        "hierarchy": "" if needed is None else str(needed),
    }
