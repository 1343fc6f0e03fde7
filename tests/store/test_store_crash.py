"""A writer may be killed at any moment: the collection is as before, or as after."""

from __future__ import annotations

import multiprocessing
import os
import random
import shutil
import signal
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Literal

import pytest
from documents_made import QUESTIONS, document, keys, keys_found, random_documents, schema

from inforce.store import Collection, Document
from inforce.store.local import LocalStore
from inforce.store.local import _lexicon as lexicon_module
from inforce.store.local._lexicon import Lexicon
from inforce.store.local._records import RecordWriter

# Real processes, each with an interpreter of its own; they end by SIGKILL.
processes = multiprocessing.get_context("spawn")

BEFORE = random_documents(40)
ADDED = random_documents(30, seed=1, first=40)
GONE = sorted(document.key for document in BEFORE[:15])


@dataclass(frozen=True)
class Moment:
    """Just before or just after one step of a commit."""

    when: Literal["before", "after"]
    owner: object
    step: str
    committed: bool = False
    """Whether readers see the change if the writer dies there."""
    time: int = 1
    """The first or a later time that the step is taken."""

    def __str__(self) -> str:
        return f"{self.when} {getattr(self.owner, '__name__', '')}.{self.step}"

    def die_there(self) -> None:
        """Replace the step by one that kills this process."""
        step: Callable[..., object] = getattr(self.owner, self.step)
        times = 0

        def fatal(*args: object, **options: object) -> object:
            nonlocal times
            times += 1
            done = step(*args, **options) if self.when == "after" or times < self.time else None
            if times == self.time:
                os.kill(os.getpid(), signal.SIGKILL)
            return done

        setattr(self.owner, self.step, fatal)


Job = Literal["add", "delete", "replace"]

COMMITTING = (
    Moment("before", RecordWriter, "sync"),
    Moment("after", RecordWriter, "sync"),
    Moment("before", Lexicon, "commit"),
    Moment("after", lexicon_module, "_announce"),
    Moment("before", lexicon_module, "_settle", committed=True, time=2),  # 1: as writing begins
    Moment("after", Lexicon, "commit", committed=True),
)
MOMENTS: dict[Job, tuple[Moment, ...]] = {
    "add": (Moment("after", RecordWriter, "append"), *COMMITTING),
    "delete": (Moment("after", RecordWriter, "delete"), *COMMITTING),
    "replace": (
        Moment("after", Lexicon, "commit"),
        Moment("before", LocalStore, "_use"),
        Moment("after", LocalStore, "_use", committed=True),
    ),
}


def opened(root: Path) -> Collection:
    return LocalStore(root).open("made", schema())


def do(root: Path, job: Job) -> None:
    if job == "add":
        opened(root).add(ADDED)
    elif job == "delete":
        opened(root).delete(GONE)
    else:
        made(root, ADDED)


def die_at(root: Path, job: Job, index: int) -> None:
    """What a writing process does that dies at one moment of a commit."""
    MOMENTS[job][index].die_there()
    do(root, job)


def write_without_end(root: Path, pipe: Connection) -> None:
    """What a writing process does that dies whenever it may."""
    collection = opened(root)
    pipe.send("begun")
    while True:
        collection.add(ADDED)
        collection.delete(document.key for document in ADDED)


@contextmanager
def busy_writer(root: Path) -> Generator[None]:
    """A process that writes until it is killed, at the latest when the test is over."""
    near, far = processes.Pipe()
    writer = processes.Process(target=write_without_end, args=(root, far))
    writer.start()
    far.close()
    try:
        assert near.recv() == "begun"
        yield
    finally:
        writer.kill()
        writer.join()


@dataclass(frozen=True)
class Clean:
    """Untouched stores in the states a crash may leave."""

    before: Path
    after: dict[Job, Path]

    def copy(self, root: Path) -> Collection:
        """The state before, to be written to."""
        return opened(shutil.copytree(self.before, root))


@pytest.fixture(scope="module")
def clean(tmp_path_factory: pytest.TempPathFactory) -> Clean:
    root = tmp_path_factory.mktemp("clean")
    remaining = [document for document in BEFORE if document.key not in GONE]
    return Clean(
        made(root / "before", BEFORE),
        {
            "add": made(root / "add", [*BEFORE, *ADDED]),
            "delete": made(root / "delete", remaining),
            "replace": made(root / "replace", ADDED),
        },
    )


def made(root: Path, documents: list[Document]) -> Path:
    with LocalStore(root).replace("made", schema()) as writer:
        writer.add(documents)
    return root


def assert_answers_like(collection: Collection, root: Path) -> None:
    """Every channel finds the same documents; the statistics of BM25 may lag behind."""
    clean = opened(root)
    assert keys(collection) == keys(clean)
    for asked in QUESTIONS:
        ours, theirs = keys_found(collection, asked, k=200), keys_found(clean, asked, k=200)
        assert ours["dense"] == theirs["dense"]
        assert {name: sorted(found) for name, found in ours.items()} == {
            name: sorted(found) for name, found in theirs.items()
        }


@pytest.mark.parametrize(
    ("job", "index"),
    [
        pytest.param(job, index, id=f"{job}, {moment}")
        for job, moments in MOMENTS.items()
        for index, moment in enumerate(moments)
    ],
)
def test_a_writer_killed_during_a_commit_leaves_the_last_commit(
    tmp_path: Path, clean: Clean, job: Job, index: int
) -> None:
    root = tmp_path / "store"
    reader = clean.copy(root)
    writer = processes.Process(target=die_at, args=(root, job, index))
    writer.start()
    writer.join()
    assert writer.exitcode == -signal.SIGKILL
    left = clean.after[job] if MOMENTS[job][index].committed else clean.before
    assert_answers_like(reader, left)
    assert_answers_like(opened(root), left)
    do(root, job)  # the next writer finishes the work
    assert_answers_like(reader, clean.after[job])


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(8))
def test_a_writer_killed_at_any_time_leaves_the_last_commit(
    tmp_path: Path, clean: Clean, seed: int
) -> None:
    reader = clean.copy(tmp_path / "store")
    with busy_writer(tmp_path / "store"):
        time.sleep(random.Random(seed).uniform(0.0, 0.4))
    has_added = bool(keys(reader) & {document.key for document in ADDED})
    assert_answers_like(reader, clean.after["add"] if has_added else clean.before)
    reader.add(ADDED)
    assert_answers_like(reader, clean.after["add"])


@pytest.mark.slow
def test_readers_never_notice_a_writer(tmp_path: Path, clean: Clean) -> None:
    """Whoever opens or searches while another process commits sees one commit or the next."""
    reader = clean.copy(tmp_path / "store")
    states = [keys(opened(clean.before)), keys(opened(clean.after["add"]))]
    seen: list[set[str]] = []
    until = time.monotonic() + 3.0
    with busy_writer(tmp_path / "store"):
        while time.monotonic() < until:
            for collection in (reader, opened(tmp_path / "store")):
                found = keys(collection)
                assert found in states
                if found not in seen:
                    seen.append(found)
                for asked in QUESTIONS:
                    keys_found(collection, asked)
    assert len(seen) == 2


def test_many_deleted_documents_do_not_hide_others(tmp_path: Path, clean: Clean) -> None:
    reader = clean.copy(tmp_path / "store")
    reader.add(document(f"x{n}", "盗窃 盗窃 缓刑 合同 遗嘱") for n in range(400))
    reader.delete(f"x{n}" for n in range(400))
    assert_answers_like(reader, clean.before)
