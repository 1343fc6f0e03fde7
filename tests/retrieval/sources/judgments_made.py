"""Short judgments to fill sources with, and a source made of them."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from pathlib import Path

from inforce.dates import DateRange
from inforce.retrieval.sources.indexed import IndexedSource, build_source
from inforce.retrieval.sources.source import DEFAULT_K, Source, SourceDocument, SourceName
from inforce.store.local import LocalStore

_OFFENCES = ("盗窃", "抢劫", "诈骗", "故意", "伤害", "贪污", "受贿", "挪用")
_CIRCUMSTANCES = ("缓刑", "假释", "减刑", "自首", "立功", "累犯", "主犯", "从犯")
WORDS = (*_OFFENCES, *_CIRCUMSTANCES, "合同", "违约", "赔偿", "租赁")


def judgment(
    number: int | str, text: str, *, day: date | None = None, title: str = "判决"
) -> SourceDocument:
    return SourceDocument(f"j-{number}", title, text, date=day)


def random_judgments(count: int, *, seed: int = 0, dated: float = 1.0) -> Iterator[SourceDocument]:
    """So many, of days between 2010 and 2020; a share of them has no day."""
    draw = random.Random(seed)
    for number in range(count):
        text = "，".join(draw.choices(WORDS, k=draw.randrange(3, 12)))
        day = date(2010, 1, 1) + timedelta(days=draw.randrange(3_650))
        yield judgment(number, text, day=day if draw.random() < dated else None)


def made(
    folder: Path, documents: Iterable[SourceDocument], *, source: SourceName = "precedent"
) -> IndexedSource:
    build_source(LocalStore(folder), source, documents, threads=0)
    return opened(folder, source)


def opened(folder: Path, source: SourceName = "precedent") -> IndexedSource:
    return IndexedSource(LocalStore(folder), source)


def ids(
    source: Source, query: str, *, k: int = DEFAULT_K, during: DateRange | None = None
) -> list[str]:
    return [hit.document.id for hit in source.search(query, k=k, during=during)]
