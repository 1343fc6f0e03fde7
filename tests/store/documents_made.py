"""Documents, a schema and an encoder to fill collections with, and what they answer."""

from __future__ import annotations

import random
import zlib
from collections.abc import Sequence
from datetime import date, timedelta

import numpy as np

from inforce.dates import DateRange
from inforce.retrieval.tokens import tokenize
from inforce.store import (
    DENSE,
    EXACT,
    Channel,
    Collection,
    Document,
    Encoder,
    ExactTerms,
    Matrix,
    Query,
    Role,
    Schema,
)

_WORDS = """
盗窃 抢劫 诈骗 故意 伤害 贪污 受贿 挪用 缓刑 假释 减刑 自首 立功 累犯 主犯 从犯 合同 违约 赔偿 租赁
继承 遗嘱 婚姻 离婚 抚养 劳动 工资 解雇 保险 破产 票据 证券 专利 商标 著作 行政 处罚 许可 复议 诉讼
"""
WORDS = _WORDS.split()


class BagEncoder:
    """A bag of words, each word a fixed random direction: the same anywhere, without fitting."""

    def __init__(self, name: str = "bag", dimension: int = 24) -> None:
        self.name = name
        self.dimension = dimension

    def encode(self, texts: Sequence[str], *, role: Role) -> Matrix:
        sums = np.zeros((len(texts), self.dimension))
        for row, text in enumerate(texts):
            for token in tokenize(text):
                seed = zlib.crc32(token.encode())
                sums[row] += np.random.default_rng(seed).standard_normal(self.dimension)
        lengths = np.linalg.norm(sums, axis=1, keepdims=True)
        return (sums / np.where(lengths == 0, 1, lengths)).astype(np.float32)


def bigrams(text: str) -> list[str]:
    """Neighbouring characters of the words of a text."""
    joined = "".join(text.split())
    return [joined[at : at + 2] for at in range(len(joined) - 1)]


def schema(encoder: Encoder | None = None) -> Schema:
    """Words, character bigrams, and the dense channel of a bag of words."""
    channels = (Channel("words", tokenize), Channel("bigrams", bigrams))
    return Schema(channels, encoder or BagEncoder())


def document(
    key: str, text: str, days: DateRange | None = None, *exact: str, payload: str | None = None
) -> Document:
    """A document whose payload is its key."""
    return Document(key, key if payload is None else payload, text, days=days, exact=exact)


def random_documents(count: int, *, seed: int = 0, first: int = 0) -> list[Document]:
    """Documents of a few random words each, answering for random years."""
    rng = random.Random(seed)
    return [_random_document(rng, f"d{number:05d}") for number in range(first, first + count)]


def _random_document(rng: random.Random, key: str) -> Document:
    text = " ".join(rng.choices(WORDS, k=rng.randint(3, 12)))
    start = date(1980, 1, 1) + timedelta(days=rng.randrange(12_000))
    end = start + timedelta(days=rng.randint(1, 6_000)) if rng.random() < 0.7 else None
    return document(key, text, DateRange(start, end), f"law:{rng.randrange(5)}")


def query(text: str, *exact: str) -> ExactTerms:
    return ExactTerms(dict.fromkeys(exact, 10.0), text)


QUESTIONS = (query("盗窃 缓刑"), query("合同 违约 赔偿", "law:2"), query("遗嘱 继承 离婚"))


def asked_of(asked: ExactTerms) -> dict[str, tuple[str, Query]]:
    """A question as each channel is asked it."""
    return {
        "exact, then words": ("words", asked),
        "words": ("words", asked.text),
        "bigrams": ("bigrams", asked.text),
        DENSE: (DENSE, asked.text),
        EXACT: (EXACT, asked.terms),
    }


def keys_found(
    collection: Collection, asked: ExactTerms, *, during: Sequence[DateRange] = (), k: int = 10
) -> dict[str, list[str]]:
    """The keys each channel finds, best first; payloads are keys."""
    snapshot = collection.snapshot()
    return {
        name: snapshot.payloads(
            [one.row for one in snapshot.search(channel, query, during=during, k=k)]
        )
        for name, (channel, query) in asked_of(asked).items()
    }


def answers(collection: Collection) -> list[dict[str, list[str]]]:
    """What is found for a few questions, dated and not: two equal collections answer alike."""
    then = (DateRange(date(2000, 1, 1), date(2003, 1, 1)),)
    return [
        keys_found(collection, asked, during=days) for asked in QUESTIONS for days in ((), then)
    ]


def keys(collection: Collection) -> set[str]:
    """The keys of all documents."""
    return set(collection.snapshot().keys())


def annotate(collection: Collection, note: str) -> None:
    """Write a note with a commit of its own."""
    with collection.writing() as writer:
        writer.annotate(note)
        writer.commit()


THEFT = document("theft", "盗窃公私财物，数额较大的", None, "caption:盗窃罪")
FRAUD = document("fraud", "诈骗公私财物，数额较大的", None, "caption:诈骗罪")
LEASE = document("lease", "租赁合同的承租人应当支付租金", None)
ALL = (THEFT, FRAUD, LEASE)
