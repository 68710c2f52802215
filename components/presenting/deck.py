"""What is turned in a presentation, in order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Deck:
    """What is shown one after the other: the names that the URL parameter ``name`` takes, and the one now.

    ``order`` says where names stand that are not in the deck.
    """

    name: str
    names: Sequence[str]
    here: str
    order: Mapping[str, int]

    @property
    def place(self) -> str:
        """Where one is, in words."""
        if self.here not in self.names:
            return f"not among {len(self.names):,}"
        return f"{self.names.index(self.here) + 1:,} of {len(self.names):,}"

    def beside(self, here: str) -> tuple[str | None, str | None]:
        """What comes before and after; of a name that is not in the deck, by ``order``."""
        if here in self.names:
            place = self.names.index(here)
            before, after = self.names[:place], self.names[place + 1 :]
        else:
            before = [name for name in self.names if self.order[name] < self.order[here]]
            after = [name for name in self.names if self.order[name] > self.order[here]]
        return (before[-1] if before else None), (after[0] if after else None)
