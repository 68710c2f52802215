"""How the database of the store is opened and used.

Opening never overwrites: a file that is no database, belongs to another program or was written by a newer
Crosshead is refused in one sentence and left as it is. No sentence shows a user name, a password or what
stands behind the question mark of a URL.
"""

from __future__ import annotations

import logging
import os
import re
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import (
    URL,
    Connection,
    Engine,
    NullPool,
    create_engine,
    event,
    func,
    inspect,
    select,
    update,
)
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, IntegrityError, NoSuchModuleError, SQLAlchemyError

from qa_core.errors import CrossheadError
from qa_core.storage.schema import SCHEMA_VERSION, cases, metadata, runs, schema_version

_log = logging.getLogger(__name__)

_BUSY_TIMEOUT_S = 5  # a person waits for it
_BUSY = frozenset((sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED))
_LOCK_NOT_AVAILABLE = "55P03"  # PostgreSQL
_WRITERS = 0x43726F7373  # what writers lock there; any number that no other program of the database takes
_NO_URL = "The store is not named by an SQLAlchemy URL; write sqlite:///runs.sqlite for a file."


def default_store_url() -> str:
    """The store named by the environment variable CROSSHEAD_STORE, else ``.crosshead/runs.sqlite`` here."""
    return os.environ.get("CROSSHEAD_STORE") or f"sqlite:///{Path('.crosshead') / 'runs.sqlite'}"


def is_made(url: str) -> bool:
    """Whether a store is there to be read; a server's is taken to be."""
    file = _file(_parse(url))
    return file is None or file.exists()


class Database:
    """A database that holds the store's tables; they are made where it is new.

    Every fault is a CrossheadError, but for an IntegrityError while writing: a unique key that another
    process took first is the caller's matter.
    """

    def __init__(self, url: str) -> None:
        self._url = _parse(url)
        self.shown = _shown(self._url)
        self._file = _file(self._url)
        self._engine = _create_engine(self._url, self.shown)
        self._reopening = threading.Lock()
        self._open()

    def close(self) -> None:
        """Give back all connections; new ones are opened when it is used again."""
        self._engine.dispose()

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection in a transaction."""
        with self._faults_as_sentences("read"):
            self._check_file()
            with self._engine.begin() as connection:
                yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A connection in a transaction that is the only writing one from its start to its end."""
        taken: IntegrityError | None = None
        with self._faults_as_sentences("written"):
            self._check_file()
            try:
                with _writing(self._engine) as connection:
                    yield connection
            except IntegrityError as fault:
                taken = fault
        if taken is not None:
            raise taken

    def _open(self) -> None:
        if self._file is not None:
            _make_folder(self._file, self.shown)
        with self._faults_as_sentences("opened"):
            try:
                _check_owner(self._engine, self.shown)
            except (TypeError, ValueError) as fault:  # a setting in the URL that the driver cannot read
                raise CrossheadError(_NO_URL) from fault
            _keep_a_log(self._engine)
            with _writing(self._engine) as connection:
                _make_tables(connection, self.shown)
        self._identity = _identity(self._file)

    def _check_file(self) -> None:
        """Say once that the file is another than the one that was opened, and go on with that."""
        with self._reopening:
            if _identity(self._file) == self._identity:
                return
            self._open()
        said = (
            f"The file of the store {self.shown} was deleted or replaced while it was in use. It was "
            "opened anew; the runs and kept tables that only the old file held are lost, unless you put it "
            "back. Try again."
        )
        _log.warning(said)  # whoever asked first may not show it
        raise CrossheadError(said)

    @contextmanager
    def _faults_as_sentences(self, what: str) -> Iterator[None]:
        try:
            yield
        except (SQLAlchemyError, sqlite3.Error) as fault:
            cause = getattr(fault, "orig", None) or fault
            if _is_busy(cause):
                raise CrossheadError(
                    f"The store {self.shown} cannot be {what} now: another program is writing to it. Try "
                    "again in a moment."
                ) from fault
            reason = _without_secrets(str(cause).splitlines()[0], self._url).rstrip(".")
            raise CrossheadError(
                f"The store {self.shown} cannot be {what}: {reason}. It was left as it is; repair or "
                "move it, or name another store with CROSSHEAD_STORE."
            ) from fault


def _is_busy(cause: BaseException) -> bool:
    """Whether a fault is that another writer did not end in time."""
    # The low byte of an extended code.
    of_sqlite = getattr(cause, "sqlite_errorcode", 0) & 0xFF in _BUSY
    return of_sqlite or getattr(cause, "sqlstate", "") == _LOCK_NOT_AVAILABLE


def _parse(url: str) -> URL:
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError):
        raise CrossheadError(_NO_URL) from None
    if _file(parsed) is None and url.count("@") > 1:  # where the password ends, nobody can tell
        raise CrossheadError(
            "The URL of the store holds more than one @; write one within a name or a password as %40."
        )
    return parsed


def _shown(url: URL) -> str:
    """A URL without user name and settings: either may be or hold a token or a password."""
    return URL.create(url.drivername, host=url.host, port=url.port, database=url.database).render_as_string()


