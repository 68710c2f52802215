"""A large store to measure the app on: 60,000 invented questions, and 20 runs over all of them.

``python -m tests.large_store FOLDER`` writes the dataset in the AIT-QA format to ``FOLDER/data`` and the
store to ``FOLDER/runs.sqlite``. What is there already stays. Tables, questions and answers are drawn from
seeded generators, so the same command makes the same dataset.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from qa_core.datasets import Dataset, load_dataset
from qa_core.datasets.aitqa import question_to_record
from qa_core.evaluation.matching import matches_any, normalised_match, strict_match
from qa_core.evaluation.misses import miss_reason
from qa_core.evaluation.outcome import Outcome, judge
from qa_core.evaluation.runs import RunIdentity, Saved
from qa_core.evaluation.store import RunStore
from qa_core.prediction import Candidate, Prediction, abstain
from qa_core.question import KPI_DRIVEN, TABLE_DRIVEN, Question
from qa_core.systems.lexical import NO_LEXICON
from qa_core.systems.registry import SYSTEMS, load_system
from qa_core.table import HeaderPath, Location, Table, leaf
from qa_core.table_format import table_to_record
from qa_core.transform import TRANSFORMATIONS

N_QUESTIONS, N_RUNS = 60_000, 20
QUESTIONS_PER_TABLE = 10
TABLES_PER_COMPANY = 40
SAVED_AT_ONCE = 5_000

_PARENTS = (
    "Current assets",
    "Cost of revenue",
    "North America",
    "Europe",
    "Mainline",
    "Regional",
    "Total company",
)
_ITEMS = (
    "Passengers", "Net sales", "Operating income", "Receivables", "Inventories", "Fuel cost", "Deferred tax",
    "Load factor", "Average fare", "Headcount", "Deliveries", "Backlog", "Interest expense", "Goodwill",
    "Lease obligations", "Depreciation", "Dividends per share", "Units sold", "Same-store growth", "Capacity",
)  # fmt: skip
_SPANNERS = ("Year ended December 31,", "Three months ended June 30,", "As reported", "At December 31,")
_FORMS = ("{:,}", "${:,}", "({:,})", "{:.1f}%")
_WORDINGS = (
    "What was {item} in {period}?",
    "{item} of {company}, {period}",
    "How much did {item} come to in {period}?",
)


def large_dataset(n_questions: int = N_QUESTIONS, seed: int = 1) -> Dataset:
    """Invented questions with their cells, ten to a table; annotation as frequent as it is in AIT-QA."""
    draw = random.Random(seed)
    n_tables = -(-n_questions // QUESTIONS_PER_TABLE)
    tables = [_table(draw, number) for number in range(n_tables)]
    questions = [
        _question(draw, number, tables[number // QUESTIONS_PER_TABLE]) for number in range(n_questions)
    ]
    return Dataset("aitqa", {table.id: table for table in tables}, tuple(_in_sets(draw, questions)))


def _table(draw: random.Random, number: int) -> Table:
    company = f"Company {number // TABLES_PER_COMPANY}"
    years = [str(2024 - back) for back in range(draw.choice((2, 2, 3, 5)))]
    spanners: list[HeaderPath] = [(), (draw.choice(_SPANNERS),), (company, draw.choice(_SPANNERS))]
    columns = tuple((*draw.choices(spanners, (2, 6, 1))[0], year) for year in years)
    rows: list[HeaderPath] = []
    for parent in draw.sample(_PARENTS, draw.randint(1, 4)):
        above = draw.choices([(), (parent,), ("Consolidated", parent)], (3, 6, 1))[0]
        rows += [(*above, item) for item in draw.sample(_ITEMS, draw.choice((3, 5, 8, 14)))]
    forms = [draw.choice(_FORMS) for _ in rows]
    cells = tuple(
        tuple(form.format(draw.randint(1, 999 if "%" in form else 99_999)) for _ in years) for form in forms
    )
    title = f"{company}: selected figures, table {number}"
    return Table(f"tab-{number}", columns, tuple(rows), cells, title, company, "Invented.")


def _question(draw: random.Random, number: int, table: Table) -> Question:
    cell = Location(draw.randrange(table.n_rows), draw.randrange(table.n_columns))
    assert cell.row is not None and cell.column is not None
    said = {
        "item": leaf(table.row_path(cell.row)).lower(),
        "period": leaf(table.column_path(cell.column)),
        "company": table.company,
    }
    return Question(
        f"q-{number}",
        table.id,
        draw.choice(_WORDINGS).format(**said),
        (table.text_at(cell),),
        draw.choices((KPI_DRIVEN, TABLE_DRIVEN), (1, 2))[0],
        draw.random() < 0.28,
        cell=cell,
    )


def _in_sets(draw: random.Random, questions: Sequence[Question]) -> Iterator[Question]:
    """Some three in ten questions ask what the one before them asks, in other words."""
    before: Question | None = None
    for question in questions:
        if before is None and draw.random() < 0.17:
            before = replace(question, paraphrase_group=f"set-{question.id}")
            yield before
        elif before is not None and before.table_id == question.table_id:
            yield replace(before, id=question.id, text=f"Tell me: {before.text}")
            before = None
        else:
            yield question
            before = None


def write_dataset(dataset: Dataset, folder: Path) -> None:
    """Write a dataset as a folder in the AIT-QA format."""
    folder.mkdir(parents=True)
    records = {
        "tables": map(table_to_record, dataset.tables.values()),
        "questions": map(question_to_record, dataset.questions),
    }
    for name, lines in records.items():
        with (folder / f"aitqa_{name}.jsonl").open("w", encoding="utf-8") as file:
            file.writelines(json.dumps(record) + "\n" for record in lines)


@dataclass(frozen=True)
class _Answers:
    """How each question may be answered: rightly (first), and in several wrong ways."""

    outcomes: Sequence[Sequence[Outcome]]

    def drawn(self, skill: float, seed: int) -> Iterator[Saved]:
        """One answer to each question; ``skill`` is the share of right ones among easy questions."""
        draw = random.Random(seed)
        for position, ways in enumerate(self.outcomes):
            hard = (ways[0].facets["hierarchy"] == "needed") + (ways[0].facets["row-depth"] in ("3", "4-up"))
            way = ways[0] if draw.random() < skill - 0.15 * hard else draw.choice(ways[1:])
            sure = min(max(draw.gauss(0.7 if way.strict else 0.5, 0.2), 0.0), 1.0)
            yield Saved(replace(way, prediction=replace(way.prediction, confidence=sure)), position, 0.002)


def _answers(dataset: Dataset) -> _Answers:
    draw = random.Random(2)
    outcomes = []
    for question in dataset.questions:
        table = dataset.table(question.table_id)
        assert question.cell is not None
        right = judge(question, table, _prediction(draw, table, question.cell))
        outcomes.append([right, *(_other(right, table, each) for each in _wrong(draw, table, question.cell))])
    return _Answers(outcomes)


def _wrong(draw: random.Random, table: Table, gold: Location) -> Iterator[Prediction]:
    row, column = draw.randrange(table.n_rows), draw.randrange(table.n_columns)
    for cell in (Location(gold.row, column), Location(row, gold.column), Location(row, column)):
        yield _prediction(draw, table, cell)
    text = table.text_at(gold).strip("$%()")
    yield replace(_prediction(draw, table, gold), answer=text)
    yield abstain("No row fits.")


def _prediction(draw: random.Random, table: Table, cell: Location) -> Prediction:
    row_scores = tuple(round(draw.random(), 4) for _ in range(table.n_rows))
    column_scores = tuple(round(draw.random(), 4) for _ in range(table.n_columns))
    others = draw.sample(list(table.locations()), min(5, table.n_rows * table.n_columns))
    candidates = tuple(
        Candidate(each, table.text_at(each), round(draw.random(), 4), leaf(table.row_path(each.row or 0)))
        for each in (cell, *others)
    )
    return Prediction(table.text_at(cell), (cell,), candidates, row_scores, column_scores, 0.5)


def _other(right: Outcome, table: Table, prediction: Prediction) -> Outcome:
    """As ``judge``, with what does not depend on the prediction taken over."""
    strict, normalised = (
        matches_any(rule, prediction.answer, right.question.answers)
        for rule in (strict_match, normalised_match)
    )
    reason = "" if strict else miss_reason(prediction, right.gold, table)
    return replace(right, prediction=prediction, strict=strict, normalised=normalised, reason=reason)


def identities(fingerprint: str, n: int = N_RUNS) -> list[RunIdentity]:
    """Runs as a person makes them: each system under each transformation, then without the lexicon, then
    with other models."""
    lexical = load_system("lexical")
    shipped = [
        RunIdentity(
            fingerprint,
            name,
            lexical.version if name == "lexical" else "1",
            f"{spec.model}@1" if spec.model else "",
            transformation,
        )
        for transformation in TRANSFORMATIONS
        for name, spec in SYSTEMS.items()
    ]
    without = [
        replace(each, system=f"{each.system} ({NO_LEXICON})")
        for each in shipped
        if SYSTEMS[each.system].uses_lexicon
    ]
    others = [replace(each, weights=f"mine-{number}") for number in range(n) for each in shipped[1:2]]
    return [*shipped, *without, *others][:n]


def fill(store: RunStore, dataset: Dataset, n_runs: int = N_RUNS) -> None:
    """Store runs over all questions; those that are finished stay as they are."""
    answers = _answers(dataset)
    for number, identity in enumerate(identities(dataset.fingerprint, n_runs)):
        run = store.start_run(identity, dataset.name, len(dataset.questions))
        if run.status == "finished":
            continue
        saved = list(answers.drawn(0.35 + 0.5 * number / n_runs, number))
        for start in range(0, len(saved), SAVED_AT_ONCE):
            store.save(run.id, saved[start : start + SAVED_AT_ONCE])
        store.finish_run(run.id)
        print(f"run {number + 1} of {n_runs}", flush=True)


def make_large_store(folder: Path, n_questions: int = N_QUESTIONS, n_runs: int = N_RUNS) -> Mapping[str, str]:
    """Make dataset and store in a folder, as far as they are not there; the app's environment for them."""
    data = folder / "data"
    if not data.exists():
        write_dataset(large_dataset(n_questions), data)
    url = f"sqlite:///{folder / 'runs.sqlite'}"
    store = RunStore(url)
    dataset = load_dataset("aitqa", data)
    done = [
        run
        for run in store.runs()
        if run.dataset_fingerprint == dataset.fingerprint and run.status == "finished"
    ]
    if len(done) < n_runs:
        fill(store, dataset, n_runs)
    return {"CROSSHEAD_STORE": url, "CROSSHEAD_AITQA_DIR": str(data)}


def main() -> None:
    """Make a large store and say how to look at it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--questions", type=int, default=N_QUESTIONS)
    parser.add_argument("--runs", type=int, default=N_RUNS)
    options = parser.parse_args()
    start = time.perf_counter()
    told = make_large_store(options.folder, options.questions, options.runs)
    print(f"made in {time.perf_counter() - start:.0f} s; look at it with")
    print(" ".join(f"{name}={value}" for name, value in told.items()), "streamlit run app.py")


if __name__ == "__main__":
    main()
