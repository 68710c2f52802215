"""Results on standard output, everything else on standard error."""

from __future__ import annotations

import io
import json
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

from qa_core.errors import CrossheadError, shorten

_LONGEST = 2000
_CONTROL = re.compile(r"(?<!^)\r|\n(?=.)|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")


def _escaped(control: re.Match[str]) -> str:
    return control[0].encode("unicode_escape").decode()


def replace_unwritable() -> None:
    """Let characters that the output's encoding lacks come out as escapes."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


def write(text: str) -> None:
    """Write a line of the result.

    Raises CrossheadError where it cannot be written, BrokenPipeError where nobody reads it any more.
    """
    with _faults_as_sentences():
        print(text)


def write_json(value: object, indent: int | None = 2) -> None:
    """Write a result as JSON, on one line without ``indent``; raises as ``write`` does."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    write(json.dumps(value, ensure_ascii=not encoding.lower().startswith("utf"), indent=indent))


def finish() -> None:
    """Write what is still held back; raises as ``write`` does."""
    if sys.stdout is not None:
        with _faults_as_sentences():
            sys.stdout.flush()


def say(text: str, end: str = "\n") -> None:
    """Tell the person at the terminal; where that fails the command goes on.

    Control characters, which a file's name or a cell may bring, are shown and not obeyed.
    """
    if sys.stderr is not None:
        try:
            print(_CONTROL.sub(_escaped, shorten(text, _LONGEST)), end=end, file=sys.stderr, flush=True)
        except OSError:
            _discard(sys.stderr)


@contextmanager
def _faults_as_sentences() -> Iterator[None]:
    try:
        yield
    except OSError as fault:
        _discard(sys.stdout)
        if isinstance(fault, BrokenPipeError):
            raise
        raise CrossheadError(
            f"The output cannot be written: {fault.strerror or fault}; send it to another place."
        ) from fault


def _discard(stream: TextIO) -> None:
    """Send a stream that failed nowhere: Python would try it once more at its end, with a traceback."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
