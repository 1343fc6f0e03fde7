"""Synthetic criminal judgments: real sentences of real cases, drawn anew for each document.

Deterministic for a seed, made one at a time: any number of them needs no memory.
"""

from __future__ import annotations

import gzip
import json
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from inforce.corpus.starter import starter_texts
from inforce.dates import DateRange
from inforce.retrieval.sources.source import SourceDocument

LENGTH = 450
"""Characters of a judgment."""

FIRST_DAY = date(2008, 1, 1).toordinal()
DAYS = 5_000
"""The judgments are of this many days, as many of each."""

_PIECES = 8
_SENTENCE = re.compile(r"[^。；]{6,200}[。；]")
_CLAUSE = re.compile(r"[^，。；：、]{4,20}")


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of the precedents: some clauses of a case, of some days."""

    text: str
    during: DateRange


def sentences(data: Path) -> Sequence[str]:
    """Sentences of the 7,583 real cases, or of the starter statutes where those are not there."""
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
    """So many judgments, each with its day."""
    draw = random.Random(f"{seed} {start}")
    for number in range(start, start + count):
        text = "".join(draw.choices(pool, k=_PIECES))
        while len(text) < LENGTH:
            text += draw.choice(pool)
        day = date.fromordinal(FIRST_DAY + draw.randrange(DAYS))
        yield SourceDocument(f"judgment-{number:08d}", "刑事判决书", text[:LENGTH], date=day)


def questions(pool: Sequence[str], count: int, *, seed: int) -> list[Question]:
    """Two or three clauses each; of a month, a year or three years, in turn."""
    draw = random.Random(seed)
    asked: list[Question] = []
    for number in range(count):
        clauses = [clause for one in draw.choices(pool, k=3) for clause in _CLAUSE.findall(one)[:1]]
        first = FIRST_DAY + draw.randrange(DAYS - 1_100)
        last = first + (30, 365, 1_095)[number % 3]
        days = DateRange(date.fromordinal(first), date.fromordinal(last))
        asked.append(Question("，".join(clauses), days))
    return asked
