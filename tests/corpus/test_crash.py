"""A writer may be killed at any moment, and readers never notice a writer."""

from __future__ import annotations

import multiprocessing
import sqlite3
import time
from collections.abc import Iterable, Iterator
from datetime import date
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from inforce.corpus import adding
from inforce.corpus.adding import AddReport, PreparedRecord, store_records
from inforce.corpus.store import Corpus
from inforce.law.model import VersionText
from inforce.law.numerals import ProvisionNumber
from inforce.testing import tiny_law

# Real processes, each with an interpreter of its own; `kill` is SIGKILL.
processes = multiprocessing.get_context("spawn")

BATCH = 300
ALL_READ = 1 + BATCH
"""Messages of a writer up to the last record it reads: that it begins, and one a record."""
BASELINE = tiny_law("试验法", {"1": "原"}, start=date(1997, 10, 1))


def batch() -> Iterator[VersionText]:
    """Three hundred laws and, last, a correction of the one held before."""
    for index in range(BATCH - 1):
        articles = {str(n): f"第{index}号法律的第{n}条" for n in range(1, 8)}
        yield tiny_law(f"第{index}号法", articles, start=date(2000, 1, 1))
    yield tiny_law("试验法", {"1": "改"}, start=date(1997, 10, 1))


def add_batch(path: Path, parent: Connection) -> None:
    """What the writing process does: say that it begins, add, report each record it read."""

    def report(_: object) -> None:
        parent.send(None)
        parent.recv()  # no further than the parent allows

    report("begun")
    with Corpus.open(path, mode="write") as corpus:
        corpus.add(batch(), progress=report)
    report("done")


def add_until_killed(path: Path, *, after_messages: int, then_wait_s: float) -> None:
    """Start a writer, let it go on so many times, and kill it a moment later."""
    near, far = processes.Pipe()
    writer = processes.Process(target=add_batch, args=(path, far))
    writer.start()
    far.close()
    for _ in range(after_messages):
        near.recv()
        near.send(None)
    time.sleep(then_wait_s)
    writer.kill()
    writer.join()
    writer.close()
    near.close()


def snapshot_of(path: Path) -> str:
    """The state of a store that must also be sound."""
    with Corpus.open(path) as corpus:
        assert corpus.damage() == ()
        return corpus.snapshot()


@pytest.fixture
def store(tmp_path: Path) -> Path:
    path = tmp_path / "corpus.db"
    with Corpus.open(path, mode="write") as corpus:
        corpus.add([BASELINE])
    return path


@pytest.fixture
def after(tmp_path: Path) -> str:
    """The snapshot of a store to which the whole batch was added in peace."""
    path = tmp_path / "peace.db"
    with Corpus.open(path, mode="write") as corpus:
        corpus.add([BASELINE])
        corpus.add(batch())
    return snapshot_of(path)


@pytest.mark.parametrize(
    ("point", "then_wait_s"),
    [
        (BATCH // 2, 0.0),
        (ALL_READ, 0.02),  # the transaction follows the last record that is read
        *(pytest.param(ALL_READ, 0.01 * n, marks=pytest.mark.slow) for n in range(10)),
        *(pytest.param(n, 0.003, marks=pytest.mark.slow) for n in (1, 40, BATCH)),
    ],
)
def test_a_killed_writer_leaves_the_state_before_or_the_state_after(
    store: Path, after: str, point: int, then_wait_s: float
) -> None:
    before = snapshot_of(store)
    add_until_killed(store, after_messages=point, then_wait_s=then_wait_s)
    assert snapshot_of(store) in ({before, after} if point == ALL_READ else {before})


def test_after_a_kill_nothing_is_locked_and_the_same_can_be_added_again(
    store: Path, after: str
) -> None:
    add_until_killed(store, after_messages=BATCH // 2, then_wait_s=0)
    with Corpus.open(store, mode="write") as corpus:
        assert corpus.titles() == ("试验法",)
        corpus.add(batch())
    assert snapshot_of(store) == after


def test_a_writer_that_says_it_is_done_has_stored_everything(store: Path, after: str) -> None:
    add_until_killed(store, after_messages=ALL_READ + 1, then_wait_s=0)
    assert snapshot_of(store) == after


@pytest.mark.parametrize(
    "then_wait_s", [0.002, *(pytest.param(n, marks=pytest.mark.slow) for n in (0.0, 0.005, 0.01))]
)
def test_a_writer_killed_while_making_the_file_leaves_one_that_can_be_filled(
    tmp_path: Path, after: str, then_wait_s: float
) -> None:
    path = tmp_path / "corpus.db"
    add_until_killed(path, after_messages=1, then_wait_s=then_wait_s)
    with Corpus.open(path, mode="write") as corpus:
        corpus.add([BASELINE])
        corpus.add(batch())
    assert snapshot_of(path) == after


def look_when_asked(path: Path, asked: Connection) -> None:
    """What a reading process does: say what it sees each time it is asked."""
    number = ProvisionNumber.parse("1")
    with Corpus.open(path) as corpus:
        while asked.recv():
            (span,) = corpus.timeline("试验法", number).version_at(date(2000, 1, 1)).found
            assert span.provision is not None
            asked.send((corpus.snapshot(), span.provision.text, len(corpus.titles())))


def test_readers_in_other_processes_see_the_state_before_until_the_state_after_is_whole(
    store: Path, after: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = snapshot_of(store)
    pipes = [processes.Pipe() for _ in range(2)]
    readers = [processes.Process(target=look_when_asked, args=(store, far)) for _, far in pipes]
    for reader in readers:
        reader.start()

    def seen() -> list[object]:
        for near, _ in pipes:
            near.send(True)
        return [near.recv() for near, _ in pipes]

    def nothing_yet(records: Iterable[PreparedRecord]) -> Iterator[PreparedRecord]:
        for number, record in enumerate(records):
            yield record
            if number % 10 == 0 or number == BATCH - 1:
                assert seen() == [(before, "原", 1)] * 2

    def looking(db: sqlite3.Connection, records: Iterable[PreparedRecord]) -> AddReport:
        return store_records(db, nothing_yet(records))

    monkeypatch.setattr(adding, "store_records", looking)
    with Corpus.open(store, mode="write") as corpus:
        corpus.add(batch())
        assert seen() == [(after, "改", BATCH)] * 2
    assert seen() == [(after, "改", BATCH)] * 2
    for near, _ in pipes:
        near.send(False)
    for reader in readers:
        reader.join()
    assert [reader.exitcode for reader in readers] == [0, 0]
