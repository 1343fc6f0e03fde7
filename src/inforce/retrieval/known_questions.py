"""Words of questions whose answers are known, by the article, chapter and law that answered.

Document expansion: an article is also found by the words of questions it answered (BM25 over them).
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
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from inforce.errors import SearchIndexError
from inforce.retrieval.glossary import short_title

Level = Literal["article", "chapter", "law"]
_LEVELS: tuple[Level, ...] = get_args(Level)

Places = NDArray[np.int64]
"""Of articles, chapters or laws in their `LevelIndex`; -1 for one without a known question."""

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
    """Return the name of a wording, the same whatever its white space and punctuation.

    >>> fingerprint("第一条 为了……") == fingerprint("第一条为了")
    True
    """
    normal = text if _PLAIN.fullmatch(text) else unicodedata.normalize("NFKC", text)
    said = "".join(_SAID.findall(normal.lower()))
    return blake2b(said.encode(), digest_size=5).hexdigest()


def law_group(work: str) -> str:
    """Return the law under which questions about a work are counted.

    >>> law_group("中华人民共和国婚姻法"), law_group("工伤保险条例")
    ('民法典', '工伤保险条例')
    """
    title = short_title(work)
    return _CODE if title in _PARTS_OF_THE_CODE else title


def chapter_group(work: str, path: str) -> str:
    """Return the chapter under which questions are counted: its last heading without its number.

    >>> chapter_group("中华人民共和国婚姻法", "第四章 离婚")
    '民法典/离婚'
    """
    heading = path.rpartition(" / ")[2]
    return f"{law_group(work)}/{_HEADING_NUMBER.sub('', heading).strip()}"


@dataclass(frozen=True, slots=True)
class QuestionWords:
    """The words of all questions that one article, chapter or law answered."""

    level: Level
    names: tuple[str, ...]
    """Fingerprints of the wordings of an article; one `chapter_group`, one `law_group`."""
    questions: int
    words: Mapping[str, int]


class QuestionScores:
    """BM25 scores of the articles, chapters or laws of one level for some words."""

    def __init__(self, scores: NDArray[np.float32], names: Sequence[tuple[str, ...]]) -> None:
        self._scores = scores  # the last is 0: that of place -1
        self._names = names
        self.highest = float(scores.max())

    def at(self, places: Places) -> NDArray[np.float32]:
        """Return the scores at some places; 0 at -1."""
        return self._scores[places]

    def best(self, k: int) -> dict[str, float]:
        """Return the names of the k best records with their scores."""
        found = np.flatnonzero(self._scores)
        if len(found) > k:
            least = np.partition(self._scores[found], -k)[-k]
            found = found[self._scores[found] >= least]
        order = np.argsort(-self._scores[found], kind="stable")
        best: dict[str, float] = {}
        places: list[int] = found[order][:k].tolist()
        for place in places:
            best |= dict.fromkeys(self._names[place], float(self._scores[place]))
        return best


class LevelIndex:
    """BM25 over the known questions of all articles, chapters or laws.

    Args:
        arrays: as they are stored. ``names`` and ``words`` are texts with a line each; the words of
            record *i* are those from ``starts[i]`` in ``word_rows`` (their places in ``words``) and
            ``counts``; ``questions`` says how many questions each record answered.
    """

    def __init__(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        self.arrays = arrays
        self._names = [tuple(line.split(",")) for line in _lines(arrays["names"])]
        self._places = {name: at for at, names in enumerate(self._names) for name in names}
        self.questions = np.append(arrays["questions"], np.int32(0))
        """How many questions each record answered; 0 at place -1."""
        words, word_rows = _lines(arrays["words"]), arrays["word_rows"]
        self._words = {word: at for at, word in enumerate(words)}
        n, counts = len(self._names), arrays["counts"].astype(np.float32)
        records = np.repeat(np.arange(n, dtype=np.int32), np.diff(arrays["starts"]))
        lengths = np.bincount(records, weights=counts, minlength=n)
        norms = _K1 * (1 - _B + _B * lengths / (lengths.mean() if n else 1.0))
        spread = np.bincount(word_rows, minlength=len(words))
        self._spread: list[int] = spread.tolist()
        self._idf = np.log(1 + (n - spread + 0.5) / (spread + 0.5))
        self._rarest = math.log(1 + (n + 0.5) / 0.5)
        weights = counts * (_K1 + 1) / (counts + norms[records]) * self._idf[word_rows]
        # By word: the records that have it, and the weight it has in each.
        by_word = np.argsort(word_rows, kind="stable")
        self._records = records[by_word].astype(np.intp)
        self._weights = weights[by_word].astype(np.float32)
        self._starts: Places = np.concatenate([[0], np.cumsum(spread)])

    @staticmethod
    def of(records: Sequence[QuestionWords]) -> LevelIndex:
        """Make the index of some records of one level."""
        words = sorted({word for record in records for word in record.words})
        rows = {word: row for row, word in enumerate(words)}
        counted = [sorted((rows[word], n) for word, n in one.words.items()) for one in records]
        pairs = [pair for one in counted for pair in one]
        return LevelIndex(
            {
                "names": _text("\n".join(",".join(record.names) for record in records)),
                "questions": np.asarray([one.questions for one in records], dtype=np.int32),
                "words": _text("\n".join(words)),
                "starts": np.cumsum([0, *map(len, counted)], dtype=np.int32),
                "word_rows": np.asarray([row for row, _ in pairs], dtype=np.int32),
                "counts": np.asarray([n for _, n in pairs], dtype=np.uint16),
            }
        )

    def places(self, names: Iterable[str]) -> Places:
        """Return the place of each name; -1 for one without a known question."""
        return np.asarray([self._places.get(name, -1) for name in names], dtype=np.int64)

    def places_of_wordings(self, wordings: NDArray[np.uint64]) -> Places:
        """Return the same of articles, by the fingerprints of their wordings as numbers."""
        if not self._places:
            return np.full(len(wordings), -1, dtype=np.int64)
        known = np.asarray([int(name, 16) for name in self._places], dtype=np.uint64)
        order = np.argsort(known)
        found = order[np.minimum(np.searchsorted(known, wordings, sorter=order), len(order) - 1)]
        places = np.fromiter(self._places.values(), dtype=np.int64, count=len(known))
        return np.where(known[found] == wordings, places[found], -1)

    def spread(self, word: str) -> int:
        """Return how many records have a word."""
        at = self._words.get(word)
        return 0 if at is None else self._spread[at]

    def ideal(self, words: Mapping[str, float]) -> float:
        """Return about the score of a record with every word once; an unknown word is rare."""
        return sum(
            weight * (self._rarest if (at := self._words.get(word)) is None else self._idf[at])
            for word, weight in words.items()
        )

    def scores(self, words: Mapping[str, float]) -> QuestionScores:
        """Return the BM25 score of each record for weighted words."""
        total = np.zeros(len(self._names) + 1, dtype=np.float32)
        at = np.asarray([self._words.get(word, -1) for word in words], dtype=np.intp)
        weights = np.fromiter(words.values(), dtype=np.float32, count=len(words))[at >= 0]
        at = at[at >= 0]
        # All records of the first word, then those of the second, and so on.
        counts = self._starts[at + 1] - self._starts[at]
        skipped = self._starts[at] - np.cumsum(counts) + counts
        found: Places = np.arange(int(counts.sum())) + np.repeat(skipped, counts)
        np.add.at(total, self._records[found], np.repeat(weights, counts) * self._weights[found])
        return QuestionScores(total, self._names)


@dataclass(frozen=True, slots=True)
class KnownQuestions:
    """The known questions by article, by chapter and by law."""

    articles: LevelIndex
    chapters: LevelIndex
    laws: LevelIndex

    @staticmethod
    def of(records: Iterable[QuestionWords]) -> KnownQuestions:
        """Index some records."""
        known = list(records)
        return KnownQuestions(
            *(LevelIndex.of([one for one in known if one.level == level]) for level in _LEVELS)
        )

    @staticmethod
    def read(path: Path) -> KnownQuestions:
        """Read what `write` wrote.

        Raises:
            SearchIndexError: if it is damaged.
        """
        try:
            with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
                return KnownQuestions(
                    *(
                        LevelIndex({name: arrays[f"{level}_{name}"] for name in _ARRAYS})
                        for level in _LEVELS
                    )
                )
        except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
            raise SearchIndexError(f"the table of what was asked is damaged ({error})") from error

    def write(self, path: Path) -> None:
        """Write one file, the same bytes for the same records."""
        levels = zip(_LEVELS, (self.articles, self.chapters, self.laws), strict=True)
        arrays = {
            f"{level}_{name}": index.arrays[name] for level, index in levels for name in _ARRAYS
        }
        with path.open("wb") as file:
            np.savez_compressed(file, allow_pickle=False, **arrays)

    def familiar(self, terms: Iterable[str]) -> float:
        """Return the share of different terms that questions on three laws or more had, 0 to 1.

        Near 0 for what is not about law at all; 0 without terms.
        """
        known = [self.laws.spread(term) >= _FAMILIAR for term in dict.fromkeys(terms)]
        return sum(known) / len(known) if known else 0.0


_ARRAYS = ("names", "questions", "words", "starts", "word_rows", "counts")


@cache
def shipped_questions() -> KnownQuestions:
    """Return the known questions of this release."""
    with resources.as_file(resources.files("inforce.retrieval.data") / "asked.npz") as path:
        return KnownQuestions.read(path)


def _text(text: str) -> NDArray[np.uint8]:
    return np.frombuffer(text.encode(), dtype=np.uint8)


def _lines(array: NDArray[Any]) -> list[str]:
    text = array.tobytes().decode()
    return text.split("\n") if text else []
