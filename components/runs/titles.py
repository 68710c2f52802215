"""What a run is called, and how far it is."""

from __future__ import annotations

import re
from collections.abc import Iterable

from components.pickers import TRANSFORMATION_TITLES
from components.runs.evaluations import is_under_way
from qa_core.evaluation.results import has_default_model, is_as_shipped, left_out_lexicon, system_name
from qa_core.evaluation.runs import RunRecord
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
    """The title of a run's system, with its model where that is another than the app would load, and whether
    the lexicon was left out; the name of a system that this version of the app does not know."""
    name = system_name(run)
    title = SYSTEMS[name].title if name in SYSTEMS else name
    model = "" if has_default_model(run) or not run.weights else f" with {run.weights}"
    return title + model + (" without the lexicon" if left_out_lexicon(run) else "")


def system_titles(runs: Iterable[RunRecord]) -> dict[str, str]:
    """The titles of the runs' systems by run: those of the registry in its order, as they come before others
    of the same name, unknown ones last."""
    order = {name: place for place, name in enumerate(SYSTEMS)}

    def place(run: RunRecord) -> tuple[int, bool, str]:
        return order.get(system_name(run), len(order)), not is_as_shipped(run), system_title(run)

    return {run.id: system_title(run) for run in sorted(runs, key=place)}


def names_of_both(first: RunRecord, second: RunRecord) -> tuple[str, str]:
    """The systems of two runs, told apart by their transformations or their ids where they are the same."""
    runs = first, second
    names = [system_title(run) for run in runs]
    if names[0] == names[1]:
        names = [
            f"{name}, {transformation_title(run.transformation).lower()}"
            for name, run in zip(names, runs, strict=True)
        ]
    if names[0] == names[1]:
        names = [f"{name} ({run.id})" for name, run in zip(names, runs, strict=True)]
    return names[0], names[1]


def run_file(run: RunRecord) -> str:
    """The name of a file about a run, without its ending."""
    return file_name(run.dataset, run.system, run.transformation, run.id)


def file_name(*words: str) -> str:
    """Words as the name of a file, without its ending: lower case, joined by hyphens."""
    return "-".join(re.findall(r"[a-z0-9]+", " ".join(words).lower()))


def transformation_title(name: str) -> str:
    """The title of a transformation; its name where it is one of another version of the app."""
    return TRANSFORMATION_TITLES.get(name, name)
