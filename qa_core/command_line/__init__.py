"""The commands of ``python -m qa_core``, a module for each; a new one is a line in ``COMMANDS``."""

from __future__ import annotations

import argparse
import logging
from collections.abc import Sequence
from typing import NoReturn

from qa_core import __version__
from qa_core.command_line import (
    annotate,
    ask,
    calibrate,
    datasets,
    evaluate,
    export_predictions,
    extract,
    judgements,
    reproduce,
    rewordings,
    robustness,
)
from qa_core.command_line.output import finish, replace_unwritable, say, write
from qa_core.errors import CrossheadError, shorten

COMMANDS = (
    datasets.COMMAND,
    evaluate.COMMAND,
    calibrate.COMMAND,
    reproduce.COMMAND,
    judgements.COMMAND,
    rewordings.COMMAND,
    robustness.COMMAND,
    export_predictions.COMMAND,
    annotate.COMMAND,
    ask.COMMAND,
    extract.COMMAND,
)

_EXAMPLES = """\
examples:
  python -m qa_core datasets
  python -m qa_core datasets --data-dir ~/AITQA/data
  python -m qa_core evaluate --dataset sample --system lexical --transformation base
  python -m qa_core evaluate --dataset aitqa --data-dir ~/AITQA/data --system rci \\
      --transformation transpose-partial --json
  python -m qa_core calibrate --dataset aitqa --data-dir ~/AITQA/data --system rci
  python -m qa_core reproduce --dataset aitqa --data-dir ~/AITQA/data --out reproduction
  python -m qa_core judgements --dataset aitqa --data-dir ~/AITQA/data --import judgements.jsonl
  python -m qa_core rewordings --dataset aitqa --data-dir ~/AITQA/data --import own.jsonl
  python -m qa_core robustness --dataset aitqa --data-dir ~/AITQA/data --run 0123456789ab
  python -m qa_core export-predictions --run 0123456789ab --out predictions.parquet
  python -m qa_core annotations --dataset aitqa --data-dir ~/AITQA/data --export written
  python -m qa_core ask table.json "What was the load factor in 2018?"
  python -m qa_core ask tables.jsonl --table-id s-air-op-2 "Mainline load factor, 2018?" --json
  python -m qa_core ask filing.html.gz --table-index 57 "What were net sales in 2024?"
  python -m qa_core extract filing.html.gz > tables.jsonl
"""


def run(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code: 0, also where nobody reads the output on, or 2 for bad input.

    Raises SystemExit as argparse does: after the help (0) and for arguments that it refuses (2).
    """
    replace_unwritable()
    logging.getLogger("qa_core").addHandler(logging.NullHandler())  # what it logs is said as a sentence here
    try:
        try:
            options = _parser().parse_args(arguments)
            options.run(options)
        finally:
            finish()
    except CrossheadError as fault:
        say(f"crosshead: {fault}")
        return 2
    except BrokenPipeError:
        return 0
    return 0


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        say(f"crosshead: {shorten(message)}; see python -m qa_core --help.")
        raise SystemExit(2)

    def print_help(self, file: object = None) -> None:
        """As argparse does, which passes over faults of the output."""
        write(self.format_help().rstrip())


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="python -m qa_core",
        description="Question answering over tables with hierarchical headers.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"crosshead {__version__}")
    parsers = parser.add_subparsers(required=True, metavar="COMMAND", parser_class=_Parser)
    for command in COMMANDS:
        options = parsers.add_parser(
            command.name,
            help=command.help,
            epilog=_EXAMPLES,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        command.add_options(options)
        options.add_argument("--json", action="store_true", help="print JSON")
        options.set_defaults(run=command.run)
    return parser
