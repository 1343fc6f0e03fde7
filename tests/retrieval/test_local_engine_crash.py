"""A writer may be killed at any moment: the index is as before, or as after."""

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

import numpy as np
import pytest
from engine_documents import QUESTIONS, BagEncoder, keys_found, random_documents

from inforce.retrieval.engines import Document, segments
from inforce.retrieval.engines.lexicon import LexiconWriter
from inforce.retrieval.engines.local import LocalEngine

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

    def __str__(self) -> str:
        return f"{self.when} {getattr(self.owner, '__name__', '')}.{self.step}"

    def die_there(self) -> None:
        """Replace the step by one that kills this process."""
        step: Callable[..., object] = getattr(self.owner, self.step)

        def fatal(*args: object, **options: object) -> object:
            if self.when == "after":
                step(*args, **options)
            os.kill(os.getpid(), signal.SIGKILL)

        setattr(self.owner, self.step, fatal)


Job = Literal["add", "delete"]

ADDING = (
    Moment("before", LexiconWriter, "commit"),
    Moment("after", LexiconWriter, "commit"),
    Moment("after", segments, "write_segment"),
    Moment("after", segments, "commit", committed=True),
)
DELETING = (
    Moment("after", segments, "write_deleted"),
    Moment("after", segments, "commit", committed=True),
    Moment("before", LexiconWriter, "commit", committed=True),
)
MOMENTS: dict[Job, tuple[Moment, ...]] = {"add": ADDING, "delete": DELETING}


def do(engine: LocalEngine, job: Job) -> None:
    if job == "add":
        engine.add(ADDED)
    else:
        engine.delete(GONE)


def die_at(folder: Path, job: Job, index: int) -> None:
    """What a writing process does that dies at one moment of a commit."""
    MOMENTS[job][index].die_there()
    do(LocalEngine(folder, encoder=BagEncoder()), job)


def write_without_end(folder: Path, pipe: Connection) -> None:
    """What a writing process does that dies whenever it may."""
    engine = LocalEngine(folder, encoder=BagEncoder())
    pipe.send("begun")
    while True:
        engine.add(ADDED)
        engine.delete(document.key for document in ADDED)


@contextmanager
def busy_writer(folder: Path) -> Generator[None]:
    """A process that writes until it is killed, at the latest when the test is over."""
    near, far = processes.Pipe()
    writer = processes.Process(target=write_without_end, args=(folder, far))
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
    """Untouched indexes in the states a crash may leave."""

    before: LocalEngine
    after: dict[Job, LocalEngine]

    def copy(self, folder: Path) -> LocalEngine:
        """The state before, to be written to."""
        return LocalEngine(shutil.copytree(self.before.folder, folder), encoder=BagEncoder())


@pytest.fixture(scope="module")
def clean(tmp_path_factory: pytest.TempPathFactory) -> Clean:
    folder = tmp_path_factory.mktemp("clean")
    remaining = [document for document in BEFORE if document.key not in GONE]
    return Clean(
        made(folder / "before", BEFORE),
        {"add": made(folder / "add", [*BEFORE, *ADDED]), "delete": made(folder / "del", remaining)},
    )


def made(folder: Path, documents: list[Document]) -> LocalEngine:
    engine = LocalEngine.create(folder, BagEncoder())
    engine.add(documents)
    return engine


def assert_answers_like(engine: LocalEngine, clean: LocalEngine) -> None:
    """Every channel finds the same documents; the statistics of BM25 may lag behind."""
    assert engine.keys() == clean.keys()
    for asked in QUESTIONS:
        ours, theirs = keys_found(engine, asked, k=200), keys_found(clean, asked, k=200)
        assert ours["dense"] == theirs["dense"]
        assert sorted(ours["bm25"]) == sorted(theirs["bm25"])
        assert sorted(ours["keyword"]) == sorted(theirs["keyword"])


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
    reader = clean.copy(tmp_path / "index")
    writer = processes.Process(target=die_at, args=(reader.folder, job, index))
    writer.start()
    writer.join()
    assert writer.exitcode == -signal.SIGKILL
    left = clean.after[job] if MOMENTS[job][index].committed else clean.before
    assert_answers_like(reader, left)
    assert_answers_like(LocalEngine(reader.folder, encoder=BagEncoder()), left)
    do(reader, job)  # the next writer finishes the work
    assert_answers_like(reader, clean.after[job])


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(8))
def test_a_writer_killed_at_any_time_leaves_the_last_commit(
    tmp_path: Path, clean: Clean, seed: int
) -> None:
    reader = clean.copy(tmp_path / "index")
    with busy_writer(reader.folder):
        time.sleep(random.Random(seed).uniform(0.0, 0.4))
    has_added = bool(reader.keys() & {document.key for document in ADDED})
    assert_answers_like(reader, clean.after["add"] if has_added else clean.before)
    reader.add(ADDED)
    assert_answers_like(reader, clean.after["add"])


def test_rows_a_crash_left_in_the_lexicon_do_not_hide_others(tmp_path: Path, clean: Clean) -> None:
    """More than a first look of rows that no longer count stand before those that do."""
    reader = clean.copy(tmp_path / "index")
    reader.add(random_documents(400, seed=3, first=1_000))
    manifest = segments.read_manifest(reader.folder)
    assert manifest
    # What a deletion killed before its lexicon commit leaves: rows only the manifest calls dead.
    dead = np.arange(40, 440)
    segments.commit(reader.folder, segments.write_deleted(reader.folder, manifest, dead))
    assert_answers_like(reader, clean.before)


@pytest.mark.slow
def test_readers_never_notice_a_writer(tmp_path: Path, clean: Clean) -> None:
    """Whoever opens or searches while another process commits sees one commit or the next."""
    reader = clean.copy(tmp_path / "index")
    states = {clean.before.keys(), clean.after["add"].keys()}
    seen: set[frozenset[str]] = set()
    until = time.monotonic() + 3.0
    with busy_writer(reader.folder):
        while time.monotonic() < until:
            for engine in (reader, LocalEngine(reader.folder, encoder=BagEncoder())):
                assert engine.keys() in states
                seen.add(engine.keys())
                for asked in QUESTIONS:
                    keys_found(engine, asked)
    assert seen == states