def _without_secrets(text: str, url: URL) -> str:
    values = (
        value for given in url.query.values() for value in ([given] if isinstance(given, str) else given)
    )
    for secret in filter(None, (url.password, url.username, *values)):
        text = re.sub(rf"(?<!\w){re.escape(str(secret))}(?!\w)", "***", text)
    return text


def _file(url: URL) -> Path | None:
    """The SQLite file that a URL names; None for servers and databases in memory."""
    name = url.database
    elsewhere = url.host or url.username or url.password or not name or name.startswith((":memory:", "file:"))
    if elsewhere or url.drivername.split("+")[0] != "sqlite":
        return None
    return Path(name or "").absolute()


def _identity(file: Path | None) -> tuple[int, int] | None:
    """What tells a file from another one of its name; None where there is none."""
    try:
        status = file.stat() if file else None
    except OSError:
        return None
    return (status.st_dev, status.st_ino) if status else None


def _make_folder(file: Path, shown: str) -> None:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise CrossheadError(f"The folder of the store {shown} cannot be made: {fault}.") from fault


def _create_engine(url: URL, shown: str) -> Engine:
    is_sqlite = url.drivername.split("+")[0] == "sqlite"
    arguments = {"timeout": _BUSY_TIMEOUT_S} if is_sqlite else {}
    # A connection that is kept would go on writing into a file that was deleted.
    # A server that was started anew has forgotten the connections that are kept.
    pool: dict[str, Any] = {"poolclass": NullPool} if _file(url) else {"pool_pre_ping": not is_sqlite}
    try:
        engine = create_engine(url, connect_args=arguments, **pool)
    except (NoSuchModuleError, ImportError) as fault:
        raise CrossheadError(
            f"The store {shown} needs a database driver that is not installed: {fault}."
        ) from fault
    except (ArgumentError, TypeError, ValueError) as fault:
        raise CrossheadError(_NO_URL) from fault
    if is_sqlite:
        event.listen(engine, "connect", _configure_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
    return engine


@contextmanager
def _writing(engine: Engine) -> Iterator[Connection]:
    with engine.execution_options(crosshead_writing=True).begin() as connection:
        if engine.dialect.name == "postgresql":
            # One writer at a time, as on SQLite: so no update is lost between a read and a write, and entries
            # become visible in the order of their numbers.
            connection.exec_driver_sql(f"SET LOCAL lock_timeout = '{_BUSY_TIMEOUT_S}s'")
            connection.execute(select(func.pg_advisory_xact_lock(_WRITERS)))
        yield connection


def _configure_sqlite(connection: Any, _: object) -> None:
    # The driver would begin transactions late, after the first read; _begin_sqlite does it in its place.
    connection.isolation_level = None
    for setting in ("synchronous = NORMAL", "foreign_keys = ON"):
        connection.execute(f"PRAGMA {setting}")


def _keep_a_log(engine: Engine) -> None:
    """Let SQLite readers and a writer work at once. It changes the file, so its owner is checked before."""
    if engine.dialect.name == "sqlite":
        connection = engine.raw_connection()
        try:
            connection.cursor().execute("PRAGMA journal_mode = WAL")
        finally:
            connection.close()


def _begin_sqlite(connection: Connection) -> None:
    writes = connection.get_execution_options().get("crosshead_writing")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _check_owner(engine: Engine, shown: str) -> None:
    """Refuse the SQLite file of another program. A database server may hold other tables beside ours."""
    names = set(inspect(engine).get_table_names())
    if engine.dialect.name == "sqlite" and names and schema_version.name not in names:
        raise CrossheadError(f"{shown} is a database of another program; name another file as the store.")


def _leave(connection: Connection) -> None:
    """Nothing but tables was added."""


def _rename_rci(connection: Connection) -> None:
    renamed = update(runs).where(runs.c.system == "rci").values(system="rci-representation")
    connection.execute(renamed)


def _add_facets(connection: Connection) -> None:
    # A table that was made a moment ago, in a store that had none of it, has the column.
    if "facets" in {column["name"] for column in inspect(connection).get_columns(cases.name)}:
        return
    kind = cases.c.facets.type.compile(connection.dialect)
    connection.exec_driver_sql(f"ALTER TABLE {cases.name} ADD COLUMN facets {kind} NOT NULL DEFAULT ''")


_STEPS = {1: _leave, 2: _rename_rci, 3: _add_facets}
"""What makes a store of each older version one of the next."""


def _make_tables(connection: Connection, shown: str) -> None:
    metadata.create_all(connection)
    version = connection.scalar(select(schema_version.c.version))
    if version is None:
        connection.execute(schema_version.insert().values(version=SCHEMA_VERSION))
    elif version in _STEPS:  # tables that an older version lacks were just made
        for step in list(_STEPS.values())[version - 1 :]:
            step(connection)
        connection.execute(update(schema_version).values(version=SCHEMA_VERSION))
    elif version != SCHEMA_VERSION:
        raise CrossheadError(
            f"The store {shown} has schema version {version}, and this Crosshead reads version "
            f"{SCHEMA_VERSION}; use the Crosshead that wrote it, or name another store."
        )
