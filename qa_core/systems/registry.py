"""The systems by name; a new one is a file beside this and an entry here."""

from __future__ import annotations

import gc
import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from weakref import WeakValueDictionary

from qa_core.errors import CrossheadError
from qa_core.systems.interface import System

MAX_LOADED = 3
"""Systems with a model that are kept; the least recently used one goes first."""
WEIGHTS_ENDING = ".safetensors"
"""By this the name of a file of weights is told from that of a checkpoint."""


@dataclass(frozen=True)
class SystemSpec:
    """What can be said of a system before it is loaded.

    ``model`` is the one that it has by default, as ``System.weights`` names it, empty for a system without
    one. ``reads_flat`` is False where the answers of that model do not depend on the transformation, so that
    a run under one holds for all. ``load`` takes another model (a folder, a Hugging Face name, for ``rci`` a
    pair of them, for it and ``tapas`` a file of trained weights) or None, and is where a model is imported.
    ``load_without_lexicon`` is the same for a system that uses the lexicon, where it is to be left out; None
    for the others.
    """

    name: str
    title: str
    description: str
    model: str
    reads_flat: bool
    load: Callable[[str | None], System]
    load_without_lexicon: Callable[[str | None], System] | None = None

    @property
    def needs_model(self) -> bool:
        return bool(self.model)

    @property
    def uses_lexicon(self) -> bool:
        return self.load_without_lexicon is not None

    def has_default(self, weights: str) -> bool:
        """Whether weights that a run names are those of the default model, in any version."""
        return weights.rpartition("@")[0] == self.model


def _lexical(model: str | None, use_lexicon: bool = True) -> System:
    from qa_core.systems.lexical import LexicalSystem

    return LexicalSystem(use_lexicon)


def _rci(model: str | None, use_lexicon: bool = True) -> System:
    if model is not None and not model.endswith(WEIGHTS_ENDING):
        if not use_lexicon:
            raise CrossheadError("A pair of checkpoints uses no lexicon; do not ask to leave it out.")
        from qa_core.systems.rci_checkpoints import load_rci_checkpoints

        return load_rci_checkpoints(model)
    from qa_core.systems.lexical import LexicalSystem
    from qa_core.systems.rci_embedded import RciEmbeddedSystem, load_embedded_rci

    lexical = load_system("lexical", use_lexicon=use_lexicon)
    assert isinstance(lexical, LexicalSystem)
    if use_lexicon:
        return load_embedded_rci(lexical, Path(model) if model else None)
    rci = load_system("rci", model)
    assert isinstance(rci, RciEmbeddedSystem)
    return rci.with_lexical(lexical)


def _rci_representation(model: str | None) -> System:
    from qa_core.systems.encoder import load_encoder
    from qa_core.systems.rci_representation import RciRepresentationSystem

    return RciRepresentationSystem(load_encoder(model))


def _blend(model: str | None, use_lexicon: bool = True) -> System:
    from qa_core.systems.blend import BlendSystem
    from qa_core.systems.lexical import LexicalSystem
    from qa_core.systems.rci_representation import RciRepresentationSystem

    lexical = load_system("lexical", use_lexicon=use_lexicon)
    rci = load_system("rci-representation", model)
    assert isinstance(lexical, LexicalSystem) and isinstance(rci, RciRepresentationSystem)
    return BlendSystem(lexical, rci)


def _tapas(model: str | None) -> System:
    from qa_core.systems.tapas import load_embedded_tapas, load_tapas

    if model is not None and not model.endswith(WEIGHTS_ENDING):
        return load_tapas(model)
    return load_embedded_tapas(Path(model) if model else None)


