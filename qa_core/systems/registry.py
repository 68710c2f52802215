"""The systems by name; a new one is a file beside this and an entry here."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass

from qa_core.errors import CrossheadError
from qa_core.systems.interface import System


@dataclass(frozen=True)
class SystemSpec:
    """What can be said of a system before it is loaded.

    ``load`` takes the encoder (a folder, a Hugging Face name, or None for the default) and is where a
    model is imported; systems without a model take no notice of it. ``reads_flat`` is False where the
    answers do not depend on the transformation, so that a run under one holds for all.
    """

    name: str
    title: str
    description: str
    needs_model: bool
    reads_flat: bool
    load: Callable[[str | None], System]


def _lexical(encoder: str | None) -> System:
    from qa_core.systems.lexical import LexicalSystem

    return LexicalSystem()


def _rci(encoder: str | None) -> System:
    from qa_core.systems.encoder import load_encoder
    from qa_core.systems.rci_representation import RciRepresentationSystem

    return RciRepresentationSystem(load_encoder(encoder))


def _blend(encoder: str | None) -> System:
    from qa_core.systems.blend import BlendSystem
    from qa_core.systems.lexical import LexicalSystem
    from qa_core.systems.rci_representation import RciRepresentationSystem

    lexical, rci = load_system("lexical"), load_system("rci", encoder)
    assert isinstance(lexical, LexicalSystem) and isinstance(rci, RciRepresentationSystem)
    return BlendSystem(lexical, rci)


SYSTEMS: dict[str, SystemSpec] = {
    spec.name: spec
    for spec in (
        SystemSpec(
            "lexical",
            "Lexical",
            "Matches words, synonyms and periods of the question against row and column header paths. "
            "Needs no model. Reads the table's own hierarchy, so the transformation makes no difference.",
            needs_model=False,
            reads_flat=False,
            load=_lexical,
        ),
        SystemSpec(
            "rci",
            "RCI (representation)",
            "Encodes question, rows and columns of the flat table apart and adds their cosines (Glass et al. "
            "2021), with a general sentence encoder that was not trained on tables.",
            needs_model=True,
            reads_flat=True,
            load=_rci,
        ),
        SystemSpec(
            "blend",
            "Blend",
            "The lexical scores plus the encoder's of the same rows and columns.",
            needs_model=True,
            reads_flat=True,
            load=_blend,
        ),
    )
}

_loaded: dict[tuple[str, str | None], System] = {}
_loading = threading.RLock()


def load_system(name: str, encoder: str | None = None) -> System:
    """A system by name, made once per name and encoder; safe to call from several threads.

    Raises CrossheadError for a name that is not in ``SYSTEMS`` and for an encoder that cannot be loaded.
    """
    spec = SYSTEMS.get(name)
    if spec is None:
        raise CrossheadError(f"There is no system {name!r}; choose one of {', '.join(SYSTEMS)}.")
    key = name, (encoder or None) if spec.needs_model else None
    with _loading:
        if key not in _loaded:
            _loaded[key] = spec.load(key[1])
        system: System = _loaded[key]
        return system
