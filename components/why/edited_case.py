"""A question over a table before and after edits, and the links to it."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlencode

from components.question_choice import BLANK
from components.resources import Timed, answer
from components.state import chosen, shared_choices
from components.why.text_editor import Edits, with_edit
from qa_core.attribution import HeaderPart, WordPart
from qa_core.errors import CrossheadError
from qa_core.evaluation.gold import Gold
from qa_core.evaluation.outcome import Outcome, judge
from qa_core.prediction import Prediction
from qa_core.question import Question
from qa_core.table import Table
from qa_core.text_edit_format import edits_to_text


@dataclass(frozen=True)
class Case:
    """A question over a table, before or after edits, and whom it is asked."""

    table: Table
    question: str
    system: str
    transformation: str
    use_lexicon: bool

    def answer(self) -> Timed:
        return answer(
            self.table, self.question, self.system, self.transformation, use_lexicon=self.use_lexicon
        )


@dataclass(frozen=True)
class Original:
    """What was asked before edits, its gold where it is known, and the edits."""

    table: Table
    question: str
    known: Question | None
    gold: Gold | None
    edits: Edits
    wording: str | None

    @property
    def is_edited(self) -> bool:
        return bool(self.edits) or self.wording is not None

    def judge(self, prediction: Prediction) -> Outcome | None:
        """The verdict by the text of the answer; none where the texts of the table are other ones."""
        return judge(self.known, self.table, prediction) if self.known and not self.edits else None

    def verdict(self, prediction: Prediction) -> str:
        """Right or wrong, in an edited table by the place alone."""
        if self.known is None or self.gold is None:
            return ""
        if not self.edits:
            return "✓ right" if judge(self.known, self.table, prediction).strict else "✗ wrong"
        return "✓ gold's cell" if prediction.location in self.gold.targets else "✗ another cell"


def without(original: Original, case: Case, part: HeaderPart | WordPart) -> str:
    """The address where a part is left out by an edit; empty where no more edits are held."""
    edits = original.edits if case.table is not original.table else ()
    wording = None if case.question == original.question else case.question
    if isinstance(part, WordPart):
        return link(edits, part.left_out_of(case.question) or BLANK)
    try:
        return link(with_edit(original.table, edits, part.location, part.level, ""), wording)
    except CrossheadError:
        return ""


def link(edits: Edits, wording: str | None, **changes: str) -> str:
    """The address of the page *Why this cell* with these edits and shared choices."""
    kept = shared_choices(**changes) | {name: chosen(name) for name in ("of", "cell", "all") if chosen(name)}
    made = {"edits": edits_to_text(edits) if edits else "", "wording": wording or ""}
    return "why?" + urlencode(kept | {name: value for name, value in made.items() if value})
