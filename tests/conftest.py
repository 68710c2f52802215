"""The databases that a store is tested on."""

import os
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.storage.postgresql import NoPostgresqlError, new_database, running_postgresql


@pytest.fixture(scope="session")
def postgresql() -> Iterator[str]:
    """A PostgreSQL server; without it a test is skipped, and fails under CI, which has to have one."""
    with ExitStack() as stack:
        try:
            server = stack.enter_context(running_postgresql())
        except NoPostgresqlError as fault:
            if os.environ.get("CI"):
                pytest.fail(str(fault), pytrace=False)
            pytest.skip(str(fault))
        yield server


@pytest.fixture(params=["sqlite", "postgresql"])
def store_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A store that is not made yet, on each kind of database."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'runs.sqlite'}"
    return new_database(request.getfixturevalue("postgresql"))
