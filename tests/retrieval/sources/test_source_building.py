"""Making a source: resumable, replaced in one step, never served half done."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from judgments_made import ids, judgment, made, opened, random_judgments

from inforce.errors import SearchIndexError
from inforce.retrieval.sources.indexed import build_source
from inforce.retrieval.sources.source import SourceDocument
from inforce.store.local import LocalStore


class Interrupted(Exception):
    """The build is stopped here."""


def stopping_after(count: int, documents: Iterator[SourceDocument]) -> Iterator[SourceDocument]:
    for number, document in enumerate(documents):
        if number == count:
            raise Interrupted
        yield document


def test_a_build_that_stopped_continues_after_its_last_commit(tmp_path: Path) -> None:
    store = LocalStore(tmp_path)
    with pytest.raises(Interrupted):
        build_source(
            store,
            "precedent",
            stopping_after(2_500, random_judgments(4_000)),
            fingerprint="a",
            threads=0,
            commit_every=1_000,
        )
    assert not store.current("precedent")
    built = build_source(store, "precedent", random_judgments(4_000), fingerprint="a", threads=0)
    assert (built.documents, built.resumed_at) == (4_000, 2_048)  # whole batches
    assert not store.unfinished("precedent")
    whole = made(tmp_path / "whole", random_judgments(4_000))
    assert opened(tmp_path).search("盗窃 自首", k=50) == whole.search("盗窃 自首", k=50)


@pytest.mark.parametrize("fingerprint", ["b", ""])
def test_a_build_of_another_input_begins_anew(tmp_path: Path, fingerprint: str) -> None:
    store = LocalStore(tmp_path)
    with pytest.raises(Interrupted):
        build_source(
            store,
            "precedent",
            stopping_after(1_500, random_judgments(2_000)),
            fingerprint="a" if fingerprint else "",
            threads=0,
            commit_every=500,
        )
    built = build_source(
        store,
        "precedent",
        random_judgments(100, seed=1),
        fingerprint=fingerprint,
        threads=0,
    )
    assert (built.documents, built.resumed_at) == (100, 0)
    assert len(opened(tmp_path)) == 100


def test_what_was_served_is_served_until_the_new_one_is_complete(tmp_path: Path) -> None:
    store = LocalStore(tmp_path)
    reader = made(tmp_path, [judgment("old", "盗窃")])
    with pytest.raises(Interrupted):
        build_source(
            store,
            "precedent",
            stopping_after(600, random_judgments(1_000)),
            threads=0,
            commit_every=500,
        )
    assert ids(reader, "盗窃") == ids(opened(tmp_path), "盗窃") == ["j-old"]
    build_source(store, "precedent", [judgment("new", "盗窃")], threads=0)
    assert ids(reader, "盗窃") == ["j-new"]
    assert [path.name for path in (tmp_path / "precedent").glob("0*")] == ["0002"]


def test_two_builds_of_one_source_do_not_mix(tmp_path: Path) -> None:
    store = LocalStore(tmp_path)

    def documents() -> Iterator[SourceDocument]:
        yield judgment(1, "盗窃")
        with pytest.raises(SearchIndexError, match=r"process \d+ on .* is writing"):
            build_source(store, "precedent", [judgment(2, "抢劫")], threads=0)

    assert build_source(store, "precedent", documents(), threads=0).documents == 1
    assert ids(opened(tmp_path), "抢劫") == []


def test_progress_adds_up_to_the_documents(tmp_path: Path) -> None:
    counted: list[int] = []
    build_source(
        LocalStore(tmp_path),
        "precedent",
        random_judgments(1_234),
        progress=counted.append,
        threads=0,
    )
    assert sum(counted) == 1_234
    assert len(counted) > 1


@pytest.mark.slow
def test_a_build_killed_without_warning_is_continued(tmp_path: Path) -> None:
    store = LocalStore(tmp_path)
    code = (
        "import sys, pathlib\n"
        f"sys.path.insert(0, {str(Path(__file__).parent)!r})\n"
        "from judgments_made import random_judgments\n"
        "from inforce.retrieval.sources.indexed import build_source\n"
        "from inforce.store.local import LocalStore\n"
        "store = LocalStore(pathlib.Path(sys.argv[1]))\n"
        "build_source(store, 'precedent', random_judgments(400_000),\n"
        "    fingerprint='a', commit_every=2_000, threads=2,\n"
        "    progress=lambda n: print(n, flush=True))\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path)], stdout=subprocess.PIPE, text=True
    ) as build:
        assert build.stdout
        done = 0
        while done < 10_000:
            done += int(build.stdout.readline())
        os.kill(build.pid, signal.SIGKILL)
    assert not store.current("precedent")
    built = build_source(store, "precedent", random_judgments(400_000), fingerprint="a")
    assert built.resumed_at >= 8_000
    assert built.documents == len(opened(tmp_path)) == 400_000
