"""What a table view marks."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace

from qa_core.table import Location


@dataclass(frozen=True)
class Marks:
    """The cells and headers to mark by frame and word, with the words for the two systems' cells.

    ``predicted`` are the first system's Locations, ``other`` the second one's. ``numbers`` are said behind
    the word at some of them, where several predictions are marked at once.
    """

    gold: Collection[Location] = ()
    predicted: Collection[Location] = ()
    other: Collection[Location] = ()
    predicted_name: str = "predicted"
    other_name: str = "other"
    numbers: Mapping[Location, str] = field(default_factory=dict)

    def map(self, place: Callable[[Location], Location | None]) -> Marks:
        """The same marks at the Locations that ``place`` gives; those without one are left out."""

        def placed(locations: Collection[Location]) -> tuple[Location, ...]:
            places = (place(location) for location in dict.fromkeys(locations))
            return tuple(location for location in places if location is not None)

        return replace(
            self,
            gold=placed(self.gold),
            predicted=placed(self.predicted),
            other=placed(self.other),
            numbers={at: text for each, text in self.numbers.items() if (at := place(each)) is not None},
        )


NO_MARKS = Marks()
