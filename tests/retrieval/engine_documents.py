"""Documents and an encoder to fill engines with, and what an engine answers about them."""

from __future__ import annotations

import random
import zlib
from collections.abc import Sequence
from datetime import date, timedelta

import numpy as np

from inforce.dates import DateRange
from inforce.retrieval.encoders import Role
from inforce.retrieval.encoders.lsa import Matrix
from inforce.retrieval.engines import Document, Engine, EngineQuery, TimeFilter
from inforce.retrieval.fusion import CHANNELS
from inforce.retrieval.tokens import tokenize

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


def document(
    key: str, text: str, valid: DateRange | None = None, *locators: str, payload: str | None = None
) -> Document:
    """A document whose payload is its key."""
    return Document(key, text, key if payload is None else payload, valid=valid, locators=locators)


def random_documents(count: int, *, seed: int = 0, first: int = 0) -> list[Document]:
    """Documents of a few random words each, in force during random years."""
    rng = random.Random(seed)
    return [_random_document(rng, f"d{number:05d}") for number in range(first, first + count)]


def _random_document(rng: random.Random, key: str) -> Document:
    text = " ".join(rng.choices(WORDS, k=rng.randint(3, 12)))
    start = date(1980, 1, 1) + timedelta(days=rng.randrange(12_000))
    end = start + timedelta(days=rng.randint(1, 6_000)) if rng.random() < 0.7 else None
    return document(key, text, DateRange(start, end), f"law:{rng.randrange(5)}")


def query(text: str, *locators: str) -> EngineQuery:
    return EngineQuery(
        text, keywords=tuple(tokenize(text)), locators=tuple((name, 10.0) for name in locators)
    )


QUESTIONS = (query("盗窃 缓刑"), query("合同 违约 赔偿", "law:2"), query("遗嘱 继承 离婚"))


def keys_found(
    engine: Engine, asked: EngineQuery, *, during: TimeFilter = (), k: int = 10
) -> dict[str, list[str]]:
    """The keys each channel finds, best first."""
    return {
        channel: [
            engine.payload(scored.row)
            for scored in engine.search(channel, asked, during=during, k=k)
        ]
        for channel in CHANNELS
    }


def answers(engine: Engine) -> list[dict[str, list[str]]]:
    """What an engine finds for a few questions, dated and not: two equal engines answer alike."""
    then: TimeFilter = (DateRange(date(2000, 1, 1), date(2003, 1, 1)),)
    return [keys_found(engine, asked, during=days) for asked in QUESTIONS for days in ((), then)]
