"""Connections to the corpus file: threads read at once, forks and read-only folders are safe."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from inforce.corpus.connection import MOST_READERS, Connections
from inforce.corpus.store import Corpus
from inforce.errors import CorpusError
from inforce.law.numerals import ProvisionNumber
from inforce.testing import tiny_law
from unprivileged import unprivileged

ONE = ProvisionNumber.parse("1")
LAW = tiny_law("试验法", {"1": "甲"}, start=date(2000, 1, 1))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "home" / "corpus.db"
    with Corpus.open(path, mode="write") as corpus:
        corpus.add([LAW])
    return path


def test_threads_read_at_the_same_time_each_through_a_connection_of_its_own(path: Path) -> None:
    connections, others = Connections(path, "read"), list[object]()
    with connections.connection() as mine, connections.connection() as inside:
        assert inside is mine

        def read() -> None:
            with connections.connection() as other:
                others.append(other)
                together.wait()

        together = threading.Barrier(MOST_READERS)
        threads = [threading.Thread(target=read) for _ in range(MOST_READERS - 1)]
        for thread in threads:
            thread.start()
        together.wait(timeout=10)  # all others are inside as well, or this breaks
        for thread in threads:
            thread.join()
        assert len({id(one) for one in (mine, *others)}) == MOST_READERS
    connections.close()


def test_a_reader_follows_a_corpus_that_another_file_took_the_place_of(
    path: Path, tmp_path: Path
) -> None:
    with Corpus.open(tmp_path / "new.db", mode="write") as corpus:
        corpus.add([tiny_law("别法", {"1": "乙"}, start=date(2000, 1, 1))])
    with Corpus.open(path) as corpus:
        assert corpus.titles() == ("试验法",)
        (tmp_path / "new.db").replace(path)
        assert corpus.titles() == ("别法",)


_FORKS = """
import os, sys, threading, time
from pathlib import Path
from inforce.corpus.store import Corpus
from inforce.law.numerals import ProvisionNumber

corpus, one, ended = Corpus.open(Path(sys.argv[1])), ProvisionNumber.parse("1"), []

def read():
    while not ended:
        corpus.timeline("试验法", one)

for _ in range(3):
    threading.Thread(target=read, daemon=True).start()
for _ in range(int(sys.argv[2])):
    time.sleep(0.002)
    child = os.fork()
    if child == 0:
        corpus.timeline("试验法", one)
        corpus.close()
        os._exit(0)
    until = time.monotonic() + 20
    while os.waitpid(child, os.WNOHANG) == (0, 0):
        if time.monotonic() > until:
            os.kill(child, 9)
            sys.exit("a forked process hung")
        time.sleep(0.001)
ended.append(True)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.parametrize("forks", [12, pytest.param(1_000, marks=pytest.mark.slow)])
@pytest.mark.timeout(600)
def test_a_process_forked_while_threads_read_reads_on(path: Path, forks: int) -> None:
    command = [sys.executable, "-W", "ignore", "-c", _FORKS, str(path), str(forks)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


# -- a folder nobody may write to ------------------------------------------------------------------

_READ = """
import sys
from pathlib import Path
from inforce.corpus.store import Corpus
with Corpus.open(Path(sys.argv[1])) as corpus:
    print(*corpus.titles())
"""


@pytest.fixture
def read_only(path: Path) -> Iterator[Path]:
    path.parent.chmod(0o555)
    path.chmod(0o444)
    yield path
    path.parent.chmod(0o755)


def read_titles(path: Path) -> subprocess.CompletedProcess[str]:
    command = unprivileged(sys.executable, "-c", _READ, str(path))
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_a_corpus_in_a_read_only_folder_is_read_and_nothing_is_written(read_only: Path) -> None:
    assert sorted(one.name for one in read_only.parent.iterdir()) == ["corpus.db"]
    done = read_titles(read_only)
    assert (done.stdout.strip(), done.returncode) == ("试验法", 0), done.stderr
    assert sorted(one.name for one in read_only.parent.iterdir()) == ["corpus.db"]


def test_changes_that_cannot_be_read_in_a_read_only_folder_are_never_left_out(path: Path) -> None:
    """A killed writer may leave committed changes in the log alone."""
    with Corpus.open(path, mode="write") as corpus, Corpus.open(path):
        corpus.add([tiny_law("别法", {"1": "乙"}, start=date(2000, 1, 1))])
        killed = path.parent.parent / "killed"
        shutil.copytree(path.parent, killed)
    (killed / "corpus.db-shm").unlink(missing_ok=True)
    assert (killed / "corpus.db-wal").stat().st_size
    killed.chmod(0o555)
    done = read_titles(killed / "corpus.db")
    killed.chmod(0o755)
    assert done.returncode == 1
    assert "its last changes are in corpus.db-wal" in done.stderr
    assert read_titles(killed / "corpus.db").stdout.split() == ["别法", "试验法"]


def test_a_corpus_that_cannot_be_opened_says_so(path: Path) -> None:
    path.unlink()
    path.mkdir()
    with pytest.raises(CorpusError):
        Corpus.open(path)
