"""Stores as older versions of Crosshead made them, written out: what a version made stays as it was."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, column, create_engine, inspect, table

from qa_core.storage.schema import metadata

RUNS = """
CREATE TABLE crosshead_schema (version INTEGER NOT NULL, PRIMARY KEY (version));
CREATE TABLE crosshead_runs (
    id VARCHAR(12) NOT NULL, dataset VARCHAR(100) NOT NULL, dataset_fingerprint VARCHAR(64) NOT NULL,
    system VARCHAR(50) NOT NULL, system_version VARCHAR(50) NOT NULL, weights VARCHAR(200) NOT NULL,
    transformation VARCHAR(50) NOT NULL, question_limit INTEGER NOT NULL, total INTEGER NOT NULL,
    done INTEGER NOT NULL, strict_hits INTEGER NOT NULL, normalised_hits INTEGER NOT NULL,
    status VARCHAR(10) NOT NULL, created TIMESTAMP NOT NULL, updated TIMESTAMP NOT NULL, finished TIMESTAMP,
    seconds FLOAT NOT NULL,
    PRIMARY KEY (id),
    UNIQUE (dataset_fingerprint, system, system_version, weights, transformation, question_limit)
);
CREATE TABLE crosshead_cases (
    dataset_fingerprint VARCHAR(64) NOT NULL, question_id VARCHAR(200) NOT NULL, position INTEGER NOT NULL,
    table_id VARCHAR(200) NOT NULL, text TEXT NOT NULL, answers TEXT NOT NULL, kind VARCHAR(50) NOT NULL,
    row_hierarchy_needed BOOLEAN, paraphrase_group VARCHAR(200) NOT NULL, gold TEXT NOT NULL,
    slices VARCHAR(200) NOT NULL,
    PRIMARY KEY (dataset_fingerprint, question_id)
);
CREATE INDEX crosshead_cases_in_order ON crosshead_cases (dataset_fingerprint, position);
CREATE TABLE crosshead_predictions (
    run_id VARCHAR(12) NOT NULL, question_id VARCHAR(200) NOT NULL, answer TEXT NOT NULL, "row" INTEGER,
    "column" INTEGER, strict BOOLEAN NOT NULL, normalised BOOLEAN NOT NULL, reason VARCHAR(40) NOT NULL,
    confidence FLOAT NOT NULL, seconds FLOAT NOT NULL, payload TEXT NOT NULL,
    PRIMARY KEY (run_id, question_id),
    FOREIGN KEY(run_id) REFERENCES crosshead_runs (id) ON DELETE CASCADE
);
CREATE INDEX crosshead_predictions_verdicts
    ON crosshead_predictions (run_id, reason, strict, normalised, question_id)
"""
BROUGHT = """
CREATE TABLE crosshead_brought (
    id VARCHAR(80) NOT NULL, name VARCHAR(200) NOT NULL, file VARCHAR(200) NOT NULL, rows INTEGER NOT NULL,
    columns INTEGER NOT NULL, created TIMESTAMP NOT NULL, changed TIMESTAMP NOT NULL,
    revision INTEGER NOT NULL, edits TEXT NOT NULL, record TEXT NOT NULL, grid BLOB,
    PRIMARY KEY (id)
)
"""
VERSIONS = {1: RUNS, 2: f"{RUNS};{BROUGHT}", 3: f"{RUNS};{BROUGHT}"}
"""The statements that made a store of each version."""

Rows = Mapping[str, Sequence[Mapping[str, Any]]]


def make_older_store(url: str, version: int, rows: Rows) -> None:
    """Make a store of an older version, with rows by the names of its tables.

    Of a row only the columns that the version had are kept, and of a table that it had not, nothing.
    """
    engine = create_engine(url)
    with engine.begin() as connection:
        for statement in VERSIONS[version].split(";"):
            if engine.dialect.name == "postgresql":
                statement = statement.replace("BLOB", "BYTEA")
            connection.exec_driver_sql(statement)
        _insert(connection, "crosshead_schema", [{"version": version}])
        for name, values in rows.items():
            if f"CREATE TABLE {name} " in VERSIONS[version]:
                _insert(connection, name, values)
    engine.dispose()


def all_rows(url: str) -> Rows:
    """What a store holds, by the names of its tables; those that others refer to first."""
    engine = create_engine(url)
    with engine.begin() as connection:
        found = {
            each.name: [dict(row._mapping) for row in connection.execute(each.select())]
            for each in metadata.sorted_tables
            if each.name != "crosshead_schema"
        }
    engine.dispose()
    return found


def _insert(connection: Connection, name: str, rows: Sequence[Mapping[str, Any]]) -> None:
    had = [each["name"] for each in inspect(connection).get_columns(name)]
    made = table(name, *(column(each) for each in had))
    kept = [{each: row[each] for each in had} for row in rows]
    if kept:
        connection.execute(made.insert(), kept)
