"""Reading JSON Lines files, plain or gzipped, with faults named by file and line."""

from __future__ import annotations

import gzip
import io
import json
import zlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from qa_core.errors import CrossheadError
from qa_core.text import as_text

MAX_BYTES = 500_000_000
"""Bytes up to which a file is read, and unpacked: a small gzip file can hold more than memory does."""


def read_text(path: Path) -> str:
    """The text of a UTF-8 file, unpacked where its name ends in ``.gz``, a byte-order mark left out.

    Raises CrossheadError where the file is missing, unreadable, no UTF-8, longer than ``MAX_BYTES`` or no
    whole gzip file.
    """
    try:
        return io.TextIOWrapper(io.BytesIO(_bytes(path)), encoding="utf-8-sig").read()
    except FileNotFoundError:
        raise CrossheadError(f"There is no file {path}; check the path.") from None
    except UnicodeDecodeError as fault:
        raise CrossheadError(f"{path} is not UTF-8 text (byte {fault.start}); save it as UTF-8.") from None
    except (gzip.BadGzipFile, EOFError, zlib.error):
        raise CrossheadError(f"{path} is not a whole gzip file; pack or copy it again.") from None
    except OSError as fault:
        raise CrossheadError(f"{path} cannot be read: {fault.strerror or fault}.") from None


def _bytes(path: Path) -> bytes:
    if path.exists() and not path.is_file():  # a pipe or device would be read for ever
        raise CrossheadError(f"{path} cannot be read: it is not a file.")
    with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
        data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise CrossheadError(f"{path} holds more than {MAX_BYTES:,} bytes; split it first.")
    return data


def parse_json(text: str, where: str) -> Any:
    """Parse one JSON value.

    Raises CrossheadError that begins with ``where`` for text that is not JSON or is nested too deep, and for
    an object with a field that stands twice: which of the two is meant, nobody can know.
    """

    def as_object(fields: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(fields)
        if len(found) < len(fields):
            twice = next(name for name, n in Counter(name for name, _ in fields).items() if n > 1)
            raise CrossheadError(
                f"{where}: the field {as_text(twice)!r} stands twice in one object; leave one of them."
            )
        return found

    try:
        return json.loads(text, object_pairs_hook=as_object)
    except json.JSONDecodeError as fault:
        raise CrossheadError(f"{where}: not valid JSON ({fault.msg} at character {fault.pos + 1}).") from None
    except RecursionError:
        raise CrossheadError(f"{where}: the JSON is nested too deep; tables have three levels.") from None
    except ValueError as fault:
        raise CrossheadError(f"{where}: not usable JSON ({fault}).") from None


def read_json_lines(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every object of a JSON Lines file with its ``file, line n``; blank lines are passed over.

    Raises CrossheadError at the first line that is not a JSON object.
    """
    yield from parse_json_lines(read_text(path), str(path))


def parse_json_lines(text: str, name: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every object of a text of JSON Lines, as ``read_json_lines`` gives those of the file ``name``."""
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        where = f"{name}, line {number}"
        record = parse_json(line, where)
        if not isinstance(record, dict):
            raise CrossheadError(f"{where}: expected a JSON object, found {type(record).__name__}.")
        yield where, record
