"""Environments to ask, and a PostgreSQL server of our own where Debian's package is installed."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from inforce.tools.legalagentbench import World
from legalagentbench_world import Ask, asker, write_world


@pytest.fixture(scope="session")
def small_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the invented world."""
    return write_world(tmp_path_factory.mktemp("world"))


@pytest.fixture(scope="session")
def small_world(small_folder: Path) -> Iterator[World]:
    """The invented world."""
    world = World.load(small_folder)
    yield world
    world.close()


@pytest.fixture(scope="session")
def real_world(shared_data: Path) -> Iterator[World]:
    """The rebuilt world, in memory."""
    world = World.load(shared_data / "legalagentbench")
    yield world
    world.close()


@pytest.fixture
def ask(small_world: World) -> Ask:
    """Call a tool of the invented world."""
    return asker(small_world)


@pytest.fixture(scope="session")
def postgresql() -> Iterator[str]:
    """The URL of a fresh PostgreSQL database on a socket of this machine."""
    programs = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    if not programs or not (programs[-1] / "initdb").exists():
        pytest.skip("PostgreSQL is not installed")
    folder = Path(tempfile.mkdtemp(prefix="pg"))  # pytest's own folders are closed to others
    server = _Server(programs[-1], folder)
    try:
        server.start()
        yield f"postgresql+psycopg://postgres@/postgres?host={folder}&port={server.port}"
        server.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


class _Server:
    """A server that runs as an ordinary person: PostgreSQL refuses to run as root."""

    def __init__(self, programs: Path, folder: Path) -> None:
        self._programs = programs
        self._folder = folder
        self._data = folder / "data"
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self._user: list[str] = []
        if os.geteuid() == 0:
            self._become_postgres()

    def _become_postgres(self) -> None:
        if not shutil.which("runuser"):
            pytest.skip("PostgreSQL does not run as root, and there is no runuser")
        try:
            shutil.chown(self._folder, "postgres")
        except LookupError:
            pytest.skip("PostgreSQL does not run as root, and there is no user postgres")
        self._user = ["runuser", "-u", "postgres", "--"]

    def start(self) -> None:
        """Make a database and serve it."""
        self._do("initdb", "-A", "trust", "-U", "postgres", "-E", "UTF8", "--no-sync")
        options = f"-p {self.port} -k {self._folder} -c listen_addresses='' -c fsync=off"
        self._do("pg_ctl", "-w", "-o", options, "-l", str(self._folder / "log"), "start")

    def stop(self) -> None:
        """End it."""
        self._do("pg_ctl", "-w", "-m", "immediate", "stop")

    def _do(self, program: str, *arguments: str) -> None:
        command = [*self._user, str(self._programs / program), "-D", str(self._data), *arguments]
        done = subprocess.run(
            command, cwd=self._folder, capture_output=True, text=True, timeout=120, check=False
        )
        assert done.returncode == 0, done.stderr + done.stdout
