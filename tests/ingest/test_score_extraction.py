"""The scores of extracted tables against those that should come out."""

import gzip
import json
from dataclasses import replace
from pathlib import Path

import pytest

from qa_core.table import Table
from tests.score_extraction import main, score
from tests.tables import AMAZON, FUEL


@pytest.mark.parametrize("table", [AMAZON, FUEL, Table("empty", (), (), ())])
def test_a_table_that_comes_out_whole_scores_1(table: Table) -> None:
    assert score(table, table) == [1, 1, 1, 1]


def test_a_lost_crosshead_spoils_the_facts_under_it_and_no_leaf() -> None:
    flat = replace(AMAZON, row_paths=(*AMAZON.row_paths[:3], ("Operating income",)))
    assert score(AMAZON, flat) == [0, 0.75, 1, 1]


def test_a_wrong_label_spoils_no_cell_and_a_wrong_cell_one_fact() -> None:
    mislabelled = replace(AMAZON, column_paths=(AMAZON.column_paths[0], ("Year Ended December 31,", "2042")))
    assert score(AMAZON, mislabelled) == [0, 0.5, 0.5, 1]
    altered = replace(AMAZON, cells=(("$352,828", "387,497"), *AMAZON.cells[1:]))
    assert score(AMAZON, altered) == [0, 7 / 8, 7 / 8, 7 / 8]


def test_a_table_that_is_not_found_scores_0(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = "<table><tr><td>Region<td>2023<td>2024<tr><td>North<td>1<td>2<tr><td>South<td>3<td>4</table>"
    (tmp_path / "page.html.gz").write_bytes(gzip.compress(page.encode()))
    gold = {
        "id": "regions",
        "filing": "page.html",
        "column_header": [["2023"], ["2024"]],
        "row_header": [["North"], ["South"]],
        "data": [["1", "2"], ["3", "4"]],
    }
    lines = [json.dumps(gold | {"table_index": index}) for index in (0, 1)]
    (tmp_path / "gold.jsonl").write_text("\n".join(lines), encoding="utf-8")
    main(tmp_path / "gold.jsonl", tmp_path)
    assert [line.split()[2:] for line in capsys.readouterr().out.splitlines()] == [
        ["1.000", "facts", "1.000", "leaves", "1.000", "cells", "1.000"],
        ["0.000", "facts", "0.000", "leaves", "0.000", "cells", "0.000"],
        ["exact", "0.500", "facts", "0.500", "leaves", "0.500", "cells", "0.500"],
    ]
