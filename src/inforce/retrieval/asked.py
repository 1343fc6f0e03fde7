"""What people ask about: words of questions, gathered by the article, chapter and law that answer.

`data/asked.npz` is written by `recipes/finding.sh` from public questions whose answers are known
(`docs/search.md` names them and their licences) and from those written for this purpose
(`recipes/search_training/written`); it holds counts of words, no sentence. Articles
are known by their wording (`fingerprint`), not by their number: the wording of an earlier law that
says the same is known as well, and a number that came to mean another article is not.
"""

from __future__ import annotations

import math
import re
import unicodedata
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from importlib import resources
from pathlib import Path
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from inforce.errors import SearchIndexError
from inforce.retrieval.glossary import short_title

Level = Literal["article", "chapter", "law"]
Places = NDArray[np.int64]
"""Of articles, chapters or laws in their level; -1 for one that nobody asked about."""

_LEVELS: dict[str, Level] = {level: level for level in get_args(Level)}

_K1 = 1.2
_B = 0.5
_FAMILIAR = 3

_SAID = re.compile(r"[0-9a-z\u4e00-\u9fff]+")
_PLAIN = re.compile(
    r"[\x00-\x7f\u4e00-\u9fff\u3000-\u3003\u3008-\u3011\u3014\u3015“”‘’…—·×"
    r"\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff5e]*"
)
"""Texts of these only, as most are, have no letter or digit that a normal form would change."""
_HEADING_NUMBER = re.compile(r"^第[〇零一二三四五六七八九十百]+(?:分?编|[章节])")

_CODE = "民法典"
_PARTS_OF_THE_CODE = frozenset(
    (
        "民法总则",
        "民法通则",
        "合同法",
        "物权法",
        "担保法",
        "婚姻法",
        "继承法",
        "收养法",
        "侵权责任法",
    )
)
"""Laws that 民法典 art. 1260 repealed: what is asked about the code was asked about them."""


def fingerprint(text: str) -> str:
    """Names a wording, white space and punctuation aside.

    >>> fingerprint("第一条 为了……") == fingerprint("第一条为了")
    True
    """
    normal = text if _PLAIN.fullmatch(text) else unicodedata.normalize("NFKC", text)
    said = "".join(_SAID.findall(normal.lower()))
    return blake2b(said.encode(), digest_size=5).hexdigest()


def law_group(work: str) -> str:
    """The law under which questions about a work are counted.

    >>> law_group("中华人民共和国婚姻法"), law_group("工伤保险条例")
    ('民法典', '工伤保险条例')
    """
    title = short_title(work)
    return _CODE if title in _PARTS_OF_THE_CODE else title


def chapter_group(work: str, path: str) -> str:
    """The chapter under which questions are counted: its last heading, whatever its number.

    >>> chapter_group("中华人民共和国婚姻法", "第四章 离婚")
    '民法典/离婚'
    """
    heading = path.rpartition(" / ")[2]
    return f"{law_group(work)}/{_HEADING_NUMBER.sub('', heading).strip()}"


@dataclass(frozen=True, slots=True)
class Asked:
    """The questions on one article, chapter or law."""

    level: Level
    names: tuple[str, ...]
    """Fingerprints of the wordings of an article; one `chapter_group`, one `law_group`."""
    questions: int
    words: Mapping[str, int]


class AskedScores:
    """BM25 of all articles, chapters or laws; 0 for those that were not asked about so."""

    def __init__(self, total: NDArray[np.float32], names: Sequence[tuple[str, ...]]) -> None:
        self._total = total  # the last is 0: that of place -1
        self._names = names
        self.highest = float(total.max())

    def of(self, places: Places) -> NDArray[np.float32]:
        """The scores of some of them, by `AskedIndex.places`."""
        return self._total[places]

    def best(self, k: int) -> dict[str, float]:
        """The names of the k best records, with their scores."""
        found = np.flatnonzero(self._total)
        if len(found) > k:
            least = np.partition(self._total[found], -k)[-k]
            found = found[self._total[found] >= least]
        order = np.argsort(-self._total[found], kind="stable")
        places: list[int] = found[order][:k].tolist()
        best: dict[str, float] = {}
        for place in places:
            best |= dict.fromkeys(self._names[place], float(self._total[place]))
        return best


