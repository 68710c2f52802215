"""The tables of the run store, and how a database is opened.

Opening never overwrites: a file that is no database, belongs to another program or was written by a newer
Crosshead is refused in one sentence and left as it is.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import (
    Boolean,
    Column,
    Connection,
    DateTime,
    Engine,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    create_engine,
    event,
    inspect,
    select,
)
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, NoSuchModuleError, SQLAlchemyError

from qa_core.errors import CrossheadError

SCHEMA_VERSION = 1
_BUSY_TIMEOUT_S = 30

metadata = MetaData()

schema_version = Table("crosshead_schema", metadata, Column("version", Integer, primary_key=True))

runs = Table(
    "crosshead_runs",
    metadata,
    Column("id", String(12), primary_key=True),
    Column("dataset", String(100), nullable=False),
    Column("dataset_fingerprint", String(64), nullable=False),
    Column("system", String(50), nullable=False),
    Column("system_version", String(50), nullable=False),
    Column("weights", String(200), nullable=False),
    Column("transformation", String(50), nullable=False),
    # 0 for a run over all questions: NULLs would count as different in the unique constraint.
    Column("question_limit", Integer, nullable=False),
    Column("total", Integer, nullable=False),
    # Counted in the transaction that saves the predictions, so that listing runs reads none of them.
    Column("done", Integer, nullable=False),
    Column("strict_hits", Integer, nullable=False),
    Column("normalised_hits", Integer, nullable=False),
    Column("status", String(10), nullable=False),
    Column("created", DateTime, nullable=False),
    Column("updated", DateTime, nullable=False),
    Column("finished", DateTime),
    Column("seconds", Float, nullable=False),
    UniqueConstraint(
        "dataset_fingerprint", "system", "system_version", "weights", "transformation", "question_limit"
    ),
)

cases = Table(
    "crosshead_cases",
    metadata,
    Column("dataset_fingerprint", String(64), primary_key=True),
    Column("question_id", String(200), primary_key=True),
    Column("position", Integer, nullable=False),
    Column("table_id", String(200), nullable=False),
    Column("text", Text, nullable=False),
    Column("answers", Text, nullable=False),
    Column("kind", String(50), nullable=False),
    Column("row_hierarchy_needed", Boolean),
    Column("paraphrase_group", String(200), nullable=False),
    Column("gold", Text, nullable=False),
    Column("slices", String(200), nullable=False),
    Index("crosshead_cases_in_order", "dataset_fingerprint", "position"),
)

predictions = Table(
    "crosshead_predictions",
    metadata,
    Column("run_id", String(12), ForeignKey("crosshead_runs.id", ondelete="CASCADE"), primary_key=True),
    Column("question_id", String(200), primary_key=True),
    Column("answer", Text, nullable=False),
    Column("row", Integer),
    Column("column", Integer),
    Column("strict", Boolean, nullable=False),
    Column("normalised", Boolean, nullable=False),
    Column("reason", String(40), nullable=False),
    Column("confidence", Float, nullable=False),
    Column("seconds", Float, nullable=False),
    # Last, so that SQLite can read all the other columns without it.
    Column("payload", Text, nullable=False),
    Index("crosshead_predictions_verdicts", "run_id", "reason", "strict", "normalised", "question_id"),
)


def default_store_url() -> str:
    """The store named by the environment variable CROSSHEAD_STORE, else ``.crosshead/runs.sqlite`` here."""
    return os.environ.get("CROSSHEAD_STORE") or f"sqlite:///{Path('.crosshead') / 'runs.sqlite'}"


_NO_URL = "The run store is not named by an SQLAlchemy URL; write sqlite:///runs.sqlite for a file."


def open_engine(url: str) -> Engine:
    """An engine on a database that holds the store's tables; they are made where it is new.

    Raises CrossheadError for a database that cannot be used.
    """
    engine = _create_engine(url)
    shown = engine.url.render_as_string(hide_password=True)
    with faults_as_sentences(f"The run store {shown} cannot be opened"):
        try:
            _check_owner(engine, shown)
        except ValueError as fault:  # a setting behind the question mark that the driver cannot read
            raise CrossheadError(_NO_URL) from fault
        _keep_a_log(engine)
        with writing(engine) as connection:
            metadata.create_all(connection)
            version = connection.scalar(select(schema_version.c.version))
            if version is None:
                connection.execute(schema_version.insert().values(version=SCHEMA_VERSION))
            elif version != SCHEMA_VERSION:
                raise CrossheadError(
                    f"The run store {shown} has schema version {version}, and this Crosshead reads version "
                    f"{SCHEMA_VERSION}; use the Crosshead that wrote it, or name another store."
                )
    return engine


@contextmanager
def writing(engine: Engine) -> Iterator[Connection]:
    """A connection in a transaction that holds SQLite's write lock from its start."""
    with engine.execution_options(crosshead_writing=True).begin() as connection:
        yield connection


@contextmanager
def faults_as_sentences(what: str) -> Iterator[None]:
    """Turn a fault of the database into a CrossheadError."""
    try:
        yield
    except SQLAlchemyError as fault:
        cause = getattr(fault, "orig", None) or fault
        reason = str(cause).splitlines()[0].rstrip(".")
        raise CrossheadError(
            f"{what}: {reason}. It was left as it is; repair or move it, or name another store with "
            "CROSSHEAD_STORE."
        ) from fault


def _create_engine(url: str) -> Engine:
    try:
        parsed = make_url(url)
        shown = parsed.render_as_string(hide_password=True)
        is_sqlite = parsed.get_backend_name() == "sqlite"
        if is_sqlite and parsed.database and parsed.database != ":memory:":
            Path(parsed.database).parent.mkdir(parents=True, exist_ok=True)
        arguments = {"timeout": _BUSY_TIMEOUT_S} if is_sqlite else {}
        engine = create_engine(parsed, connect_args=arguments)
    except (NoSuchModuleError, ImportError) as fault:
        raise CrossheadError(
            f"The run store {shown} needs a database driver that is not installed: {fault}."
        ) from fault
    except (ArgumentError, ValueError) as fault:
        raise CrossheadError(_NO_URL) from fault
    except OSError as fault:
        raise CrossheadError(f"The folder of the run store {shown} cannot be made: {fault}.") from fault
    if is_sqlite:
        event.listen(engine, "connect", _configure_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
    return engine


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
        raise CrossheadError(
            f"{shown} is a database of another program, not a run store; name another file as the store."
        )
