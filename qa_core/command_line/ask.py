"""``ask``: one question over one table."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from qa_core.command_line.command import Command, add_system
from qa_core.command_line.documents import add_document, data_tables, indices, places_of_index, read
from qa_core.command_line.output import say, write, write_json
from qa_core.errors import CrossheadError, shorten
from qa_core.ingest.document import Document
from qa_core.prediction import Prediction
from qa_core.systems.interface import Request
from qa_core.systems.registry import load_system
from qa_core.table import Location, Table, join_path
from qa_core.text import as_text
from qa_core.transform import flatten

_SHOWN_CELLS = 10
_SHOWN_OTHERS = 3


def _add_options(parser: argparse.ArgumentParser) -> None:
    add_document(parser)
    parser.add_argument("question")
    parser.add_argument("--table-id", metavar="ID", help="the table of that id")
    add_system(parser)


def _run(options: argparse.Namespace) -> None:
    question = as_text(options.question)
    if not question.strip():
        raise CrossheadError("The question is empty; type one between quotation marks.")
    table = _only_table(read(options.file), options.table_index, options.table_id)
    system = load_system(options.system, options.model, use_lexicon=options.use_lexicon)
    (prediction,) = system.predict([Request(question, flatten(table, options.transformation))])
    if options.json:
        write_json(_answer(table, prediction))
    else:
        _print_answer(table, prediction)


def _only_table(document: Document, index: int | None, table_id: str | None) -> Table:
    """The table of an index or id, else the only one that carries data."""
    tables = document.tables
    places = list(range(len(tables))) if index is None else places_of_index(document, index)
    if table_id is not None:
        places = [place for place in places if tables[place].id == table_id]
        if not places:
            held = _listed([table.id for table in tables])
            raise CrossheadError(f"{document.file} holds no table {table_id!r}; it holds {held}.")
    elif index is None:
        places = data_tables(document) or places
    if len(places) == 1:
        return tables[places[0]]
    if index is not None:
        raise _undecided(document, "of that index", "--table-id", [tables[place].id for place in places])
    what = "of that id" if table_id is not None else "that carry data" if len(places) < len(tables) else ""
    named = indices(document)
    titles = [f"{named[place]} ({shorten(tables[place].title or tables[place].id, 50)})" for place in places]
    raise _undecided(document, what, "--table-index or --table-id", titles)


def _undecided(document: Document, what: str, option: str, names: list[str]) -> CrossheadError:
    tables = f"{len(names)} tables {what}".rstrip()
    return CrossheadError(f"{document.file} holds {tables}; choose one with {option}: {_listed(names)}.")


def _listed(names: list[str]) -> str:
    return ", ".join(names[:6]) + (" …" if len(names) > 6 else "")


def _answer(table: Table, prediction: Prediction) -> dict[str, Any]:
    location = prediction.location
    return {
        "answer": prediction.answer,
        "row_path": _row_path(table, location),
        "column_path": _column_path(table, location),
        "cell": location.as_list() if location and location.is_cell else None,
        "header": location.as_list() if location and not location.is_cell else None,
        "operator": prediction.operator,
        "locations": [location.as_list() for location in prediction.locations],
        "confidence": prediction.confidence,
        "candidates": [
            {
                "text": candidate.text,
                "cell": candidate.location.as_list(),
                "row_path": _row_path(table, candidate.location),
                "column_path": _column_path(table, candidate.location),
                "score": candidate.score,
            }
            for candidate in prediction.candidates
        ],
        "lexicon": [asdict(match) for match in prediction.lexicon],
        "notes": list(prediction.notes),
        "warnings": list(table.warnings),
    }


def _row_path(table: Table, location: Location | None) -> list[str]:
    return list(table.row_path(location.row)) if location and location.row is not None else []


def _column_path(table: Table, location: Location | None) -> list[str]:
    return list(table.column_path(location.column)) if location and location.column is not None else []


def _print_answer(table: Table, prediction: Prediction) -> None:
    for warning in table.warnings:
        say(f"note: {warning}")
    if not prediction.answer:
        write("no answer")
    for note in prediction.notes:
        write(f"note: {note}")
    if prediction.location:
        operator = f"{prediction.operator} = " if prediction.operator else ""
        write(f"{operator}{prediction.answer}   (confidence {prediction.confidence:.2f})")
    if len(prediction.locations) == 1:
        row, column = _paths(table, prediction.locations[0])
        write(f"  row     {row or '(no header)'}")
        write(f"  column  {column or '(no header)'}")
    else:
        _print_cells(table, prediction.locations)
    for match in prediction.lexicon:
        write(f"  lexicon {match.asked} = {match.found}   ({match.entry})")
    others = [each for each in prediction.candidates if each.location not in prediction.locations]
    for candidate in others[:_SHOWN_OTHERS]:
        _print_place("else" if prediction.location else "maybe", table, candidate.location)


def _print_cells(table: Table, locations: Sequence[Location]) -> None:
    for location in locations[:_SHOWN_CELLS]:
        _print_place("cell", table, location)
    if len(locations) > _SHOWN_CELLS:
        write(f"  …       {len(locations) - _SHOWN_CELLS:,} more cells")


def _print_place(word: str, table: Table, location: Location) -> None:
    write(f"  {word:8}{table.text_at(location)}   {' | '.join(_paths(table, location))}")


def _paths(table: Table, location: Location) -> tuple[str, str]:
    """The row and the column path of a Location as a person reads them."""
    row, column = _row_path(table, location), _column_path(table, location)
    return join_path(tuple(row), " > "), join_path(tuple(column), " > ")


COMMAND = Command("ask", "ask one question over a table of a document", _add_options, _run)
