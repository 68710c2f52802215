"""The system of a stored run, to be asked other questions."""

from __future__ import annotations

from qa_core.errors import CrossheadError
from qa_core.evaluation.results import has_default_model, left_out_lexicon, system_name
from qa_core.evaluation.runs import RunRecord
from qa_core.systems.interface import System
from qa_core.systems.registry import load_system


def can_be_asked(run: RunRecord) -> bool:
    """Whether the system of a run can be loaded again: it had its default model."""
    return has_default_model(run)


def system_of(run: RunRecord) -> System:
    """The very system that made a run, loaded.

    Raises CrossheadError for a run with another model than the default one and for one of another version:
    its answers would not compare with those of the run.
    """
    if not can_be_asked(run):
        raise CrossheadError(
            f"The run {run.id} was made by {run.system} with {run.weights or 'a model'}, which Crosshead "
            "does not load by itself; choose a run of a system with its default model."
        )
    system = load_system(system_name(run), use_lexicon=not left_out_lexicon(run))
    if (system.version, system.weights) != (run.system_version, run.weights):
        raise CrossheadError(
            f"The run {run.id} was made by another version of {run.system} ({run.system_version}, and here "
            f"it is {system.version}); run it again first, so that the answers compare."
        )
    return system
