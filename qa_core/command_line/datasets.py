"""``datasets``: what there is to evaluate on."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from typing import Any

from qa_core.command_line.command import Command
from qa_core.command_line.evaluations import add_data_dir
from qa_core.command_line.output import write, write_json
from qa_core.datasets import DATASETS, load_dataset, statistics
from qa_core.table import Table


def _add_options(parser: argparse.ArgumentParser) -> None:
    add_data_dir(parser)


def _run(options: argparse.Namespace) -> None:
    listed = []
    for spec in DATASETS.values():
        entry: dict[str, Any] = {"name": spec.name, "description": spec.description}
        if not spec.needs_folder or options.data_dir:
            dataset = load_dataset(spec.name, options.data_dir if spec.needs_folder else None)
            counts = statistics(dataset)
            entry |= {
                "tables": counts.tables,
                "questions": counts.questions,
                "warnings": [*dataset.warnings, *_table_warnings(dataset.tables.values())],
            }
        listed.append(entry)
    if options.json:
        write_json(listed)
        return
    for entry in listed:
        size = (
            f"{entry['tables']} tables, {entry['questions']} questions" if "tables" in entry else "--data-dir"
        )
        write(f"{entry['name']:10} {size:28} {entry['description']}")
        for warning in entry.get("warnings", ()):
            write(f"{'':10} {warning}")


def _table_warnings(tables: Iterable[Table]) -> list[str]:
    return [f"{table.id}: {warning}" for table in tables for warning in table.warnings]


COMMAND = Command("datasets", "list the datasets and what they hold", _add_options, _run)
