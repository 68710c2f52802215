"""One session of a person who judges and annotates: a process of its own that writes, again and again.

``python -m tests.writing_session NAME SECONDS FOLDER`` drives the pages Errors and Annotate over a dataset in
a folder, in the store that the environment names. It prints what it wrote, a JSON list of [kind, question or
table, text], and ends with 1 where a page shows a fault.
"""

import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from streamlit.testing.v1 import AppTest

from components.state import _NEWS as NEWS
from qa_core.datasets import load_dataset
from tests.e2e.running import ROOT

PATIENCE = 120
"""Seconds that one run of the script may take."""

Written = tuple[str, str, str]


class Session:
    """The app, and the name under which a person writes in it."""

    def __init__(self, name: str, folder: str) -> None:
        self.name, self.folder = name, folder
        self.dataset = load_dataset("aitqa", Path(folder))
        self._app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=PATIENCE).run()

    def judge(self, number: int) -> Iterator[Written]:
        """Write a note and a tag on a question; all sessions meet on each."""
        case = self.dataset.questions[number % len(self.dataset.questions)].id
        self._open("errors", case=case)
        for kind in ("note", "tag"):
            text = f"{self.name} {kind} {number}"
            fields = self._app.text_area if kind == "note" else self._app.text_input
            fields(key=f"judge-{kind}-{case}").set_value(text)
            self._app.button(key=f"judge-keep-{kind}-{case}").click()
            self._run()
            yield kind, case, text

    def annotate(self, number: int) -> Iterator[Written]:
        """Write a question for the first table."""
        table, text = next(iter(self.dataset.tables)), f"What does {self.name} ask as no. {number}?"
        self._open("annotate", table=table, cell="0,0", kind="table", q=text)
        keep = next(button for button in self._app.button if button.label == "Keep the question")
        keep.click()
        self._run()
        yield "annotation", table, text

    def _open(self, page: str, **parameters: str) -> None:
        self._app.switch_page(f"pages/{page}.py")
        # AppTest runs the page without its frame, which would forget what was on its way to the browser.
        if NEWS in self._app.session_state:
            del self._app.session_state[NEWS]
        self._app.query_params.clear()
        for name, value in {"dataset": "aitqa", "dir": self.folder, **parameters}.items():
            self._app.query_params[name] = value
        self._run()
        if self._app.text_input(key="author").value != self.name:
            self._app.text_input(key="author").set_value(self.name)
            self._run()

    def _run(self) -> None:
        self._app.run()
        faults = [each.value for each in (*self._app.error, *self._app.exception)]
        if faults:
            raise SystemExit(f"a page shows: {faults}")


def main(name: str, seconds: float, folder: str) -> None:
    """Write for some seconds, and print what was written."""
    session, written = Session(name, folder), []
    until, number = time.monotonic() + seconds, 0
    while not written or time.monotonic() < until:
        written += [*session.judge(number), *session.annotate(number)]
        number += 1
    print(json.dumps(written))


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]), sys.argv[3])
