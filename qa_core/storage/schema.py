"""The tables of the store."""

from __future__ import annotations

from sqlalchemy import (
    Boolean,
    Column,
    DateTime,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

SCHEMA_VERSION = 4
"""1: runs. 2: brought tables as well. 3: ``rci`` is the interaction form, ``rci-representation`` what was
called ``rci`` before. 4: facets of cases, and judgements. An older
store becomes one of this version when it is opened."""

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
    # 0 for a run over all questions: NULLs would count as different in the unique constraint. -1 and below,
    # counted down from there, for a run that is to replace the one of this limit once it is finished.
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
    # A value for each of QUESTION_FACETS, in their order; empty for cases of an older store.
    Column("facets", String(200), nullable=False, server_default=""),
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

brought = Table(
    "crosshead_brought",
    metadata,
    Column("id", String(80), primary_key=True),
    Column("name", String(200), nullable=False),
    Column("file", String(200), nullable=False),
    Column("rows", Integer, nullable=False),
    Column("columns", Integer, nullable=False),
    Column("created", DateTime, nullable=False),
    Column("changed", DateTime, nullable=False),
    # Counted up by every change, so that a reader knows whether it has the newest.
    Column("revision", Integer, nullable=False),
    Column("edits", Text, nullable=False),
    # An AIT-QA record, as its table came last out of grid and edits.
    Column("record", Text, nullable=False),
    # The document's grid, gzipped JSON; NULL for a document that gave its headers itself.
    Column("grid", LargeBinary),
)

judgements = Table(
    "crosshead_judgements",
    metadata,
    # In the order of writing; several that were made in one moment keep theirs.
    Column("number", Integer, primary_key=True, autoincrement=True),
    Column("dataset_fingerprint", String(64), nullable=False),
    # The same entry made twice, by a second click or a second import, is one.
    Column("key", String(32), nullable=False),
    Column("question_id", String(200), nullable=False),
    Column("kind", String(10), nullable=False),
    Column("text", Text, nullable=False),
    Column("author", String(60), nullable=False),
    Column("made", DateTime, nullable=False),
    Column("verdict", String(20), nullable=False),
    Column("better_row", Integer),
    Column("better_column", Integer),
    Column("answer", Text, nullable=False),
    UniqueConstraint("dataset_fingerprint", "key"),
)

rewordings = Table(
    "crosshead_rewordings",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=True),
    Column("dataset_fingerprint", String(64), nullable=False),
    # Of the question and the wording.
    Column("key", String(32), nullable=False),
    # How many entries came before about this wording: two who keep it at once write the same one.
    Column("turn", Integer, nullable=False),
    Column("question_id", String(200), nullable=False),
    Column("text", Text, nullable=False),
    Column("kept", Boolean, nullable=False),
    Column("author", String(60), nullable=False),
    Column("made", DateTime, nullable=False),
    UniqueConstraint("dataset_fingerprint", "key", "turn"),
)

perturbed = Table(
    "crosshead_perturbed",
    metadata,
    Column("run_id", String(12), ForeignKey("crosshead_runs.id", ondelete="CASCADE"), primary_key=True),
    Column("question_id", String(200), primary_key=True),
    # Empty in the row that says that a question was looked at, which each one has.
    Column("perturbation", String(20), primary_key=True),
    # What the wording depends on beside the question; answers to those of other rules do not count.
    Column("rules", String(40), nullable=False),
    Column("text", Text, nullable=False),
    Column("answer", Text, nullable=False),
    Column("row", Integer),
    Column("column", Integer),
    Column("strict", Boolean, nullable=False),
    Column("reason", String(40), nullable=False),
    Column("confidence", Float, nullable=False),
    Column("seconds", Float, nullable=False),
)

saved_slices = Table(
    "crosshead_saved_slices",
    metadata,
    Column("id", String(12), primary_key=True),
    Column("name", String(60), nullable=False, unique=True),
    # A JSON object: values by the names of FILTERS.
    Column("filters", Text, nullable=False),
    Column("made", DateTime, nullable=False),
)

annotated = Table(
    "crosshead_annotations",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=True),
    # Of the table itself: a dataset's would change with every other table and question.
    Column("table_fingerprint", String(64), nullable=False, index=True),
    Column("table_id", String(200), nullable=False, index=True),
    # Follows from table, draft and author, so that one draft kept twice is one.
    Column("id", String(20), nullable=False, unique=True),
    Column("draft", Text, nullable=False),
    Column("author", String(60), nullable=False),
    Column("made", DateTime, nullable=False),
)

reviews = Table(
    "crosshead_reviews",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=True),
    Column("annotation_id", String(20), nullable=False, index=True),
    # Of all that it says and of the reviewer's review before it, so that a second click is no second review.
    Column("key", String(32), nullable=False, unique=True),
    Column("version", String(16), nullable=False),
    Column("verdict", String(10), nullable=False),
    Column("reason", Text, nullable=False),
    Column("reviewer", String(60), nullable=False),
    Column("made", DateTime, nullable=False),
    # JSON; empty where the review has none.
    Column("mended", Text, nullable=False),
    Column("reading", Text, nullable=False),
)
