"""The work of `precedents.py` in a process of its own: build the source, or write to it.

``python benchmarks/precedent_work.py WHAT DATA FOLDER DOCUMENTS SEED``, where WHAT is ``build``, to
make the source; ``single``, to add documents one by one, each with a commit, until standard input
is closed; or ``bulk``, to add all of them with one commit. Prints one JSON object.

The judgments are synthetic: real sentences of real cases, drawn anew for each document. They are
fixed by the seed and made one at a time, so that any number of them needs no memory.
"""

from __future__ import annotations

import gzip
import json
import random
import re
import resource
import select
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from inforce.corpus.starter import starter_texts
from inforce.dates import DateRange
from inforce.retrieval.sources.indexed import IndexedSource, build_source
from inforce.retrieval.sources.source import SourceDocument
from inforce.store.local import LocalStore

PAUSE = 0.05
"""Seconds between single documents: twenty per second, more than any court hands down."""

LATER = 900_000_000
"""First number of the documents that are added to the source."""

LENGTH = 450
"""Number of characters of a judgment."""

FIRST_DAY = date(2008, 1, 1).toordinal()
DAYS = 5_000
"""The judgments are spread evenly over this many days."""

_PIECES = 8
_SENTENCE = re.compile(r"[^。；]{6,200}[。；]")
_CLAUSE = re.compile(r"[^，。；：、]{4,20}")


@dataclass(frozen=True, slots=True)
class Question:
    """A search: some clauses of a case, and days."""

    text: str
    during: DateRange


def sentences(data: Path) -> Sequence[str]:
    """Read sentences of the 7,583 real cases, or of the starter statutes without these."""
    cases = data / "ljp" / "cases.jsonl.gz"
    if cases.is_file():
        with gzip.open(cases, "rt", encoding="utf-8") as lines:
            texts = [json.loads(line)["fact"] for line in lines]
    else:
        texts = [one.text for version in starter_texts() for one in version.provisions]
    return [sentence for text in texts for sentence in _SENTENCE.findall(text)]


def judgments(
    pool: Sequence[str], count: int, *, seed: int, start: int = 0
) -> Iterator[SourceDocument]:
    """Make judgments, each with a day."""
    draw = random.Random(f"{seed} {start}")
    for number in range(start, start + count):
        text = "".join(draw.choices(pool, k=_PIECES))
        while len(text) < LENGTH:
            text += draw.choice(pool)
        day = date.fromordinal(FIRST_DAY + draw.randrange(DAYS))
        yield SourceDocument(f"judgment-{number:08d}", "刑事判决书", text[:LENGTH], date=day)


def questions(pool: Sequence[str], count: int, *, seed: int) -> list[Question]:
    """Make searches of two or three clauses, over a month, a year and three years in turn."""
    draw = random.Random(seed)
    made: list[Question] = []
    for number in range(count):
        clauses = [clause for one in draw.choices(pool, k=3) for clause in _CLAUSE.findall(one)[:1]]
        first = FIRST_DAY + draw.randrange(DAYS - 1_100)
        last = first + (30, 365, 1_095)[number % 3]
        days = DateRange(date.fromordinal(first), date.fromordinal(last))
        made.append(Question("，".join(clauses), days))
    return made


def build(data: Path, folder: Path, count: int, seed: int) -> dict[str, Any]:
    """Build the source; the peak of memory is that of this process, which has no children."""
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
    """Open the source in a folder."""
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
