"""A stored run that several tests vary."""

from datetime import UTC, datetime

from qa_core.evaluation.runs import RunRecord

NOW = datetime(2026, 1, 2, tzinfo=UTC)
WHOLE_RUN = RunRecord(
    id="a",
    dataset="sample",
    dataset_fingerprint="f",
    system="lexical",
    system_version="1",
    weights="",
    transformation="base",
    limit=None,
    total=10,
    status="finished",
    created=NOW,
    updated=NOW,
    finished=NOW,
    seconds=1.0,
    done=10,
    strict=0.5,
    normalised=0.6,
)
