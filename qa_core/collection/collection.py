"""The collection of brought tables, in the store's database.

Safe to use from several threads and processes: a change reads and writes in one transaction that holds the
write lock, so two corrections of one table made at once are both kept.
"""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, Row, delete, func, select, update
from sqlalchemy.exc import IntegrityError

from qa_core.collection.edit_format import edits_from_text, edits_to_text
from qa_core.collection.grid_format import grid_from_bytes, grid_to_bytes
from qa_core.collection.kept import BroughtTable, Listed
from qa_core.datasets.dataset import Dataset
from qa_core.errors import CrossheadError
from qa_core.ingest.clean import clean
from qa_core.ingest.edit import Edits, edited
from qa_core.ingest.extract import Extraction
from qa_core.storage.database import Database, default_store_url
from qa_core.storage.schema import brought
from qa_core.table import Table
from qa_core.table_format import table_from_record, table_to_record
from qa_core.text import as_text, squeeze

NAME = "brought"
"""The name of the collection as a dataset."""

MAX_NAME = 200
"""Characters of a name."""

_LISTED = [brought.c[name] for name in Listed.__annotations__]
_NOT_IN_IDS = re.compile(r"[^\w.]+")


class Collection:
    """Brought tables, in the order in which they were kept.

    Every method raises CrossheadError where the database cannot be read or written, and those that take an
    id where no table has it.
    """

    def __init__(self, url: str | None = None) -> None:
        self._database = Database(url or default_store_url())

    def close(self) -> None:
        """Give back all connections."""
        self._database.close()

    def add(self, source: Extraction | Table, name: str, edits: Edits = ()) -> BroughtTable:
        """Keep a table under a name. ``edits`` are the corrections that ``source`` already holds.

        Raises CrossheadError also for a table without body rows.
        """
        table, grid = (source, None) if isinstance(source, Table) else (source.table, source.cleaned.original)
        name = _checked(name)
        _check_body(table)
        now = _now()
        values = {
            "name": name,
            "file": as_text(table.source)[:200],
            "rows": table.n_rows,
            "columns": table.n_columns,
            "created": now,
            "changed": now,
            "revision": 0,
            "edits": edits_to_text(edits),
            "record": _dumps(table),
            "grid": None if grid is None else grid_to_bytes(grid),
        }
        for _ in range(10):
            table_id = _new_id(table.id)
            try:
                with self._database.writing() as connection:
                    connection.execute(brought.insert().values(id=table_id, **values))
            except IntegrityError:  # the id is taken
                continue
            return self.get(table_id)
        raise CrossheadError("No free id was found for the table; keep it once more.")

    def listed(self) -> list[Listed]:
        """All tables, those kept last first."""
        query = select(*_LISTED).order_by(brought.c.created.desc(), brought.c.id)
        with self._database.reading() as connection:
            return [_listed(row) for row in connection.execute(query)]

    def get(self, table_id: str) -> BroughtTable:
        """One table with its original."""
        with self._database.reading() as connection:
            return _brought(_row(connection, table_id))

    def rename(self, table_id: str, name: str) -> None:
        """Give a table another name, which is also its title."""
        self._update(table_id, name=_checked(name))

    def mend(self, table_id: str, change: Callable[[Edits], Edits]) -> BroughtTable:
        """Change the corrections of a table and build it anew; ``change`` gets those that are kept now.

        Raises CrossheadError for a correction that the grid does not allow or that leaves no body row, and
        for a table without a grid; nothing is changed then.
        """
        with self._database.writing() as connection:
            kept = _brought(_row(connection, table_id))
            if kept.original is None:
                raise CrossheadError(
                    f"The table {kept.name} was brought with its headers; there is no grid to correct."
                )
            edits = change(kept.edits)
            table = edited(clean(kept.original), edits).table
            _check_body(table)
            values = {
                "edits": edits_to_text(edits),
                "record": _dumps(table),
                "rows": table.n_rows,
                "columns": table.n_columns,
            }
            _change(connection, table_id, values)
        return self.get(table_id)

    def delete(self, table_id: str) -> None:
        """Delete a table."""
        with self._database.writing() as connection:
            _row(connection, table_id)
            connection.execute(delete(brought).where(brought.c.id == table_id))

    def stamp(self) -> tuple[int, int, datetime | None]:
        """What differs after every change."""
        query = select(
            func.count(), func.coalesce(func.sum(brought.c.revision), 0), func.max(brought.c.created)
        )
        with self._database.reading() as connection:
            count, revisions, newest = connection.execute(query).one()
        return count, int(revisions), newest

    def as_dataset(self) -> Dataset:
        """All tables as a dataset without questions, those kept last first."""
        query = select(*_LISTED, brought.c.record).order_by(brought.c.created.desc(), brought.c.id)
        with self._database.reading() as connection:
            tables = [_table(row) for row in connection.execute(query)]
        return Dataset(NAME, {table.id: table for table in tables}, ())

    def _update(self, table_id: str, **values: object) -> None:
        with self._database.writing() as connection:
            _row(connection, table_id)
            _change(connection, table_id, values)


def _change(connection: Connection, table_id: str, values: dict[str, Any]) -> None:
    connection.execute(
        update(brought)
        .where(brought.c.id == table_id)
        .values(changed=_now(), revision=brought.c.revision + 1, **values)
    )


def _row(connection: Connection, table_id: str) -> Row[Any]:
    row = connection.execute(select(brought).where(brought.c.id == table_id)).one_or_none()
    if row is None:
        raise CrossheadError(f"No kept table has the id {table_id!r}; it may have been deleted.")
    return row


def _brought(row: Row[Any]) -> BroughtTable:
    original = None if row.grid is None else grid_from_bytes(row.grid)
    return BroughtTable(_listed(row), _table(row), original, edits_from_text(row.edits))


def _listed(row: Row[Any]) -> Listed:
    values = {name: getattr(row, name) for name in Listed.__annotations__}
    return Listed(**values | {name: values[name].replace(tzinfo=UTC) for name in ("created", "changed")})


def _table(row: Any) -> Table:
    table = table_from_record(json.loads(row.record), f"the kept table {row.name}")
    return replace(table, id=row.id, title=row.name)


def _dumps(table: Table) -> str:
    return json.dumps(table_to_record(table), ensure_ascii=True, separators=(",", ":"))


def _checked(name: str) -> str:
    name = squeeze(as_text(name))[:MAX_NAME]
    if not name:
        raise CrossheadError("A kept table needs a name; type one.")
    return name


def _check_body(table: Table) -> None:
    if not (table.n_rows and table.n_columns):
        raise CrossheadError(
            "A table without body rows and columns holds nothing to ask and is not kept; take at least one "
            "row as body."
        )


def _new_id(origin: str) -> str:
    """A readable id that no other table has had."""
    stem = _NOT_IN_IDS.sub("-", as_text(origin)).strip("-.")[:50] or "table"
    return f"{stem}-{secrets.token_hex(3)}"


def _now() -> datetime:
    """The time in UTC, without a zone, as not every database keeps one."""
    return datetime.now(UTC).replace(tzinfo=None)
