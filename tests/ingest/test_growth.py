"""Reading takes work in proportion to a table's length: calls are counted, not seconds."""

import sys
from collections.abc import Callable
from types import FrameType

import pytest

from qa_core.ingest.extract import extract
from qa_core.ingest.html import read_html

ROW = "<tr><td style='padding-left:{0}pt'>{1}<td>{2}<td>5"
SHAPES: dict[str, Callable[[int], str]] = {
    "rows": lambda n: "<tr><td><td>2024<td>2023" + "".join(ROW.format(0, f"Sales {i}", i) for i in range(n)),
    "crossheads": lambda n: "".join(
        f"<tr><td><b>Group {i}</b><td><td>"
        + ROW.format(9, "Sales", i)
        + ROW.format(18, f"Total group {i}", i)
        for i in range(n)
    ),
    "crossheads in crossheads": lambda n: (
        "".join(f"<tr><td style='padding-left:{4 * i}pt'>Group {i}:<td><td>" for i in range(n))
        + "".join(ROW.format(4 * n, f"Total {i}", i) for i in range(n))
    ),
    "breakdowns in breakdowns": lambda n: "".join(ROW.format(4 * i, f"Sales {i}", n - i) for i in range(n)),
    "totals": lambda n: "".join(ROW.format(0, f"Total {i}", i) for i in range(n)),
    "sums without labels": lambda n: (
        "<tr><td>Assets:<td><td>" + "".join(ROW.format(0, "", i) for i in range(n))
    ),
    "header rows": lambda n: (
        "".join(f"<tr><th>Alpha {i}<th>Beta {i}<th>Gamma" for i in range(n)) + ROW.format(0, "a", 1)
    ),
    "columns": lambda n: ("<tr>" + "".join(f"<td>{i}" for i in range(n))) * 2,
    "steps of columns": lambda n: "".join(
        "<tr>" + "<td>" * (i % 9) + f"<td colspan={i % 7 + 1}>{i}" for i in range(n)
    ),
    "a row span over all": lambda n: "<tr><td rowspan=65534>North<td>1<td>2" + "<tr><td>3<td>4" * n,
    "references": lambda n: "<tr><td id=a>2024" + "<tr><td headers='a a a'>5" * n,
    "notes": lambda n: (
        ROW.format(0, "Sales", 5) * 2 + "<tr><td colspan=3>(1) A remark on the figures above." * n
    ),
}


def sections(n: int) -> str:
    return "".join(
        f"<tr><td><td><b>Alpha {i}</b><td><b>Beta {i}</b>" + ROW.format(0, "Sales", i) for i in range(n)
    )


def calls(html: str) -> int:
    """How many functions are called while a piece of HTML is read and its tables are made."""
    count = 0

    def called(frame: FrameType, event: str, argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(called)
    try:
        for grid in read_html(html.encode()):
            extract(grid)
    finally:
        sys.setprofile(before)
    return count


@pytest.mark.parametrize("shape", SHAPES)
def test_twice_the_length_is_at_most_some_twice_the_work(shape: str) -> None:
    once, twice = (calls(f"<table>{SHAPES[shape](n)}</table>") for n in (250, 500))
    assert twice < 2.5 * once


def test_a_table_of_many_sections_stays_bounded_and_says_so() -> None:
    (grid,) = read_html(f"<table>{sections(3000)}</table>".encode())
    table = extract(grid).table
    assert table.n_rows == 3000
    assert table.n_rows * table.n_columns <= 1_200_000
    assert table.warnings[0] == "The table has too many sections; the last ones share the columns above them."


def test_crossheads_without_end_are_a_path_of_bounded_depth() -> None:
    (grid,) = read_html(f"<table>{SHAPES['crossheads in crossheads'](200)}</table>".encode())
    assert max(map(len, extract(grid).table.row_paths)) == 21
