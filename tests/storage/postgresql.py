"""A PostgreSQL server of the tests' own, out of Debian's packages, that goes when they end."""

import os
import shutil
import socket
import subprocess
import tempfile
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import create_engine, text

USER = "crosshead"
_UNPRIVILEGED = ("postgres", "nobody")
_SETTINGS = ("fsync=off", "max_connections=100", "listen_addresses=localhost")


class NoPostgresqlError(Exception):
    """Why there is no server, and what to do about it."""


@contextmanager
def running_postgresql() -> Iterator[str]:
    """A new server on a free port: the URL of its databases, without the name of one.

    Raises NoPostgresqlError where it is not installed or does not start.
    """
    programs = _programs()
    # Not a folder of pytest's, which only root could enter where root runs the tests.
    with tempfile.TemporaryDirectory(prefix="crosshead-postgresql-") as name:
        folder, other = Path(name), _other_user()
        if other:
            shutil.chown(folder, **{"user": other["user"], "group": other["group"]})
        port = _free_port()
        settings = (*_SETTINGS, f"port={port}", f"unix_socket_directories={folder}")
        make = [
            programs / "initdb",
            "-D",
            folder / "data",
            "-U",
            USER,
            "-A",
            "trust",
            "-E",
            "UTF8",
            "--locale=C",
        ]
        control = [programs / "pg_ctl", "-D", folder / "data", "-w"]
        start = [*control, "-l", folder / "log", "-o", " ".join(f"-c {each}" for each in settings), "start"]
        _call(make, folder, other)
        _call(start, folder, other)
        try:
            yield f"postgresql://{USER}@localhost:{port}"
        finally:
            _call([*control, "-m", "immediate", "stop"], folder, other)


def new_database(server: str) -> str:
    """The URL of a new, empty database."""
    name = f"test_{uuid.uuid4().hex[:12]}"
    engine = create_engine(f"{server}/postgres", isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
    engine.dispose()
    return f"{server}/{name}"


def _programs() -> Path:
    """The folder of initdb and pg_ctl, which Debian keeps off the PATH."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    on_path = shutil.which("initdb")
    if found:
        return found[-1].parent
    if on_path:
        return Path(on_path).resolve().parent
    raise NoPostgresqlError(
        "PostgreSQL is not installed, so nothing is tested on it: sh tests/storage/install_postgresql.sh "
        "installs it where that is allowed (on Debian: sudo apt-get install postgresql)."
    )


def _other_user() -> Mapping[str, Any]:
    """PostgreSQL does not run as root; another user does it then."""
    import pwd

    if os.geteuid() != 0:
        return {}
    known = {entry.pw_name for entry in pwd.getpwall()}
    user = next(name for name in _UNPRIVILEGED if name in known)
    return {"user": user, "group": pwd.getpwnam(user).pw_gid, "extra_groups": []}


def _call(command: list[object], folder: Path, other: Mapping[str, Any]) -> None:
    # Into a file: the server would keep a pipe open.
    with (folder / "said").open("w+") as said:
        done = subprocess.run(
            list(map(str, command)), cwd=folder, stdout=said, stderr=subprocess.STDOUT, **other
        )
        if done.returncode:
            said.seek(0)
            raise NoPostgresqlError(f"PostgreSQL did not start:\n{said.read()[-2000:]}")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("localhost", 0))
        port: int = probe.getsockname()[1]
        return port