SYSTEMS: dict[str, SystemSpec] = {
    spec.name: spec
    for spec in (
        SystemSpec(
            "lexical",
            "Lexical",
            "Matches words, synonyms and periods of the question against row and column header paths. "
            "Needs no model. Reads the table's own hierarchy, so the transformation makes no difference.",
            model="",
            reads_flat=False,
            load=_lexical,
            load_without_lexicon=partial(_lexical, use_lexicon=False),
        ),
        SystemSpec(
            "rci",
            "RCI",
            "Reads the question together with each row and each column header path and adds their scores "
            "(Glass et al. 2021) to what the words say. Reads the table's own hierarchy, so the "
            "transformation makes no difference.",
            model="crosshead-rci",
            reads_flat=False,
            load=_rci,
            load_without_lexicon=partial(_rci, use_lexicon=False),
        ),
        SystemSpec(
            "rci-representation",
            "RCI (representation)",
            "Encodes question, rows and columns of the flat table apart and adds their cosines (Glass et al. "
            "2021), with a general sentence encoder that was not trained on tables.",
            model="all-MiniLM-L6-v2",
            reads_flat=True,
            load=_rci_representation,
        ),
        SystemSpec(
            "blend",
            "Blend",
            "The lexical scores plus the encoder's of the same rows and columns.",
            model="all-MiniLM-L6-v2",
            reads_flat=True,
            load=_blend,
            load_without_lexicon=partial(_blend, use_lexicon=False),
        ),
        SystemSpec(
            "tapas",
            "TaPas",
            "Reads question and flat table at once and selects cells and an operator over them "
            "(Herzig et al. 2020).",
            model="crosshead-tapas",
            reads_flat=True,
            load=_tapas,
        ),
    )
}

_Key = tuple[str, str | None, bool]

# Whatever still lives is shared, also where only another system or a run that has begun holds it.
_living: WeakValueDictionary[_Key, System] = WeakValueDictionary()
_recent: OrderedDict[_Key, System] = OrderedDict()
_loading = threading.RLock()


def load_system(name: str, model: str | None = None, *, use_lexicon: bool = True) -> System:
    """A system by name, with its default model or the one named; safe to call from several threads.

    ``use_lexicon`` False leaves the lexicon out, which a system that uses none does not let one ask for.
    It is made once. A system without a model is kept, of the others the ``MAX_LOADED`` used last.

    Raises CrossheadError for a name that is not in ``SYSTEMS``, for a model that cannot be loaded, for an
    empty name, for one that is named where the system has none, and for a lexicon left out that the system
    does not use.
    """
    spec = SYSTEMS.get(name)
    if spec is None:
        raise CrossheadError(f"There is no system {name!r}; choose one of {', '.join(SYSTEMS)}.")
    if model and not spec.needs_model:
        raise CrossheadError(
            f"The system {name} has no model; leave out {model!r:.200}, or choose another system."
        )
    load = spec.load if use_lexicon else spec.load_without_lexicon
    if load is None:
        using = [each.name for each in SYSTEMS.values() if each.uses_lexicon]
        raise CrossheadError(
            f"The system {name} uses no lexicon, so it cannot be left out; choose one of {', '.join(using)}."
        )
    if model is not None and not model.strip():
        raise CrossheadError("The name of the model is empty; name one, or leave it out for the default.")
    key = name, model, use_lexicon
    with _loading:
        system = _living.get(key)
        is_new = system is None
        if system is None:
            system = _living[key] = load(key[1])
        _recent[key] = system
        _recent.move_to_end(key)
        _release_surplus()
        if is_new and spec.needs_model:
            _set_libraries_aside()
        return system


def _release_surplus() -> None:
    """Let go of the least recently used systems with a model beyond ``MAX_LOADED``."""
    with_model = [key for key in _recent if SYSTEMS[key[0]].needs_model]
    for key in with_model[:-MAX_LOADED]:
        del _recent[key]


def _set_libraries_aside() -> None:
    """Collect what a released model left behind, and exempt the rest from later collections.

    A model library leaves half a million objects behind, which a server that collects after every run would
    walk each time. What was exempt before is looked at once more: a released model may be among it.
    """
    gc.unfreeze()
    gc.collect()
    gc.freeze()
