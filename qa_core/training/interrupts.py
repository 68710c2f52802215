"""What Ctrl-C does to a training command, also while it loads its libraries."""

from __future__ import annotations

import signal
import sys
from contextlib import suppress
from typing import NoReturn


def exit_when_interrupted(outcome: str) -> None:
    """From now on, say what an interrupt comes to in one sentence and exit with 130."""

    def stop(*_: object) -> NoReturn:
        with suppress(OSError):
            print(f"\ncrosshead: stopped; {outcome}.", file=sys.stderr)
        raise SystemExit(130)

    signal.signal(signal.SIGINT, stop)
