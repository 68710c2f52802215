"""The pages say of a stored run what the command line says of it, also once golds are disputed.

The sample always; AIT-QA where CROSSHEAD_AITQA_DIR names its folder, with the second reading of its golds
where that holds one (``gold_audit.jsonl``).
"""

import json
import os
from contextlib import redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from qa_core.__main__ import main
from qa_core.datasets import load_dataset
from tests.e2e.running import ROOT

FOLDER = os.environ.get("CROSSHEAD_AITQA_DIR", "")


@dataclass(frozen=True)
class Measured:
    """A dataset that a run of lexical is stored of, and the options that name it."""

    name: str
    folder: str

    @property
    def options(self) -> list[str]:
        return ["--dataset", self.name, *(["--data-dir", self.folder] if self.folder else [])]

    def reported(self) -> dict[str, Any]:
        """What the command line says."""
        out = StringIO()
        with redirect_stdout(out):
            assert main(["evaluate", *self.options, "--json"]) == 0
        report: dict[str, Any] = json.loads(out.getvalue())
        return report

    def page(self, name: str, **parameters: str) -> AppTest:
        """A page on the run."""
        app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120).run()
        app.switch_page(f"pages/{name}.py")
        for parameter, value in {"dataset": self.name, "dir": self.folder, **parameters}.items():
            if value:
                app.query_params[parameter] = value
        app.run()
        assert [each.value for each in (*app.error, *app.exception)] == []
        return app


@pytest.fixture(params=["sample", "aitqa"])
def measured(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Measured:
    if request.param == "aitqa" and not FOLDER:
        pytest.skip("CROSSHEAD_AITQA_DIR names no folder with AIT-QA, which Crosshead does not ship.")
    import streamlit as st

    st.cache_resource.clear()  # the store of another test
    st.cache_data.clear()
    monkeypatch.setenv("CROSSHEAD_STORE", f"sqlite:///{tmp_path / 'runs.sqlite'}")
    return Measured(request.param, FOLDER if request.param == "aitqa" else "")


def metric(app: AppTest, label: str) -> str:
    return next(str(each.value) for each in app.metric if each.label.startswith(label))


def markdown(app: AppTest) -> str:
    return "\n".join(each.value for each in (*app.markdown, *app.caption))


def tables(app: AppTest) -> str:
    """The text of all HTML on a page."""
    return "\n".join(str(each.proto.body) for each in app.get("html"))


def test_errors_has_the_figures_of_the_command_line(measured: Measured) -> None:
    report = measured.reported()
    app = measured.page("errors")
    assert metric(app, "Questions") == str(report["n"])
    assert metric(app, "Strict") == f"{report['accuracy']['strict']:.1%}"
    assert metric(app, "Normalised") == f"{report['accuracy']['normalised']:.1%}"
    assert "as published" not in markdown(app)


def test_results_has_the_figures_of_the_command_line(measured: Measured) -> None:
    report = measured.reported()
    said = tables(measured.page("results"))
    assert f"{100 * report['accuracy']['strict']:.2f}" in said
    for name in ("kpi-driven", "row-hierarchy-needed", "row-hierarchy-not-needed"):
        assert f"{100 * report['slices'][name]['strict']:.2f}" in said
    sets = report["paraphrase_sets"]
    assert f"{100 * sets['all'] / sum(sets.values()):.2f}" in said


def test_disputed_golds_change_the_figures_alike(measured: Measured, tmp_path: Path) -> None:
    before = measured.reported()
    file = Path(measured.folder) / "gold_audit.jsonl" if measured.folder else disputes(tmp_path)
    if not file.exists():
        pytest.skip(f"{file} holds no second reading of the golds.")
    assert main(["judgements", *measured.options, "--import", str(file)]) == 0
    after = measured.reported()
    assert after["accuracy"] == before["accuracy"]
    assert after["disputed"] == len(set(ids(file)))
    assert after["undisputed"]["n"] == after["n"] - after["disputed"]

    text = markdown(measured.page("errors"))
    assert f"**{after['accuracy']['strict']:.1%}** as published" in text
    assert f"**{after['undisputed']['strict']:.1%}** without the {after['disputed']} disputed gold" in text
    assert f"(n = {after['undisputed']['n']:,})" in text
    assert f"**{after['corrected']['strict']:.1%}** against the corrected golds" in text


def disputes(folder: Path) -> Path:
    """Golds of the sample called wrong (a right answer among them), as good as another, and unanswerable."""
    questions = load_dataset("sample").questions
    records = [
        {"id": questions[0].id, "verdict": "wrong", "better": [0, 0], "why": "Another row."},
        {"id": questions[1].id, "verdict": "alternative", "better": [0, 1], "why": "As good."},
        {"id": questions[2].id, "verdict": "unanswerable", "better": None, "why": "Not in the table."},
        {"id": questions[3].id, "verdict": "wrong", "better": None, "answer": "no such figure"},
    ]
    file = folder / "disputes.jsonl"
    file.write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
    return file


def ids(file: Path) -> list[str]:
    return [json.loads(line)["id"] for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]