class AskedIndex:
    """BM25 over what was asked, for each level."""

    def __init__(self, tables: Mapping[Level, _Table]) -> None:
        self._levels = {level: _LevelIndex(table) for level, table in tables.items()}
        self._tables = tables

    @staticmethod
    def of(records: Iterable[Asked]) -> AskedIndex:
        """An index of some records."""
        by_level: dict[Level, list[Asked]] = {level: [] for level in get_args(Level)}
        for record in records:
            by_level[record.level].append(record)
        return AskedIndex({level: _Table.of(found) for level, found in by_level.items()})

    def write(self, path: Path) -> None:
        """Write one file, the same bytes for the same records."""
        arrays = {
            f"{level}_{name}": array
            for level, table in self._tables.items()
            for name, array in table.arrays().items()
        }
        with path.open("wb") as file:
            np.savez_compressed(file, allow_pickle=False, **arrays)

    @staticmethod
    def read(path: Path) -> AskedIndex:
        """Read what `write` wrote.

        Raises:
            SearchIndexError: if it is damaged.
        """
        try:
            with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
                levels: tuple[Level, ...] = get_args(Level)
                return AskedIndex(
                    {
                        level: _Table.read({name: arrays[f"{level}_{name}"] for name in _ARRAYS})
                        for level in levels
                    }
                )
        except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
            raise SearchIndexError(f"the table of what was asked is damaged ({error})") from error

    def scores(self, level: Level, words: Mapping[str, float]) -> AskedScores:
        """BM25 of each article, chapter or law that was asked about in some of these words."""
        return self._levels[level].scores(words)

    def ideal(self, words: Mapping[str, float]) -> float:
        """About the score of an article that was asked about in every one of some words."""
        return self._levels["article"].ideal(words)

    def familiar(self, terms: Iterable[str]) -> float:
        """The share of different terms that questions on three laws or more had, 0 to 1.

        Near 0 for what is not about law at all; 0 without terms.
        """
        known = [self._levels["law"].spread(term) >= _FAMILIAR for term in dict.fromkeys(terms)]
        return sum(known) / len(known) if known else 0.0

    def places(self, level: Level, names: Iterable[str]) -> Places:
        """Where chapters or laws are in their level; -1 for those that nobody asked about."""
        return self._levels[level].places(names)

    def places_of_wordings(self, wordings: NDArray[np.uint64]) -> Places:
        """The same of articles, by the fingerprints of their wordings as numbers."""
        return self._levels["article"].places_of_wordings(wordings)

    def questions(self, level: Level, places: Places) -> NDArray[np.int32]:
        """How many questions articles, chapters or laws answered."""
        return self._levels[level].questions[places]


_ARRAYS = ("names", "questions", "words", "starts", "word_rows", "counts")


@dataclass(frozen=True, slots=True)
class _Table:
    """The records of one level: the words of record *i* are those from ``starts[i]``."""

    names: tuple[tuple[str, ...], ...]
    questions: NDArray[np.int32]
    words: tuple[str, ...]
    starts: NDArray[np.int32]
    """``(n + 1,)``."""
    word_rows: NDArray[np.int32]
    """The place in ``words`` of each word of each record."""
    counts: NDArray[np.uint16]

    @staticmethod
    def of(records: Sequence[Asked]) -> _Table:
        words = sorted({word for record in records for word in record.words})
        rows = {word: row for row, word in enumerate(words)}
        counted = [sorted((rows[word], n) for word, n in one.words.items()) for one in records]
        pairs = [pair for one in counted for pair in one]
        return _Table(
            tuple(record.names for record in records),
            np.asarray([record.questions for record in records], dtype=np.int32),
            tuple(words),
            np.cumsum([0, *map(len, counted)], dtype=np.int32),
            np.asarray([row for row, _ in pairs], dtype=np.int32),
            np.asarray([n for _, n in pairs], dtype=np.uint16),
        )

    def arrays(self) -> dict[str, NDArray[np.generic]]:
        return {
            "names": _text("\n".join(map(",".join, self.names))),
            "questions": self.questions,
            "words": _text("\n".join(self.words)),
            "starts": self.starts,
            "word_rows": self.word_rows,
            "counts": self.counts,
        }

    @staticmethod
    def read(arrays: Mapping[str, NDArray[np.generic]]) -> _Table:
        names = _lines(arrays["names"])
        return _Table(
            tuple(tuple(line.split(",")) for line in names),
            arrays["questions"].astype(np.int32),
            tuple(_lines(arrays["words"])),
            arrays["starts"].astype(np.int32),
            arrays["word_rows"].astype(np.int32),
            arrays["counts"].astype(np.uint16),
        )


