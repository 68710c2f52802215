"""What a command is, and the options that several share."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass

from qa_core.systems.registry import SYSTEMS
from qa_core.transform import TRANSFORMATIONS


@dataclass(frozen=True)
class Command:
    """A command: its options beside ``--json``, and what it does with them.

    ``run`` raises CrossheadError for bad input.
    """

    name: str
    help: str
    add_options: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], None]


def add_system(parser: argparse.ArgumentParser) -> None:
    """Add the options that choose a system."""
    parser.add_argument("--system", choices=list(SYSTEMS), default="lexical")
    parser.add_argument("--transformation", choices=list(TRANSFORMATIONS), default="base")
    parser.add_argument(
        "--model",
        metavar="NAME",
        help="another model than the system's own, by folder or Hugging Face name: for rci a pair of "
        "sequence classifiers (owner/name-{row,col}, or two names with a comma, rows first) or a file of "
        "weights that qa_core.training.rci exported (FILE.safetensors), for rci-representation and blend an "
        "encoder, for tapas a TAPAS checkpoint",
    )
    parser.add_argument(
        "--no-lexicon",
        dest="use_lexicon",
        action="store_false",
        help="leave out synonyms, abbreviations and ordinals of periods; for lexical, rci and blend",
    )


def positive(text: str) -> int:
    """A number of questions, at least 1."""
    if not text.isdecimal() or len(text) > 9 or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1 to 999999999")
    return int(text)
