"""What leads from a run to other pages."""

from __future__ import annotations

from components.state import shared_choices
from qa_core.evaluation.results import left_out_lexicon, system_name
from qa_core.evaluation.runs import RunRecord


def asking_again(run: RunRecord, table_id: str, question_id: str) -> dict[str, str]:
    """The choices of a page that asks a question as a run asked it."""
    return shared_choices(
        table=table_id,
        question=question_id,
        q=None,
        system=system_name(run),
        transformation=run.transformation,
        lexicon="0" if left_out_lexicon(run) else None,
    )
