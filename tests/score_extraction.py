"""How well tables are extracted: ``python -m tests.score_extraction GOLD.jsonl FOLDER``.

GOLD.jsonl holds tables as they should come out, one a line as ``extract`` prints them; the folder holds the
documents that they name in ``filing`` (gzipped or not). Prints one line a table and the means: ``exact``, the
share of tables that come out whole, and F1 over ``facts`` (row path, column path, cell), over ``leaves`` (the
same with the last label of each path) and over ``cells`` alone. White space and empty cells do not count.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import Any

from qa_core.errors import CrossheadError
from qa_core.ingest.document import read_document_file
from qa_core.json_lines import read_json_lines
from qa_core.table import HeaderPath, Table
from qa_core.table_format import table_from_record
from qa_core.text import squeeze

Facts = Counter[tuple[HeaderPath, HeaderPath, str]]
MEASURES = ("exact", "facts", "leaves", "cells")


def main(gold: Path, folder: Path) -> None:
    """Print the scores of each gold table and their means."""
    documents: dict[Path, dict[object, Table]] = {}
    scores = []
    for where, record in read_json_lines(gold):
        path = _document(folder, str(record.get("filing")))
        if path not in documents:
            found = read_document_file(path).tables
            documents[path] = {table.extra.get("table_index"): table for table in found}
        wanted = table_from_record(record, where)
        table = documents[path].get(record.get("table_index"), Table(wanted.id, (), (), ()))
        scores.append(score(wanted, table))
        _line(wanted.id, scores[-1])
    if not scores:
        raise CrossheadError(f"{gold} holds no table.")
    _line(f"{len(scores)} tables", [sum(column) / len(scores) for column in zip(*scores, strict=True)])


def score(gold: Table, table: Table) -> list[float]:
    """The values of ``MEASURES`` for one table."""
    wanted, found = facts(gold), facts(table)
    exact = wanted == found and gold.n_rows == table.n_rows
    return [
        float(exact),
        f1(wanted, found),
        f1(_leaves(wanted), _leaves(found)),
        f1(_cells(wanted), _cells(found)),
    ]


def facts(table: Table) -> Facts:
    """Each cell with text, under the paths of its row and column."""
    return Counter(
        (_path(table.row_path(row)), _path(table.column_path(column)), squeeze(cell))
        for row, cells in enumerate(table.body)
        for column, cell in enumerate(cells)
        if squeeze(cell)
    )


def f1(wanted: Counter[Any], found: Counter[Any]) -> float:
    """F1 of two multisets; 1 where both are empty."""
    total = wanted.total() + found.total()
    return 2 * (wanted & found).total() / total if total else 1.0


def _path(path: HeaderPath) -> HeaderPath:
    return tuple(label for label in map(squeeze, path) if label)


def _leaves(counted: Facts) -> Facts:
    leaves: Facts = Counter()
    for (row, column, cell), n in counted.items():
        leaves[row[-1:], column[-1:], cell] += n
    return leaves


def _cells(counted: Facts) -> Counter[str]:
    cells: Counter[str] = Counter()
    for (_, _, cell), n in counted.items():
        cells[cell] += n
    return cells


def _document(folder: Path, name: str) -> Path:
    plain = folder / Path(name).name
    return plain if plain.exists() else plain.with_name(plain.name + ".gz")


def _line(name: str, values: list[float]) -> None:
    figures = (f"{measure} {value:.3f}" for measure, value in zip(MEASURES, values, strict=True))
    print(f"{name[:24]:24}  {'  '.join(figures)}")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    try:
        main(Path(sys.argv[1]), Path(sys.argv[2]))
    except CrossheadError as fault:
        sys.exit(str(fault))
