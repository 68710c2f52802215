"""One session of a person who judges: a process of its own that opens a case and writes, again and again.

``python -m tests.judging_session judge NAME SECONDS FOLDER`` drives the page Errors over a dataset in a folder,
in the store that the environment names, and prints what it wrote as a JSON list of [question, kind, text]. It
ends with 1 where the page shows a fault. A session of another page is another function in ``SESSIONS``.
"""

import json
import sys
import time
from collections.abc import Callable, Iterator

from streamlit.testing.v1 import AppTest

from qa_core.datasets import load_dataset
from tests.e2e.running import ROOT

PATIENCE = 60
"""Seconds that one run of the script may take."""

Written = tuple[str, str, str]


def judge(name: str, seconds: float, folder: str) -> Iterator[Written]:
    """Write a note and a tag on each question in turn, on the page Errors; all sessions meet on each."""
    from pathlib import Path

    questions = [question.id for question in load_dataset("aitqa", Path(folder)).questions]
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=PATIENCE).run()
    app.switch_page("pages/errors.py")
    until, number = time.monotonic() + seconds, 0
    while time.monotonic() < until:
        case = questions[number % len(questions)]
        for parameter, value in {"dataset": "aitqa", "dir": folder, "case": case}.items():
            app.query_params[parameter] = value
        _run(app)
        app.text_input(key="judged-by").set_value(name)
        for kind in ("note", "tag"):
            text = f"{name} {kind} {number}"
            fields = app.text_area if kind == "note" else app.text_input
            fields(key=f"judge-{kind}-{case}").set_value(text)
            app.button(key=f"judge-keep-{kind}-{case}").click()
            _run(app)
            yield case, kind, text
        number += 1


SESSIONS: dict[str, Callable[[str, float, str], Iterator[Written]]] = {"judge": judge}


def _run(app: AppTest) -> None:
    app.run()
    faults = [each.value for each in (*app.error, *app.exception)]
    if faults:
        raise SystemExit(f"the page shows: {faults}")


if __name__ == "__main__":
    session, name, seconds, folder = sys.argv[1:]
    print(json.dumps(list(SESSIONS[session](name, float(seconds), folder))))
