"""Pipe tables."""

import pytest

from qa_core.errors import CrossheadError
from qa_core.ingest.grid import COLUMN_HEADER
from qa_core.ingest.markdown import MAX_CHARACTERS, has_pipe_table, read_markdown

REPORT = r"""
# Report
## Sales

Sales by region were as follows:

| Region | 2023 | **2024** |
|:-------|-----:|:--------:|
| North \| East | `1,200` | [300](https://example.org) |
| &nbsp;&nbsp;Sub<br>region | ~~5~~ |
| *South* | $1 | 2 | beyond the last header |

| Alone |
| ----- |
"""


def test_a_pipe_table_declares_its_headers_and_keeps_plain_text() -> None:
    first, second = read_markdown(REPORT, "report.md")
    assert [[cell.text for cell in row] for row in first.rows] == [
        ["Region", "2023", "2024"],
        ["North | East", "1,200", "300"],
        ["Sub region", "~~5~~", ""],
        ["South", "$1", "2"],
    ]
    assert {cell.declared for cell in first.rows[0]} == {COLUMN_HEADER}
    assert {cell.declared for row in first.rows[1:] for cell in row} == {""}
    assert first.rows[2][0].indent == 5.0
    assert first.rows[0][2].bold
    assert second.n_rows == 1


def test_title_and_headings_are_those_above() -> None:
    first, second = read_markdown(REPORT, "report.md")
    assert first.title == "Sales by region were as follows:"
    assert first.source.headings == ("Report", "Sales")
    assert (second.source.index, second.title) == (1, "Sales")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("a | b\n--- | ---\n1 | 2", True),
        ("| a |\n|---|\n", True),
        ("a, b\n---\n", False),
        ("x\n\n| --- | --- |\n", False),
        ("just | a pipe", False),
    ],
)
def test_a_pipe_table_is_told_by_its_row_of_dashes(text: str, found: bool) -> None:
    assert has_pipe_table(text) is found


def test_scripts_and_tags_in_a_cell_are_left_out() -> None:
    (grid,) = read_markdown("| a | b |\n|---|---|\n| <script>alert(1)</script> | <b>2</b> |\n")
    assert [cell.text for cell in grid.rows[1]] == ["alert(1)", "2"]


def test_too_much_markdown_is_refused() -> None:
    with pytest.raises(CrossheadError, match="too much Markdown"):
        read_markdown("x" * (MAX_CHARACTERS + 1))