class _LevelIndex:
    """The BM25 weights of a table, by word."""

    def __init__(self, table: _Table) -> None:
        self._names = table.names
        self._places = {name: at for at, names in enumerate(table.names) for name in names}
        self.questions = np.append(table.questions, np.int32(0))
        """Of each record, and 0 for place -1."""
        self._words = {word: at for at, word in enumerate(table.words)}
        n, counts = len(table.names), table.counts.astype(np.float32)
        of = np.repeat(np.arange(n, dtype=np.int32), np.diff(table.starts))
        lengths = np.bincount(of, weights=counts, minlength=n)
        norms = _K1 * (1 - _B + _B * lengths / (lengths.mean() if n else 1.0))
        by_word = np.argsort(table.word_rows, kind="stable")
        self._records = of[by_word].astype(np.intp)
        spread = np.bincount(table.word_rows, minlength=len(table.words))
        self._spread: list[int] = spread.tolist()
        self._idf = np.log(1 + (n - spread + 0.5) / (spread + 0.5))
        weights = counts * (_K1 + 1) / (counts + norms[of]) * self._idf[table.word_rows]
        self._weights = weights[by_word].astype(np.float32)
        self._starts: Places = np.concatenate([[0], np.cumsum(spread)])
        self._rarest = math.log(1 + (n + 0.5) / 0.5)

    def places(self, names: Iterable[str]) -> Places:
        return np.asarray([self._places.get(name, -1) for name in names], dtype=np.int64)

    def places_of_wordings(self, wordings: NDArray[np.uint64]) -> Places:
        if not self._places:
            return np.full(len(wordings), -1, dtype=np.int64)
        known = np.asarray([int(name, 16) for name in self._places], dtype=np.uint64)
        order = np.argsort(known)
        found = order[np.minimum(np.searchsorted(known, wordings, sorter=order), len(order) - 1)]
        places = np.fromiter(self._places.values(), dtype=np.int64, count=len(known))
        return np.where(known[found] == wordings, places[found], -1)

    def spread(self, word: str) -> int:
        """How many records have a word."""
        at = self._words.get(word)
        return 0 if at is None else self._spread[at]

    def ideal(self, words: Mapping[str, float]) -> float:
        """About the score of a record that has every word once; an unknown word counts as rare."""
        return sum(
            weight * (self._rarest if (at := self._words.get(word)) is None else self._idf[at])
            for word, weight in words.items()
        )

    def scores(self, words: Mapping[str, float]) -> AskedScores:
        total = np.zeros(len(self._names) + 1, dtype=np.float32)
        at = np.asarray([self._words.get(word, -1) for word in words], dtype=np.intp)
        weights = np.fromiter(words.values(), dtype=np.float32, count=len(words))[at >= 0]
        at = at[at >= 0]
        # All records of the first word, then those of the second, and so on.
        counts = self._starts[at + 1] - self._starts[at]
        skipped = self._starts[at] - np.cumsum(counts) + counts
        found: Places = np.arange(int(counts.sum())) + np.repeat(skipped, counts)
        np.add.at(total, self._records[found], np.repeat(weights, counts) * self._weights[found])
        return AskedScores(total, self._names)


@cache
def shipped_asked() -> AskedIndex:
    """What was asked, as of this release."""
    with resources.as_file(resources.files("inforce.retrieval.data") / "asked.npz") as path:
        return AskedIndex.read(path)


def _text(text: str) -> NDArray[np.uint8]:
    return np.frombuffer(text.encode(), dtype=np.uint8)


def _lines(array: NDArray[np.generic]) -> list[str]:
    text = array.tobytes().decode()
    return text.split("\n") if text else []
