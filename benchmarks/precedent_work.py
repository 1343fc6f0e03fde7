"""Build the source, or write to it, in this process: run by `precedents.py`, one JSON object out.

``python benchmarks/precedent_work.py WHAT DATA FOLDER DOCUMENTS SEED``, where WHAT is ``build``, to
make the source; ``single``, to add documents one by one, each with a commit, until standard input
is closed; or ``bulk``, to add all of them with one commit.
"""

from __future__ import annotations

import json
import resource
import select
import sys
import time
from pathlib import Path
from typing import Any

from judgments import judgments, sentences

from inforce.retrieval.sources.indexed import IndexedSource, build_source
from inforce.store.local import LocalStore

PAUSE = 0.05
"""Seconds between single documents: twenty a second, more than any court hands down."""

LATER = 900_000_000
"""Where the numbers of documents begin that are added to the source."""


def build(data: Path, folder: Path, count: int, seed: int) -> dict[str, Any]:
    """Make the source; memory is the peak of this process, which has threads and no children."""
    pool = sentences(data)
    started = time.perf_counter()
    built = build_source(LocalStore(folder), "precedent", judgments(pool, count, seed=seed))
    seconds = time.perf_counter() - started
    own = resource.getrusage(resource.RUSAGE_SELF)
    return {
        "documents": built.documents,
        "build_s": seconds,
        "documents_per_s": count / seconds,
        "peak_rss_gb": own.ru_maxrss / 1e6,
        "cpu_s": own.ru_utime + own.ru_stime,
        "disk_gb": sum(one.stat().st_size for one in folder.rglob("*") if one.is_file()) / 1e9,
    }


def source_in(folder: Path) -> IndexedSource:
    """The source that was made there."""
    return IndexedSource(LocalStore(folder), "precedent")


def single(data: Path, folder: Path, count: int, seed: int) -> dict[str, Any]:
    """Add documents one by one until standard input is closed."""
    added = 0
    with source_in(folder).writing() as writer:
        print("ready", flush=True)
        for document in judgments(sentences(data), count, seed=seed, start=LATER):
            writer.add([document])
            writer.commit()
            added += 1
            if select.select([sys.stdin], [], [], PAUSE)[0]:
                break
    return {"added": added}


def bulk(data: Path, folder: Path, count: int, seed: int) -> dict[str, Any]:
    """Add many documents at once."""
    pool = sentences(data)
    print("ready", flush=True)
    started = time.perf_counter()
    written = source_in(folder).add(judgments(pool, count, seed=seed, start=2 * LATER))
    return {"added": written.added, "seconds": time.perf_counter() - started}


if __name__ == "__main__":
    work = {"build": build, "single": single, "bulk": bulk}[sys.argv[1]]
    print(
        json.dumps(work(Path(sys.argv[2]), Path(sys.argv[3]), int(sys.argv[4]), int(sys.argv[5])))
    )
