"""Checks of the answer of a draft: whether there is one, and where its text stands in the table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from qa_core.annotation.annotation import Draft
from qa_core.annotation.finding import Finding, note, refusal, said_places, warning
from qa_core.evaluation.gold import Gold, find_gold
from qa_core.evaluation.matching import is_blank, matches_any, strict_match
from qa_core.question import Question
from qa_core.table import Location, Table
from qa_core.text import shorten


def answers_of(draft: Draft, table: Table) -> tuple[str, ...]:
    """The accepted answers: those written, else the text of the cell; none where that is blank."""
    texts = draft.answers
    if not texts and draft.cell is not None and draft.cell in table:
        texts = (table.text_at(draft.cell),)
    return tuple(text for text in texts if not is_blank(text))


def answer_place(draft: Draft, table: Table) -> Location | None:
    """The Location of the answer: the one that was clicked, else the only one where the text stands."""
    if draft.cell is not None or not answers_of(draft, table):
        return draft.cell
    return _stands(table, answers_of(draft, table)).intended


@lru_cache(maxsize=32)
def _stands(table: Table, answers: tuple[str, ...]) -> Gold:
    """Where answers stand; remembered, as a person types on while the answer stays."""
    return find_gold(Question("", table.id, "", answers), table)


def answer_checks(draft: Draft, table: Table, _: Sequence[Question]) -> Iterator[Finding]:
    """What is odd about the answer."""
    cell = draft.cell
    if cell is not None and cell not in table:
        yield refusal(
            "outside",
            f"The answer cell {cell.as_list()} lies outside the table of {table.n_rows} × {table.n_columns} "
            "cells, counted from 0; choose another.",
        )
    elif cell is not None and is_blank(table.text_at(cell)):
        yield refusal("empty-cell", "The answer cell is empty; choose one that holds the answer.")
    elif answers := answers_of(draft, table):
        places = _stands(table, answers).locations
        yield from _clicked(table, answers, cell, places) if cell else _written(table, answers, places)
    else:
        yield refusal("no-answer", "The question has no answer; click its cell, or write it.")


def _clicked(
    table: Table, answers: Sequence[str], cell: Location, places: Sequence[Location]
) -> Iterator[Finding]:
    answer = shorten(answers[0], 60)
    if not matches_any(strict_match, table.text_at(cell), answers):
        held = shorten(table.text_at(cell), 60)
        yield warning("differs", f"The answer cell holds “{held}”, not “{answer}”.", cell)
    if not cell.is_cell:
        yield note("header", f"The answer “{answer}” is a header, not a body cell.", cell)
    others = [place for place in places if place != cell and place.is_cell]
    if others:
        cells = "another cell" if len(others) == 1 else f"{len(others):,} other cells"
        yield warning(
            "ambiguous",
            f"The answer “{answer}” also stands in {cells}: {said_places(table, others)}. Exact match cannot "
            "tell them apart.",
            *others,
        )


def _written(table: Table, answers: Sequence[str], places: Sequence[Location]) -> Iterator[Finding]:
    answer = shorten(answers[0], 60)
    if not places:
        yield warning("nowhere", f"The answer “{answer}” stands in no cell and no header of the table.")
        return
    if not places[0].is_cell:
        yield note("header", f"The answer “{answer}” is a header, not a body cell.", *places)
    elif len(places) > 1:
        yield warning(
            "ambiguous",
            f"The answer “{answer}” stands in {len(places):,} cells: {said_places(table, places)}. Click the "
            "one that is meant.",
            *places,
        )
    texts = [table.text_at(place) for place in places if place.is_cell]
    if texts and not any(matches_any(strict_match, text, answers) for text in texts):
        written = shorten(texts[0], 60)
        yield warning("written-otherwise", f"The table writes the answer “{answer}” as “{written}”.")
