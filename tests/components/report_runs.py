"""Runs over 500 questions, some of them hostile, that tests make reports of."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from components.report.sources import Sources
from qa_core.datasets import Dataset, load_dataset
from qa_core.evaluation.judgement_store import JudgementStore
from qa_core.evaluation.judgements import Judgement
from qa_core.evaluation.runner import run_evaluation
from qa_core.evaluation.runs import RunRecord
from qa_core.evaluation.store import RunStore
from qa_core.question import Question
from qa_core.systems.registry import load_system
from qa_core.table import Table

N = 500
HOSTILE = (
    "<script>alert(1)</script></style></title>--> ]]> <img src=http://x.test/ onerror=alert(1)> "
    "$x^2$ ${y} &amp; \"'` \x00\x1b\x85\ufffe \u202e\u200fمرحبا"
)
"""Text that breaks out where it is not escaped; signs in it are none that HTML can hold."""
WORDS = "Hostile question"
HOSTILE_TABLE = Table(
    "hostile",
    ((HOSTILE, "2018"), (HOSTILE, "2017")),
    ((HOSTILE, "Net sales"), (HOSTILE, HOSTILE)),
    (("$1", HOSTILE), (HOSTILE, "$2")),
    title=f"{HOSTILE} \ud800",  # half a pair, which no encoding takes
    company=HOSTILE,
    source=HOSTILE,
)


def dataset() -> Dataset:
    """The sample with its questions repeated up to ``N``, first of all hostile ones."""
    sample = load_dataset("sample")
    hostile = tuple(
        Question(f"hostile-{n}", "hostile", f"{WORDS} {n}: {HOSTILE} in 2017?", (HOSTILE,)) for n in range(2)
    )
    again = tuple(replace(each, id=f"{each.id}-again") for each in sample.questions)
    questions = (*hostile, *sample.questions, *again)[:N]
    return Dataset("hard", {**sample.tables, "hostile": HOSTILE_TABLE}, questions)


def evaluated(folder: Path) -> tuple[Sources, RunRecord, RunRecord]:
    """A store with two runs over the dataset, and hostile judgements of its second and its last question."""
    asked = dataset()
    url = f"sqlite:///{folder / 'runs.sqlite'}"
    sources = Sources(asked, RunStore(url), JudgementStore(url))
    runs = [
        run_evaluation(asked, load_system("lexical", use_lexicon=use), "base", sources.store)
        for use in (True, False)
    ]
    now = datetime(2026, 1, 2, tzinfo=UTC)
    last = asked.questions[-1].id
    said = [
        Judgement("hostile-1", "note", HOSTILE, HOSTILE[:50], now),
        Judgement("hostile-1", "tag", HOSTILE[:50], "Ada", now),
        Judgement(last, "gold", HOSTILE, "Ada", now, "wrong", answer="42"),
    ]
    sources.judgements.add(asked, said)
    return sources, runs[0], runs[1]
