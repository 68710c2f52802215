"""What a system says: the answer, the cell it stands in, and what else it considered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from qa_core.table import Location

MAX_CANDIDATES = 10


@dataclass(frozen=True)
class Candidate:
    """A Location that a system considered, its text, and its score (higher is better, no fixed unit).

    ``row_label`` says which row it is: its header, or its first text where the table has no row headers.
    """

    location: Location
    text: str
    score: float
    row_label: str = ""


@dataclass(frozen=True)
class LexiconMatch:
    """An entry of the lexicon that joined words of the question to other words of the answer's headers.

    ``entry`` is its name in the lexicon; ``asked`` stands in the question, ``found`` in a header or a text
    cell of the answer's row, both as written there; a quarter in figures is written "Q2", a year "2018".
    """

    entry: str
    asked: str
    found: str


@dataclass(frozen=True)
class Prediction:
    """The answer of one system to one question over one table.

    ``answer`` is empty where the system abstained. ``locations`` are the cells that the answer rests on,
    best first: one for a system that selects a cell, several under an ``operator``. ``candidates`` are
    ranked, at most ``MAX_CANDIDATES``. ``row_scores`` and ``column_scores`` have one entry per row and
    column of the original table, or none where the system does not score them. ``confidence`` is in
    [0, 1]. ``notes`` are sentences: rows dropped, abstained, fell back. ``lexicon`` are the entries of the
    lexicon that fired, for the systems that use it.
    """

    answer: str
    locations: tuple[Location, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    row_scores: tuple[float, ...] = ()
    column_scores: tuple[float, ...] = ()
    confidence: float = 0.0
    operator: str = ""
    notes: tuple[str, ...] = ()
    lexicon: tuple[LexiconMatch, ...] = ()

    @property
    def location(self) -> Location | None:
        """The first location of the answer; None for an abstention."""
        return self.locations[0] if self.locations else None

    def to_json(self) -> dict[str, Any]:
        """The prediction as JSON values, the inverse of ``from_json``."""
        return {
            "answer": self.answer,
            "locations": [location.as_list() for location in self.locations],
            "candidates": [
                {
                    "location": c.location.as_list(),
                    "text": c.text,
                    "score": c.score,
                    "row_label": c.row_label,
                }
                for c in self.candidates
            ],
            "row_scores": list(self.row_scores),
            "column_scores": list(self.column_scores),
            "confidence": self.confidence,
            "operator": self.operator,
            "notes": list(self.notes),
            "lexicon": [asdict(match) for match in self.lexicon],
        }

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> Prediction:
        """Rebuild a prediction from ``to_json``; those of earlier versions name no entries of the lexicon."""
        return cls(
            answer=record["answer"],
            locations=tuple(Location(*pair) for pair in record["locations"]),
            candidates=tuple(
                Candidate(Location(*c["location"]), c["text"], c["score"], c.get("row_label", ""))
                for c in record["candidates"]
            ),
            row_scores=tuple(record["row_scores"]),
            column_scores=tuple(record["column_scores"]),
            confidence=record["confidence"],
            operator=record["operator"],
            notes=tuple(record["notes"]),
            lexicon=tuple(LexiconMatch(**match) for match in record.get("lexicon", ())),
        )


def abstain(reason: str) -> Prediction:
    """A prediction without an answer and the sentence that says why."""
    return Prediction(answer="", notes=(reason,))
