"""``extract``: the tables of a document, one JSON table a line."""

from __future__ import annotations

import argparse
from typing import Any

from qa_core.command_line.command import Command
from qa_core.command_line.documents import add_document, data_tables, indices, places_of_index, read
from qa_core.command_line.output import say, write_json
from qa_core.ingest.document import Document
from qa_core.table_format import table_to_record

_DESCRIPTION = """\
Prints one JSON table a line in the AIT-QA format (id, column_header, row_header, data), with or without
--json, and with each its filing (the file's name), table_index, title, units, steps (what was done to it)
and confidence (of the header guess, 0 to 1). Layout tables are left out unless asked for.
"""


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.description = _DESCRIPTION
    add_document(parser)
    parser.add_argument("--all", action="store_true", help="every table, those for layout among them")


def _run(options: argparse.Namespace) -> None:
    document = read(options.file)
    if options.table_index is not None:
        places = places_of_index(document, options.table_index)
    elif options.all:
        places = list(range(len(document.tables)))
    else:
        places = data_tables(document)
        if not places:
            say(f"note: no table of {document.file} carries data; --all prints every one.")
    named = indices(document)
    for place in places:
        for warning in document.tables[place].load_warnings:
            say(f"note: table {named[place]} of {document.file}: {warning}")
        write_json(_record(document, place, named[place]), indent=None)


def _record(document: Document, place: int, index: int) -> dict[str, Any]:
    """A table's record with where it came from; what the table says of that itself stands."""
    record = table_to_record(document.tables[place])
    origin = {
        "id": record["id"],
        "filing": document.file,
        "table_index": index,
        "title": "",
        "units": "",
        "confidence": 1.0,
        "steps": [],
    }
    return origin | record | {"table_index": index}


COMMAND = Command("extract", "print the tables of a document as JSON, one a line", _add_options, _run)
