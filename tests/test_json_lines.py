"""Reading JSON Lines, plain and gzipped: faults first."""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import pytest

from qa_core import json_lines
from qa_core.datasets.aitqa import load_folder
from qa_core.errors import CrossheadError
from qa_core.json_lines import read_json_lines, read_text
from qa_core.table_format import read_tables

TABLE = '{"id": "t1", "column_header": [["2018"]], "row_header": [["Revenue"]], "data": [["€1"]]}\n'
QUESTION = '{"id": "q1", "table_id": "t1", "question": "Revenue in 2018?", "answers": ["€1"]}\n'
PACKED = gzip.compress(TABLE.encode(), mtime=0)


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (TABLE.encode(), "is not a whole gzip file; pack or copy it again"),
        (PACKED[:-9], "is not a whole gzip file"),
        (PACKED[:20] + bytes(len(PACKED) - 20), "is not a whole gzip file"),
        (gzip.compress(b"ok \xff"), r"is not UTF-8 text \(byte 3\)"),
    ],
)
def test_a_gzip_file_that_cannot_be_used_is_told(tmp_path: Path, content: bytes, fault: str) -> None:
    path = tmp_path / "tables.jsonl.gz"
    path.write_bytes(content)
    with pytest.raises(CrossheadError, match=f"tables.jsonl.gz {fault}"):
        read_text(path)


def test_a_missing_gzip_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(CrossheadError, match=r"There is no file .*none\.gz; check the path"):
        read_text(tmp_path / "none.gz")


def test_a_gzip_file_is_unpacked_up_to_a_bound(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "zeros.gz"
    path.write_bytes(gzip.compress(bytes(1000)))
    monkeypatch.setattr(json_lines, "MAX_BYTES", 1000)
    assert len(read_text(path)) == 1000
    monkeypatch.setattr(json_lines, "MAX_BYTES", 999)
    with pytest.raises(CrossheadError, match=r"zeros\.gz holds more than 999 bytes; split it first"):
        read_text(path)


def test_a_broken_line_of_a_gzip_file_is_told_by_number(tmp_path: Path) -> None:
    path = tmp_path / "tables.jsonl.gz"
    path.write_bytes(gzip.compress(TABLE.encode() + b"{broken\n"))
    with pytest.raises(CrossheadError, match=r"tables.jsonl.gz, line 2: not valid JSON"):
        list(read_json_lines(path))


@pytest.mark.parametrize("text", ["\ufeffa\nb", "a\r\nb", "a\rb"])
def test_marks_and_line_ends_of_other_systems_are_read_alike(tmp_path: Path, text: str) -> None:
    plain, packed = tmp_path / "a", tmp_path / "a.gz"
    plain.write_bytes(text.encode())
    packed.write_bytes(gzip.compress(text.encode()))
    assert read_text(plain) == read_text(packed) == "a\nb"


@pytest.mark.parametrize("prefix", ["aitqa_", ""])
def test_a_gzipped_folder_is_the_same_dataset(tmp_path: Path, prefix: str) -> None:
    for suffix, pack in (("", bytes), (".gz", gzip.compress)):
        folder = tmp_path / f"folder{suffix}"
        folder.mkdir()
        (folder / f"{prefix}tables.jsonl{suffix}").write_bytes(pack(TABLE.encode()))
        (folder / f"{prefix}questions.jsonl{suffix}").write_bytes(pack(QUESTION.encode()))
    plain, packed = (load_folder(tmp_path / name, "aitqa") for name in ("folder", "folder.gz"))
    assert packed.fingerprint == plain.fingerprint
    assert packed.table("t1").cell(0, 0) == "€1"
    assert [table.id for table in read_tables(tmp_path / "folder.gz" / f"{prefix}tables.jsonl.gz")] == ["t1"]


def test_a_plain_file_is_bounded_too_and_a_pipe_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with (tmp_path / "sparse.json").open("wb") as file:
        file.truncate(2_000)
    monkeypatch.setattr(json_lines, "MAX_BYTES", 1_000)
    with pytest.raises(CrossheadError, match="holds more than 1,000 bytes"):
        json_lines.read_text(tmp_path / "sparse.json")
    os.mkfifo(tmp_path / "pipe.json")
    with pytest.raises(CrossheadError, match="it is not a file"):
        json_lines.read_text(tmp_path / "pipe.json")
