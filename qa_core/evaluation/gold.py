"""Where the gold answer of a question stands in its table.

Datasets give answers as strings. A string may stand in one place, in several, in a header, or nowhere;
all candidates are kept and the status says which case it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from qa_core.evaluation.matching import is_blank, matches_any, normalised_match, strict_match
from qa_core.question import Question
from qa_core.table import HeaderPath, Location, Table, join_path, leaf
from qa_core.text import fold

GoldStatus = Literal["unique", "ambiguous", "header", "nowhere"]


@dataclass(frozen=True)
class Gold:
    """The Locations that hold a gold answer, in reading order.

    ``status`` is ``unique`` (one body cell), ``ambiguous`` (several), ``header`` (no body cell, or annotated
    as a header) or ``nowhere``. ``intended`` is the annotated Location where it holds the answer, else the
    only candidate, else None. ``warning`` says in a sentence why an annotation was ignored.
    """

    locations: tuple[Location, ...]
    status: GoldStatus
    intended: Location | None = None
    warning: str = ""

    @property
    def targets(self) -> tuple[Location, ...]:
        """The Locations that a prediction is judged against: the intended one, else every candidate."""
        return self.locations if self.intended is None else (self.intended,)

    def to_json(self) -> dict[str, Any]:
        """The gold as JSON values, the inverse of ``from_json``."""
        return {
            "locations": [location.as_list() for location in self.locations],
            "status": self.status,
            "intended": self.intended and self.intended.as_list(),
            "warning": self.warning,
        }

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> Gold:
        """Rebuild a gold from ``to_json``."""
        intended = record["intended"]
        return cls(
            locations=tuple(Location(*pair) for pair in record["locations"]),
            status=record["status"],
            intended=Location(*intended) if intended else None,
            warning=record["warning"],
        )


def find_gold(question: Question, table: Table) -> Gold:
    """Find every Location of a question's accepted answers.

    Body cells under the strict rule come first; only where there is none, body cells under the normalised
    rule; only where there is none, headers.
    """
    answers = tuple(dict.fromkeys(question.answers))
    locations = (
        _cells(table, answers, strict_match)
        or _cells(table, answers, normalised_match)
        or _headers(table, answers)
    )
    annotated, warning = _annotation(question, table)
    if annotated is not None and annotated not in locations:
        locations = (annotated, *locations)
    intended = annotated or (locations[0] if len(locations) == 1 else None)
    return Gold(locations, _status(locations, intended), intended, warning)


def _cells(table: Table, answers: Sequence[str], match: Callable[[str, str], bool]) -> tuple[Location, ...]:
    texts = {text for row in table.cells for text in row}  # a value that repeats is matched once
    matching = {text for text in texts if matches_any(match, text, answers)}
    return tuple(location for location in table.locations() if table.text_at(location) in matching)


def _headers(table: Table, answers: Sequence[str]) -> tuple[Location, ...]:
    """Headers whose leaf or whole path is an answer, or else all headers below such a label."""
    wanted = {fold(answer) for answer in answers if not is_blank(answer)}
    return tuple(
        location for location, path in _header_paths(table) if not wanted.isdisjoint(_names(path))
    ) or tuple(location for location, path in _header_paths(table) if not wanted.isdisjoint(map(fold, path)))


def _header_paths(table: Table) -> Iterator[tuple[Location, HeaderPath]]:
    for row in range(table.n_rows):
        yield Location(row, None), table.row_path(row)
    for column in range(table.n_columns):
        yield Location(None, column), table.column_path(column)


def _names(path: HeaderPath) -> set[str]:
    return {fold(leaf(path)), fold(join_path(path))}


def _annotation(question: Question, table: Table) -> tuple[Location | None, str]:
    """The annotated Location where it holds an answer, and a sentence where it does not."""
    cell = question.cell
    if cell is None:
        return None, ""
    if cell not in table:
        return None, f"The annotated {_in_words(cell)} lies outside the table; it was ignored."
    if not _holds(cell, question.answers, table):
        return None, f"The annotated {_in_words(cell)} does not hold the answer; it was ignored."
    return cell, ""


def _holds(location: Location, answers: Sequence[str], table: Table) -> bool:
    if location.is_cell:
        return matches_any(normalised_match, table.text_at(location), answers)
    path = dict(_header_paths(table))[location]
    wanted = {fold(answer) for answer in answers if not is_blank(answer)}
    return not wanted.isdisjoint(_names(path) | set(map(fold, path)))


def _in_words(location: Location) -> str:
    """A Location as people count, from 1."""
    if location.row is None:
        return f"header of column {(location.column or 0) + 1}"
    if location.column is None:
        return f"header of row {location.row + 1}"
    return f"cell in row {location.row + 1}, column {location.column + 1}"


def _status(locations: Sequence[Location], intended: Location | None) -> GoldStatus:
    if not locations:
        return "nowhere"
    if not (intended or locations[0]).is_cell:
        return "header"
    return "unique" if len(locations) == 1 else "ambiguous"
