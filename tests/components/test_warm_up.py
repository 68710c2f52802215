"""What is read ahead of its first use."""

import subprocess
import sys

from tests.e2e.running import ROOT

READ_AHEAD = """
import sys, time
from components import warm_up
assert not set(warm_up.SLOW) <= set(sys.modules)
warm_up.AFTER_S = 0
warm_up.warm_up()
while not set(warm_up.SLOW) <= set(sys.modules):
    time.sleep(0.05)
"""


def test_slow_modules_are_read_without_being_waited_for() -> None:
    done = subprocess.run(
        [sys.executable, "-c", READ_AHEAD], cwd=ROOT, timeout=60, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
