"""Several sessions write at once: nothing is lost, nothing stands twice, and nobody sees a fault.

Each session is a process of its own with the app in it. CROSSHEAD_CONCURRENCY_SECONDS says for how long they
write; a minute is what the app is held to, the default keeps the tests short.
"""

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from qa_core.annotation.store import AnnotationStore
from qa_core.datasets import load_dataset
from qa_core.datasets.aitqa import question_to_record
from qa_core.evaluation.judgement_store import JudgementStore
from qa_core.evaluation.runner import run_evaluation
from qa_core.evaluation.store import RunStore
from qa_core.systems.registry import load_system
from qa_core.table_format import table_to_record
from tests.e2e.running import ROOT

SECONDS = os.environ.get("CROSSHEAD_CONCURRENCY_SECONDS", "6")
NAMES = ("Ada", "Ben", "Cem", "Dag")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A few questions of the sample, so that the sessions meet on each of them."""
    sample = load_dataset("sample")
    questions = sample.questions[:5]
    tables = {question.table_id: sample.table(question.table_id) for question in questions}
    folder = tmp_path / "data"
    folder.mkdir()
    for name, records in (
        ("tables", map(table_to_record, tables.values())),
        ("questions", map(question_to_record, questions)),
    ):
        (folder / f"{name}.jsonl").write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
    return folder


def test_four_who_judge_and_annotate_at_once_lose_nothing_and_see_no_fault(
    store_url: str, folder: Path
) -> None:
    dataset = load_dataset("aitqa", folder)
    run_evaluation(dataset, load_system("lexical"), "base", RunStore(store_url))
    written = Counter(tuple(each) for said in sessions(store_url, folder) for each in json.loads(said))
    assert set(written.values()) == {1}

    entries = JudgementStore(store_url).entries(dataset)
    annotations = [held.annotation for held in AnnotationStore(store_url).held(dataset).values()]
    kept = [(entry.kind, entry.question_id, entry.text) for entry in entries]
    kept += [("annotation", each.table_id, each.draft.text) for each in annotations]
    assert Counter(kept) == written
    assert {each.author for each in entries} == {each.author for each in annotations} == set(NAMES)
    assert all(entry.text.startswith(entry.author) for entry in entries)


def sessions(store_url: str, folder: Path) -> list[str]:
    """What four sessions that write at once say they wrote."""
    told = os.environ | {"CROSSHEAD_STORE": store_url, "PYTHONPATH": str(ROOT)}
    running = [
        subprocess.Popen(
            [sys.executable, "-m", "tests.writing_session", name, SECONDS, str(folder)],
            env=told,
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for name in NAMES
    ]
    try:
        said = [each.communicate(timeout=float(SECONDS) + 600) for each in running]
    finally:
        for each in running:
            each.kill()
    assert [each.returncode for each in running] == [0] * len(NAMES), [fault[-2000:] for _, fault in said]
    return [out for out, _ in said]
