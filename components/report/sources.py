"""What reports are made from, and what both kinds of them say alike."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from components.figures_table import Figure, Line, figures_table_markup
from components.names import title_of
from components.paper_table import paper_table_markup
from components.report.document import facts, paragraph, section
from components.runs.titles import system_title, transformation_title
from qa_core.datasets import Dataset, looks_like_aitqa
from qa_core.errors import CrossheadError
from qa_core.evaluation.corrected import Share, accuracies
from qa_core.evaluation.judgement_store import JudgementStore
from qa_core.evaluation.judgements import Judged
from qa_core.evaluation.matching import MATCHING_RULES
from qa_core.evaluation.paper_tables import paper_tables
from qa_core.evaluation.published import AIT_QA
from qa_core.evaluation.results import standing_runs
from qa_core.evaluation.runs import RunRecord
from qa_core.evaluation.statistics import wilson_interval
from qa_core.evaluation.store import RunStore


@dataclass(frozen=True)
class Sources:
    """A dataset, the store of its runs, and what people said about it."""

    dataset: Dataset
    store: RunStore
    judgements: JudgementStore

    @cached_property
    def judged(self) -> Mapping[str, Judged]:
        """What people said of each question."""
        return self.judgements.judged(self.dataset)

    def run(self, run_id: str) -> RunRecord:
        """A run over the dataset. Raises CrossheadError for another one, and one without answers."""
        run = self.store.run(run_id)
        if run.dataset_fingerprint != self.dataset.fingerprint:
            raise CrossheadError(
                f"The run {run_id} is over another dataset, {run.dataset}, or another state of it; name that "
                "dataset."
            )
        if not run.done:
            raise CrossheadError(f"The run {run_id} holds no answer yet; continue it first.")
        return run

    def noted(self) -> list[str]:
        """The questions of which people said something that holds, in the dataset's order."""
        said = {name for name, each in self.judged.items() if each != Judged()}
        return [question.id for question in self.dataset.questions if question.id in said]


def run_facts(run: RunRecord) -> str:
    """What was run, when, and over how much."""
    asked = f"the first {run.total:,}" if run.limit else f"all {run.total:,}"
    return facts(
        [
            ("Dataset", run.dataset),
            ("Questions", asked if run.done == run.total else f"{run.done:,} of {asked}, not finished"),
            ("System", f"{system_title(run)}, version {run.system_version}"),
            ("Weights", run.weights or "none"),
            ("Transformation", transformation_title(run.transformation)),
            ("Run", f"{run.id}, {run.updated:%Y-%m-%d %H:%M} UTC"),
            ("Time", f"{run.seconds:.1f} s of predicting, {1000 * run.seconds / run.done:.1f} ms a question"),
        ]
    )


def accuracy_lines(sources: Sources, run: RunRecord) -> list[Line]:
    """A run's accuracy under both rules, and strict with disputed golds left out and corrected."""
    found = accuracies(sources.store, run.id, sources.dataset, sources.judged)
    shares = {
        rule.title: Share(round((getattr(run, rule.name) or 0.0) * run.done), run.done)
        for rule in MATCHING_RULES.values()
    }
    if found.disputed:
        shares |= {
            f"Strict, without disputed golds ({len(found.disputed):,})": found.undisputed,
            "Strict, against corrected golds": found.corrected,
        }
    return [_accuracy(title, share) for title, share in shares.items()]


def accuracy_section(sources: Sources, runs: Mapping[str, RunRecord]) -> str:
    """The accuracies of runs by their titles."""
    heads = [("", ""), ("Accuracy, %", ""), ("95 %", "Wilson"), ("Right", "")]
    lines = {title: accuracy_lines(sources, run) for title, run in runs.items()}
    rules = [f"{rule.title}: {rule.explanation.replace('`', '')}" for rule in MATCHING_RULES.values()]
    disputed = any(each.gold for each in sources.judged.values())
    return section(
        "accuracy",
        "Accuracy",
        figures_table_markup(heads, lines),
        *map(paragraph, rules),
        "" if disputed else paragraph("Nobody disputes a gold answer."),
    )


def matrix_section(sources: Sources) -> str:
    """Strict accuracy of all systems under all transformations."""
    standing = standing_runs(sources.store.runs(), sources.dataset.fingerprint)
    published = AIT_QA if looks_like_aitqa(sources.dataset) else ()
    table, *_ = paper_tables(standing, published, lambda run: sources.store.summary(run.id))
    said = "Strict accuracy in % with the 95 % interval of Wilson, of the newest run over all questions."
    return section(
        "matrix",
        "Systems and transformations",
        paragraph(said),
        paper_table_markup(table, sources.dataset.name),
    )


def question_facts(slices: tuple[str, ...]) -> Iterator[str]:
    """What kind of question it is."""
    return map(title_of, slices)


def _accuracy(title: str, share: Share) -> Line:
    if share.accuracy is None:
        return Line(title, [Figure("–"), Figure("–"), Figure("0 of 0")])
    low, high = wilson_interval(share.hits, share.n)
    return Line(
        title,
        [
            Figure(f"{100 * share.accuracy:.2f}"),
            Figure(f"{100 * low:.1f} – {100 * high:.1f}"),
            Figure(f"{share.hits:,} of {share.n:,}"),
        ],
    )
