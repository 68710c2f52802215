"""How fast a filing is read, beside ``pandas.read_html`` on the same bytes: ``make bench-ingest``.

Without arguments it reads filings of 1, 2, 4 and 8 MB that it composes from the sample's tables, drawn as
filings draw them; else the files that are named (``python -m tests.benchmark_ingest FILE…``, gzipped or not).
Each reading is a process of its own on one core. Seconds and megabytes per second are of the reading alone,
``whole`` is from the start of the process to its end, and the peak is that of the process's memory.
"""

from __future__ import annotations

import gzip
import html
import io
import itertools
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from qa_core.datasets import load_dataset
from qa_core.ingest.document import read_document
from qa_core.table import Table

SIZES = (1, 2, 4, 8)
SECONDS, GIGABYTES = 8.0, 1.5
"""The bars for a filing of 4 MB."""
_STYLE = "font-family:'Times New Roman',sans-serif;font-size:10pt;font-weight:{};line-height:120%"
_CELL = "background-color:#cceeff;padding:2px 1pt;text-align:{};vertical-align:bottom"
_PROSE = (
    "Our results are affected by demand, by prices and by what we pay for labour, fuel and materials, each "
    "of which changes from year to year and none of which is in our hands alone. "
)


def main(files: list[str]) -> None:
    """Measure every file with each reader and print one line each."""
    print(
        f"{'document':34}{'reader':18}{'MB':>6}{'s':>8}{'MB/s':>8}{'whole s':>9}{'peak MB':>9}{'tables':>8}"
    )
    if files:
        for name in files:
            _measure(Path(name))
        return
    with tempfile.TemporaryDirectory() as folder:
        for size in SIZES:
            path = Path(folder) / f"filing of {size} MB.html"
            path.write_text(filing(size * 1_000_000), encoding="utf-8")
            _measure(path)
    print(f"bars for 4 MB: {SECONDS:.0f} s whole, {1000 * GIGABYTES:.0f} MB")


def _measure(path: Path) -> None:
    for reader in READERS:
        start = time.perf_counter()
        child = subprocess.run(
            [sys.executable, "-m", "tests.benchmark_ingest", "--reader", reader, str(path)],
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
        whole = time.perf_counter() - start
        size, seconds, peak, tables = json.loads(child.stdout)
        print(
            f"{path.name[:33]:34}{reader:18}{size:>6.2f}{seconds:>8.2f}{size / seconds:>8.2f}"
            f"{whole:>9.2f}{peak:>9.0f}{tables:>8}",
            flush=True,
        )


def _read(reader: str, path: Path) -> None:
    """Print the size in MB, the seconds, the peak memory in MB and the number of tables of one reading."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    content = path.read_bytes()
    if path.suffix == ".gz":
        content = gzip.decompress(content)
    read = READERS[reader]()
    start = time.perf_counter()
    tables = read(content)
    seconds = time.perf_counter() - start
    unit = 1_000_000 if sys.platform == "darwin" else 1000
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit
    print(json.dumps([len(content) / 1_000_000, seconds, peak, tables]))


def _crosshead() -> Callable[[bytes], int]:
    return lambda content: len(read_document(content, "filing.html").tables)


def _pandas() -> Callable[[bytes], int]:
    import lxml.html  # noqa: F401 - loaded before the clock starts
    import pandas as pd

    return lambda content: len(pd.read_html(io.BytesIO(content), flavor="lxml", encoding="utf-8"))


READERS = {"read_document": _crosshead, "pandas.read_html": _pandas}


def filing(size: int) -> str:
    """A filing of about ``size`` characters: prose, tables with figures, lists and page footers."""
    parts = ["<html><head><meta charset='utf-8'></head><body>"]
    length = 0
    for page, table in enumerate(itertools.cycle(load_dataset("sample").tables.values()), start=1):
        part = "".join(_page(table, page))
        parts.append(part)
        length += len(part)
        if length >= size:
            return "".join([*parts, "</body></html>"])
    raise AssertionError("the sample has tables")


def _page(table: Table, page: int) -> Iterator[str]:
    yield f"<div>{_span(f'Note {page}. {table.title}', bold=True)}</div>"
    for number in range(4):
        yield f"<div style='text-indent:18pt'>{_span(_PROSE * 4)}{_fact(str(number), page)}</div>"
    bullet = f"<td style='{_CELL.format('left')}'>{_span('•')}</td><td>{_span(_PROSE)}</td>"
    yield f"<table style='width:100%'><tr>{bullet}</tr></table>" * 2
    yield f"<div>{_span('(in millions, except per share amounts)')}</div>"
    yield from _drawn(table, page)
    yield f"<table style='width:100%'><tr><td>{_span(table.company)}</td><td>{page}</td></tr></table><hr>"


def _drawn(table: Table, page: int) -> Iterator[str]:
    """A table as filings draw it: three columns for each of its own, crossheads in rows of their own."""
    yield "<table style='border-collapse:collapse;width:100%'><tr><td style='width:1%'></td></tr>"
    for level in range(max(map(len, table.column_paths), default=0)):
        yield "<tr><td colspan='3'></td>"
        labels = [path[level] if level < len(path) else "" for path in table.column_paths]
        for label, same in itertools.groupby(labels):
            span = 3 * len(list(same))
            yield f"<td colspan='{span}' style='{_CELL.format('center')}'>{_span(label, bold=True)}</td>"
        yield "</tr>"
    above: tuple[str, ...] = ()
    for row, cells in enumerate(table.cells):
        path = table.row_path(row) or ("",)
        for level, label in enumerate(path[:-1]):
            if path[: level + 1] != above[: level + 1]:
                yield f"<tr>{_label(label, level)}{3 * len(cells) * '<td></td>'}</tr>"
        above = path[:-1]
        yield f"<tr>{_label(path[-1], len(path) - 1)}"
        for column, cell in enumerate(cells):
            yield from _figure(cell, f"{page}-{row}-{column}")
        yield "</tr>"
    yield "</table>"


def _label(text: str, level: int) -> str:
    style = f"{_CELL.format('left')};padding-left:{2 + 9 * level}pt"
    return f"<td colspan='3' style='{style}'>{_span(text)}</td>"


def _figure(cell: str, fact: str) -> Iterator[str]:
    mark = "$" if cell.startswith("$") else ""
    number = cell.removeprefix(mark)
    end = ")" if number.endswith(")") else "%" if number.endswith("%") else ""
    yield f"<td style='{_CELL.format('left')}'>{_span(mark) if mark else ''}</td>"
    yield f"<td style='{_CELL.format('right')}'>{_fact(number.removesuffix(end), fact)}</td>"
    yield f"<td style='{_CELL.format('left')}'>{_span(end) if end else ''}</td>"


def _fact(text: str, name: object) -> str:
    attributes = f"unitRef='usd' contextRef='c-{name}' decimals='-6' name='us-gaap:Fact' id='f-{name}'"
    return f"<ix:nonFraction {attributes}>{_span(text)}</ix:nonFraction>"


def _span(text: str, bold: bool = False) -> str:
    return f'<span style="color:#000000;{_STYLE.format(700 if bold else 400)}">{html.escape(text)}</span>'


if __name__ == "__main__":
    if sys.argv[1:2] == ["--reader"]:
        _read(sys.argv[2], Path(sys.argv[3]))
    else:
        main(sys.argv[1:])
