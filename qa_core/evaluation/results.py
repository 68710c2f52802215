"""Which stored runs stand for the systems on a dataset, and the commands that make their figures."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping

from qa_core.evaluation.runs import RunRecord
from qa_core.systems.lexical import NO_LEXICON
from qa_core.systems.registry import SYSTEMS
from qa_core.transform import TRANSFORMATIONS

_WITHOUT_LEXICON = f" ({NO_LEXICON})"


def system_name(run: RunRecord) -> str:
    """The name of a run's system, with or without the lexicon, in ``SYSTEMS`` where that has it."""
    return run.system.removesuffix(_WITHOUT_LEXICON)


def left_out_lexicon(run: RunRecord) -> bool:
    """Whether a run was made without the lexicon; its system then has a name of its own."""
    return run.system.endswith(_WITHOUT_LEXICON)


def has_default_model(run: RunRecord) -> bool:
    """Whether a run had the model that its system has by default; the command line takes others."""
    name = system_name(run)
    return name in SYSTEMS and SYSTEMS[name].has_default(run.weights)


def is_as_shipped(run: RunRecord) -> bool:
    """Whether a run is one of a system as it comes: with its default model, and with the lexicon."""
    return has_default_model(run) and not left_out_lexicon(run)


def standing_runs(runs: Iterable[RunRecord], fingerprint: str) -> dict[str, dict[str, RunRecord]]:
    """By system and transformation the newest run over all questions of the dataset of this fingerprint.

    Only systems as they come count (``is_as_shipped``). Every system is there, also one without runs; one
    that does not read the flat table has the same run under every transformation.
    """
    found: dict[str, dict[str, RunRecord]] = {name: {} for name in SYSTEMS}
    for run in sorted(runs, key=lambda run: run.updated):
        if run.dataset_fingerprint == fingerprint and _is_whole(run) and is_as_shipped(run):
            alike = [run.transformation] if SYSTEMS[run.system].reads_flat else TRANSFORMATIONS
            found[run.system].update(dict.fromkeys(alike, run))
    return found


def best_run(runs: Mapping[str, RunRecord]) -> RunRecord | None:
    """Of a system's runs by transformation the most accurate (strict), of equals that of the first one."""
    ordered = [runs[name] for name in TRANSFORMATIONS if name in runs]
    return max(ordered, key=lambda run: run.strict or 0.0, default=None)


def run_like(run: RunRecord, runs: Iterable[RunRecord], fingerprint: str) -> RunRecord | None:
    """The run of the very same system over another dataset, both whole; None where there is none."""
    return next(
        (
            other
            for other in runs
            if other.dataset_fingerprint == fingerprint
            and _is_whole(run)
            and _is_whole(other)
            and (other.system, other.system_version, other.weights, other.transformation)
            == (run.system, run.system_version, run.weights, run.transformation)
        ),
        None,
    )


def command_line(command: str, dataset: str, folder: str, system: str, transformation: str) -> str:
    """The command as typed in a shell; ``folder`` is empty for a dataset that needs none."""
    place = ["--data-dir", folder] if folder else []
    choices = ["--dataset", dataset, *place, "--system", system, "--transformation", transformation]
    return shlex.join(["python", "-m", "qa_core", command, *choices])


def _is_whole(run: RunRecord) -> bool:
    return run.limit is None and run.done == run.total
