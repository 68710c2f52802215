"""What a run is called, and how far it is."""

from __future__ import annotations

from components.pickers import TRANSFORMATION_TITLES
from components.run_control import is_under_way
from qa_core.evaluation.results import has_default_model
from qa_core.evaluation.store import RunRecord
from qa_core.systems.registry import SYSTEMS


def run_title(run: RunRecord) -> str:
    """One line that tells a run from the others: system, transformation, size, accuracy and time."""
    size = f"n = {run.done}" if run.done == run.total else f"{run.done} of {run.total}, {run_status(run)}"
    accuracy = "no figure yet" if run.strict is None else f"{run.strict:.1%} strict"
    return " · ".join(
        (
            system_title(run),
            transformation_title(run.transformation),
            size,
            accuracy,
            f"{run.updated:%Y-%m-%d %H:%M} UTC",
        )
    )


def run_status(run: RunRecord) -> str:
    """Whether a run that is not finished goes on."""
    return "running" if is_under_way(run) else "stopped"


def system_title(run: RunRecord) -> str:
    """The title of a run's system, with its model where that is another than the app would load; the name
    of a system that this version of the app does not know."""
    title = SYSTEMS[run.system].title if run.system in SYSTEMS else run.system
    return title if has_default_model(run) or not run.weights else f"{title} with {run.weights}"


def transformation_title(name: str) -> str:
    """The title of a transformation; its name where it is one of another version of the app."""
    return TRANSFORMATION_TITLES.get(name, name)
