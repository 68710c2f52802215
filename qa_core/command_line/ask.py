"""``ask``: one question over one table."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from qa_core.command_line.command import Command, add_system
from qa_core.command_line.output import say, write, write_json
from qa_core.errors import CrossheadError
from qa_core.prediction import Prediction
from qa_core.systems.interface import Request
from qa_core.systems.registry import load_system
from qa_core.table import Location, Table, join_path
from qa_core.table_format import read_tables
from qa_core.text import as_text
from qa_core.transform import flatten


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("table", type=Path, metavar="TABLE.json")
    parser.add_argument("question")
    parser.add_argument("--table-id", metavar="ID", help="which table of a file that holds several")
    add_system(parser)


def _run(options: argparse.Namespace) -> None:
    question = as_text(options.question)
    if not question.strip():
        raise CrossheadError("The question is empty; type one between quotation marks.")
    table = _only_table(read_tables(options.table), options.table, options.table_id)
    system = load_system(options.system, options.encoder)
    (prediction,) = system.predict([Request(question, flatten(table, options.transformation))])
    if options.json:
        write_json(_answer(table, prediction))
    else:
        _print_answer(table, prediction)


def _only_table(tables: list[Table], path: Path, table_id: str | None) -> Table:
    chosen = [table for table in tables if table_id is None or table.id == table_id]
    if len(chosen) == 1:
        return chosen[0]
    ids = ", ".join(table.id for table in tables[:8]) + (" …" if len(tables) > 8 else "")
    if not tables:
        raise CrossheadError(f"{path} holds no table.")
    if table_id is not None and not chosen:
        raise CrossheadError(f"{path} holds no table {table_id!r}; it holds {ids}.")
    raise CrossheadError(f"{path} holds {len(tables)} tables; choose one with --table-id: {ids}.")


def _answer(table: Table, prediction: Prediction) -> dict[str, Any]:
    location = prediction.location
    return {
        "answer": prediction.answer,
        "row_path": _row_path(table, location),
        "column_path": _column_path(table, location),
        "cell": location.as_list() if location and location.is_cell else None,
        "header": location.as_list() if location and not location.is_cell else None,
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
        write(f"{prediction.answer}   (confidence {prediction.confidence:.2f})")
        row, column = _paths(table, prediction.location)
        write(f"  row     {row or '(no header)'}")
        write(f"  column  {column or '(no header)'}")
    for candidate in prediction.candidates[1:4]:
        write(f"  else    {candidate.text}   {' | '.join(_paths(table, candidate.location))}")


def _paths(table: Table, location: Location) -> tuple[str, str]:
    """The row and the column path of a Location as a person reads them."""
    row, column = _row_path(table, location), _column_path(table, location)
    return join_path(tuple(row), " > "), join_path(tuple(column), " > ")


COMMAND = Command("ask", "ask one question over a table in the AIT-QA JSON format", _add_options, _run)
