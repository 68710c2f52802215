"""The W3C's Nu Html Checker, for tests: what is wrong with an HTML file."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

_JAR = Path(__file__).parents[1] / ".venv/html-checker/node_modules/vnu-jar/build/dist/vnu.jar"
# Style sheets: it knows neither nesting nor container queries. Content security policy: it digests a script
# of megabytes wrongly; that these run, the browser tests see.
_NOT_ITS_OWN = "CSS:", "Inline script violates Content Security Policy"
_MISSING = "The Nu Html Checker is not installed: run sh tests/install_html_checker.sh."


def html_faults(path: Path) -> list[str]:
    """The errors and warnings about a file's HTML, a line each.

    Without the checker a test is skipped, but not in CI.
    """
    if not _JAR.exists() or shutil.which("java") is None:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(_MISSING)
    command = ["java", "-jar", str(_JAR), "--format", "json", "--stdout", "--exit-zero-always", str(path)]
    said = subprocess.run(command, capture_output=True, check=True, text=True, timeout=300).stdout
    return [
        f"{each.get('subType', each['type'])}: {each['message']} {each.get('extract', '')!r:.200}"
        for each in json.loads(said)["messages"]
        if each["type"] != "info" or each.get("subType") == "warning"
        if not each["message"].startswith(_NOT_ITS_OWN)
    ]
