"""Builds the corpus and its search index in this process, and measures it.

`statutes.py` runs it as a process of its own, so that the peak of memory is that of the build
alone: ``python benchmarks/building.py DATA HOME`` prints one JSON object.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from inforce.corpus.loaders import load
from inforce.corpus.store import Corpus
from inforce.errors import InputError
from inforce.law.model import VersionText
from inforce.retrieval.index import update_index

FILES = ("versions.jsonl.gz", "laws_current.jsonl.gz")
CORPUS = "corpus.db"
INDEX = "index"
"""Names of the corpus and the index in the folder."""


@dataclass(frozen=True, slots=True)
class Build:
    """Figures of the build."""

    load_s: float
    index_s: float
    peak_rss_gb: float
    works: int
    articles: int
    """Articles over all version records, as loaded."""
    wordings: int
    """Documents of the index, in which equal wordings are one."""
    corpus_mb: float
    index_mb: float

    @property
    def seconds(self) -> float:
        """Seconds of the whole build."""
        return self.load_s + self.index_s


def build(data: Path, home: Path) -> Build:
    """Load and index the statutes under ``home``."""
    path, folder = home / CORPUS, home / INDEX
    started = time.perf_counter()
    with Corpus.open(path, mode="write") as corpus:
        corpus.add(_texts(data / "statutes"))
    loaded = time.perf_counter()
    with Corpus.open(path) as corpus:
        report, stats = update_index(corpus, folder), corpus.stats()
    done = time.perf_counter()
    return Build(
        loaded - started,
        done - loaded,
        resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6,
        stats.works,
        stats.provisions,
        report.documents,
        path.stat().st_size / 1e6,
        sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) / 1e6,
    )


def _texts(statutes: Path) -> Iterator[VersionText]:
    for name in FILES:
        yield from load(statutes / name, on_problem=_stop)


def _stop(problem: InputError) -> None:
    raise problem


if __name__ == "__main__":
    print(json.dumps(asdict(build(Path(sys.argv[1]), Path(sys.argv[2])))))
