"""The command line: ``python -m qa_core``."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import suppress


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code: 0, 2 for bad input, 130 after an interrupt."""
    try:
        from qa_core.command_line import run  # an interrupt while it is loaded is met here, too

        return run(arguments)
    except KeyboardInterrupt:
        with suppress(OSError):
            print("\ncrosshead: stopped; finished predictions are kept.", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
