"""``python -m components.report``: the report of a run, or of a comparison of two, without the app."""

from __future__ import annotations

import argparse
import logging
import sys
from collections.abc import Sequence
from pathlib import Path

from qa_core.command_line.command import positive
from qa_core.command_line.evaluations import add_dataset, dataset_of
from qa_core.command_line.output import say
from qa_core.errors import CrossheadError
from qa_core.evaluation.comparison import CHANGES
from qa_core.evaluation.filters import FILTERS

_CHANGE = "change"
_EXAMPLES = """\
examples:
  python -m components.report --run 0123456789ab --out report.html
  python -m components.report --run 0123456789ab --list slice=kpi-driven --cases 50 --out report.html
  python -m components.report --run 0123456789ab --other ba9876543210 --list change=lost --out lost.html
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Write one report; returns the exit code: 0, or 2 for bad input.

    Raises SystemExit as argparse does.
    """
    options = _parser().parse_args(arguments)
    logging.disable(logging.WARNING)  # Streamlit would remark that no app is running
    try:
        _write(options)
    except CrossheadError as fault:
        say(f"crosshead: {fault}")
        return 2
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m components.report",
        description="Write the report of a run, or of what a second run changed, as one HTML file.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_dataset(parser)
    parser.set_defaults(dataset=None)
    parser.add_argument("--run", required=True, metavar="ID", help="the run, as evaluate and the app name it")
    parser.add_argument("--other", metavar="ID", help="compare it with this second run")
    parser.add_argument("--cases", type=positive, metavar="N", help="cases in the report (20)")
    parser.add_argument(
        "--list",
        dest="listed",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="take the cases among these questions, named as in the addresses of the app; may be repeated",
    )
    parser.add_argument("--out", required=True, type=Path, metavar="FILE", help="FILE.html")
    return parser


def _write(options: argparse.Namespace) -> None:
    from components.report.comparison_report import comparison_report
    from components.report.run_report import FEW_CASES, run_report
    from components.report.sources import Sources
    from qa_core.evaluation.filters import Filters
    from qa_core.evaluation.judgement_store import JudgementStore
    from qa_core.evaluation.store import RunStore

    store = RunStore(options.store)
    options.dataset = options.dataset or store.run(options.run).dataset
    sources = Sources(dataset_of(options), store, JudgementStore(options.store))
    listed, most = _listed(options), options.cases or FEW_CASES
    if options.other:
        report = comparison_report(sources, options.run, options.other, listed, most_cases=most)
    else:
        report = run_report(sources, options.run, Filters(listed), most_cases=most)
    try:
        options.out.write_text(report, encoding="utf-8")
    except OSError as fault:
        raise CrossheadError(
            f"{options.out} cannot be written: {fault.strerror}; name another file."
        ) from fault


def _listed(options: argparse.Namespace) -> dict[str, str]:
    """Which questions are asked for. Raises CrossheadError for a name or value that is none."""
    known = {name: facet.values for name, facet in FILTERS.items()}
    if options.other:
        known = {_CHANGE: CHANGES, "slice": known["slice"], "reason": known["reason"]}
    listed = {}
    for each in options.listed:
        name, _, value = each.partition("=")
        if name not in known:
            raise CrossheadError(f"Questions are not listed by {name!r}; choose one of {', '.join(known)}.")
        if value not in known[name]:
            raise CrossheadError(f"{name} is none of {', '.join(known[name])}, but {value!r}; choose one.")
        listed[name] = value
    return listed


if __name__ == "__main__":
    sys.exit(main())
